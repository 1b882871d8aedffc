package attribution

import (
	"cmp"
	"slices"
	"strings"
)

// result puts CRDs and workloads together into operators.
func (a *attributor) result() *Result {
	r := &Result{Aggregated: a.aggregatedAPIs()}
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
		if w.csv == nil && !a.present[w.entry] && a.installEntry(w.install) != nil {
			continue // a part of another operator's package, such as Argo CD's dex
		}
		add(a.workKey(i))
	}
	slices.Sort(keys)
	return keys
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

// controllersOf chooses the workloads that reconcile a CRD: of its own
// operator those with the strongest signals; if its operator has none, those
// that belong to nobody else; else those of another operator, which then is
// named as a candidate.
func (a *attributor) controllersOf(e *evidence) []candidate {
	var own, neutral, foreign []candidate
	for _, c := range e.candidates {
		key := a.workKey(c.work)
		switch {
		case key == e.key:
			own = append(own, c)
		case c.tier > byWatch:
		case a.works[c.work].entry == nil && a.works[c.work].csv == nil && !a.ownsOtherCRDs(key, e):
			neutral = append(neutral, c)
		case c.tier == byBehaviour:
			foreign = append(foreign, c)
		}
	}
	if named := a.namedControllers(e, own); len(named) > 0 {
		return named
	}
	if entry := a.entryOf(e.key); entry != nil && len(entry.Controllers) > 0 && a.dataOnly(e) {
		return nil // read by a server of the operator, reconciled by nobody
	}
	if best := a.preferred(strongest(own, byWildcard)); len(best) > 0 {
		return best
	}
	if e.confidence == Ambiguous && strings.HasPrefix(e.key, "group:") {
		return strongest(e.candidates, byWatch)
	}
	if best := strongest(neutral, byWatch); len(best) > 0 {
		return best
	}
	if best := strongest(foreign, byBehaviour); len(best) > 0 && len(a.mainWorkloads(e.key)) == 0 {
		for _, c := range best {
			if name := a.nameOf(a.workKey(c.work)); !slices.Contains(e.rivals, name) {
				e.rivals = append(e.rivals, name)
			}
		}
		return best
	}
	if whole, _ := a.seenAll(rbacResources...); !whole {
		return a.byPackageAlone(e)
	}
	return nil
}

// ownsOtherCRDs tells whether a key is that of CRDs of other groups: then its
// workloads are somebody's already.
func (a *attributor) ownsOtherCRDs(key string, e *evidence) bool {
	for _, other := range a.crds {
		if other.key == key && other.crd.Group != e.crd.Group {
			return true
		}
	}
	return false
}

// byPackageAlone: RBAC could not be read, so the operator's own workloads are
// all that can be named.
func (a *attributor) byPackageAlone(e *evidence) []candidate {
	var list []candidate
	for _, i := range a.mainWorkloads(e.key) {
		list = append(list, candidate{work: i, tier: byPackage, signals: []Signal{{Signal: "release", CRD: e.crd.Name, Object: a.works[i].Ref(),
			Detail: "is a workload of " + a.nameOf(e.key) + "; its rights could not be looked at"}}})
	}
	return list
}

// namedControllers are the candidates that the catalogue names as controllers,
// if they may watch the CRD: an operator in several parts (a recommender and
// an updater) needs all of them.
func (a *attributor) namedControllers(e *evidence, own []candidate) []candidate {
	entry := a.entryOf(e.key)
	if entry == nil || len(entry.Controllers) == 0 {
		return nil
	}
	return filter(own, func(c candidate) bool {
		return c.tier <= byWatch && slices.Contains(entry.Controllers, a.works[c.work].Name)
	})
}

// preferred leaves out of equal candidates those that are plainly something
// else than a controller.
func (a *attributor) preferred(list []candidate) []candidate {
	if len(list) < 2 {
		return list
	}
	if plain := filter(list, func(c candidate) bool { return !helperName(&a.works[c.work]) }); len(plain) > 0 {
		return plain
	}
	return list
}

func filter(list []candidate, keep func(candidate) bool) []candidate {
	var kept []candidate
	for _, c := range list {
		if keep(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// helperWords mark workloads that stand beside a controller.
var helperWords = []string{"webhook", "cainjector", "cert-controller", "dashboard", "-ui", "-server", "notifications", "repo-server", "proxy", "agent", "exporter", "dex", "redis", "console"}

func helperName(w *work) bool {
	for _, word := range helperWords {
		if strings.Contains(w.Name, word) || strings.Contains(w.Meta.Labels["app.kubernetes.io/component"], word) {
			return true
		}
	}
	return false
}

// mainWorkloads are the workloads of an operator that look like controllers.
func (a *attributor) mainWorkloads(key string) []int {
	entry := a.entryOf(key)
	var all, plain, named []int
	for i := range a.works {
		if a.workKey(i) != key || a.works[i].operand {
			continue
		}
		all = append(all, i)
		if entry != nil && slices.Contains(entry.Controllers, a.works[i].Name) {
			named = append(named, i)
		}
		if !helperName(&a.works[i]) {
			plain = append(plain, i)
		}
	}
	switch {
	case len(named) > 0:
		return named
	case len(plain) > 0:
		return plain
	}
	return all
}

// companions are the other workloads of the same operator or release.
func (a *attributor) companions(key string, controllers []int) []Controller {
	installs := map[string]bool{}
	for _, i := range controllers {
		if in := a.works[i].install; in.key() != "" && !in.coarse() {
			installs[in.key()] = true
		}
	}
	var list []Controller
	for i := range a.works {
		w := &a.works[i]
		if w.operand || slices.Contains(controllers, i) {
			continue
		}
		if a.workKey(i) == key || installs[w.install.key()] && (w.entry == nil || !a.present[w.entry]) {
			list = append(list, a.controllerOf(i, nil))
		}
	}
	return list
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
