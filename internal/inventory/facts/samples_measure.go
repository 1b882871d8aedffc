package facts

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// loop names the families in which a framework counts its reconciliations.
type loop struct {
	counts, errors []string
	// once is a family that is no count, but tells that it ran.
	once string
}

// loops are the frameworks and operators whose names are known; others are
// recognised by their suffix. docs/metrics.md lists them.
var loops = []loop{
	{counts: []string{"controller_runtime_reconcile_total"}, errors: []string{"controller_runtime_reconcile_errors_total"}},
	// Java Operator SDK, Micrometer V2 and V1.
	{counts: []string{"reconciliations_started_total"}, errors: []string{"reconciliations_failure_total"}},
	{counts: []string{"operator_sdk_reconciliations_started_total"}, errors: []string{"operator_sdk_reconciliations_failed_total"}},
	{counts: []string{"strimzi_reconciliations_total"}, errors: []string{"strimzi_reconciliations_failed_total"}},
	{counts: []string{"certmanager_controller_sync_call_count"}, errors: []string{"certmanager_controller_sync_error_count"}},
	{counts: []string{"prometheus_operator_reconcile_operations_total"}, errors: []string{"prometheus_operator_reconcile_errors_total"}},
	{counts: []string{"external_dns_controller_no_op_runs_total"}, errors: []string{"external_dns_source_errors_total", "external_dns_registry_errors_total"},
		once: "external_dns_controller_last_sync_timestamp_seconds"},
}

var (
	queueDepth   = regexp.MustCompile(`(^|_)workqueue_depth$`)
	queueLongest = regexp.MustCompile(`(^|_)workqueue_longest_running_processor_seconds$`)
	// apiCalls count requests to the API server; those that the operator
	// answers (webhooks) or sends elsewhere do not count.
	apiCalls = regexp.MustCompile(`^rest_client_requests_total$|^client_go_request_total$|_kubernetes_client_http_requests_total$|_clientset_k8s_request_total$`)
)

// sampled are families of several expositions put together, by name.
type sampled map[string]*inventory.MetricFamily

// together adds up what replicas and ports served.
func together(served []*inventory.Exposition) sampled {
	all := sampled{}
	for _, e := range served {
		for i := range e.Families {
			f := e.Families[i]
			known := all[f.Name]
			if known == nil {
				f.Labels = slices.Clone(f.Labels)
				f.Outcomes = nil
				all[f.Name], known = &f, &f
			} else {
				known.Series += f.Series
				known.Sum += f.Sum
				known.Max = max(known.Max, f.Max)
				known.Labels = append(known.Labels, f.Labels...)
			}
			for outcome, n := range e.Families[i].Outcomes {
				if known.Outcomes == nil {
					known.Outcomes = map[string]float64{}
				}
				known.Outcomes[outcome] += n
			}
		}
	}
	return all
}

// names are sorted, so that sums do not depend on the order of a map.
func (all sampled) names() []string { return slices.Sorted(maps.Keys(all)) }

// measure works out the facet from what was served.
func (op *operator) measure(served []*inventory.Exposition) Samples {
	var m Samples
	all := together(served)
	all.reconciles(&m)
	for _, name := range all.names() {
		f := all[name]
		if !f.Zero() && op.namesResources(f) {
			m.ResourceFamilies = append(m.ResourceFamilies, name)
		}
		switch {
		case strings.HasSuffix(name, "_panics_total"):
			m.HasPanics = true
			m.Panics += f.Sum
		case queueDepth.MatchString(name):
			m.HasQueue = true
			m.QueueDepth += f.Sum
		case queueLongest.MatchString(name):
			m.LongestRunning = max(m.LongestRunning, f.Max)
		case apiCalls.MatchString(name):
			m.HasCalls = true
			m.Throttled += f.Outcomes["429"]
			m.Forbidden += f.Outcomes["403"]
		}
		if ofFramework(name) {
			continue
		}
		m.OwnFamilies++
		if !f.Zero() {
			m.CustomFamilies = append(m.CustomFamilies, name)
		}
	}
	m.CustomFamilies, m.ResourceFamilies = sorted(m.CustomFamilies), sorted(m.ResourceFamilies)
	return m
}

// reconciles adds up the loops that are known, else those that look like one.
func (all sampled) reconciles(m *Samples) {
	for _, l := range loops {
		found := all.add(l.counts, &m.Reconciles)
		if last := all[l.once]; last != nil {
			found = true
			if last.Sum > 0 {
				m.Reconciles++
			}
		}
		if !found {
			continue
		}
		m.HasReconcile = true
		if !all.add(l.errors, &m.ReconcileErrors) {
			m.ReconcileErrors += all.failures(l.counts)
		}
	}
	if m.HasReconcile {
		return
	}
	counts := all.likely()
	m.HasReconcile = all.add(counts, &m.Reconciles)
	if m.HasReconcile && !all.add(all.likelyErrors(counts), &m.ReconcileErrors) {
		m.ReconcileErrors += all.failures(counts)
	}
}

// add sums families, and tells whether one of them is there.
func (all sampled) add(names []string, to *float64) bool {
	found := false
	for _, name := range names {
		if f := all[name]; f != nil {
			found = true
			*to += f.Sum
		}
	}
	return found
}

// failures are the counts whose label says that they failed.
func (all sampled) failures(names []string) float64 {
	n := 0.0
	for _, name := range names {
		if f := all[name]; f != nil {
			n += f.Outcomes["error"] + f.Outcomes["failed"] + f.Outcomes["failure"]
		}
	}
	return n
}

// likelyLoops are suffixes of families that count reconciliations, the surest
// first: only those of the first that is found are added up, since an operator
// often counts the same in several ways.
var likelyLoops = []*regexp.Regexp{
	regexp.MustCompile(`reconcil.*_total$`), regexp.MustCompile(`reconcil.*_count$`),
	regexp.MustCompile(`sync.*_total$`), regexp.MustCompile(`sync.*_count$`),
}

var (
	wentWrong = regexp.MustCompile(`error|fail|panic|timeout`)
	// aside are words of families about something beside the loop itself.
	aside = regexp.MustCompile(`retr(y|ies)|skip|success|queue|delete|create`)
)

func (all sampled) likely() []string {
	for _, suffix := range likelyLoops {
		var names []string
		for _, name := range all.names() {
			if f := all[name]; !ofFramework(name) && suffix.MatchString(counted(f)) && !wentWrong.MatchString(name) && !aside.MatchString(name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			return names
		}
	}
	return nil
}

// likelyErrors are error families of the same program: with the first word of
// a family that counts its loops.
func (all sampled) likelyErrors(counts []string) []string {
	var ofLoop, others []string
	for _, name := range all.names() {
		if f := all[name]; ofFramework(name) || f.Type == "gauge" || !strings.Contains(name, "error") || !slices.ContainsFunc(counts, func(c string) bool { return firstWord(c) == firstWord(name) }) {
			continue
		}
		if strings.Contains(name, "reconcil") || strings.Contains(name, "sync") {
			ofLoop = append(ofLoop, name)
		} else {
			others = append(others, name)
		}
	}
	if len(ofLoop) > 0 {
		return ofLoop
	}
	return others
}

func firstWord(name string) string {
	word, _, _ := strings.Cut(name, "_")
	return word
}

// counted is the name of the series in which a family counts.
func counted(f *inventory.MetricFamily) string {
	if f.Type == "histogram" || f.Type == "summary" {
		return f.Name + "_count"
	}
	return f.Name
}
