package prometheus

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/exposition"
)

// Bounds of what is asked about one job.
const (
	maxFamilies = 5000
	maxLabels   = 60
)

// series are the numbers of all series of one name.
type series struct {
	count    int
	sum, max float64
	labels   []string
	outcomes map[string]float64
}

// families asks for the sums of a job's series and puts them together to
// families, as the endpoint would show them.
func (a *asker) families(ctx context.Context, j *job) ([]inventory.MetricFamily, error) {
	all, err := a.sums(ctx, j)
	if err != nil {
		return nil, err
	}
	if err := a.labels(ctx, j, all); err != nil {
		return nil, err
	}
	if err := a.outcomes(ctx, j, all); err != nil {
		return nil, err
	}
	return assemble(all, a.types(ctx, j)), nil
}

// sums asks how many series of each name there are, and for their sum and
// maximum. Comparisons take out what is no number.
func (a *asker) sums(ctx context.Context, j *job) (map[string]*series, error) {
	all := map[string]*series{}
	finite := "((" + j.selector() + " > -Inf) < +Inf)"
	for _, q := range []struct {
		query string
		set   func(*series, float64)
	}{
		{"count by (__name__) (" + j.selector() + ")", func(s *series, v float64) { s.count = int(v) }},
		{"sum by (__name__) " + finite, func(s *series, v float64) { s.sum = v }},
		{"max by (__name__) " + finite, func(s *series, v float64) { s.max = v }},
	} {
		answer, err := a.vector(ctx, q.query)
		if err != nil {
			return nil, err
		}
		if len(answer) > maxFamilies {
			return nil, fmt.Errorf("job %s has more than %d names of series", j.name, maxFamilies)
		}
		for _, sample := range answer {
			name := string(sample.Metric[model.MetricNameLabel])
			if name == "" || synthetic(name) {
				continue
			}
			if all[name] == nil {
				all[name] = &series{}
			}
			if v := float64(sample.Value); inventory.Finite(v) {
				q.set(all[name], v)
			}
		}
	}
	return all, nil
}

// synthetic series are made by Prometheus: they are not the endpoint's.
func synthetic(name string) bool {
	return name == "up" || strings.HasPrefix(name, "scrape_") || strings.HasPrefix(name, "ALERTS") || strings.Contains(name, ":")
}

// labels asks which names have which labels: one query a label.
func (a *asker) labels(ctx context.Context, j *job, all map[string]*series) error {
	end := j.at.Time()
	names, _, err := a.api.LabelNames(ctx, []string{j.selector()}, end.Add(-10*time.Minute), end.Add(time.Minute))
	if err != nil {
		return err
	}
	asked := 0
	for _, label := range names {
		name := string(label)
		if j.own[name] || name == model.MetricNameLabel || name == model.BucketLabel || name == model.QuantileLabel {
			continue
		}
		sent := name // what the endpoint called it
		if hidden, ok := strings.CutPrefix(name, "exported_"); ok && j.own[hidden] {
			sent = hidden
		}
		if asked++; asked > maxLabels {
			break
		}
		answer, err := a.vector(ctx, "count by (__name__) ("+j.selector(name+`!=""`)+")")
		if err != nil {
			return err
		}
		for _, sample := range answer {
			if s := all[string(sample.Metric[model.MetricNameLabel])]; s != nil {
				s.labels = append(s.labels, sent)
			}
		}
	}
	return nil
}

// outcomes asks for sums by the labels that say how something went. A series
// that has two of them counts by the first.
func (a *asker) outcomes(ctx context.Context, j *job, all map[string]*series) error {
	var earlier []string
	for _, label := range exposition.OutcomeLabels() {
		of := append(slices.Clone(earlier), label+"=~"+strconv.Quote(anyOf(exposition.Outcomes())))
		answer, err := a.vector(ctx, "sum by (__name__,"+label+") ("+j.selector(of...)+" < +Inf)")
		if err != nil {
			return err
		}
		for _, sample := range answer {
			s := all[string(sample.Metric[model.MetricNameLabel])]
			v := float64(sample.Value)
			if s == nil || !inventory.Finite(v) {
				continue
			}
			if s.outcomes == nil {
				s.outcomes = map[string]float64{}
			}
			s.outcomes[string(sample.Metric[model.LabelName(label)])] += v
		}
		earlier = append(earlier, label+`=""`)
	}
	return nil
}

// types asks what the endpoint said of its families. Not every server that
// speaks this API can tell: then names must do.
func (a *asker) types(ctx context.Context, j *job) map[string]string {
	target := `{job=` + strconv.Quote(j.name) + `,instance=` + strconv.Quote(j.instances[0]) + `}`
	told, err := a.api.TargetsMetadata(ctx, target, "", "")
	if err != nil {
		return nil
	}
	types := map[string]string{}
	for _, m := range told {
		types[m.Metric] = typeOf(m.Type)
	}
	return types
}

func typeOf(t v1.MetricType) string {
	switch t {
	case v1.MetricTypeCounter, v1.MetricTypeGauge, v1.MetricTypeHistogram, v1.MetricTypeSummary:
		return string(t)
	case v1.MetricTypeGaugeHistogram:
		return "histogram"
	case v1.MetricTypeInfo, v1.MetricTypeStateset:
		return "gauge"
	}
	return "untyped"
}

// assemble turns names of series into families: NAME_bucket, NAME_sum and
// NAME_count become the histogram or summary NAME.
func assemble(all map[string]*series, types map[string]string) []inventory.MetricFamily {
	parts := map[string]string{} // series of a histogram or summary -> its name, "" for those to leave out
	compound := map[string]string{}
	for name := range all {
		base, ok := strings.CutSuffix(name, "_count")
		if !ok || all[base+"_sum"] == nil {
			continue
		}
		kind := types[base]
		if kind == "" && types[name] == "" {
			kind = "summary"
			if all[base+"_bucket"] != nil {
				kind = "histogram"
			}
		}
		if kind != "histogram" && kind != "summary" {
			continue
		}
		compound[base] = kind
		parts[name] = base
		for _, other := range []string{base, base + "_bucket", base + "_sum"} {
			parts[other] = ""
		}
	}
	var list []inventory.MetricFamily
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s := all[name]
		f := inventory.MetricFamily{Name: name, Type: typeByName(name, types), Series: s.count, Sum: s.sum, Max: s.max, Labels: s.labels, Outcomes: s.outcomes}
		if base, ok := parts[name]; ok {
			if base == "" {
				continue
			}
			f.Name, f.Type = base, compound[base]
		}
		slices.Sort(f.Labels)
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b inventory.MetricFamily) int { return strings.Compare(a.Name, b.Name) })
	return list
}

func typeByName(name string, types map[string]string) string {
	base, total := strings.CutSuffix(name, "_total")
	switch {
	case types[name] != "":
		return types[name]
	case total && types[base] != "": // OpenMetrics names counters without it
		return types[base]
	case total:
		return "counter"
	}
	return "untyped"
}
