package attribution

import (
	"slices"
	"strings"
)

// sharedAPI is an API that is nobody's to reconcile alone: the Gateway API and
// the like. Those who write it implement it.
func (a *attributor) sharedAPI(key string) SharedAPI {
	api := SharedAPI{Name: a.nameOf(key)}
	found := map[string][]Signal{}
	for _, e := range a.crds {
		if e.key != key {
			continue
		}
		c := a.crdOf(e, &Operator{Name: api.Name})
		c.State, c.Orphaned = NotNeeded, false
		c.Why = "a shared API: each implementer reconciles the resources that name it"
		for _, cand := range e.candidates {
			if cand.tier > byBehaviour || a.workKey(cand.work) == key {
				continue // whoever merely uses its objects is no implementer
			}
			name := a.nameOf(a.workKey(cand.work))
			found[name] = append(found[name], cand.signals...)
			if ref := a.works[cand.work].Ref(); !slices.Contains(c.Controllers, ref) {
				c.Controllers = append(c.Controllers, ref)
			}
		}
		api.CRDs = append(api.CRDs, c)
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		api.Implementers = append(api.Implementers, Implementer{name, found[name]})
	}
	return api
}

// aggregatedAPIs are the APIServices that point at a Service.
func (a *attributor) aggregatedAPIs() []AggregatedAPI {
	var list []AggregatedAPI
	for i := range a.s.APIServices {
		o := &a.s.APIServices[i]
		service, ok := o.Spec.At("service").(map[string]any)
		if !ok {
			continue
		}
		api := AggregatedAPI{Name: o.Name, Service: str(service, "namespace") + "/" + str(service, "name"), AvailabilityUnknown: true}
		for _, c := range items(o.Status.At("conditions")) {
			if str(c, "type") == "Available" {
				api.AvailabilityUnknown = false
				api.Available = str(c, "status") == "True"
				api.Detail = strings.TrimSpace(str(c, "reason") + ": " + str(c, "message"))
			}
		}
		kinds, _ := o.Spec.At("kinds").([]any)
		for _, kind := range kinds {
			if name, ok := kind.(string); ok {
				api.Kinds = append(api.Kinds, name)
			}
		}
		for _, w := range a.backends[api.Service] {
			api.Operator = a.nameOf(a.workKey(w))
		}
		list = append(list, api)
	}
	return list
}
