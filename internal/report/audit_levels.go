package report

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

func levelsTable(op levels.Operator, section int) document {
	var d document
	var rows [][]text
	for n := 1; n <= 5; n++ {
		l := levelOf(op, n)
		blocking := codes(l.Blocking)
		if l.Why != "" {
			blocking = plain(l.Why)
		}
		rows = append(rows, []text{
			plainf("%d %s", n, l.Name), statusWord(l.Status), plain(metOf(l.Essential)), plain(metOf(l.Supporting)), blocking,
		})
	}
	d.heading(section, plain("Levels"))
	d.table(whole(columns("Level", "Status", "Essential", "Supporting", "Blocked by"), rows))
	return d
}

// blockers are the checks that keep the level from being proven.
func blockers(op levels.Operator, l levels.Level) []levels.Check {
	var found []levels.Check
	for _, c := range op.Checks {
		if slices.Contains(l.Blocking, c.ID) {
			found = append(found, c)
		}
	}
	return found
}

// blockersSection says what would raise the headline: one entry for each
// criterion that stands before the next level.
func blockersSection(op levels.Operator, section int, o Options) document {
	var d document
	l, ok := next(op)
	switch {
	case op.Level >= 5:
		d.heading(section, plain("What would raise it"))
		d.paragraph(plain("Nothing: all five levels are proven."))
		return d
	case !ok:
		d.heading(section, plain("What would raise it"))
		d.paragraph(plainf("Nothing: level %d does not apply to it, which ends the count", l.Level), because(l.Why), plain(". The levels above stand on their own."))
		return d
	}
	d.heading(section, plainf("What stands before level %d, %s", l.Level, l.Name))
	found := blockers(op, l)
	if len(found) == 0 {
		d.paragraph(plain("Level "), plainf("%d is ", l.Level), statusWord(l.Status), plain("; no single criterion blocks it, it lacks a witness: something the operator was seen to do."))
		return d
	}
	for _, c := range found {
		d.entry(checkEntry(c, o))
	}
	return d
}

func (e *entry) add(name string, t text) {
	if len(t) > 0 {
		e.facts = append(e.facts, fact{name, t})
	}
}

// criterion is the title with the id; essential ones are strong.
func criterion(c levels.Check) text {
	title := c.Title
	switch {
	case title == "" && c.Essential:
		return strong(c.ID)
	case title == "":
		return code(c.ID)
	case c.Essential:
		return join(strong(title), plain(" ("), code(c.ID), plain(")"))
	}
	return join(plain(title+" ("), code(c.ID), plain(")"))
}

// reason is why the verdict is what it is. For an unknown one it is what could
// not be looked at.
func reason(c levels.Check) text {
	switch {
	case isUnknown(c.Verdict) && len(c.Unseen) > 0:
		return plain("could not look at " + strings.Join(unseenParts(c), "; "))
	case c.Because == "":
		return plain(nothing)
	}
	return plain(c.Because)
}

// remedy is what would raise a verdict. An unknown one first needs a look.
func remedy(c levels.Check) text {
	if !isUnknown(c.Verdict) {
		return plain(c.Fix)
	}
	first := "let the scan see what it could not"
	if len(c.Unseen) > 0 {
		first = "let the scan see " + strings.Join(unseenParts(c), "; ")
	}
	if c.Fix == "" {
		return plain(first)
	}
	return plain(first + ". Then: " + c.Fix)
}

// unseenParts are the facets that could not be looked at, with the reason of
// each behind it.
func unseenParts(c levels.Check) []string {
	parts := make([]string, len(c.Unseen))
	for i, s := range c.Unseen {
		facet, why := unseenFacet(s)
		if parts[i] = facet; why != "" {
			parts[i] += " (" + why + ")"
		}
	}
	return parts
}

// unseenFacet splits "crd.events: events forbidden" into "events" and why.
func unseenFacet(s string) (facet, why string) {
	facet, why, _ = strings.Cut(s, ": ")
	for _, scope := range []string{"op.", "crd."} {
		facet = strings.TrimPrefix(facet, scope)
	}
	return facet, why
}

// elsewhere names the CRDs for which the verdict is another one, by verdict.
func elsewhere(c levels.Check) text {
	const shown = 3
	crds := map[levels.Verdict][]string{}
	for _, v := range c.PerCRD {
		crds[v.Verdict] = append(crds[v.Verdict], v.CRD)
	}
	var parts []text
	for _, v := range needs {
		names := crds[v]
		if len(names) == 0 {
			continue
		}
		t := join(verdictOnly(v), plain(" for "), codes(names[:min(shown, len(names))]))
		if n := len(names) - shown; n > 0 {
			t = join(t, plainf(" and %d more", n))
		}
		parts = append(parts, t)
	}
	if len(parts) == 0 {
		return nil
	}
	return join(plain("; but "), separated(", ", parts...))
}

// evidenceTable has every criterion of the levels; those that do not apply
// are only named.
func evidenceTable(op levels.Operator) document {
	var d document
	var rows [][]text
	var skipped []string
	for _, c := range levelOrder(op.Checks) {
		switch {
		case c.Level == 0:
		case c.Verdict == levels.NotApplicable:
			skipped = append(skipped, c.ID)
		default:
			rows = append(rows, []text{plainf("%d", c.Level), criterion(c), verdictWord(c), join(reason(c), elsewhere(c))})
		}
	}
	d.heading(4, plain("Evidence"))
	if len(rows)+len(skipped) == 0 {
		d.paragraph(plain("No criterion was judged."))
	}
	d.table(whole(columns("Level", "Criterion (essential in bold)", "Verdict", "Because"), rows))
	if len(skipped) > 0 {
		d.paragraph(plain("Does not apply and is not counted: "), codes(skipped), plain("."))
	}
	return d
}

// levelOrder is by level, essential criteria first.
func levelOrder(checks []levels.Check) []levels.Check {
	sorted := slices.Clone(checks)
	slices.SortStableFunc(sorted, func(a, b levels.Check) int {
		if a.Level != b.Level {
			return a.Level - b.Level
		}
		return weight(a) - weight(b)
	})
	return sorted
}

func weight(c levels.Check) int {
	if c.Essential {
		return 0
	}
	return 1
}

// hygieneTable has the hygiene criteria that are not met, and the number of
// those that are.
func hygieneTable(op levels.Operator) document {
	var d document
	var rows [][]text
	met, all := 0, 0
	for _, c := range op.Checks {
		if c.Level != 0 || c.Verdict == levels.NotApplicable {
			continue
		}
		all++
		if c.Verdict == levels.Proven || c.Verdict == levels.Indicated {
			met++
			continue
		}
		rows = append(rows, []text{criterion(c), verdictWord(c), reason(c)})
	}
	if all == 0 {
		return d
	}
	d.heading(4, plain("Hygiene"))
	d.paragraph(plainf("%d of %d criteria met. Hygiene decides no level.", met, all))
	d.table(whole(columns("Criterion", "Verdict", "Because"), rows))
	return d
}

func findingsTable(findings []levels.Finding) document {
	var d document
	var rows [][]text
	for _, f := range bySeverity(findings) {
		rows = append(rows, []text{severityWord(f.Severity), code(f.ID), plain(f.Detail), codes(f.Objects)})
	}
	d.table(whole(columns("Severity", "Finding", "Detail", "Objects"), rows))
	return d
}
