package report

import (
	"fmt"
	"html/template"

	"kubectl-operator-maturity/internal/levels"
)

// htmlPage is everything that the template shows.
type htmlPage struct {
	Policy string
	Style  template.CSS
	Script template.JS

	Subject   string
	Source    []htmlFact
	Totals    []htmlSpan
	Tiles     []htmlTile
	Charts    []htmlChart
	Legend    []htmlMark
	Notes     [][]htmlSpan
	Rows      []htmlRow
	Operators []htmlOperator

	Urgent, How, Coverage, Rest, Glossary []htmlBlock
}

// htmlTile is one number that sums up the cluster.
type htmlTile struct {
	Number, Name string
	Note         string
	Class        string
}

// htmlMark is an entry of the legend.
type htmlMark struct{ Class, Mark, Word string }

func newHTMLPage(sc *levels.Scorecard, o Options) htmlPage {
	p := &htmlPrinter{anchors: anchorsOf(sc)}
	page := htmlPage{
		Subject:  cleanLine(subject(sc)),
		Urgent:   p.blocks(withoutHeading(urgent(sc))),
		How:      p.blocks(withoutHeading(howToRead())),
		Coverage: p.blocks(withoutHeading(auditCoverage(sc, o))),
		Rest:     p.blocks(theRest(sc)),
		Glossary: p.blocks(withoutHeading(glossary())),
	}
	for _, b := range sourceTable(sc) {
		for _, row := range b.(table).rows {
			page.Source = append(page.Source, htmlFact{row[0][0].s, p.text(row[1])})
		}
	}
	for _, m := range levelMarks {
		page.Legend = append(page.Legend, htmlMark{string(m.status), m.mark, m.word})
	}
	if len(summaryRows(sc)) == 0 {
		page.Totals = p.text(emptyReason(sc))
		return page
	}
	page.Totals = p.text(totals(sc))
	page.Tiles = tiles(sc)
	if len(sc.Operators) > 0 {
		page.Charts = []htmlChart{levelsChart(sc), headlineChart(sc)}
	}
	page.Notes = p.texts(mapNotes(sc))
	page.Rows = p.rows(sc)
	for i := range sc.Operators {
		page.Operators = append(page.Operators, p.operator(sc, sc.Operators[i]))
	}
	return page
}

func withoutHeading(d document) document {
	if len(d) > 0 {
		if _, ok := d[0].(heading); ok {
			return d[1:]
		}
	}
	return d
}

// theRest is what belongs to no operator.
func theRest(sc *levels.Scorecard) document {
	var d document
	d.append(auditNobodys(sc))
	d.append(auditShared(sc))
	d.append(auditAggregated(sc))
	if len(sc.Findings) > 0 {
		d.heading(2, plain("Findings that belong to no operator"))
		d.append(findingsTable(sc.Findings))
	}
	return d
}

func mapNotes(sc *levels.Scorecard) []text {
	notes := []text{
		plain("Level is the highest up to which all levels are proven without a gap; a range says how far it would reach if what is indicated or unknown held. Fractions are essential criteria met."),
		readyLegend(),
	}
	if note := cappedNote(sc); len(note) > 0 {
		notes = append(notes, note)
	}
	return notes
}

// anchorsOf gives every operator a place on the page that a link can name. A
// name that is no plain word gets a number instead.
func anchorsOf(sc *levels.Scorecard) map[string]string {
	anchors := map[string]string{}
	for i, op := range sc.Operators {
		place := fmt.Sprintf("op-%d", i+1)
		if slug.MatchString(op.Name) {
			place = "operator-" + op.Name
		}
		anchors[op.Name] = place
	}
	return anchors
}

// tiles are the numbers that somebody reads who reads nothing else.
func tiles(sc *levels.Scorecard) []htmlTile {
	all := []htmlTile{operatorsTile(sc), crdsTile(sc), resourcesTile(sc), claimsTile(sc), findingsTile(sc)}
	unknown, ops := unknownChecks(sc)
	t := htmlTile{Number: fmt.Sprint(unknown), Name: "verdicts unknown", Note: "nothing was left open"}
	if unknown > 0 {
		t.Class, t.Note = "fair", "about "+counted(ops, "operator")+": not looked at, not absent"
	}
	return append(all, t)
}

func operatorsTile(sc *levels.Scorecard) htmlTile {
	up := 0
	for _, op := range sc.Operators {
		if op.State == "running" || op.State == "external" {
			up++
		}
	}
	t := htmlTile{Number: fmt.Sprint(len(sc.Operators)), Name: "operators", Note: "the controllers of all run"}
	if down := len(sc.Operators) - up; down > 0 {
		t.Note, t.Class = fmt.Sprintf("%d run, %d not or not surely", up, down), "fair"
	}
	return t
}

func crdsTile(sc *levels.Scorecard) htmlTile {
	t := htmlTile{Number: fmt.Sprint(len(crdRows(sc))), Name: "CRDs", Note: "each has an owner"}
	if n := len(sc.Unattributed); n > 0 {
		t.Note, t.Class = fmt.Sprintf("%d of nobody", n), "fair"
	}
	return t
}

func resourcesTile(sc *levels.Scorecard) htmlTile {
	ready, waiting, untold, total, plus := 0, 0, 0, 0, ""
	for _, r := range crdRows(sc) {
		if total += r.Instances; !r.InstancesComplete {
			plus = "+"
		}
		if !r.DataOnly {
			ready, waiting, untold = ready+r.Ready, waiting+r.NotReady, untold+r.ReadinessUnknown
		}
	}
	t := htmlTile{Number: fmt.Sprintf("%d%s", total, plus), Name: "custom resources", Note: fmt.Sprintf("%d ready, %d not, %d do not tell", ready, waiting, untold)}
	if waiting > 0 {
		t.Class = "fair"
	}
	return t
}

// claimsTile counts the claims that hold: the headline reaches them.
func claimsTile(sc *levels.Scorecard) htmlTile {
	claimed, held := 0, 0
	for _, op := range sc.Operators {
		if op.LevelClaimed != nil {
			claimed++
			if op.Level >= op.LevelClaimed.Level {
				held++
			}
		}
	}
	t := htmlTile{Number: fmt.Sprintf("%d of %d", held, claimed), Name: "claimed levels proven", Note: "a claim itself counts for nothing"}
	if claimed == 0 {
		t.Number, t.Note = nothing, "no package or catalogue claims a level"
	}
	return t
}

func findingsTile(sc *levels.Scorecard) htmlTile {
	all := sc.Findings
	for _, op := range sc.Operators {
		all = append(all[:len(all):len(all)], op.Findings...)
	}
	critical, warnings := 0, 0
	for _, f := range all {
		switch f.Severity {
		case "critical":
			critical++
		case "warning":
			warnings++
		}
	}
	t := htmlTile{Number: fmt.Sprint(critical + warnings), Name: "findings to act on", Note: fmt.Sprintf("%d critical, %d warnings, and %d for information", critical, warnings, len(all)-critical-warnings)}
	switch {
	case critical > 0:
		t.Class = "bad"
	case warnings > 0:
		t.Class = "fair"
	}
	return t
}
