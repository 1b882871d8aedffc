package prometheus

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/prometheus/common/model"

	"kubectl-operator-maturity/internal/inventory"
)

// job is what one scrape job reads of a workload.
type job struct {
	name      string
	instances []string
	// own are the labels that the job puts on every series. A label of the same
	// name that the endpoint sent is called exported_NAME.
	own map[string]bool
	// at is when the server looked.
	at model.Time
}

// found are the targets of a workload that a Prometheus scrapes.
type found struct {
	jobs []job
	// byPod: the targets are known pod by pod; state says of each whether it
	// could be scraped.
	byPod bool
	state map[string]bool
}

// missing says why a pod is not in the answers; "" if it is.
func (f *found) missing(pod string) string {
	switch up, known := f.state[pod]; {
	case len(f.jobs) == 0 && len(f.state) == 0:
		return "Prometheus has no target for it"
	case !f.byPod || up:
		return ""
	case known:
		return "Prometheus can't scrape it (up is 0)"
	}
	return "Prometheus has no target for this pod"
}

// selectors are the ways in which the labels of targets name pods, the surest
// first: as Prometheus Operator does it, as older examples do it, and by the
// name of the job alone.
func selectors(t *inventory.MetricsTarget) []string {
	space, pods := strconv.Quote(t.Namespace), strconv.Quote(anyOf(t.Pods))
	names := anyOf(append([]string{t.Name}, t.Services...))
	return []string{
		`up{namespace=` + space + `,pod=~` + pods + `}`,
		`up{kubernetes_namespace=` + space + `,kubernetes_pod_name=~` + pods + `}`,
		`up{namespace=~` + strconv.Quote(anyOf([]string{t.Namespace, ""})) + `,pod="",job=~` + strconv.Quote("(.+/)?("+names+")") + `}`,
	}
}

// anyOf is a regular expression for one of some names.
func anyOf(names []string) string {
	escaped := make([]string, len(names))
	for i, n := range names {
		escaped[i] = regexp.QuoteMeta(n)
	}
	return strings.Join(escaped, "|")
}

// scraped finds the targets of a workload by their series up, which has the
// target's labels and no others: series about the pod that another exporter
// sends (cAdvisor, kube-state-metrics) are not taken for its own.
func (a *asker) scraped(ctx context.Context, t *inventory.MetricsTarget) (*found, error) {
	for i, query := range selectors(t) {
		series, err := a.vector(ctx, query)
		if err != nil {
			return nil, err
		}
		if len(series) > 0 {
			return group(series, i < 2), nil
		}
	}
	return &found{}, nil
}

// group sorts targets into jobs. An endpoint that two jobs scrape counts once.
func group(series model.Vector, byPod bool) *found {
	slices.SortFunc(series, func(a, b *model.Sample) int { return strings.Compare(a.Metric.String(), b.Metric.String()) })
	slices.SortStableFunc(series, func(a, b *model.Sample) int { return strings.Compare(string(a.Metric["job"]), string(b.Metric["job"])) })
	f := &found{byPod: byPod, state: map[string]bool{}}
	taken := map[string]bool{}
	for _, s := range series {
		pod := string(s.Metric["pod"] + s.Metric["kubernetes_pod_name"])
		f.state[pod] = f.state[pod] || s.Value == 1
		instance := string(s.Metric["instance"])
		if s.Value != 1 || taken[instance] {
			continue
		}
		taken[instance] = true
		name := string(s.Metric["job"])
		if len(f.jobs) == 0 || f.jobs[len(f.jobs)-1].name != name {
			f.jobs = append(f.jobs, job{name: name, own: map[string]bool{}, at: s.Timestamp})
		}
		j := &f.jobs[len(f.jobs)-1]
		j.instances = append(j.instances, instance)
		for label := range s.Metric {
			j.own[string(label)] = true
		}
	}
	return f
}

// selector selects the job's series; more are further matchers.
func (j *job) selector(more ...string) string {
	return "{" + strings.Join(append([]string{`job=` + strconv.Quote(j.name), `instance=~` + strconv.Quote(anyOf(j.instances))}, more...), ",") + "}"
}
