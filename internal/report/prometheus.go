package report

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"google.golang.org/protobuf/proto"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// writePrometheus writes gauges in the text format, for a textfile collector
// or a Pushgateway. Samples carry no time: a textfile collector refuses them.
func writePrometheus(w io.Writer, sc *levels.Scorecard, _ Options) error {
	g := &gauges{}
	g.scorecard(sc)
	return g.write(w)
}

func (g *gauges) scorecard(sc *levels.Scorecard) {
	g.scan(sc)
	for i := range sc.Operators {
		g.operator(&sc.Operators[i])
	}
	g.strays(sc)
}

func (g *gauges) write(w io.Writer) error {
	var b bytes.Buffer
	for _, family := range g.families {
		if _, err := expfmt.MetricFamilyToText(&b, family); err != nil {
			return fmt.Errorf("encoding the metric %s: %w", family.GetName(), err)
		}
	}
	return writeAll(w, b.Bytes())
}

// gauges collects samples, one family a name, in the order of first use.
type gauges struct {
	families []*dto.MetricFamily
	// always are labels that every sample has.
	always []string
}

// add is a sample; labels are pairs of name and value.
func (g *gauges) add(name, help string, value float64, labels ...string) {
	i := slices.IndexFunc(g.families, func(f *dto.MetricFamily) bool { return f.GetName() == name })
	if i < 0 {
		i = len(g.families)
		g.families = append(g.families, &dto.MetricFamily{Name: &name, Help: &help, Type: dto.MetricType_GAUGE.Enum()})
	}
	m := &dto.Metric{Gauge: &dto.Gauge{Value: &value}}
	labels = slices.Concat(g.always, labels)
	for j := 0; j+1 < len(labels); j += 2 {
		m.Label = append(m.Label, &dto.LabelPair{Name: proto.String(labels[j]), Value: proto.String(cleanLine(labels[j+1]))})
	}
	g.families[i].Metric = append(g.families[i].Metric, m)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

const scanCompleteHelp = "1 when every list that was asked for was read whole."

func (g *gauges) scan(sc *levels.Scorecard) {
	s := sc.Source
	g.add("operator_maturity_scan_info", "What was scanned.", 1, "source", s.Type, "context", s.Context, "cluster_uid", s.ClusterUID, "kubernetes", s.Version)
	if !sc.Taken.IsZero() {
		g.add("operator_maturity_scan_timestamp_seconds", "When the cluster was looked at, by the server's clock.", float64(sc.Taken.Unix()))
	}
	g.add("operator_maturity_scan_complete", scanCompleteHelp, truth(sc.Coverage.Complete))
	for _, state := range []inventory.AccessState{inventory.Listed, inventory.Absent, inventory.Partial, inventory.Forbidden, inventory.Failed} {
		n := 0
		for _, r := range sc.Coverage.Resources {
			if r.Access == state {
				n++
			}
		}
		g.add("operator_maturity_scan_lists", "Lists that were asked for, by outcome.", float64(n), "outcome", string(state))
	}
	if len(sc.Operators) > 0 || crdsRead(sc) {
		g.add("operator_maturity_operators", "Operators found.", float64(len(sc.Operators)))
	}
}

// crdsRead: the list of CRDs was read whole, so that 0 means none.
func crdsRead(sc *levels.Scorecard) bool {
	return slices.ContainsFunc(sc.Coverage.Resources, func(r levels.Resource) bool {
		return r.Group == "apiextensions.k8s.io" && r.Resource == "customresourcedefinitions" && (r.Access == inventory.Listed || r.Access == inventory.Absent)
	})
}

func (g *gauges) operator(op *levels.Operator) {
	name := op.Name
	g.add("operator_maturity_operator_info", "An operator with its version, archetype and the state of its controllers.", 1,
		"operator", name, "version", op.Version, "archetype", op.Archetype, "namespace", op.Namespace, "controller", op.State)
	const help = "The highest level without a gap: proven; when what is indicated, or unknown too, is counted; by the official reading; as claimed."
	for _, reading := range []struct {
		name  string
		level int
	}{{"proven", op.Level}, {"indicated", op.LevelIndicated}, {"possible", op.LevelPossible}, {"official", op.SDKLevel}} {
		g.add("operator_maturity_level", help, float64(reading.level), "operator", name, "reading", reading.name)
	}
	if op.LevelClaimed != nil {
		g.add("operator_maturity_level", help, float64(op.LevelClaimed.Level), "operator", name, "reading", "claimed")
	}
	for n := 1; n <= 5; n++ {
		g.add("operator_maturity_level_status", "1 for the status that a level has.", 1,
			"operator", name, "level", fmt.Sprint(n), "status", string(knownStatus(levelOf(*op, n).Status)))
	}
	g.verdicts(op)
	for _, s := range severities {
		g.add("operator_maturity_findings", "Findings by severity.", float64(ofSeverity(op.Findings, s.name)), "operator", name, "severity", s.name)
	}
	for _, c := range op.CRDs {
		g.resources(name, c)
	}
}

func (g *gauges) verdicts(op *levels.Operator) {
	type key struct{ level, verdict string }
	counts := map[key]int{}
	for _, c := range op.Checks {
		verdict := c.Verdict
		if isUnknown(verdict) {
			verdict = levels.Unknown
		}
		counts[key{fmt.Sprint(c.Level), string(verdict)}]++
	}
	keys := slices.SortedFunc(maps.Keys(counts), func(a, b key) int {
		return cmp.Or(strings.Compare(a.level, b.level), strings.Compare(a.verdict, b.verdict))
	})
	for _, k := range keys {
		g.add("operator_maturity_criteria", "Criteria by level (0 is hygiene) and verdict.", float64(counts[k]), "operator", op.Name, "level", k.level, "verdict", k.verdict)
	}
}

// resources has no sample for instances that nobody could see: 0 would say
// that there are none.
func (g *gauges) resources(operator string, c levels.CRD) {
	if unseenInstances(c) {
		return
	}
	const name, help = "operator_maturity_custom_resources", "Custom resources by readiness; no sample where they could not be looked at."
	g.add(name, help, float64(c.Ready), "operator", operator, "crd", c.Name, "readiness", "ready")
	g.add(name, help, float64(c.NotReady), "operator", operator, "crd", c.Name, "readiness", "not-ready")
	g.add(name, help, float64(max(0, c.Instances-c.Ready-c.NotReady)), "operator", operator, "crd", c.Name, "readiness", "unknown")
}

func (g *gauges) strays(sc *levels.Scorecard) {
	orphans := 0
	for _, r := range crdRows(sc) {
		if r.Orphaned {
			orphans++
		}
	}
	if orphans > 0 || crdsRead(sc) {
		g.add("operator_maturity_orphaned_crds", "CRDs whose custom resources wait for a controller that is not there.", float64(orphans))
	}
	for _, s := range severities {
		g.add("operator_maturity_findings", "Findings by severity.", float64(ofSeverity(sc.Findings, s.name)), "operator", "", "severity", s.name)
	}
	for _, c := range sc.Unattributed {
		g.resources("", c)
	}
}
