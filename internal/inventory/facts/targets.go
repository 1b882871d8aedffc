package facts

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// maxPods is how many pods of one workload are asked for metrics: Deployments
// of controllers have few, DaemonSets one a node.
const maxPods = 10

// MetricsTargets lists the workloads that may be asked for their metrics on
// request: controllers of operators and their companions, each once, with the
// pods that run. It is a pure function of its arguments and changes neither.
func MetricsTargets(s *inventory.Snapshot, a *attribution.Result) []inventory.MetricsTarget {
	o := newObserver(s, a)
	var list []inventory.MetricsTarget
	known := map[string]bool{}
	for i := range a.Operators {
		for _, of := range [][]attribution.Controller{a.Operators[i].Controllers, a.Operators[i].Companions} {
			for j := range of {
				w := &of[j].Workload
				if w.Live && w.Pod != nil && !known[w.Ref()] {
					known[w.Ref()] = true
					list = append(list, o.target(w))
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b inventory.MetricsTarget) int { return strings.Compare(a.Workload, b.Workload) })
	return list
}

func (o *observer) target(w *inventory.Workload) inventory.MetricsTarget {
	t := inventory.MetricsTarget{Workload: w.Ref(), Namespace: w.Namespace, Name: w.Name}
	var notes map[string]string
	for _, p := range o.podsOf[w.Meta.UID] {
		if p.Phase == corev1.PodRunning && p.DeletionTimestamp == nil {
			t.Pods = append(t.Pods, p.Name)
			notes = p.Annotations // those of the template: the same in each
		}
	}
	slices.Sort(t.Pods)
	if more := len(t.Pods) - maxPods; more > 0 {
		t.Pods, t.More = t.Pods[:maxPods], more
	}
	for _, svc := range o.servicesBefore(w) {
		t.Services = append(t.Services, svc.Name)
	}
	for _, p := range o.portsToAsk(w, notes) {
		t.Ports = append(t.Ports, inventory.MetricsPort{Number: p.number, HTTPS: secure(p) || notes["prometheus.io/scheme"] == "https"})
	}
	if path := notes["prometheus.io/path"]; strings.HasPrefix(path, "/") && !strings.ContainsAny(path, "?#%") && !strings.Contains(path, "..") {
		t.Path = path
	}
	return t
}

// portsToAsk are the ports that an annotation, a flag, a name or a monitor
// says serve metrics.
func (o *observer) portsToAsk(w *inventory.Workload, notes map[string]string) []podPort {
	ports, _, _ := controllerPorts(w.Pod)
	if n, err := strconv.ParseInt(notes["prometheus.io/port"], 10, 32); err == nil {
		ports = append([]podPort{{number: int32(n)}}, ports...)
	}
	ports = append(ports, o.namedByService(w)...)
	for _, l := range o.links(w) {
		if l.broken == "" {
			ports = append(ports, l.port)
		}
	}
	var list []podPort
	for _, p := range ports {
		if p.number > 0 && p.number < 65536 && !slices.ContainsFunc(list, p.same) {
			list = append(list, p)
		}
	}
	return list
}

// secure tells whether a port is likely to speak TLS; the other way is tried
// where it does not.
func secure(p podPort) bool {
	return p.proxy || strings.Contains(p.name, "https") || slices.Contains([]int32{443, 8443, 9443, 10250}, p.number)
}
