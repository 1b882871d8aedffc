package report

import (
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// detail is how much the columns of the list say.
type detail int

const (
	age  detail = iota // short names, ages
	full               // every name, exact times, confidence
)

// crdColumn is one column of the list of CRDs.
type crdColumn struct {
	column
	cell func(ownedCRD) text
}

func crdColumns(sc *levels.Scorecard, d detail) []crdColumn {
	one := func(f func([]levels.CRD) text) func(ownedCRD) text {
		return func(r ownedCRD) text { return f([]levels.CRD{r.CRD}) }
	}
	cs := []crdColumn{
		{column{title: "CRD", elastic: true, least: 24}, func(r ownedCRD) text { return code(r.Name) }},
		{column{title: "Operator", elastic: true}, ownerCell},
		{column{title: "Controller", elastic: true}, func(r ownedCRD) text { return controllerCell(r, d) }},
		{column{title: "Scope", spare: 1}, func(r ownedCRD) text { return plain(r.Scope) }},
		{column{title: "Versions", spare: 2}, func(r ownedCRD) text { return versionsCell(r.CRD) }},
		{column{title: "Instances"}, func(r ownedCRD) text { return instancesCell(r.CRD) }},
		{column{title: "Conditions", spare: 6}, one(conditionsCell)},
		{column{title: "Finalizers", spare: 5}, func(r ownedCRD) text {
			return finalizersCell([]levels.CRD{r.CRD}, stuckIn(findingsOf(sc, r), []levels.CRD{r.CRD}))
		}},
		{column{title: "OwnerRefs", spare: 4}, one(ownersCell)},
		{column{title: "Status written", spare: 3}, func(r ownedCRD) text { return statusWrittenCell(sc, r, d) }},
	}
	if d == full {
		for i := range cs {
			cs[i].spare = 0
		}
		cs = append(cs, crdColumn{column{title: "Confidence"}, confidenceCell})
	}
	return cs
}

// findingsOf are the findings of a CRD's operator, or those of nobody.
func findingsOf(sc *levels.Scorecard, r ownedCRD) []levels.Finding {
	for _, op := range sc.Operators {
		if op.Name == r.Operator {
			return op.Findings
		}
	}
	return sc.Findings
}

func ownerCell(r ownedCRD) text {
	switch {
	case r.Operator != "" && r.Confidence == "ambiguous":
		return join(code(r.Operator), styled(fairStyle, " (ambiguous)"))
	case r.Operator != "":
		return code(r.Operator)
	case r.SharedAPI != "":
		return join(code(r.SharedAPI), plain(" (shared API)"))
	}
	return plain("(none)")
}

// controllerCell is the state and who it is the state of.
func controllerCell(r ownedCRD, d detail) text {
	state := stateWord(r.ControllerState)
	if r.Orphaned {
		state = join(state, styled(badStyle, " (orphaned)"))
	}
	names := r.Controllers
	if r.ControllerState == "not-needed" && len(names) > 0 {
		state = plain("implementer") // of a shared API: it has no controller of its own
	}
	if d == age && len(names) > 0 {
		_, short, found := strings.Cut(names[0], "/")
		if !found {
			short = names[0]
		}
		t := join(state, plain(": "), code(short))
		if len(names) > 1 {
			t = join(t, plainf(" +%d", len(names)-1))
		}
		return t
	}
	if len(names) > 0 {
		return join(state, plain(": "), codes(names))
	}
	return state
}

func statusWrittenCell(sc *levels.Scorecard, r ownedCRD, d detail) text {
	if d == age || r.LastStatusWrite == "" {
		return lastWriteCell(r.CRD, sc.Taken)
	}
	if r.StatusManager == "" {
		return plain(r.LastStatusWrite)
	}
	return join(plain(r.LastStatusWrite+" by "), code(r.StatusManager))
}

func confidenceCell(r ownedCRD) text {
	if len(r.Candidates) == 0 {
		return plain(orNothing(r.Confidence))
	}
	return join(plain(r.Confidence+": also "), codes(r.Candidates))
}

// crdTable is the list in the columns given.
func crdTable(rows []ownedCRD, cs []crdColumn) table {
	t := table{}
	for _, c := range cs {
		t.head = append(t.head, c.column)
	}
	for _, r := range rows {
		line := make([]text, len(cs))
		for i, c := range cs {
			line[i] = c.cell(r)
		}
		t.rows = append(t.rows, line)
	}
	return t
}

// crdDocument is the list with its counts and what could not be looked at.
func crdDocument(sc *levels.Scorecard, rows []ownedCRD, f CRDFilter, cs []crdColumn) document {
	var d document
	all := len(crdRows(sc))
	switch {
	case all == 0:
		d.paragraph(emptyReason(sc))
	case len(rows) == 0:
		d.paragraph(plainf("None of %s matches: %s.", counted(all, "CRD"), f))
	default:
		t := crdTable(rows, cs)
		d.table(t)
		d.paragraph(plainf("%d of %s. * is the stored version, 5+ means that there are or may be more, ? could not be looked at.",
			len(rows), counted(all, "CRD")))
	}
	if n := notSurelyUnused(sc, f); n > 0 {
		d.paragraph(plainf("The instances of %s could not be looked at: whether anybody uses them is unknown.", counted(n, "more CRD")))
	}
	if f == (CRDFilter{Sort: f.Sort}) && len(sc.AggregatedAPIs) > 0 {
		d.lead(plain("Aggregated APIs, the other way to extend the API:"))
		d.append(aggregatedTable(sc))
	}
	d.append(coverageLines(sc))
	return d
}

// notSurelyUnused counts the CRDs that the filter left out only because their
// instances were not seen.
func notSurelyUnused(sc *levels.Scorecard, f CRDFilter) int {
	if !f.Unused {
		return 0
	}
	f.Unused = false
	n := 0
	for _, r := range crdRows(sc) {
		if f.matches(r) && unseenInstances(r.CRD) {
			n++
		}
	}
	return n
}

// crdReport is the list as markdown.
func crdReport(sc *levels.Scorecard, rows []ownedCRD, f CRDFilter) document {
	var d document
	d.heading(1, plain("Custom resource definitions"))
	d.append(sourceTable(sc))
	if s := f.String(); s != "" {
		d.paragraph(plain("Only: " + s + "."))
	}
	d.append(crdDocument(sc, rows, f, crdColumns(sc, full)))
	return d
}
