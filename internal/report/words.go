package report

import (
	"fmt"
	"slices"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// nothing stands in a cell where there is nothing to tell; unseen where nobody
// could look. The two never mix.
const (
	nothing = "-"
	unseen  = "?"
)

// levelMarks are the statuses of a level with their marks, in the order of the
// legend. They are ASCII, so every terminal shows them one column wide.
var levelMarks = []struct {
	status levels.Status
	mark   string
	word   string
	style  style
}{
	{levels.LevelProven, "+", "proven", goodStyle},
	{levels.LevelIndicated, "~", "indicated", fairStyle},
	{levels.LevelPartial, "/", "partial", fairStyle},
	{levels.LevelNotShown, "-", "not shown", plainStyle},
	{levels.LevelRefuted, "x", "refuted", badStyle},
	{levels.LevelUnknown, unseen, "unknown", fairStyle},
	{levels.LevelNotApplicable, "n/a", "does not apply", faintStyle},
}

func statusMark(s levels.Status) text {
	for _, m := range levelMarks {
		if m.status == s {
			return styled(m.style, m.mark)
		}
	}
	return styled(fairStyle, unseen)
}

func statusWord(s levels.Status) text {
	for _, m := range levelMarks {
		if m.status == s {
			return styled(m.style, m.word)
		}
	}
	return styled(fairStyle, "unknown")
}

func legend() text {
	var parts []text
	for _, m := range levelMarks {
		parts = append(parts, join(styled(m.style, m.mark), plain(" "+m.word)))
	}
	return separated(", ", parts...)
}

// verdictWord is a verdict with the grade of its evidence.
func verdictWord(c levels.Check) text {
	t := verdictOnly(c.Verdict)
	switch {
	case c.Stale:
		return join(t, plain(" (stale evidence)"))
	case c.Grade != "" && (c.Verdict == levels.Proven || c.Verdict == levels.Indicated || c.Verdict == levels.Refuted):
		return join(t, plain(" ("+string(c.Grade)+")"))
	}
	return t
}

func verdictOnly(v levels.Verdict) text {
	switch v {
	case levels.Proven:
		return styled(goodStyle, "proven")
	case levels.Indicated:
		return styled(fairStyle, "indicated")
	case levels.Refuted:
		return styled(badStyle, "refuted")
	case levels.NotObserved:
		return plain("not observed")
	case levels.NotApplicable:
		return styled(faintStyle, "does not apply")
	}
	return styled(fairStyle, "unknown")
}

// stateWord is the state of a controller, the zero value being unknown.
func stateWord(state string) text {
	switch state {
	case "":
		return styled(fairStyle, "unknown")
	case "running", "external":
		return styled(goodStyle, state)
	case "degraded", "unknown":
		return styled(fairStyle, state)
	case "down", "absent":
		return styled(badStyle, state)
	case "not-needed":
		return styled(faintStyle, "not needed")
	}
	return plain(state)
}

// severities are those of findings, worst first, with the style of each.
var severities = []struct {
	name  string
	style style
}{{"critical", badStyle}, {"warning", fairStyle}, {"info", plainStyle}}

func severityWord(severity string) text {
	for _, s := range severities {
		if s.name == severity {
			return styled(s.style, severity)
		}
	}
	return plain(severity)
}

// bySeverity returns the findings, worst first; unknown severities come last.
func bySeverity(findings []levels.Finding) []levels.Finding {
	rank := func(f levels.Finding) int {
		for i, s := range severities {
			if s.name == f.Severity {
				return i
			}
		}
		return len(severities)
	}
	sorted := slices.Clone(findings)
	slices.SortStableFunc(sorted, func(a, b levels.Finding) int { return rank(a) - rank(b) })
	return sorted
}

// findingCounts is "1 critical, 2 warning".
func findingCounts(findings []levels.Finding) text {
	var parts []text
	for _, s := range severities {
		n := 0
		for _, f := range findings {
			if f.Severity == s.name {
				n++
			}
		}
		switch {
		case n > 1 && s.name == "warning":
			parts = append(parts, styled(s.style, fmt.Sprintf("%d warnings", n)))
		case n > 0:
			parts = append(parts, styled(s.style, fmt.Sprintf("%d %s", n, s.name)))
		}
	}
	if len(parts) == 0 {
		return plain(nothing)
	}
	return separated(", ", parts...)
}

// counted is "1 operator", "2 operators".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// orNothing is s, or a dash when it is empty.
func orNothing(s string) string {
	if s == "" {
		return nothing
	}
	return s
}

// metOf is "3/5", with the unknown ones when there are any.
func metOf(c levels.Counts) string {
	switch {
	case c.Total == 0:
		return nothing
	case c.Unknown > 0:
		return fmt.Sprintf("%d/%d (%d unknown)", c.Met, c.Total, c.Unknown)
	}
	return fmt.Sprintf("%d/%d", c.Met, c.Total)
}

// moment is a time in the one form that reports use.
func moment(t time.Time) string {
	if t.IsZero() {
		return "unknown"
	}
	return t.UTC().Format(time.RFC3339)
}

// resourceName is the name that kubectl uses: pods, deployments.apps.
func resourceName(r inventory.Access) string {
	if r.Group == "" {
		return r.Resource
	}
	return r.Resource + "." + r.Group
}
