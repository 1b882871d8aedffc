package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// WriteExplainOperator writes everything that is known of one operator.
func WriteExplainOperator(w io.Writer, format string, sc *levels.Scorecard, name string, o Options) error {
	op, err := findOperator(sc, name)
	if err != nil {
		return err
	}
	return writeExplained(w, format, op, explainOperator(sc, *op, o), o)
}

// writeExplained writes the data in a machine format, the document in a prose
// one.
func writeExplained(w io.Writer, format string, data any, d document, o Options) error {
	switch format {
	case "table":
		return writeAll(w, printTerminal(d, o))
	case "markdown":
		return writeAll(w, printMarkdown(d, o))
	case "json":
		return writeJSON(w, data)
	case "yaml":
		return writeYAML(w, data)
	}
	return unknownFormat(format, []string{"table", "markdown", "json", "yaml"})
}

// findOperator finds it by its name, whatever the case, or by its title.
func findOperator(sc *levels.Scorecard, name string) (*levels.Operator, error) {
	var names []string
	for i := range sc.Operators {
		op := &sc.Operators[i]
		if strings.EqualFold(op.Name, name) || op.Title != "" && strings.EqualFold(op.Title, name) {
			return op, nil
		}
		names = append(names, op.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no operator %q: none was found", name)
	}
	return nil, fmt.Errorf("no operator %q: found were %s", name, strings.Join(names, ", "))
}

// explainOperator puts the answer first, then what it rests on, then every
// criterion, beginning with those that stand before the next level.
func explainOperator(sc *levels.Scorecard, op levels.Operator, o Options) document {
	var d document
	d.heading(1, code(op.Name))
	lines := identityLines(op)
	d.list(lines[:len(lines)-1]...) // the identity has a section of its own
	d.append(levelsTable(op, 2))
	d.append(criteria(op, o))
	if len(op.Findings) > 0 {
		d.heading(2, plain("Findings"))
		d.append(findingEntries(op.Findings))
	}
	d.append(explainIdentity(op))
	d.append(controllerTable(op, 2))
	d.append(controllerSignals(op))
	d.append(operatorCRDTable(sc, op, 2))
	d.append(metricsTable(op, 2))
	d.heading(2, plain("What it makes and looks after"))
	d.append(managesLines(op))
	return d
}

// criteria lists every criterion, those first that stand before the next
// level, then those that block another, then the rest by level.
func criteria(op levels.Operator, o Options) document {
	d := blockersSection(op, 2, o)
	done := map[string]bool{}
	if l, ok := next(op); ok {
		for _, c := range blockers(op, l) {
			done[c.ID] = true
		}
	}
	for _, part := range []struct {
		title string
		in    func(levels.Check) bool
	}{
		{"What blocks other levels", func(c levels.Check) bool { return slices.Contains(levelOf(op, c.Level).Blocking, c.ID) }},
		{"Other essential criteria", func(c levels.Check) bool { return c.Essential && c.Level > 0 && c.Verdict != levels.NotApplicable }},
		{"Supporting criteria", func(c levels.Check) bool { return c.Level > 0 && c.Verdict != levels.NotApplicable }},
		{"Hygiene (decides no level)", func(c levels.Check) bool { return c.Verdict != levels.NotApplicable }},
		{"Does not apply, and is not counted", func(c levels.Check) bool { return true }},
	} {
		var entries document
		for _, c := range byNeed(op.Checks) {
			if !done[c.ID] && part.in(c) {
				done[c.ID] = true
				entries.entry(checkEntry(c, o))
			}
		}
		if len(entries) > 0 {
			d.heading(2, plain(part.title))
			d.append(entries)
		}
	}
	return d
}

// needs orders verdicts by how much there is to do about them.
var needs = []levels.Verdict{levels.Refuted, levels.NotObserved, levels.Unknown, levels.Indicated, levels.Proven, levels.NotApplicable}

// byNeed is by level, and within a level by need.
func byNeed(checks []levels.Check) []levels.Check {
	need := func(c levels.Check) int {
		if isUnknown(c.Verdict) {
			return slices.Index(needs, levels.Unknown)
		}
		return slices.Index(needs, c.Verdict)
	}
	sorted := slices.Clone(checks)
	slices.SortStableFunc(sorted, func(a, b levels.Check) int {
		if a.Level != b.Level {
			return a.Level - b.Level
		}
		return need(a) - need(b)
	})
	return sorted
}

// checkEntry is everything on one criterion.
func checkEntry(c levels.Check, o Options) entry {
	title := join(criterion(c), plain(": "), verdictWord(c))
	if c.Level > 0 {
		title = join(plainf("L%d ", c.Level), title)
	}
	e := entry{title: title}
	e.add("because", reason(c))
	e.add("evidence", codes(c.Evidence))
	if c.CRD != "" {
		e.add("judged on", code(c.CRD))
	}
	e.others(c.PerCRD, o)
	if c.Verdict != levels.Proven && c.Verdict != levels.NotApplicable {
		e.add("to raise it", remedy(c))
	}
	if o.Verbose {
		e.add("why it counts", plain(c.Why))
		e.add("defined in", docs(c.Docs))
	}
	if c.Source != "" && c.Source != "builtin" {
		e.add("rule from", code(c.Source))
	}
	return e
}

// others are the CRDs with another verdict: a few of each verdict with the
// reason, the rest by name.
func (e *entry) others(crds []levels.CRDVerdict, o Options) {
	const shown = 2
	told := map[levels.Verdict]int{}
	rest := map[levels.Verdict][]string{}
	for _, v := range crds {
		if told[v.Verdict]++; told[v.Verdict] > shown && !o.Verbose {
			rest[v.Verdict] = append(rest[v.Verdict], v.CRD)
			continue
		}
		e.add("but", join(code(v.CRD), plain(": "), verdictOnly(v.Verdict), stale(v.Stale), detailed(v.Because)))
	}
	for _, verdict := range needs {
		if len(rest[verdict]) > 0 {
			e.add("likewise", join(verdictOnly(verdict), plain(" for "), codes(rest[verdict])))
		}
	}
}

// docs is an address, with what to look for there behind it.
func docs(s string) text {
	url, rest, _ := strings.Cut(s, " ")
	return separated(" ", link(url), plain(rest))
}

func stale(is bool) text {
	if is {
		return plain(" (stale evidence)")
	}
	return nil
}

func detailed(s string) text {
	if s == "" {
		return nil
	}
	return plain(": " + s)
}

func findingEntries(findings []levels.Finding) document {
	var d document
	for _, f := range bySeverity(findings) {
		e := entry{title: join(severityWord(f.Severity), plain(": "+f.Detail))}
		e.add("id", code(f.ID))
		e.add("objects", codes(f.Objects))
		d.entry(e)
	}
	return d
}

// explainIdentity shows every signal with its object.
func explainIdentity(op levels.Operator) document {
	var d document
	d.heading(2, plain("Identity"))
	d.paragraph(plain("It is called "), code(op.Name), plain(" with "), confidenceText(op.Identity))
	d.append(signalTable(op.Identity.Signals))
	return d
}

func signalTable(signals []levels.Signal) document {
	var d document
	var rows [][]text
	for _, s := range signals {
		rows = append(rows, []text{plain(s.Signal), code(orNothing(s.CRD)), code(orNothing(s.Object)), plain(s.Detail)})
	}
	d.table(whole(columns("Signal", "CRD", "Object", "Detail"), rows))
	return d
}

// controllerSignals say why each workload is taken for a controller.
func controllerSignals(op levels.Operator) document {
	var d document
	for _, c := range slices.Concat(op.Controllers, op.Companions) {
		if len(c.Signals) == 0 {
			continue
		}
		d.lead(plain("Why "), code(c.Kind+"/"+c.Namespace+"/"+c.Name), plain(":"))
		d.append(signalTable(c.Signals))
	}
	return d
}
