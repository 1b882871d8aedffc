package facts

import (
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kubectl-operator-maturity/internal/inventory"
)

// monitor is a ServiceMonitor, PodMonitor or one of their kin in one shape.
type monitor struct {
	ref      string
	obj      *inventory.Object
	pods     bool // selects pods, not Services
	selector labels.Selector
	any      bool // looks in every namespace
	spaces   []string
	ports    []scrapePort
	// services are those selected.
	services []*corev1.Service
}

// scrapePort is an endpoint of a monitor: the name of a Service's or pod's
// port, or a target port by name or number.
type scrapePort struct{ name, target string }

func (p scrapePort) label() string {
	if p.name != "" {
		return p.name
	}
	return p.target
}

// monitorKind is a row of the table of monitor kinds.
type monitorKind struct {
	resource
	kind      string
	pods      bool
	endpoints string
	anywhere  bool
}

var monitorKinds = []monitorKind{
	{resource{"monitoring.coreos.com", "servicemonitors"}, "ServiceMonitor", false, "endpoints", false},
	{resource{"monitoring.coreos.com", "podmonitors"}, "PodMonitor", true, "podMetricsEndpoints", false},
	{resource{"operator.victoriametrics.com", "vmservicescrapes"}, "VMServiceScrape", false, "endpoints", false},
	{resource{"operator.victoriametrics.com", "vmpodscrapes"}, "VMPodScrape", true, "podMetricsEndpoints", false},
	{resource{"monitoring.googleapis.com", "podmonitorings"}, "PodMonitoring", true, "endpoints", false},
	{resource{"monitoring.googleapis.com", "clusterpodmonitorings"}, "ClusterPodMonitoring", true, "endpoints", true},
}

// monitorResources are what scraping rests on, beside Services and pods.
func monitorResources() []resource {
	var list []resource
	for _, m := range monitorKinds {
		list = append(list, m.resource)
	}
	return list
}

// monitoringInstalled tells whether any monitor kind is on the cluster.
func (o *observer) monitoringInstalled() bool {
	return len(o.monitors) > 0 || slices.ContainsFunc(monitorKinds, func(m monitorKind) bool { return o.installed(m.resource) })
}

// readMonitors reads every monitor and finds the Services it selects.
func (o *observer) readMonitors() []*monitor {
	var list []*monitor
	for i := range o.s.CustomResources {
		c := &o.s.CustomResources[i]
		for _, row := range monitorKinds {
			if row.kind == c.Kind && row.group == c.Group() {
				if m := readMonitor(c, row); m != nil {
					list = append(list, m)
				}
			}
		}
	}
	slices.SortFunc(list, func(a, b *monitor) int { return strings.Compare(a.ref, b.ref) })
	o.monitorsOf, o.podMonitors = map[*corev1.Service][]*monitor{}, map[string][]*monitor{}
	for _, m := range list {
		switch {
		case !m.pods:
			m.services = o.servicesOf(m)
			for _, svc := range m.services {
				o.monitorsOf[svc] = append(o.monitorsOf[svc], m)
			}
		case m.any:
			o.podMonitors[""] = append(o.podMonitors[""], m)
		default:
			for _, ns := range m.spaces {
				o.podMonitors[ns] = append(o.podMonitors[ns], m)
			}
		}
	}
	return list
}

func readMonitor(c *inventory.Object, row monitorKind) *monitor {
	m := &monitor{ref: ref(c.Kind, c), obj: c, pods: row.pods, any: row.anywhere, spaces: []string{c.Namespace}}
	selector, ok := selectorOf(labelSelector(c.Spec.At("selector")))
	if !ok {
		return nil
	}
	m.selector = selector
	if names := stringsIn(c.Spec.At("namespaceSelector", "matchNames")); len(names) > 0 {
		m.spaces = names
	}
	if all, _ := c.Spec.At("namespaceSelector", "any").(bool); all {
		m.any = true
	}
	for _, e := range objectsIn(c.Spec.At(row.endpoints)) {
		p := scrapePort{name: str(e["port"]), target: portText(e["targetPort"])}
		if n, ok := integer(e["portNumber"]); ok {
			p.target = strconv.FormatInt(n, 10)
		}
		if n, ok := integer(e["port"]); ok { // PodMonitoring takes numbers
			p.target = strconv.FormatInt(n, 10)
		}
		m.ports = append(m.ports, p)
	}
	return m
}

func portText(v any) string {
	if n, ok := integer(v); ok {
		return strconv.FormatInt(n, 10)
	}
	return str(v)
}

// labelSelector reads a selector of a custom resource; a missing one is empty,
// which selects everything.
func labelSelector(v any) *metav1.LabelSelector {
	s := &metav1.LabelSelector{MatchLabels: stringMap(dig(v, "matchLabels"))}
	for _, e := range objectsIn(dig(v, "matchExpressions")) {
		s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{
			Key: str(e["key"]), Operator: metav1.LabelSelectorOperator(str(e["operator"])), Values: stringsIn(e["values"])})
	}
	return s
}

// servicesOf finds the Services that a monitor selects, by one of the labels
// that it asks for where it looks everywhere.
func (o *observer) servicesOf(m *monitor) []*corev1.Service {
	var candidates []*corev1.Service
	switch pairs := stringMap(m.obj.Spec.At("selector", "matchLabels")); {
	case !m.any:
		for _, ns := range m.spaces {
			candidates = append(candidates, o.services[ns]...)
		}
	case len(pairs) > 0:
		fewest := -1
		for key, value := range pairs {
			if list := o.byLabel[key+"="+value]; fewest < 0 || len(list) < fewest {
				candidates, fewest = list, len(list)
			}
		}
	default:
		for i := range o.s.Services {
			candidates = append(candidates, &o.s.Services[i])
		}
	}
	var found []*corev1.Service
	for _, svc := range candidates {
		if m.selector.Matches(labels.Set(svc.Labels)) {
			found = append(found, svc)
		}
	}
	return found
}
