package facts

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// Samples are the operator's metrics as read on request.
type Samples struct {
	Served    bool `json:"served"`    // answered, or asks for credentials
	Protected bool `json:"protected"` // 401, 403, TLS
	// Sums over all series of the operator; a family that is absent is 0 and its Has field false.
	HasReconcile    bool     `json:"hasReconcile"`
	Reconciles      float64  `json:"reconciles"`
	ReconcileErrors float64  `json:"reconcileErrors"`
	Panics          float64  `json:"panics"`
	Throttled       float64  `json:"throttled"`
	Forbidden       float64  `json:"forbidden"`
	QueueDepth      float64  `json:"queueDepth"`
	LongestRunning  float64  `json:"longestRunning"` // seconds
	CustomFamilies  []string `json:"customFamilies"`
	// ResourceFamilies are families with labels that name custom resources.
	// Both lists leave out families of which every value is 0.
	ResourceFamilies []string `json:"resourceFamilies"`
	// OwnFamilies counts custom families, with those that stand at 0.
	OwnFamilies int `json:"ownFamilies"`
	// HasPanics, HasQueue and HasCalls: panics, the work queue and the calls to
	// the API server are counted at all.
	HasPanics bool `json:"hasPanics"`
	HasQueue  bool `json:"hasQueue"`
	HasCalls  bool `json:"hasCalls"`
}

// reading is what one source (the pods, a Prometheus, a file) told of an
// operator's metrics.
type reading struct {
	served []*inventory.Exposition
	// lacks says why it is not all; empty when every controller's every pod
	// was read.
	lacks string
}

func (r *reading) whole() bool { return r.lacks == "" && len(r.served) > 0 }

// samples fills the facet of scraped metrics. It is known only when every pod
// of every controller was read, since with leader election one pod counts and
// the others stand at 0; what was read of some are lower bounds.
func (op *operator) samples() {
	f, o := op.facts, op.o
	if !o.s.MetricsAsked() {
		f.Unseen["samples"] = "not asked for: --metrics"
		return
	}
	mine := op.expositions()
	op.servedOrRefused(mine)
	best := op.bestReading(mine)
	if best == nil {
		f.Unseen["samples"] = op.nothingRead()
		return
	}
	m := op.measure(best.served)
	f.Seen.Reconciles, f.Seen.ReconcileErrors = m.Reconciles, m.ReconcileErrors
	f.Seen.CustomFamilies, f.Seen.ResourceFamilies = m.CustomFamilies, m.ResourceFamilies
	if !best.whole() {
		f.Unseen["samples"] = best.lacks
		return
	}
	m.Served, m.Protected = true, slices.ContainsFunc(mine, func(e *inventory.Exposition) bool { return e.Outcome == inventory.Protected })
	f.Samples = m
}

// expositions are those of the operator's workloads, and of its name.
func (op *operator) expositions() []*inventory.Exposition {
	var list []*inventory.Exposition
	for i := range op.o.s.Expositions {
		e := &op.o.s.Expositions[i]
		if e.Operator != "" && e.Operator == op.at.Name || e.Workload != "" && (has(op.at.Controllers, e.Workload) || has(op.at.Companions, e.Workload)) {
			list = append(list, e)
		}
	}
	return list
}

func has(list []attribution.Controller, ref string) bool {
	return slices.ContainsFunc(list, func(c attribution.Controller) bool { return c.Workload.Ref() == ref })
}

// servedOrRefused notes that an endpoint is surely there, or that nothing
// listens where pods of the controllers were asked. A pod that is not ready may
// not have begun to listen.
func (op *operator) servedOrRefused(mine []*inventory.Exposition) {
	refused, other := false, false
	for _, e := range mine {
		switch {
		case e.Outcome == inventory.Served, e.Outcome == inventory.Protected:
			op.facts.Seen.MetricsServed = true
		case !has(op.at.Controllers, e.Workload):
		case e.Outcome == inventory.Refused && op.ready(e):
			refused = true
		default:
			other = true
		}
	}
	op.facts.Seen.MetricsRefused = refused && !other && !op.facts.Seen.MetricsServed
}

// ready tells whether the pod that was asked is ready.
func (op *operator) ready(e *inventory.Exposition) bool {
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		if w.Ref() != e.Workload || w.Meta == nil {
			continue
		}
		for _, p := range op.o.podsOf[w.Meta.UID] {
			if p.Name == e.Pod {
				return p.Ready == "True"
			}
		}
	}
	return false
}

// bestReading chooses one source: sums of two would count twice. A whole one
// is better than any other, then one that read something.
func (op *operator) bestReading(mine []*inventory.Exposition) *reading {
	var best *reading
	for _, via := range []inventory.ExpositionSource{inventory.ViaPodProxy, inventory.ViaPrometheus, inventory.ViaFile} {
		r := op.reading(via, mine)
		switch {
		case r == nil:
		case best == nil, r.whole() && !best.whole(), len(r.served) > 0 && len(best.served) == 0:
			best = r
		}
	}
	return best
}

// reading gathers what a source told; nil if it told nothing.
func (op *operator) reading(via inventory.ExpositionSource, mine []*inventory.Exposition) *reading {
	r := &reading{}
	pods := map[string][]*inventory.Exposition{} // of controllers
	asked := map[string]bool{}
	told := false
	for _, e := range mine {
		if e.Via != via {
			continue
		}
		told = true
		if e.Outcome == inventory.Served {
			r.served = append(r.served, e)
		}
		if e.Operator != "" || has(op.at.Controllers, e.Workload) {
			pods[e.Workload+"/"+e.Pod] = append(pods[e.Workload+"/"+e.Pod], e)
			asked[e.Workload] = true
		}
	}
	if !told {
		return nil
	}
	var whys []string
	for _, list := range pods {
		if !slices.ContainsFunc(list, func(e *inventory.Exposition) bool { return e.Outcome == inventory.Served }) {
			whys = append(whys, lacking(list))
		}
	}
	for i := range op.at.Controllers {
		if ref := op.at.Controllers[i].Workload.Ref(); via != inventory.ViaFile && !asked[ref] {
			whys = append(whys, "no metrics endpoint of "+ref+" was read")
		}
	}
	if len(whys) > 0 {
		r.lacks = mostTelling(whys)
	}
	return r
}

// lacking says why a pod was not read: that one of its ports is protected says
// more than that another is closed.
func lacking(list []*inventory.Exposition) string {
	var whys []string
	for _, e := range list {
		where := e.Operator + e.Workload
		if e.Pod != "" {
			where += " pod " + e.Pod
		}
		if e.Endpoint != "" {
			where += " " + e.Endpoint
		}
		whys = append(whys, e.Detail+" ("+where+")")
	}
	return mostTelling(whys)
}

func mostTelling(whys []string) string {
	slices.Sort(whys)
	for _, why := range whys {
		if strings.HasPrefix(why, "protected: ") {
			return why
		}
	}
	return whys[0]
}

// nothingRead says why there is no exposition of the operator although
// somebody asked for metrics.
func (op *operator) nothingRead() string {
	pods := false
	for _, a := range op.o.s.Access {
		switch {
		case a.Group != "":
		case a.Resource == inventory.PrometheusResource && a.Access == inventory.Failed && a.Count == 0:
			return a.Detail
		case a.Resource == inventory.PrometheusResource, a.Resource == inventory.PodProxyResource:
			pods = true
		}
	}
	switch {
	case !pods:
		return "no saved metrics have its name: " + op.at.Name + ".prom"
	case op.at.External != "":
		return "its controller runs outside the cluster"
	case len(op.at.Controllers) == 0:
		return "no controller of it was found that could be asked"
	case !op.facts.Metrics.Declared:
		return "no metrics endpoint of its pods is known"
	}
	return "no metrics of its pods were read"
}
