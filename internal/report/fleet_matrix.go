package report

import (
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// matrixTable has a row for each operator and a column for each cluster. The
// wide one spells every cell out.
func matrixTable(f *levels.FleetScorecard, wide bool) table {
	head := columns("Operator")
	for i := range f.Clusters {
		head = append(head, column{title: clusterHead(f, i), asIs: true})
	}
	head = append(head, column{title: "Differs"})
	var rows [][]text
	for i := range f.Operators {
		op := &f.Operators[i]
		row := []text{code(op.Name)}
		for j := range op.Cells {
			row = append(row, matrixCell(&f.Clusters[j], op, j, wide))
		}
		rows = append(rows, append(row, differsCell(f, op.Name)))
	}
	return whole(head, rows)
}

// matrixCell is the version and the level of an operator on a cluster, and the
// state of its controller where that is not running; "?" where nobody can tell.
func matrixCell(c *levels.FleetCluster, op *levels.FleetOperator, j int, wide bool) text {
	cell := &op.Cells[j]
	found := operatorOn(c, op.Name)
	switch {
	case cell.Presence == levels.FleetAbsent:
		return styled(faintStyle, "absent")
	case cell.Standing == nil || found == nil:
		return styled(fairStyle, unseen)
	}
	version := "v" + unseen
	if cell.Version != "" {
		version = cell.Version
	}
	t := join(plain(version+" "), levelWord(*found))
	if wide || cell.State != "running" {
		t = join(t, plain(" "), controllerState(*found))
	}
	if !wide {
		return t
	}
	if found.LevelClaimed != nil {
		t = join(t, plainf(", claims %d", found.LevelClaimed.Level))
	}
	if counts := findingCounts(found.Findings); len(found.Findings) > 0 {
		t = join(t, plain(", "), counts)
	}
	return t
}

// levelWord is the headline so that nobody takes it for another number.
func levelWord(op levels.Operator) text {
	if allLevels(op, levels.LevelNotApplicable) {
		return headlineCell(op)
	}
	return join(plain("L"), headlineCell(op))
}

func operatorOn(c *levels.FleetCluster, name string) *levels.Operator {
	if c.Scorecard == nil {
		return nil
	}
	for i := range c.Scorecard.Operators {
		if c.Scorecard.Operators[i].Name == name {
			return &c.Scorecard.Operators[i]
		}
	}
	return nil
}

func differsCell(f *levels.FleetScorecard, operator string) text {
	var parts []text
	crds := false
	for _, d := range f.Differs(operator) {
		if d.CRD != "" {
			crds = true
		} else if d.Certain {
			parts = append(parts, styled(fairStyle, driftWord(d.What)))
		} else {
			parts = append(parts, plain(driftWord(d.What)+" (may)"))
		}
	}
	if crds {
		parts = append(parts, styled(fairStyle, "CRDs"))
	}
	return orDash(separated(", ", parts...))
}

// driftWord is what differs, in words.
func driftWord(what string) string { return strings.ReplaceAll(what, "-", " ") }

// matrixLegend explains the cells below a table on a terminal.
func matrixLegend(f *levels.FleetScorecard) document {
	var d document
	notes := matrixNotes(f)
	for _, n := range notes[:len(notes)-1] {
		d.lead(n)
	}
	d.paragraph(notes[len(notes)-1])
	return d
}

func matrixNotes(f *levels.FleetScorecard) []text {
	notes := []text{
		plain("A cell is the version, then the level: L1–3 is proven up to 1 without a gap, and 3 if what is indicated or unknown holds; then the controller, where it is not running. v? is a version that nobody could see."),
		plain("absent: everything that operators are recognised by was read, and it was not there. ?: it may be there, and below stands why nobody can tell."),
	}
	for i := range f.Clusters {
		if sc := f.Clusters[i].Scorecard; sc != nil && len(cappedNote(sc)) > 0 {
			return append(notes, cappedNote(sc))
		}
	}
	return notes
}

// driftSection lists what differs, and on how many clusters nobody can tell.
func driftSection(f *levels.FleetScorecard) document {
	var d document
	d.heading(2, plain("What differs"))
	if len(f.Clusters) < 2 {
		d.paragraph(plain("One cluster alone differs from nothing."))
		return d
	}
	var rows [][]text
	for _, drift := range f.Drift {
		what := plain(driftWord(drift.What))
		if !drift.Certain {
			what = join(what, plain(" (may be the same: what is only indicated could make it up)"))
		}
		subject := code(drift.Operator)
		if drift.CRD != "" {
			subject = code(drift.CRD)
		}
		var values []text
		for _, v := range drift.Values {
			values = append(values, join(strong(v.Value), plain(": "), clusterNames(f, v.Clusters)))
		}
		rows = append(rows, []text{subject, what, separated("; ", values...), orDash(clusterNames(f, drift.Untold))})
	}
	if len(rows) == 0 {
		d.paragraph(nothingDiffers(f))
	} else {
		d.table(whole(columns("Operator or CRD", "What", "Where", "Unknown on"), rows))
	}
	d.append(openQuestions(f))
	return d
}

// nothingDiffers says so of different clusters only: two looks at one may
// differ all the same.
func nothingDiffers(f *levels.FleetScorecard) text {
	switch again := sameAgain(f); {
	case again == len(f.Clusters)-1:
		return plain("All of these are one cluster, so nothing is compared here. diff tells what changed between two recordings of a cluster.")
	case !f.Complete:
		return join(plain("Nothing that was seen. "), styled(fairStyle, "Not everything was."))
	case again > 0:
		return plain("Nothing between different clusters: versions, levels, controllers and the versions of CRDs are the same.")
	}
	return plain("Nothing: versions, levels, controllers and the versions of CRDs are the same.")
}

// clusterNames are names with their numbers in the table of clusters.
func clusterNames(f *levels.FleetScorecard, names []string) text {
	var parts []text
	for i := range f.Clusters {
		for _, name := range names {
			if f.Clusters[i].Name == name {
				parts = append(parts, plain(clusterHead(f, i)))
			}
		}
	}
	return separated(", ", parts...)
}

// openQuestions say why nobody can tell whether an operator is on a cluster
// that was read. Cells of one reason share a line.
func openQuestions(f *levels.FleetScorecard) document {
	var d document
	var rows [][]text
	for j := range f.Clusters {
		if f.Clusters[j].Scorecard == nil {
			continue
		}
		for _, presence := range []levels.FleetPresence{levels.FleetUnknown, levels.FleetAbsent} {
			operators := map[string][]string{}
			var order []string
			for i := range f.Operators {
				cell := &f.Operators[i].Cells[j]
				if cell.Presence != presence || cell.Why == "" {
					continue
				}
				if operators[cell.Why] == nil {
					order = append(order, cell.Why)
				}
				operators[cell.Why] = append(operators[cell.Why], f.Operators[i].Name)
			}
			for _, why := range order {
				word := styled(fairStyle, "may be there")
				if presence == levels.FleetAbsent {
					word = plain("not there, and something is left")
				}
				rows = append(rows, []text{plain(clusterHead(f, j)), word, codes(operators[why]), plain(why)})
			}
		}
	}
	if len(rows) > 0 {
		d.lead(plain("Operators that were not found on a cluster, and why that leaves a question:"))
		d.table(whole(columns("Cluster", "Presence", "Operators", "Why"), rows))
	}
	return d
}

// presenceWord is the presence of a cell, the zero value being unknown.
func presenceWord(p levels.FleetPresence) string {
	if p == levels.FleetPresent || p == levels.FleetAbsent {
		return string(p)
	}
	return string(levels.FleetUnknown)
}
