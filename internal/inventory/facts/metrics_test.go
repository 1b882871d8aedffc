package facts

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kubectl-operator-maturity/internal/inventory"
)

var operatorLabels = map[string]string{"app": "widget-operator"}

// metricsWorld has an operator with a port, a Service before it and
// ServiceMonitors on the cluster.
func metricsWorld(port string) *world {
	w := newWorld()
	w.crd(widget)
	w.define("ServiceMonitor.monitoring.coreos.com")
	w.define("PodMonitor.monitoring.coreos.com")
	w.container().Ports = []corev1.ContainerPort{{Name: port, ContainerPort: 8080}}
	w.service("ops", "metrics", operatorLabels, operatorLabels, corev1.ServicePort{Name: "metrics", Port: 8080, TargetPort: intstr.FromString(port)})
	w.endpoints("ops", "metrics")
	return w
}

func (w *world) container() *corev1.Container {
	return &w.s.Deployments[0].Spec.Template.Spec.Containers[0]
}

func (w *world) endpoints(namespace, service string) {
	w.s.EndpointSlices = append(w.s.EndpointSlices, discoveryv1.EndpointSlice{
		ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: service, Labels: map[string]string{"kubernetes.io/service-name": service}},
		Endpoints:  []discoveryv1.Endpoint{{}}})
}

func (w *world) monitor(kind, namespace, name, app, port string, change ...func(*inventory.Object)) *inventory.Object {
	endpoints := "endpoints"
	if kind == "PodMonitor" {
		endpoints = "podMetricsEndpoints"
	}
	return w.cr(kind+".monitoring.coreos.com", name, append(change, func(o *inventory.Object) {
		o.Namespace = namespace
		o.Spec = inventory.Pack(map[string]any{
			"selector": map[string]any{"matchLabels": map[string]any{"app": app}},
			endpoints:  []any{map[string]any{"port": port}}})
	})...)
}

func TestMetricsChain(t *testing.T) {
	t.Run("whole", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.monitor("ServiceMonitor", "ops", "m", "widget-operator", "metrics")
		f := w.observe().Metrics
		is(t, "scraped", f.Scraped && f.Declared && f.MonitoringInstalled, true)
		is(t, "endpoint", f.Endpoints[0], MetricsEndpoint{"Deployment/ops/widget-operator", "metrics", "ops/metrics", "ServiceMonitor/ops/m", ""})
		equal(t, "broken", f.Broken)
	})
	t.Run("I1 no such port", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.monitor("ServiceMonitor", "ops", "m", "widget-operator", "http-metrics")
		f := w.observe().Metrics
		is(t, "scraped", f.Scraped, false)
		equal(t, "broken", f.Broken, "ServiceMonitor/ops/m: port http-metrics does not exist on Service ops/metrics (it has: metrics)")
		is(t, "the endpoint says so too", f.Endpoints[0].Broken, f.Broken[0])
	})
	t.Run("another Service has the port", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.service("ops", "webhook", operatorLabels, operatorLabels, corev1.ServicePort{Name: "https", Port: 443})
		w.monitor("ServiceMonitor", "ops", "m", "widget-operator", "metrics")
		equal(t, "broken", w.observe().Metrics.Broken)
	})
	t.Run("I1 selects nothing", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.monitor("ServiceMonitor", "ops", "widget-operator", "wrong-label", "metrics")
		w.monitor("ServiceMonitor", "system", "scaffold", "widget-operator", "metrics")
		w.monitor("ServiceMonitor", "shop", "unrelated", "nobody", "metrics")
		f := w.observe().Metrics
		equal(t, "broken", f.Broken, "ServiceMonitor/ops/widget-operator selects no Service",
			"ServiceMonitor/system/scaffold selects no Service: Service ops/metrics has its labels, but is in another namespace")
		is(t, "no monitor", f.Endpoints[0].Broken, "no monitor selects port metrics of Service ops/metrics")
	})
	t.Run("namespaces", func(t *testing.T) {
		w := metricsWorld("metrics")
		m := w.monitor("ServiceMonitor", "system", "m", "widget-operator", "metrics")
		with(&m.Spec, "namespaceSelector", map[string]any{"any": true})
		is(t, "any", w.observe().Metrics.Scraped, true)
		with(&m.Spec, "namespaceSelector", map[string]any{"matchNames": []any{"ops"}})
		is(t, "named", w.observe().Metrics.Scraped, true)
		with(&m.Spec, "namespaceSelector", map[string]any{"matchNames": []any{"shop"}})
		is(t, "another", w.observe().Metrics.Scraped, false)
	})
	t.Run("target port by the container's name", func(t *testing.T) {
		w := metricsWorld("http-metrics")
		w.s.Services[0].Spec.Ports[0].TargetPort = intstr.FromInt32(8080)
		m := w.monitor("ServiceMonitor", "ops", "m", "widget-operator", "")
		with(&m.Spec, "endpoints", []any{map[string]any{"targetPort": "http-metrics"}})
		is(t, "scraped", w.observe().Metrics.Scraped, true)
	})
	t.Run("the Service aims at nothing", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.s.Services[0].Spec.Ports[0].TargetPort = intstr.FromString("https")
		w.monitor("ServiceMonitor", "ops", "m", "widget-operator", "metrics")
		contains(t, "broken", w.observe().Metrics.Broken, "port metrics of Service ops/metrics aims at https, which no container of Deployment/ops/widget-operator has")
	})
	t.Run("no ready endpoints", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.s.EndpointSlices = nil
		w.monitor("ServiceMonitor", "ops", "m", "widget-operator", "metrics")
		contains(t, "broken", w.observe().Metrics.Broken, "Service ops/metrics has no ready endpoints")
		w.access("discovery.k8s.io", "endpointslices", inventory.Forbidden)
		is(t, "unread endpoints break nothing", w.observe().Metrics.Scraped, true)
	})
	t.Run("pod monitor", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.s.Services = nil
		w.monitor("PodMonitor", "ops", "m", "widget-operator", "metrics")
		f := w.observe().Metrics
		is(t, "endpoint", f.Endpoints[0], MetricsEndpoint{Workload: "Deployment/ops/widget-operator", Port: "metrics", Monitor: "PodMonitor/ops/m"})
	})
	t.Run("I4 annotation, no monitoring installed", func(t *testing.T) {
		w := newWorld()
		w.crd(widget)
		w.s.Deployments[0].Spec.Template.Annotations = map[string]string{"prometheus.io/scrape": "true"}
		op := w.observe()
		f := op.Metrics
		is(t, "scraped", f.Scraped && f.Declared && op.Seen.MetricsScraped, true)
		is(t, "installed", f.MonitoringInstalled, false)
		is(t, "monitor", f.Endpoints[0].Monitor, "annotation")
	})
	t.Run("a port alone", func(t *testing.T) {
		w := newWorld()
		w.crd(widget)
		w.container().Ports = []corev1.ContainerPort{{Name: "metrics", ContainerPort: 9000}, {Name: "webhook", ContainerPort: 8443}}
		f := w.observe().Metrics
		is(t, "declared, not scraped", f.Declared && !f.Scraped && len(f.Endpoints) == 1, true)
		is(t, "nothing is broken where no monitoring is", f.Endpoints[0].Broken, "")
	})
	t.Run("unread Services", func(t *testing.T) {
		w := metricsWorld("metrics")
		w.access("", "services", inventory.Forbidden)
		op := w.observe()
		contains(t, "unseen", []string{op.Unseen["metrics"]}, "services forbidden")
		is(t, "the port is seen all the same", op.Seen.MetricsDeclared, true)
	})
}

func TestMetricsFlags(t *testing.T) {
	for _, c := range []struct {
		args, ports                  string
		declared, disabled, loopback bool
	}{
		{args: "--metrics-bind-address=:8443 --leader-elect", ports: "8443", declared: true},
		{args: "--metrics-bind-address :9999", ports: "9999", declared: true},
		{args: "--metricsPort=8000", ports: "8000", declared: true},
		{args: "--metrics-bind-address=0", disabled: true},
		{args: "--metrics-bind-address=127.0.0.1:8080", loopback: true},
		{args: "--metrics-server-service-name=x --metrics-service-address=keda:9666"},
		{args: "--health-probe-bind-address=:8081"},
	} {
		w := newWorld()
		w.crd(widget)
		w.container().Args = strings.Fields(c.args)
		f := w.observe().Metrics
		var ports []string
		for _, e := range f.Endpoints {
			ports = append(ports, e.Port)
		}
		is(t, c.args, strings.Join(ports, " "), c.ports)
		is(t, c.args, [3]bool{f.Declared, f.Disabled, len(f.Broken) > 0}, [3]bool{c.declared, c.disabled, c.loopback})
	}
}

func TestRBACProxy(t *testing.T) {
	w := metricsWorld("health")
	template := &w.s.Deployments[0].Spec.Template.Spec
	template.Containers[0].Args = []string{"--metrics-bind-address=127.0.0.1:8080"}
	template.Containers = append(template.Containers, corev1.Container{Name: "kube-rbac-proxy", Args: []string{"--secure-listen-address=0.0.0.0:8443"},
		Ports: []corev1.ContainerPort{{Name: "https", ContainerPort: 8443}}})
	w.service("ops", "secure", operatorLabels, map[string]string{"app": "secure"}, corev1.ServicePort{Name: "https", Port: 8443, TargetPort: intstr.FromString("https")})
	w.endpoints("ops", "secure")
	w.monitor("ServiceMonitor", "ops", "m", "secure", "https")
	op := w.observe()
	is(t, "scraped", op.Metrics.Scraped, true)
	equal(t, "broken", op.Metrics.Broken)
	equal(t, "proxy", op.Pod.KubeRBACProxy, "Deployment/ops/widget-operator/kube-rbac-proxy")
}

func TestOperandMonitors(t *testing.T) {
	w := metricsWorld("metrics")
	a := w.cr(widget, "a", ready, writtenBy("widget-op/status"))
	ref := owner(a)
	set := w.statefulSet("a", ref, corev1.Container{Name: "main", Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: 9000}}})
	w.pod("a-0", owner(set), nil).Annotations = map[string]string{"prometheus.io/scrape": "true"}
	w.monitor("PodMonitor", "shop", "owned", "a", "metrics", owned(ref))
	w.monitor("PodMonitor", "shop", "wrong", "a", "web", owned(ref))
	w.monitor("PodMonitor", "shop", "written", "a", "metrics", writtenBy("widget-op"))
	w.monitor("PodMonitor", "shop", "user", "a", "metrics", writtenBy("helm"))
	w.monitor("PodMonitor", "shop", "user-broken", "a", "web", writtenBy("helm"))
	c := w.first()
	f := c.Monitors
	equal(t, "operator", f.ByOperator, "PodMonitor/shop/owned", "PodMonitor/shop/written", "PodMonitor/shop/wrong")
	equal(t, "others", f.ByOthers, "PodMonitor/shop/user")
	equal(t, "broken", f.Broken, "PodMonitor/shop/wrong: port web does not exist in the pods of StatefulSet/shop/a")
	equal(t, "annotated", f.Annotated, "Pod/shop/a-0")
	is(t, "seen", c.Seen.OwnedMonitors, 3)
}

// A Service that calls a port metrics says what it is for, whatever the
// container calls it (Argo CD's application controller gives it no name).
func TestPortThatOnlyAServiceCallsMetrics(t *testing.T) {
	w := metricsWorld("")
	w.container().Ports[0].ContainerPort = 8082
	w.s.Services[0].Spec.Ports[0].TargetPort = intstr.FromInt32(8082)
	f := w.observe().Metrics
	is(t, "declared", f.Declared, true)
	is(t, "endpoint", f.Endpoints[0].Port+" "+f.Endpoints[0].Service, "8082 ops/metrics")
	is(t, "asked", MetricsTargets(w.s, w.result())[0].Ports[0].Number, int32(8082))

	w.container().Args = []string{"--metrics-bind-address=0"}
	is(t, "declared although switched off", w.observe().Metrics.Declared, false)
}
