package report

import (
	"fmt"

	"kubectl-operator-maturity/internal/levels"
)

// clusterHead is how a table's head calls a cluster: its number in the table of
// clusters, and what there is room for of its name. The end of a long name
// tells more than its beginning: cloud names begin alike.
func clusterHead(f *levels.FleetScorecard, i int) string {
	const room = 24
	name := cleanLine(f.Clusters[i].Name)
	if width(name) > room {
		runes := []rune(name)
		for width(string(runes)) > room-1 {
			runes = runes[1:]
		}
		name = "…" + string(runes)
	}
	return fmt.Sprintf("%d %s", i+1, name)
}

// clusterCount counts a cluster once, under however many names it was read.
func clusterCount(f *levels.FleetScorecard) string {
	again := sameAgain(f)
	s := counted(len(f.Clusters)-again, "cluster")
	if again > 0 {
		s += fmt.Sprintf(" under %d names", len(f.Clusters))
	}
	return s
}

// sameAgain counts the names of clusters that came before.
func sameAgain(f *levels.FleetScorecard) int {
	again := 0
	for i := range f.Clusters {
		if f.Clusters[i].SameAs != "" {
			again++
		}
	}
	return again
}

// clusterTable says of each cluster where it is, which one it is, and how far
// it was read.
func clusterTable(f *levels.FleetScorecard) table {
	head := columns("Cluster", "Server", "Cluster uid", "Kubernetes", "Operators", "CRDs of nobody", "Read")
	files := false
	for i := range f.Clusters {
		files = files || len(f.Clusters[i].Source.Files) > 0
	}
	if files {
		head = append(head[:1:1], append(columns("From", "Taken"), head[1:]...)...)
	}
	var rows [][]text
	for i := range f.Clusters {
		c := &f.Clusters[i]
		row := []text{join(plainf("%d ", i+1), strong(c.Name))}
		if files {
			taken := plain(unseen)
			if c.Scorecard != nil {
				taken = plain(moment(c.Scorecard.Taken))
			}
			row = append(row, codes(c.Source.Files), taken)
		}
		operators, strays := styled(fairStyle, unseen), styled(fairStyle, unseen)
		if sc := c.Scorecard; sc != nil {
			operators, strays = countCell(sc, len(sc.Operators)), countCell(sc, len(sc.Unattributed))
		}
		rows = append(rows, append(row, orUnseen(c.Source.Server), orUnseen(c.Source.ClusterUID), orUnseen(c.Source.Version), operators, strays, outcomeText(c)))
	}
	return whole(head, rows)
}

func orUnseen(s string) text {
	if s == "" {
		return styled(fairStyle, unseen)
	}
	return code(s)
}

// countCell is a number that may be too low where not everything was seen.
func countCell(sc *levels.Scorecard, n int) text {
	switch {
	case sc.Coverage.Complete:
		return plain(fmt.Sprint(n))
	case n == 0:
		return styled(fairStyle, unseen)
	}
	return plainf("%d+", n)
}

// outcomeText says in one phrase how far a cluster was read.
func outcomeText(c *levels.FleetCluster) text {
	switch {
	case c.Scorecard == nil:
		return join(styled(badStyle, "could not be read: "), plain(orNothing(c.Why)))
	case c.Outcome != levels.Read:
		return join(styled(fairStyle, "cut short: "), plain(orNothing(c.Why)))
	case !c.Scorecard.Coverage.Complete:
		n := 0
		for _, g := range gaps(c.Scorecard) {
			n += len(g.resources)
		}
		return styled(fairStyle, fmt.Sprintf("all but %d of %s", n, counted(len(c.Scorecard.Coverage.Resources), "list")))
	}
	return plain("everything that was asked for")
}

// sameClusters says which names lead to one cluster.
func sameClusters(f *levels.FleetScorecard) document {
	var d document
	for i := range f.Clusters {
		if c := &f.Clusters[i]; c.SameAs != "" {
			d.paragraph(code(c.Name), styled(fairStyle, " is the same cluster as "), code(c.SameAs),
				plain(", by the uid of namespace kube-system. What differs between the two is a matter of rights or of time, and no drift."))
		}
	}
	return d
}

// clusterSection is the overview of one cluster.
func clusterSection(f *levels.FleetScorecard, i, level int) document {
	var d document
	c := &f.Clusters[i]
	d.heading(level, join(plainf("Cluster %d: ", i+1), plain(c.Name)))
	if c.Scorecard == nil {
		d.paragraph(outcomeText(c), plain(". Nothing is known of what runs there."))
		return d
	}
	sc := *c.Scorecard
	sc.Source = c.Source
	d.append(sourceTable(&sc))
	rows := summaryRows(&sc)
	if len(rows) == 0 {
		d.paragraph(emptyReason(&sc))
		return d
	}
	d.paragraph(totals(&sc))
	t := summaryTable(rows, true)
	withoutJumps(t.rows)
	d.table(t)
	d.append(urgent(&sc))
	return d
}

// withoutJumps makes names of names that would lead to a heading: in a fleet's
// report there is none for each operator.
func withoutJumps(rows [][]text) {
	for _, row := range rows {
		for _, cell := range row {
			for i := range cell {
				if cell[i].style == jumpStyle {
					cell[i].style = codeStyle
				}
			}
		}
	}
}
