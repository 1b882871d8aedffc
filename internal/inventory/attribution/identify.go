package attribution

import (
	"slices"

	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// Keys tell operators apart while attributing: "entry:" and a catalogue name,
// "csv:" and a package, "install:" and a release, "account:" and the
// ServiceAccount of workloads that nothing else ties together, "group:" and an
// API group whose owner is ambiguous.

// identify gives every CRD the key of its operator. Later passes may lean on
// earlier ones: what a CRD could not tell itself, its siblings can.
func (a *attributor) identify() {
	for _, e := range a.crds {
		a.identifyOne(e)
	}
	a.identifyGenerated()
	a.identifyBySiblings(sameGroup, "group")
	a.identifyBySiblings(family, "group family")
	for _, e := range a.crds {
		a.identifyByLookAlike(e)
	}
	a.identifyBySiblings(sameGroup, "group")
}

func (a *attributor) identifyOne(e *evidence) {
	switch {
	case a.identifyByCSV(e):
	case a.identifyByCatalogue(e):
	case a.identifyByBehaviour(e):
	case a.identifyByRelease(e):
	}
}

// identifyByCSV trusts the CSVs that own the CRD. Several packages that own it
// are ambiguous: the first by name is shown, the others are its candidates.
func (a *attributor) identifyByCSV(e *evidence) bool {
	if len(e.csvs) == 0 {
		return false
	}
	for _, c := range e.csvs {
		key := csvKey(c)
		e.identity = append(e.identity, Signal{Signal: "csv", CRD: e.crd.Name, Object: c.object, Detail: c.name + " lists it as owned"})
		if e.key == "" || key == e.key {
			e.key = key
		} else if !slices.Contains(e.rivals, a.nameOf(key)) {
			e.rivals = append(e.rivals, a.nameOf(key))
		}
	}
	e.confidence = High
	if len(e.rivals) > 0 {
		e.confidence = Ambiguous
	}
	return true
}

func csvKey(c *csv) string {
	if c.entry != nil {
		return "entry:" + c.entry.Name
	}
	return "csv:" + c.pkg
}

// identifyByCatalogue knows the group. It is sure when the cluster agrees: a
// workload of the same operator has rights on the CRD, writes its status or
// serves its webhook, or the CRD came in the operator's release.
func (a *attributor) identifyByCatalogue(e *evidence) bool {
	if e.match == nil {
		return false
	}
	entry := a.pickClaimant(e)
	e.key = "entry:" + entry.Name
	how := map[string]string{"crd": "lists the CRD", "group": "lists group " + e.crd.Group, "suffix": "lists a suffix of group " + e.crd.Group, "generated": "generates CRDs in group " + e.crd.Group}[e.match.By]
	e.identity = append(e.identity, Signal{Signal: "catalogue", CRD: e.crd.Name, Object: entry.Source, Detail: entry.Name + " " + how})
	e.confidence = Medium
	for _, c := range e.candidates {
		if a.works[c.work].entry != entry {
			continue
		}
		e.identity = append(e.identity, c.signals...)
		if c.tier != byWildcard && e.match.By != "suffix" {
			e.confidence = High
		}
	}
	if i := a.installEntry(e.install); i == entry {
		e.confidence = High
		e.identity = append(e.identity, e.releaseSignal())
	}
	return true
}

// pickClaimant chooses among entries that share a group: the one whose
// workload is here and has signals on the CRD, else the first.
func (a *attributor) pickClaimant(e *evidence) *catalogue.Operator {
	claimants := append([]*catalogue.Operator{e.match.Operator}, e.match.Others...)
	var present []*catalogue.Operator
	for _, entry := range claimants {
		for _, c := range e.candidates {
			if a.works[c.work].entry == entry && !slices.Contains(present, entry) {
				present = append(present, entry)
			}
		}
	}
	if len(present) == 0 {
		return claimants[0]
	}
	for _, other := range present[1:] {
		e.rivals = append(e.rivals, other.Name)
	}
	return present[0]
}

// identifyByBehaviour names the operator after the workloads that have the
// strongest signals, if they are all of one operator.
func (a *attributor) identifyByBehaviour(e *evidence) bool {
	best := strongest(e.candidates, byWatch)
	if len(best) == 0 {
		return false
	}
	if writers := withStatusWriter(best); len(writers) > 0 {
		best = writers
	}
	keys := a.keysOf(best)
	if len(keys) > 1 {
		if own := a.installKey(e.install); own != "" && slices.Contains(keys, own) {
			keys = []string{own}
		}
	}
	for _, c := range best {
		if len(keys) > 1 || a.workKey(c.work) == keys[0] {
			e.identity = append(e.identity, c.signals...)
		}
	}
	if len(keys) > 1 {
		e.key, e.confidence = "group:"+e.crd.Group, Ambiguous
		for _, key := range keys {
			e.rivals = append(e.rivals, a.nameOf(key))
		}
		slices.Sort(e.rivals)
		return true
	}
	e.key = keys[0]
	e.confidence = a.behaviourConfidence(e, best)
	return true
}

// behaviourConfidence: rights alone can be those of one implementer of many,
// so they are sure only together with a second class of signal.
func (a *attributor) behaviourConfidence(e *evidence, best []candidate) Confidence {
	sameRelease := e.install.key() != "" && a.installKey(e.install) == e.key
	if sameRelease {
		e.identity = append(e.identity, e.releaseSignal())
	}
	second := sameRelease || len(withStatusWriter(best)) > 0
	for _, c := range e.candidates {
		if a.workKey(c.work) == e.key && hasSignal(c, "conversion-webhook") {
			second = true
		}
	}
	switch {
	case best[0].tier == byBehaviour && second, best[0].tier == byWrite && sameRelease:
		return High
	case best[0].tier <= byWrite, second:
		return Medium
	}
	return Low
}

// identifyByRelease names the operator after the release that brought the CRD.
func (a *attributor) identifyByRelease(e *evidence) bool {
	key := a.installKey(e.install)
	if key == "" || e.install.coarse() && a.installEntry(e.install) == nil {
		return false
	}
	e.key, e.confidence = key, Medium
	e.identity = append(e.identity, e.releaseSignal())
	return true
}

func (e *evidence) releaseSignal() Signal {
	s := e.install.signal
	s.CRD, s.Object = e.crd.Name, "CustomResourceDefinition/"+e.crd.Name
	return s
}

// strongest are the candidates of the best tier, if it is at least as good as
// the limit.
func strongest(list []candidate, limit tier) []candidate {
	if len(list) == 0 || list[0].tier > limit {
		return nil
	}
	n := 0
	for n < len(list) && list[n].tier == list[0].tier {
		n++
	}
	return list[:n]
}

func withStatusWriter(list []candidate) []candidate {
	var writers []candidate
	for _, c := range list {
		if hasSignal(c, "status-writer") {
			writers = append(writers, c)
		}
	}
	return writers
}

func hasSignal(c candidate, name string) bool {
	return slices.ContainsFunc(c.signals, func(s Signal) bool { return s.Signal == name })
}
