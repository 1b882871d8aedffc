package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// fleetOverview is the table of operators and clusters with what has to be
// known to read it.
func fleetOverview(f *levels.FleetScorecard, o Options, wide bool) document {
	var d document
	d.table(clusterTable(f))
	d.append(sameClusters(f))
	if len(f.Operators) > 0 {
		d.table(matrixTable(f, wide))
		d.append(matrixLegend(f))
	} else {
		d.paragraph(noOperators(f))
	}
	d.append(driftSection(f))
	d.append(fleetCoverage(f, o))
	d.append(fleetNext(f, o))
	return d
}

// fleetAudit is the report for a repository or a ticket.
func fleetAudit(f *levels.FleetScorecard) document {
	var d document
	d.heading(1, plain("Operator maturity of "+clusterCount(f)))
	d.paragraph(fleetTotals(f))
	d.heading(2, plain("Clusters"))
	d.table(clusterTable(f))
	d.append(sameClusters(f))
	d.heading(2, plain("Operators by cluster"))
	if len(f.Operators) > 0 {
		d.table(matrixTable(f, true))
		d.list(matrixNotes(f)...)
	} else {
		d.paragraph(noOperators(f))
	}
	d.append(driftSection(f))
	d.append(fleetCoverage(f, Options{}))
	for i := range f.Clusters {
		d.append(clusterSection(f, i, 2))
	}
	d.append(howToRead())
	return d
}

// noOperators says why the matrix is empty. None seen and none there differ.
func noOperators(f *levels.FleetScorecard) text {
	if !f.Complete {
		return join(styled(badStyle, "No operator was found, and not everything was read. "), plain("This says nothing about what the clusters have."))
	}
	return plain("No operator was found on any of the clusters.")
}

func fleetTotals(f *levels.FleetScorecard) text {
	unread, partly := 0, 0
	for i := range f.Clusters {
		switch c := &f.Clusters[i]; {
		case c.Scorecard == nil:
			unread++
		case c.Outcome != levels.Read || !c.Scorecard.Coverage.Complete:
			partly++
		}
	}
	certain := 0
	for _, d := range f.Drift {
		if d.Certain {
			certain++
		}
	}
	t := plainf("%s on %s; %s between them", counted(len(f.Operators), "operator"), clusterCount(f), counted(certain, "difference"))
	if n := len(f.Drift) - certain; n > 0 {
		t = join(t, plainf(", and %d more that may be none", n))
	}
	t = join(t, plain("."))
	if unread > 0 {
		t = join(t, strong(fmt.Sprintf(" %s could not be read", counted(unread, "cluster"))), plain(", and what runs there is unknown."))
	}
	if partly > 0 {
		t = join(t, strong(fmt.Sprintf(" %s read in part", was(partly, "cluster"))), plain(": what that leaves open is shown as unknown."))
	}
	return t
}

func was(n int, noun string) string {
	if n == 1 {
		return "1 " + noun + " was"
	}
	return fmt.Sprintf("%d %ss were", n, noun)
}

// fleetCoverage lists for each cluster what could not be looked at.
func fleetCoverage(f *levels.FleetScorecard, o Options) document {
	var d document
	var rows [][]text
	for i := range f.Clusters {
		c := &f.Clusters[i]
		if c.Scorecard == nil {
			rows = append(rows, []text{code(c.Name), styled(badStyle, "failed"), plain("everything"), plain(orNothing(c.Why))})
			continue
		}
		if c.Outcome != levels.Read {
			rows = append(rows, []text{code(c.Name), styled(fairStyle, "cut short"), plain("what comes below"), plain(orNothing(c.Why))})
		}
		for _, g := range gaps(c.Scorecard) {
			rows = append(rows, []text{code(c.Name), plain(g.outcome), codes(g.resources), plain(g.why)})
		}
	}
	d.heading(2, plain("Coverage"))
	if len(rows) == 0 {
		d.paragraph(plain("Everything that was asked for could be read, on every cluster."))
	} else {
		d.lead(styled(fairStyle, "Could not be looked at"), plain(" (unknown does not mean absent):"))
		d.table(whole(columns("Cluster", "Outcome", "Resources", "Why"), rows))
	}
	if !o.Verbose {
		return d
	}
	for i := range f.Clusters {
		if sc := f.Clusters[i].Scorecard; sc != nil {
			d.lead(plain("Every list that was asked for of "), code(f.Clusters[i].Name), plain(":"))
			d.table(accessTable(sc.Coverage.Resources))
		}
	}
	return d
}

// fleetNext are the commands that a reader is likely to want now.
func fleetNext(f *levels.FleetScorecard, o Options) document {
	var d document
	var rows [][]text
	add := func(args, purpose string) {
		rows = append(rows, []text{plain(o.command() + " " + args), plain(purpose)})
	}
	for i := range f.Clusters {
		c := &f.Clusters[i]
		if c.Scorecard == nil || len(rows) > 0 {
			continue
		}
		if op, why := worst(c.Scorecard.Operators); op != nil && severest(op) != "" && severest(op) != "info" {
			add("explain "+shellWord(op.Name)+clusterFlag(c), why)
		}
	}
	for i := range f.Clusters {
		if c := &f.Clusters[i]; c.Scorecard == nil {
			add("scan"+clusterFlag(c), "once it can be reached")
			break
		}
	}
	if len(rows) == 0 {
		return d
	}
	d.lead(plain("Next:"))
	d.table(table{head: columns("", ""), rows: rows, indented: true})
	return d
}

// clusterFlag leads a command to one cluster of the fleet.
func clusterFlag(c *levels.FleetCluster) string {
	switch {
	case len(c.Source.Files) > 0:
		var b strings.Builder
		for _, file := range c.Source.Files {
			b.WriteString(" --from " + shellWord(file))
		}
		return b.String()
	case c.Source.Type == "demo":
		return " --demo"
	}
	return " --context " + shellWord(c.Source.Context)
}
