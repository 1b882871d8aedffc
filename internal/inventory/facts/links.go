package facts

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kubectl-operator-maturity/internal/inventory"
)

// link is a resolved or broken way from a monitor to a port of a workload.
type link struct {
	monitor *monitor
	service *corev1.Service
	port    podPort
	broken  string
}

// links are all ways from monitors to the pods of a workload.
func (o *observer) links(w *inventory.Workload) []link {
	var list []link
	for _, svc := range o.servicesBefore(w) {
		for _, m := range o.monitorsOf[svc] {
			for _, p := range m.ports {
				port, broken := resolve(p, svc, w)
				if broken == "" && o.deserted(svc, w) {
					broken = "Service " + nameOf(svc) + " has no ready endpoints"
				}
				list = append(list, link{m, svc, port, broken})
			}
		}
	}
	for _, m := range slices.Concat(o.podMonitors[""], o.podMonitors[w.Namespace]) {
		if !m.selector.Matches(labels.Set(w.Labels)) {
			continue
		}
		for _, p := range m.ports {
			port, ok := findPort(w.Pod, p.label())
			l := link{monitor: m, port: port}
			if !ok {
				l.broken = "port " + p.label() + " does not exist in the pods of " + w.Ref()
			}
			list = append(list, l)
		}
	}
	return dropAlternatives(list)
}

// namedByService are the ports of a workload that a Service calls metrics,
// whatever the container calls them (Argo CD's controller gives no name).
func (o *observer) namedByService(w *inventory.Workload) []podPort {
	var list []podPort
	for _, svc := range o.servicesBefore(w) {
		for i := range svc.Spec.Ports {
			if name := svc.Spec.Ports[i].Name; metricsName.MatchString(name) {
				if port, broken := resolve(scrapePort{name: name}, svc, w); broken == "" {
					list = append(list, port)
				}
			}
		}
	}
	return list
}

// dropAlternatives takes out broken links of monitors that have an unbroken
// one: a monitor often names the ports of several Services, or two of which
// one is there.
func dropAlternatives(list []link) []link {
	works := map[*monitor]bool{}
	for _, l := range list {
		works[l.monitor] = works[l.monitor] || l.broken == ""
	}
	return slices.DeleteFunc(list, func(l link) bool { return l.broken != "" && works[l.monitor] })
}

// deserted tells whether a Service is known to have no ready endpoints although
// the workload has ready pods.
func (o *observer) deserted(svc *corev1.Service, w *inventory.Workload) bool {
	return w.Live && w.Ready > 0 && o.on(slicesOf).whole() && !o.endpoints[nameOf(svc)]
}

// resolve follows a monitor's port through a Service to a port of the pods, or
// says at which link it breaks (field-cases I1).
func resolve(p scrapePort, svc *corev1.Service, w *inventory.Workload) (podPort, string) {
	if p.name == "" {
		if port, ok := findPort(w.Pod, p.target); ok {
			return port, ""
		}
		return podPort{}, "target port " + p.target + " does not exist in the pods of " + w.Ref()
	}
	var have []string
	for i := range svc.Spec.Ports {
		sp := &svc.Spec.Ports[i]
		if sp.Name != p.name {
			have = append(have, cmpOr(sp.Name, strconv.Itoa(int(sp.Port))))
			continue
		}
		target := sp.TargetPort.String()
		if target == "0" || target == "" {
			target = strconv.Itoa(int(sp.Port))
		}
		if port, ok := findPort(w.Pod, target); ok {
			return port, ""
		}
		return podPort{}, "port " + p.name + " of Service " + nameOf(svc) + " aims at " + target + ", which no container of " + w.Ref() + " has"
	}
	return podPort{}, "port " + p.name + " does not exist on Service " + nameOf(svc) + " (it has: " + strings.Join(have, ", ") + ")"
}
