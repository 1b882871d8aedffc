// Package exposition reads what a /metrics endpoint answers and reduces it to
// one row a family (inventory.MetricFamily): names, sums and label names, and
// no label values, since these name users' objects.
//
// It is pure: it reads from an io.Reader or an fs.FS and knows no network.
package exposition

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"kubectl-operator-maturity/internal/inventory"
)

// Bounds of one exposition. Real operators stay far below: the largest of the
// corpus has 206 families in 400 kB.
const (
	MaxSize     = 32 << 20
	maxFamilies = 5000
	maxLabels   = 100
)

// ErrTooLarge is a text beyond the bounds.
var ErrTooLarge = errors.New("the exposition is larger than 32 MiB or has more than 5000 families")

// ErrNone is a text in which there is no metric.
var ErrNone = errors.New("no metric in it")

// SyntaxError is a text that is no exposition, with the first line that is
// none.
type SyntaxError struct {
	Line int
	Msg  string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d is no line of a metrics exposition: %s", e.Line, e.Msg)
}

// Parse reads the Prometheus text format and reduces it. The families are
// sorted by name.
func Parse(r io.Reader) ([]inventory.MetricFamily, error) {
	limited := &io.LimitedReader{R: r, N: MaxSize + 1}
	// UTF8Validation parses every name that may come; odd ones are left out below.
	parser := expfmt.NewTextParser(model.UTF8Validation)
	read, err := parser.TextToMetricFamilies(withNewline(limited))
	if limited.N == 0 {
		return nil, ErrTooLarge
	}
	if broken := (expfmt.ParseError{}); errors.As(err, &broken) {
		return nil, &SyntaxError{broken.Line, inventory.Text(broken.Msg)}
	}
	if err != nil {
		return nil, err
	}
	if len(read) > maxFamilies {
		return nil, ErrTooLarge
	}
	var list []inventory.MetricFamily
	for _, name := range slices.Sorted(maps.Keys(read)) {
		if !model.LegacyValidation.IsValidMetricName(name) || len(name) > 200 {
			continue
		}
		list = append(list, reduce(name, read[name]))
	}
	if len(list) == 0 {
		return nil, ErrNone
	}
	return list, nil
}

// withNewline ends the text with a line feed, which the parser insists on and
// editors leave out.
func withNewline(r io.Reader) io.Reader {
	return bufio.NewReader(io.MultiReader(r, &newline{}))
}

type newline struct{ done bool }

func (n *newline) Read(p []byte) (int, error) {
	if n.done || len(p) == 0 {
		return 0, io.EOF
	}
	n.done = true
	p[0] = '\n'
	return 1, nil
}

func reduce(name string, family *dto.MetricFamily) inventory.MetricFamily {
	f := inventory.MetricFamily{Name: name, Type: typeOf(family.GetType())}
	labels := map[string]bool{}
	first := true
	for _, m := range family.GetMetric() {
		f.Series++
		v := value(m)
		for _, pair := range m.GetLabel() {
			if pair.GetValue() != "" && len(pair.GetName()) <= 100 && len(labels) < maxLabels {
				labels[pair.GetName()] = true
			}
		}
		if !inventory.Finite(v) {
			continue
		}
		f.Sum += v
		if first || v > f.Max {
			f.Max, first = v, false
		}
		if outcome, ok := outcomeOf(m.GetLabel()); ok {
			if f.Outcomes == nil {
				f.Outcomes = map[string]float64{}
			}
			f.Outcomes[outcome] += v
		}
	}
	f.Labels = slices.Sorted(maps.Keys(labels))
	f.Sum = clamp(f.Sum)
	for outcome, sum := range f.Outcomes {
		f.Outcomes[outcome] = clamp(sum)
	}
	return f
}

// clamp keeps a sum of large numbers writable.
func clamp(v float64) float64 { return max(min(v, math.MaxFloat64), -math.MaxFloat64) }

func typeOf(t dto.MetricType) string {
	switch t {
	case dto.MetricType_COUNTER:
		return "counter"
	case dto.MetricType_GAUGE:
		return "gauge"
	case dto.MetricType_HISTOGRAM, dto.MetricType_GAUGE_HISTOGRAM:
		return "histogram"
	case dto.MetricType_SUMMARY:
		return "summary"
	}
	return "untyped"
}

// value is the number of one series: of histograms and summaries, how many
// observations there were.
func value(m *dto.Metric) float64 {
	switch {
	case m.Counter != nil:
		return m.Counter.GetValue()
	case m.Gauge != nil:
		return m.Gauge.GetValue()
	case m.Histogram != nil:
		return float64(m.Histogram.GetSampleCount())
	case m.Summary != nil:
		return float64(m.Summary.GetSampleCount())
	}
	return m.GetUntyped().GetValue()
}

// OutcomeLabels are the labels that say how something went, in the order in
// which they are looked at: the first that a series has counts.
func OutcomeLabels() []string { return []string{"code", "status_code", "result", "status"} }

// Outcomes are the values of these labels that are kept: what evidence rests
// on, and nothing that a user chose.
func Outcomes() []string { return []string{"403", "429", "error", "failed", "failure"} }

func outcomeOf(labels []*dto.LabelPair) (string, bool) {
	for _, name := range OutcomeLabels() {
		for _, pair := range labels {
			if pair.GetName() == name && pair.GetValue() != "" {
				return pair.GetValue(), slices.Contains(Outcomes(), pair.GetValue())
			}
		}
	}
	return "", false
}
