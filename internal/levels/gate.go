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
	// asked: min was given, be it 0.
	asked bool
	// minOf are the least levels of single operators; they override min.
	minOf map[string]int
	// failOn are finding ids and severities.
	failOn []string
	// exceptions are violations that somebody accepted for a time.
	exceptions []Exception
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
			g.min, g.asked = level, true
		}
	}
	return g, nil
}

// Over lays what was typed over what a file says: levels that were typed win,
// findings and exceptions add up.
func (g Gate) Over(file Gate) Gate {
	sum := Gate{min: g.min, asked: g.asked || file.asked, minOf: map[string]int{}, failOn: slices.Concat(file.failOn, g.failOn), exceptions: slices.Concat(file.exceptions, g.exceptions)}
	if !g.asked {
		sum.min = file.min
	}
	for _, from := range []map[string]int{file.minOf, g.minOf} {
		for operator, level := range from {
			sum.minOf[operator] = level
		}
	}
	return sum
}

// minLevelID is what an exception calls a level that is not reached.
const minLevelID = "min-level"

// violation is one thing that a gate does not let pass.
type violation struct {
	operator string
	id       string // min-level, or that of a finding
	level    int    // the proven one, of min-level
	objects  []string
	text     string
}

// violations are those of a scorecard, sorted. It reads level, the proven
// headline: an unknown never passes.
func (g Gate) violations(sc *Scorecard) []violation {
	var list []violation
	met := map[string]bool{}
	for i := range sc.Operators {
		o := &sc.Operators[i]
		want := g.min
		if level, ok := g.minOf[o.Name]; ok {
			want = level
			met[o.Name] = true
		}
		if o.Level < want {
			list = append(list, violation{o.Name, minLevelID, o.Level, nil, fmt.Sprintf("%s has proven level %d, %d is asked for (--min-level)%s", o.Name, o.Level, want, couldBe(o))})
		}
		list = append(list, g.findings(o.Name, o.Findings)...)
	}
	for name := range g.minOf {
		if !met[name] {
			list = append(list, violation{name, minLevelID, -1, nil, fmt.Sprintf("operator %s %s (--min-level %s=%d)", name, sc.missing(), name, g.minOf[name])})
		}
	}
	slices.SortStableFunc(list, func(a, b violation) int { return strings.Compare(a.text, b.text) })
	return append(list, g.findings("", sc.Findings)...)
}

// missing says of an operator that was not found no more than is known.
func (sc *Scorecard) missing() string {
	if why := sc.unrecognised(); why != "" {
		return "was not found, and may be there all the same: " + why
	}
	return "is not on this cluster"
}

// Check lists what violates the gate, a sentence each, without a baseline.
func (g Gate) Check(sc *Scorecard) []string { return g.Judge(sc, nil).Violations }

func couldBe(o *Operator) string {
	if o.LevelPossible > o.Level {
		return fmt.Sprintf("; it may have up to %d, but that is not proven", o.LevelPossible)
	}
	return ""
}

func (g Gate) findings(operator string, findings []Finding) []violation {
	var list []violation
	for _, f := range findings {
		if slices.Contains(g.failOn, f.ID) || slices.Contains(g.failOn, f.Severity) {
			text := strings.TrimPrefix(fmt.Sprintf("%s: %s %s: %s (--fail-on)", operator, f.Severity, f.ID, f.Detail), ": ")
			list = append(list, violation{operator, f.ID, 0, namesOf(f), text})
		}
	}
	return list
}

// CheckIDs tells which of the finding ids of the gate nothing could ever
// report, given the known ids: a typing error would never fail a job.
func (g Gate) CheckIDs(known []string) error {
	for _, id := range g.failOn {
		if !slices.Contains(severities, id) && !slices.Contains(known, id) {
			return fmt.Errorf("--fail-on %q is no severity (%s) and no finding id: see kubectl operator-maturity rules list", id, strings.Join(severities, ", "))
		}
	}
	var problems Problems
	for _, e := range g.exceptions {
		if !e.couldMatch(known) {
			problems = append(problems, Problem{e.file, e.line, 0, fmt.Sprintf("the exception %q excuses nothing that exists: known are %s, controller, level-1 to level-5 and the ids of rules list", e.ID, minLevelID)})
		}
	}
	return problems.err()
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
