package facts

import (
	"slices"
	"strings"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
)

// expression is what an alert's expression speaks of.
type expression struct {
	parsed    bool     // false: read as text, see readText
	metrics   []string // of its selectors, subqueries included
	functions []string
	named     []string // values of its label matchers; of text, the whole of it
	offset    time.Duration
	unusual   bool // it compares with what was usual
}

// promql accepts all that some Prometheus accepts behind a feature flag.
var promql = parser.NewParser(parser.Options{
	EnableExperimentalFunctions: true, ExperimentalDurationExpr: true,
	EnableExtendedRangeSelectors: true, EnableBinopFillModifiers: true,
})

// overTime are functions that tell what is usual of a series.
var overTime = words("predict_linear stddev_over_time stdvar_over_time quantile_over_time holt_winters double_exponential_smoothing mad_over_time")

func readExpression(text string) expression {
	tree, err := promql.ParseExpr(text)
	if err != nil {
		return readText(text)
	}
	e := expression{parsed: true}
	parser.Inspect(tree, func(n parser.Node, _ []parser.Node) error {
		switch n := n.(type) {
		case *parser.VectorSelector:
			e.selector(n)
		case *parser.SubqueryExpr:
			e.offset = max(e.offset, n.OriginalOffset)
		case *parser.Call:
			e.functions = append(e.functions, n.Func.Name)
		}
		return nil
	})
	e.unusual = e.offset >= 24*time.Hour || e.ofAnomaly() ||
		slices.ContainsFunc(e.functions, func(name string) bool { return overTime[name] })
	return e
}

func (e *expression) selector(v *parser.VectorSelector) {
	e.offset = max(e.offset, v.OriginalOffset)
	for _, m := range v.LabelMatchers {
		switch {
		case m.Name != "__name__":
			e.named = append(e.named, m.Value)
		case m.Type == labels.MatchEqual:
			e.metrics = append(e.metrics, m.Value)
		case m.Type == labels.MatchRegexp:
			e.metrics = append(e.metrics, namesOf(m)...)
		}
	}
}

// namesOf lists the names that a pattern spells out, or else what all of them
// begin with; a pattern without either tells nothing.
func namesOf(m *labels.Matcher) []string {
	if names := m.SetMatches(); len(names) > 0 {
		return names
	}
	if prefix := m.Prefix(); prefix != "" {
		return []string{prefix}
	}
	return nil
}

// readText is the fallback for what is no PromQL of this parser: the extensions
// of MetricsQL in VMRules, functions that Prometheus has since renamed. It goes
// by the look of the text.
func readText(text string) expression {
	e := expression{metrics: metricsIn(text), named: []string{text}}
	e.unusual = anomaly.MatchString(text) || e.ofAnomaly()
	return e
}

// ofAnomaly: some metric is named for anomalies, as a recording rule's may be.
func (e *expression) ofAnomaly() bool {
	return slices.ContainsFunc(e.metrics, namesAnomaly)
}

func namesAnomaly(name string) bool { return strings.Contains(strings.ToLower(name), "anomal") }

// names tells whether a label matcher has a text in its value.
func (e *expression) names(text string) bool {
	return slices.ContainsFunc(e.named, func(value string) bool { return strings.Contains(value, text) })
}
