package facts

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"kubectl-operator-maturity/internal/inventory"
)

// metrics follows the way from the controllers' metrics ports to a scraper.
// That a monitor exists is no proof: every link must hold.
func (op *operator) metrics() {
	f, o := &op.facts.Metrics, op.o
	f.MonitoringInstalled = o.monitoringInstalled()
	disabled := false
	for i := range op.at.Controllers {
		disabled = op.chain(&op.at.Controllers[i].Workload) || disabled
	}
	for _, m := range o.monitors {
		if why := op.selectsNothing(m); why != "" {
			f.Broken = append(f.Broken, why)
		}
	}
	f.Disabled = disabled && !f.Declared
	f.Broken = prose(f.Broken)
	op.facts.Seen.MetricsDeclared, op.facts.Seen.MetricsScraped = f.Declared, f.Scraped
	v := op.ofWorkloads()
	if len(op.at.Controllers) > 0 {
		v.on(services).onCustom(monitorResources()...)
	}
	unseen(op.facts.Unseen, "metrics", v)
}

// chain resolves the ways to one controller, and tells whether a flag switches
// its metrics off.
func (op *operator) chain(w *inventory.Workload) (disabled bool) {
	f, o := &op.facts.Metrics, op.o
	if w.Pod == nil {
		return false
	}
	ports, local, disabled := controllerPorts(w.Pod)
	if !disabled || len(ports) > 0 {
		for _, p := range o.namedByService(w) {
			if !slices.ContainsFunc(ports, p.same) {
				ports = append(ports, p)
			}
		}
	}
	links := o.links(w)
	for _, l := range links {
		switch {
		case l.broken != "":
			f.Broken = append(f.Broken, l.monitor.ref+": "+l.broken)
		case !slices.ContainsFunc(ports, l.port.same):
			ports = append(ports, l.port) // it is scraped, whatever its name
		}
	}
	note := o.annotated(w)
	f.Declared = f.Declared || len(ports) > 0 || note != ""
	for _, p := range ports {
		e := MetricsEndpoint{Workload: w.Ref(), Port: p.label()}
		if svc := o.exposes(w, p); svc != nil {
			e.Service = nameOf(svc)
		}
		for _, l := range links {
			if l.broken == "" && l.port.same(p) {
				e.Monitor = l.monitor.ref
				if l.service != nil {
					e.Service = nameOf(l.service)
				}
				break
			}
		}
		if e.Monitor == "" {
			e.Monitor = note
		}
		f.Scraped = f.Scraped || e.Monitor != "" && w.Live // a manifest alone scrapes nothing
		if e.Monitor == "" && f.MonitoringInstalled {
			e.Broken = why(&e, links)
		}
		if len(f.Endpoints) < maxList {
			f.Endpoints = append(f.Endpoints, e)
		}
	}
	if len(ports) == 0 && note != "" {
		f.Endpoints = append(f.Endpoints, MetricsEndpoint{Workload: w.Ref(), Monitor: note})
		f.Scraped = f.Scraped || w.Live
	}
	if local && len(ports) == 0 {
		f.Broken = append(f.Broken, w.Ref()+" serves metrics on its loopback address only")
	}
	return disabled
}

// why says where the chain of an endpoint ends.
func why(e *MetricsEndpoint, links []link) string {
	for _, l := range links {
		if l.broken != "" {
			return l.monitor.ref + ": " + l.broken
		}
	}
	if e.Service == "" {
		return "no Service exposes port " + e.Port + " of " + e.Workload + ", and no pod monitor selects it"
	}
	return "no monitor selects port " + e.Port + " of Service " + e.Service
}

// controllerPorts are the ports at which a controller serves metrics: by their
// name, by a flag, or a well-known number under a plain name.
func controllerPorts(spec *corev1.PodSpec) (ports []podPort, local, disabled bool) {
	add := func(p podPort) {
		if !slices.ContainsFunc(ports, p.same) {
			ports = append(ports, p)
		}
	}
	for i := range spec.Containers {
		f := metricsFlags(&spec.Containers[i])
		disabled, local = disabled || f.disabled, local || f.local
		for _, p := range f.ports {
			if declared, ok := findPort(spec, p.label()); ok {
				p = declared
			}
			add(p)
		}
	}
	if disabled && len(ports) == 0 {
		return nil, local, true
	}
	for _, p := range metricsPorts(spec) {
		add(p)
	}
	if len(ports) > 0 {
		return ports, local, false
	}
	for i := range spec.Containers {
		for _, p := range spec.Containers[i].Ports {
			if plainName[p.Name] && wellKnown[p.ContainerPort] {
				add(podPort{name: p.Name, number: p.ContainerPort})
			}
		}
	}
	return ports, local, false
}

// exposes finds a Service of the workload's pods that has the port.
func (o *observer) exposes(w *inventory.Workload, p podPort) *corev1.Service {
	for _, svc := range o.servicesBefore(w) {
		for i := range svc.Spec.Ports {
			sp := &svc.Spec.Ports[i]
			target := sp.TargetPort
			if target.String() == p.name || target.IntVal == p.number && p.number != 0 || target.IntVal == 0 && target.StrVal == "" && sp.Port == p.number {
				return svc
			}
		}
	}
	return nil
}

// annotated tells whether pods of the workload, or a Service before them, ask
// to be scraped by annotation.
func (o *observer) annotated(w *inventory.Workload) string {
	if o.scrapeNotes[w.Ref()] {
		return "annotation"
	}
	for _, svc := range o.servicesBefore(w) {
		if svc.Annotations["prometheus.io/scrape"] == "true" {
			return "annotation"
		}
	}
	return ""
}

// selectsNothing says so of a monitor that came with the operator, or that
// would select its Services were it to look in their namespace.
func (op *operator) selectsNothing(m *monitor) string {
	if m.pods || len(m.services) > 0 || op.isProduct(m.obj.Kind+"."+m.obj.Group()) {
		return ""
	}
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		for _, svc := range op.o.servicesBefore(w) {
			if !m.selector.Empty() && m.selector.Matches(labels.Set(svc.Labels)) {
				return m.ref + " selects no Service: Service " + nameOf(svc) + " has its labels, but is in another namespace"
			}
		}
	}
	if op.ofRelease(m.obj) {
		return m.ref + " selects no Service"
	}
	return ""
}

// noteAnnotations finds the workloads whose pods ask to be scraped.
func (o *observer) noteAnnotations() {
	o.scrapeNotes = map[string]bool{}
	note := func(kind, namespace, name string, annotations map[string]string) {
		if annotations["prometheus.io/scrape"] == "true" {
			o.scrapeNotes[kind+"/"+namespace+"/"+name] = true
		}
	}
	for i := range o.s.Deployments {
		d := &o.s.Deployments[i]
		note("Deployment", d.Namespace, d.Name, d.Spec.Template.Annotations)
	}
	for i := range o.s.StatefulSets {
		d := &o.s.StatefulSets[i]
		note("StatefulSet", d.Namespace, d.Name, d.Spec.Template.Annotations)
	}
	for i := range o.s.DaemonSets {
		d := &o.s.DaemonSets[i]
		note("DaemonSet", d.Namespace, d.Name, d.Spec.Template.Annotations)
	}
	for i := range o.s.Pods {
		p := &o.s.Pods[i]
		note("Pod", p.Namespace, p.Name, p.Annotations)
	}
}
