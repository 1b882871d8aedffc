package levels

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Gate is what a scorecard must satisfy for a CI job to pass.
type Gate struct {
	// min is the least proven level of every operator; 0 asks for nothing.
	min int
	// minOf are the least levels of single operators; they override min.
	minOf map[string]int
	// failOn are finding ids and severities.
	failOn []string
}

var severities = []string{"critical", "warning", "info"}

// ParseGate reads the values of --min-level ("3" or "operator=3") and
// --fail-on (finding ids or severities).
func ParseGate(minLevels, failOn []string) (Gate, error) {
	g := Gate{minOf: map[string]int{}, failOn: failOn}
	for _, value := range minLevels {
		operator, text, named := strings.Cut(value, "=")
		if !named {
			operator, text = "", value
		}
		level, err := strconv.Atoi(text)
		if err != nil || level < 0 || level > 5 {
			return Gate{}, fmt.Errorf("--min-level %q: want a level from 0 to 5, or OPERATOR=LEVEL", value)
		}
		if named {
			g.minOf[operator] = level
		} else {
			g.min = level
		}
	}
	return g, nil
}

// Check lists what violates the gate, a sentence each, in the order of the
// scorecard. It reads level, the proven headline: an unknown never passes.
func (g Gate) Check(sc *Scorecard) []string {
	var violations []string
	met := map[string]bool{}
	for i := range sc.Operators {
		o := &sc.Operators[i]
		want := g.min
		if level, ok := g.minOf[o.Name]; ok {
			want = level
			met[o.Name] = true
		}
		if o.Level < want {
			violations = append(violations, fmt.Sprintf("%s has proven level %d, %d is asked for (--min-level)%s", o.Name, o.Level, want, couldBe(o)))
		}
		violations = append(violations, g.findings(o.Name, o.Findings)...)
	}
	for name := range g.minOf {
		if !met[name] {
			violations = append(violations, fmt.Sprintf("operator %s is not on this cluster (--min-level %s=%d)", name, name, g.minOf[name]))
		}
	}
	slices.Sort(violations)
	return append(violations, g.findings("", sc.Findings)...)
}

func couldBe(o *Operator) string {
	if o.LevelPossible > o.Level {
		return fmt.Sprintf("; it may have up to %d, but that is not proven", o.LevelPossible)
	}
	return ""
}

func (g Gate) findings(operator string, findings []Finding) []string {
	var violations []string
	for _, f := range findings {
		if slices.Contains(g.failOn, f.ID) || slices.Contains(g.failOn, f.Severity) {
			violations = append(violations, strings.TrimSpace(fmt.Sprintf("%s: %s %s: %s (--fail-on)", operator, f.Severity, f.ID, f.Detail)))
		}
	}
	return violations
}

// CheckIDs tells which of the finding ids of the gate nothing could ever
// report, given the known ids: a typing error would never fail a job.
func (g Gate) CheckIDs(known []string) error {
	for _, id := range g.failOn {
		if !slices.Contains(severities, id) && !slices.Contains(known, id) {
			return fmt.Errorf("--fail-on %q is no severity (%s) and no finding id: see kubectl operator-maturity rules list", id, strings.Join(severities, ", "))
		}
	}
	return nil
}

// Empty tells that there was nothing to score: no CRD and no operator.
func (sc *Scorecard) Empty() bool {
	return len(sc.Operators)+len(sc.Unattributed)+len(sc.SharedAPIs) == 0
}

// HasCRD tells whether a CRD of this name was seen.
func (sc *Scorecard) HasCRD(name string) bool {
	named := func(c CRD) bool { return c.Name == name }
	if slices.ContainsFunc(sc.Unattributed, named) {
		return true
	}
	return slices.ContainsFunc(sc.Operators, func(o Operator) bool { return slices.ContainsFunc(o.CRDs, named) }) ||
		slices.ContainsFunc(sc.SharedAPIs, func(a SharedAPI) bool { return slices.ContainsFunc(a.CRDs, named) })
}
