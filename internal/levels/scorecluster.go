package levels

import (
	"cmp"
	"fmt"
	"slices"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// coverage is what was looked at. Lists that nobody asked for have no row, and
// are no incompleteness.
func coverage(s *inventory.Snapshot) Coverage {
	c := Coverage{Complete: len(s.Access) > 0, Resources: slices.Clone(s.Access)}
	if c.Resources == nil {
		c.Resources = []Resource{}
	}
	for i := range c.Resources {
		if state := c.Resources[i].Access; state != inventory.Listed && state != inventory.Absent {
			c.Complete = false
		}
	}
	slices.SortStableFunc(c.Resources, func(a, b Resource) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Version, b.Version), cmp.Compare(a.Detail, b.Detail))
	})
	return c
}

func (sc *scoring) sharedAPI(a *attribution.SharedAPI) SharedAPI {
	api := SharedAPI{Name: a.Name, CRDs: sc.crds(a.CRDs), Implementers: []string{}}
	for _, i := range a.Implementers {
		api.Implementers = append(api.Implementers, i.Operator)
		api.Signals = append(api.Signals, signals(i.Signals)...)
	}
	slices.Sort(api.Implementers)
	slices.SortFunc(api.Signals, func(a, b Signal) int {
		return cmp.Or(cmp.Compare(a.Signal, b.Signal), cmp.Compare(a.CRD, b.CRD), cmp.Compare(a.Object, b.Object), cmp.Compare(a.Detail, b.Detail))
	})
	return api
}

func aggregatedAPI(a *attribution.AggregatedAPI) AggregatedAPI {
	api := AggregatedAPI{Name: a.Name, Service: a.Service, Available: a.Available, Detail: a.Detail, Operator: a.Operator, Kinds: append([]string{}, a.Kinds...)}
	if a.AvailabilityUnknown {
		api.Available = false
		api.Detail = or(api.Detail, availabilityUnknown)
	}
	return api
}

const availabilityUnknown = "its availability is not reported"

// orphanFinding has the id of the criterion that says the same from facts.
const orphanFinding = "cr-without-controller"

// FindingIDs are the ids that findings of a Scorecard may have.
func (r *Rules) FindingIDs() []string {
	ids := []string{orphanFinding}
	for _, rule := range r.rules {
		ids = append(ids, rule.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// orphans are custom resources of nobody that wait for a controller that is
// not there. Where there are facts of them the rules speak.
func (sc *scoring) orphans(card *Scorecard) []Finding {
	list := []Finding{}
	for i := range card.Unattributed {
		crd := &card.Unattributed[i]
		if !crd.Orphaned || crd.Instances == 0 || sc.crdFacts[crd.Name] != nil {
			continue
		}
		detail := fmt.Sprintf("%d %s objects wait for a controller, and none was found", crd.Instances, crd.Kind)
		if crd.ControllerWhy != "" {
			detail += ": " + crd.ControllerWhy
		}
		list = append(list, Finding{
			ID: orphanFinding, Severity: "warning", Detail: detail,
			Objects: []string{"customresourcedefinitions/" + crd.Name},
		})
	}
	return list
}

// strayFindings are what criteria for CRDs find on those that belong to no
// operator: deletions that hang, references that point to nothing. Whose fault
// it is that a level shows nothing there is not asked.
func (sc *scoring) strayFindings(rules *Rules) []Finding {
	var crds []*subject
	for _, op := range sc.strays {
		crds = append(crds, subjectsOf(op).crds...)
	}
	slices.SortFunc(crds, byCRD)
	var list []Finding
	for _, rule := range rules.rules {
		if rule.Scope == PerCRD {
			list = append(list, rule.findings(Refuted, rule.judgeAll(crds, nil))...)
		}
	}
	return list
}
