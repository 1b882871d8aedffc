package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// WriteComparison writes what changed between two scorecards as table,
// markdown, json or yaml.
func WriteComparison(w io.Writer, format string, c *levels.Comparison, o Options) error {
	switch format {
	case "table":
		return writeAll(w, printTerminal(comparison(c), o))
	case "markdown":
		return writeAll(w, printMarkdown(comparison(c), o))
	case "json":
		return writeJSON(w, c)
	case "yaml":
		return writeYAML(w, c)
	}
	return unknownFormat(format, []string{"table", "markdown", "json", "yaml"})
}

func comparison(c *levels.Comparison) document {
	var d document
	d.heading(1, plain("What changed"))
	d.paragraph(plain("From "), sideText(c.Old), plain(" to "), sideText(c.New), plain("."))
	if c.OtherCluster {
		d.paragraph(styled(fairStyle, "These are two different clusters"), plain(" by the uid of their namespace kube-system."))
	}
	if sameEverywhere(c) {
		d.paragraph(plain("Nothing changed: operators, levels, verdicts, custom resources and findings are the same."))
		return d
	}
	if len(c.Worse) > 0 {
		d.heading(2, plain("What got worse"))
		items := make([]text, len(c.Worse))
		for i, w := range c.Worse {
			items[i] = plain(w.String())
		}
		d.list(items...)
	} else {
		d.paragraph(plain("Nothing got worse."))
	}
	d.append(presenceTable("Operators that came", c.Came))
	d.append(presenceTable("Operators that went", c.Went))
	d.append(changesTable(c))
	for i := range c.Operators {
		d.append(operatorChange(&c.Operators[i]))
	}
	d.append(crdChanges(c))
	if len(c.Findings) > 0 {
		d.heading(2, plain("Findings that belong to no operator"))
		d.append(findingChanges(c.Findings))
	}
	d.append(coverageChanges(c))
	return d
}

func sameEverywhere(c *levels.Comparison) bool {
	return len(c.Came)+len(c.Went)+len(c.Operators)+len(c.CRDs)+len(c.Findings)+len(c.Coverage) == 0
}

func sideText(s levels.Side) text {
	t := join(strong(subject(&levels.Scorecard{Source: s.Source})), plain(" of "+moment(s.Taken)))
	if !s.Complete {
		t = join(t, styled(fairStyle, " (not read whole)"))
	}
	return t
}

func presenceTable(title string, list []levels.Presence) document {
	var d document
	if len(list) == 0 {
		return d
	}
	d.heading(2, plain(title))
	var rows [][]text
	for _, p := range list {
		rows = append(rows, []text{code(p.Name), plain(orNothing(p.Version)), stateWord(p.State), plain(fmt.Sprint(p.Level))})
	}
	d.table(whole(columns("Operator", "Version", "Controller", "Level"), rows))
	return d
}

// changesTable is the overview of operators in both.
func changesTable(c *levels.Comparison) document {
	var d document
	var rows [][]text
	for _, o := range c.Operators {
		var marks []text
		for _, l := range o.Levels {
			marks = append(marks, join(plainf("L%d ", l.Level), statusMark(l.Old), plain("→"), statusMark(l.New)))
		}
		counts := map[levels.Direction]int{}
		for _, check := range o.Checks {
			counts[check.Direction]++
		}
		verdicts := separated(", ", number(counts[levels.Better], "better", goodStyle), number(counts[levels.Worse], "worse", badStyle), number(counts[levels.Unclear], "unclear", fairStyle))
		rows = append(rows, []text{
			code(o.Name), arrow(o.Version, versionText), arrow(o.State, stateWord), arrow(o.Level, levelText), orDash(separated(", ", marks...)), orDash(verdicts),
		})
	}
	if len(rows) > 0 {
		d.heading(2, plain("Operators that changed"))
		d.table(whole(columns("Operator", "Version", "Controller", "Level", "Levels", "Verdicts"), rows))
	}
	return d
}

func number(n int, word string, st style) text {
	if n == 0 {
		return nil
	}
	return styled(st, fmt.Sprintf("%d %s", n, word))
}

func orDash(t text) text {
	if len(t) == 0 {
		return plain(nothing)
	}
	return t
}

func versionText(s string) text { return plain(orNothing(s)) }
func levelText(n int) text      { return plain(fmt.Sprint(n)) }
func ownerText(s string) text {
	if s == "" {
		return plain("nobody")
	}
	return code(s)
}

// arrow is old → new, and a dash when nothing changed.
func arrow[T comparable](c *levels.Changed[T], show func(T) text) text {
	if c == nil {
		return plain(nothing)
	}
	return join(show(c.Old), plain(" → "), show(c.New))
}

// operatorChange tells the evidence behind the changes of one operator.
func operatorChange(o *levels.OperatorChange) document {
	var d document
	if len(o.Levels)+len(o.Checks)+len(o.Findings) == 0 {
		return d
	}
	d.heading(3, code(o.Name))
	for _, l := range o.Levels {
		t := join(plainf("Level %d, %s: ", l.Level, l.Name), statusWord(l.Old), plain(" → "), statusWord(l.New))
		if len(l.Because) > 0 {
			t = join(t, plain(", since the verdict changed on "), codes(l.Because))
		}
		d.paragraph(t, plain("."))
	}
	for _, check := range o.Checks {
		e := entry{title: join(plain("L"+ruleLevel(check.Level)+" "), criterion(levels.Check{ID: check.ID, Title: check.Title, Essential: check.Essential}),
			plain(": "), verdictOnly(check.Old), plain(" → "), verdictOnly(check.New))}
		if check.Level == 0 {
			e.title[0].s = "hygiene "
		}
		e.add("before", plain(orNothing(check.OldBecause)))
		e.add("now", plain(orNothing(check.NewBecause)))
		d.entry(e)
	}
	d.append(findingChanges(o.Findings))
	return d
}

func findingChanges(list []levels.FindingChange) document {
	var d document
	var rows [][]text
	for _, f := range list {
		what := plain("came")
		switch {
		case len(f.Came) > 0 && len(f.Went) > 0:
			what = plain("about others")
		case len(f.Came) == 0:
			what = plain("went")
		}
		objects := append(append([]string{}, f.Came...), f.Went...)
		rows = append(rows, []text{what, severityWord(f.Severity), code(f.ID), plain(f.Detail), codes(objects)})
	}
	d.table(whole(columns("Finding", "Severity", "Id", "Detail", "Objects"), rows))
	return d
}

func crdChanges(c *levels.Comparison) document {
	var d document
	var rows [][]text
	for _, crd := range c.CRDs {
		what := plain("changed")
		switch {
		case crd.Came:
			what = plain("came")
		case crd.Went:
			what = plain("went")
		}
		rows = append(rows, []text{code(crd.Name), what, arrow(crd.Owner, ownerText), arrow(crd.State, stateWord), arrow(crd.Instances, levelText), arrow(crd.Ready, levelText), arrow(crd.NotReady, levelText)})
	}
	if len(rows) > 0 {
		d.heading(2, plain("CRDs"))
		d.table(whole(columns("CRD", "What", "Operator", "Controller", "Instances", "Ready", "Not ready"), rows))
	}
	return d
}

func coverageChanges(c *levels.Comparison) document {
	var d document
	var items []text
	for _, r := range c.Coverage {
		items = append(items, join(code(r.Resource), plain(": "+strings.Join([]string{orNothing(r.Old), orNothing(r.New)}, " → "))))
	}
	if len(items) > 0 {
		d.heading(2, plain("What could be looked at"))
		d.list(items...)
	}
	return d
}
