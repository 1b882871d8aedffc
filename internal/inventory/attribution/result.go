package attribution

import (
	"cmp"
	"slices"
)

// result puts CRDs and workloads together into operators.
func (a *attributor) result() *Result {
	r := &Result{Aggregated: a.aggregatedAPIs(), Owners: a.owners, Rights: a.rights}
	keys := a.operatorKeys()
	for _, key := range keys {
		if entry := a.entryOf(key); entry != nil && entry.Archetype == "shared-api" {
			r.SharedAPIs = append(r.SharedAPIs, a.sharedAPI(key))
			continue
		}
		r.Operators = append(r.Operators, a.operator(key))
	}
	for _, e := range a.crds {
		if e.key == "" {
			nobody := Operator{}
			r.Unattributed = append(r.Unattributed, a.crdOf(e, &nobody))
		}
	}
	slices.SortFunc(r.Operators, func(x, y Operator) int {
		return cmp.Or(cmp.Compare(x.Name, y.Name), cmp.Compare(namespaceOf(&x), namespaceOf(&y)))
	})
	return r
}

func namespaceOf(o *Operator) string {
	if len(o.Controllers) > 0 {
		return o.Controllers[0].Workload.Namespace
	}
	return ""
}

// operatorKeys are the keys that CRDs have, and those of workloads that the
// catalogue or a CSV knows as operators although they have no CRD here.
func (a *attributor) operatorKeys() []string {
	var keys []string
	add := func(key string) {
		if key != "" && !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, e := range a.crds {
		add(e.key)
	}
	for i := range a.works {
		w := &a.works[i]
		if w.csv == nil && (w.entry == nil || w.operand) {
			continue
		}
		if w.csv == nil && (!a.present[w.entry] && a.installEntry(w.install) != nil || w.entry.NoCRDs && a.besideOperator(i)) {
			continue // a part of another operator's package, such as Argo CD's dex
		}
		add(a.workKey(i))
	}
	slices.Sort(keys)
	return keys
}

// besideOperator tells whether a workload's package has a workload of another
// entry that is an operator with CRDs: then the workload is a part of that
// package (kube-prometheus brings an adapter). It does not rest on CRDs, which
// may not have been read.
func (a *attributor) besideOperator(i int) bool {
	key := a.works[i].install.key()
	for j := range a.works {
		other := a.works[j].entry
		if key != "" && other != nil && other != a.works[i].entry && !other.NoCRDs && a.works[j].install.key() == key {
			return true
		}
	}
	return false
}

func (a *attributor) operator(key string) Operator {
	op := Operator{Name: a.nameOf(key), Entry: a.entryOf(key)}
	var own []*evidence
	for _, e := range a.crds {
		if e.key == key {
			own = append(own, e)
		}
	}
	op.External = a.platformOf(&op)
	chosen := map[string][]int{}
	signals := map[int][]Signal{}
	for _, e := range own {
		for _, c := range a.controllersOf(e) {
			chosen[e.crd.Name] = append(chosen[e.crd.Name], c.work)
			signals[c.work] = append(signals[c.work], c.signals...)
		}
	}
	works := make([]int, 0, len(signals))
	for i := range signals {
		works = append(works, i)
	}
	if len(works) == 0 {
		works = a.mainWorkloads(key)
	}
	slices.SortFunc(works, func(x, y int) int { return cmp.Compare(a.works[x].Ref(), a.works[y].Ref()) })
	byWork := map[int]Controller{}
	for _, i := range works {
		sigs := signals[i]
		if a.works[i].entry != nil {
			sigs = append([]Signal{a.works[i].entryBy}, sigs...)
		}
		c := a.controllerOf(i, sigs)
		byWork[i] = c
		op.Controllers = append(op.Controllers, c)
	}
	op.Companions = a.companions(key, works)
	for _, e := range own {
		var controllers []Controller
		for _, i := range chosen[e.crd.Name] {
			controllers = append(controllers, byWork[i])
		}
		op.CRDs = append(op.CRDs, a.crdOf(e, &op, controllers...))
	}
	a.describeOperator(&op, own, works)
	return op
}

// describeOperator sets what an operator has as a whole: how sure its identity
// is, its release and version.
func (a *attributor) describeOperator(op *Operator, own []*evidence, works []int) {
	order := []Confidence{High, Medium, Low, Ambiguous}
	op.Confidence = Medium
	if len(own) > 0 {
		op.Confidence = Ambiguous
	}
	for _, e := range own {
		if slices.Index(order, e.confidence) < slices.Index(order, op.Confidence) {
			op.Confidence = e.confidence
		}
		for _, rival := range e.rivals {
			if !slices.Contains(op.Candidates, rival) {
				op.Candidates = append(op.Candidates, rival)
			}
		}
	}
	seen := map[string]bool{}
	for _, e := range own {
		for _, s := range e.identity {
			if !seen[s.Signal+s.Object] {
				seen[s.Signal+s.Object] = true
				op.Signals = append(op.Signals, s)
			}
		}
	}
	for _, i := range works {
		w := &a.works[i]
		if op.Version == "" || op.Release == nil {
			pkg, version := packageOf(w)
			op.Version = cmp.Or(op.Version, version)
			if w.install.tool != "" && op.Release == nil {
				op.Release = &Release{Tool: w.install.tool, Namespace: w.install.namespace, Name: w.install.name, Package: pkg}
			}
		}
		if len(own) == 0 && w.entry != nil {
			op.Confidence = High
			op.Signals = append(op.Signals, w.entryBy)
		}
	}
}

// platformOf is the managed platform that runs an operator's controller, if a
// group that only the platform brings is on the cluster.
func (a *attributor) platformOf(op *Operator) string {
	if op.Entry == nil {
		return ""
	}
	for _, platform := range op.Entry.External {
		for _, e := range a.crds {
			if slices.Contains(platform.Groups, e.crd.Group) {
				return platform.Platform + " (group " + e.crd.Group + " is here)"
			}
		}
	}
	return ""
}

func (a *attributor) crdOf(e *evidence, op *Operator, controllers ...Controller) CRD {
	c := CRD{Name: e.crd.Name, Confidence: e.confidence, Candidates: e.rivals, DataOnly: a.dataOnly(e)}
	c.Signals = append(append(c.Signals, e.identity...), e.dead...)
	for _, w := range e.writers {
		if w.status && w.last.After(c.LastStatusWrite) {
			c.LastStatusWrite, c.StatusManager = w.last, w.manager
		}
	}
	for _, k := range controllers {
		c.Controllers = append(c.Controllers, k.Workload.Ref())
	}
	a.stateOfCRD(&c, e, op, controllers)
	c.Orphaned = c.State == Absent && !c.DataOnly
	return c
}
