package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// htmlRow is a row of the heat map. The sort fields are what a script orders
// by; without scripts the rows stand in the order of the scorecard.
type htmlRow struct {
	// Kind is operator, nobody or shared.
	Kind                                                  string
	Plain                                                 string // the name as plain text, for the filter
	State                                                 string
	Name, Version, Controller, CRDs, CRs, Level, Findings []htmlSpan
	Cells                                                 []htmlCell
	Track                                                 *htmlTrack
	Claim                                                 string // in words, beside the track

	SortCRDs, SortCRs, SortLevel, SortClaim, SortFindings int
	// Worst is the gravest severity among its findings.
	Worst string
}

// htmlCell is one level of one operator.
type htmlCell struct {
	Class, Mark, Word, Met, Title string
	Sort                          int
}

// rows are those of the summary, with the levels as cells of a heat map.
func (p *htmlPrinter) rows(sc *levels.Scorecard) []htmlRow {
	var rows []htmlRow
	for i, s := range summaryRows(sc) {
		r := htmlRow{
			Name: p.text(s.name), Version: p.text(s.version), Controller: p.text(s.controller), CRDs: p.text(s.crds), CRs: p.text(s.crs),
			Level: p.text(s.level), Findings: p.text(s.findings), SortLevel: -1, SortClaim: -1,
		}
		switch j := i - len(sc.Operators); {
		case j < 0:
			r.operator(sc.Operators[i])
		case j < len(sc.Unattributed):
			c := sc.Unattributed[j]
			r.Kind, r.Plain, r.State = "nobody", cleanLine(c.Name), c.ControllerState
			r.crds([]levels.CRD{c})
		default:
			api := sc.SharedAPIs[j-len(sc.Unattributed)]
			r.Kind, r.Plain, r.State = "shared", cleanLine(api.Name), "shared"
			r.crds(api.CRDs)
		}
		rows = append(rows, r)
	}
	return rows
}

func (r *htmlRow) operator(op levels.Operator) {
	r.Kind, r.Plain, r.State = "operator", cleanLine(op.Name+" "+op.Title), op.State
	r.crds(op.CRDs)
	for n := 1; n <= 5; n++ {
		r.Cells = append(r.Cells, cellOf(levelOf(op, n)))
	}
	track := trackOf(op)
	r.Track = &track
	r.SortLevel = op.Level*10 + highest(op)
	if c := op.LevelClaimed; c != nil {
		r.SortClaim, r.Claim = c.Level, fmt.Sprintf("claims %d", c.Level)
		if over := c.Level - op.Level; over > 0 {
			r.Claim += fmt.Sprintf(", %d above proof", over)
		}
	}
	for _, f := range bySeverity(op.Findings) {
		if r.Worst == "" {
			r.Worst = f.Severity
		}
		r.SortFindings += map[string]int{"critical": 1_000_000, "warning": 1000}[f.Severity] + 1
	}
}

func (r *htmlRow) crds(crds []levels.CRD) {
	r.SortCRDs = len(crds)
	for _, c := range crds {
		r.SortCRs += c.Instances
	}
}

// cellOf shows a level by colour, mark and number; the tooltip says it in
// words and names what blocks it.
func cellOf(l levels.Level) htmlCell {
	status := knownStatus(l.Status)
	c := htmlCell{Class: string(status)}
	for i, m := range levelMarks {
		if m.status == status {
			c.Mark, c.Word, c.Sort = m.mark, m.word, len(levelMarks)-i
		}
	}
	if l.Essential.Total > 0 {
		c.Met = fmt.Sprintf("%d/%d", l.Essential.Met, l.Essential.Total)
	}
	c.Title = fmt.Sprintf("Level %d, %s: %s", l.Level, l.Name, c.Word)
	if c.Met != "" {
		c.Title += ", " + c.Met + " essential criteria met"
	}
	if len(l.Blocking) > 0 {
		c.Title += "; blocked by " + strings.Join(l.Blocking, ", ")
	}
	if l.Why != "" {
		c.Title += ": " + l.Why
	}
	c.Title = cleanLine(c.Title)
	return c
}

// htmlOperator is the section of one operator.
type htmlOperator struct {
	Anchor, Name, Title string
	Level               []htmlSpan
	State               []htmlSpan
	Version             string
	Headline, Claim     []htmlSpan
	Track               htmlTrack
	Levels              []htmlLevel
	Next, Findings      htmlFold
	Folds               []htmlFold
}

type htmlLevel struct {
	htmlCell
	Number     int
	Name       string
	Supporting string
	Blocking   []htmlSpan
}

func (p *htmlPrinter) operator(sc *levels.Scorecard, op levels.Operator) htmlOperator {
	h := htmlOperator{
		Anchor: p.anchors[op.Name], Name: cleanLine(op.Name), Title: cleanLine(op.Title), Version: cleanLine(op.Version),
		Level: p.text(headlineCell(op)), State: p.text(controllerState(op)),
		Headline: p.text(headlineSentence(op)), Claim: p.text(claimSentence(op)), Track: trackOf(op),
		Next: p.fold(blockersSection(op, 4, Options{})),
	}
	if h.Title == h.Name {
		h.Title = ""
	}
	for n := 1; n <= 5; n++ {
		l := levelOf(op, n)
		card := htmlLevel{htmlCell: cellOf(l), Number: n, Name: levelName(n), Supporting: metOf(l.Supporting), Blocking: p.text(codes(l.Blocking))}
		if l.Why != "" {
			card.Blocking = p.text(plain(l.Why))
		}
		h.Levels = append(h.Levels, card)
	}
	if len(op.Findings) > 0 {
		h.Findings = p.titled("Findings", findingsTable(op.Findings))
	}
	var identity document
	identity.list(identityLines(op)...)
	h.Folds = append(p.folds(evidenceTable(op), controllerTable(op, 4), operatorCRDTable(sc, op, 4), metricsTable(op, 4)),
		p.titled("Identity, and what it manages", identity, managesLines(op)))
	h.Folds = append(h.Folds, p.folds(hygieneTable(op))...)
	return h
}
