package facts

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
)

func (o *observer) indexServices() {
	o.services, o.byLabel, o.endpoints = map[string][]*corev1.Service{}, map[string][]*corev1.Service{}, map[string]bool{}
	o.selecting = map[podLabel][]*corev1.Service{}
	for i := range o.s.Services {
		svc := &o.s.Services[i]
		o.services[svc.Namespace] = append(o.services[svc.Namespace], svc)
		if len(svc.Spec.Selector) > 0 {
			key := slices.Min(slices.Collect(maps.Keys(svc.Spec.Selector)))
			at := podLabel{svc.Namespace, key, svc.Spec.Selector[key]}
			o.selecting[at] = append(o.selecting[at], svc)
		}
		for key, value := range svc.Labels {
			o.byLabel[key+"="+value] = append(o.byLabel[key+"="+value], svc)
		}
	}
	for _, list := range o.services {
		sortServices(list)
	}
	for i := range o.s.EndpointSlices {
		slice := &o.s.EndpointSlices[i]
		name := slice.Namespace + "/" + slice.Labels["kubernetes.io/service-name"]
		for j := range slice.Endpoints {
			if ready := slice.Endpoints[j].Conditions.Ready; ready == nil || *ready {
				o.endpoints[name] = true
			}
		}
	}
	o.namespaces = map[string]map[string]string{}
	for i := range o.s.Others {
		if ns := &o.s.Others[i]; ns.Kind == "Namespace" {
			o.namespaces[ns.Name] = ns.Labels
		}
	}
}

// podLabel is a label in a namespace.
type podLabel struct{ namespace, key, value string }

// servicesBefore are the Services that select the pods of a workload, by name.
func (o *observer) servicesBefore(w *inventory.Workload) []*corev1.Service {
	var list []*corev1.Service
	for key, value := range w.Labels {
		for _, svc := range o.selecting[podLabel{w.Namespace, key, value}] {
			if w.SelectedBy(svc.Spec.Selector) {
				list = append(list, svc)
			}
		}
	}
	sortServices(list)
	return list
}

func sortServices(list []*corev1.Service) {
	slices.SortFunc(list, func(a, b *corev1.Service) int { return strings.Compare(a.Name, b.Name) })
}

// service finds a Service by name; nil if there is none.
func (o *observer) service(namespace, name string) *corev1.Service {
	for _, svc := range o.services[namespace] {
		if svc.Name == name {
			return svc
		}
	}
	return nil
}
