package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

func writeAudit(w io.Writer, sc *levels.Scorecard, o Options) error {
	return writeAll(w, printMarkdown(audit(sc, o), o))
}

// audit is the report that goes into a repository or a ticket: whoever reads
// it has neither the cluster nor the program at hand.
func audit(sc *levels.Scorecard, o Options) document {
	var d document
	d.heading(1, plain("Operator maturity: "+subject(sc)))
	d.append(sourceTable(sc))
	d.append(auditSummary(sc))
	d.append(howToRead())
	d.append(auditCoverage(sc, o))
	if len(sc.Operators) > 0 {
		d.heading(2, plain("Operators"))
		for _, op := range sc.Operators {
			d.append(auditOperator(sc, op))
		}
	}
	d.append(auditNobodys(sc))
	d.append(auditShared(sc))
	d.append(auditAggregated(sc))
	if len(sc.Findings) > 0 {
		d.heading(2, plain("Findings that belong to no operator"))
		d.append(findingsTable(sc.Findings))
	}
	d.append(glossary())
	return d
}

// subject is what was looked at, in a few words.
func subject(sc *levels.Scorecard) string {
	s := sc.Source
	switch {
	case s.Type == "demo":
		return "demo snapshot"
	case s.Context != "":
		return s.Context
	case s.Type == "files" && len(s.Files) > 0:
		return strings.Join(s.Files, ", ")
	case s.Server != "":
		return s.Server
	case s.Type == "files":
		return "files"
	}
	return "cluster"
}

// sourceTable says what was looked at, when and as whom.
func sourceTable(sc *levels.Scorecard) document {
	s := sc.Source
	scope := "all namespaces"
	if len(s.Namespaces) > 0 {
		scope = "only namespaces " + strings.Join(s.Namespaces, ", ")
	}
	kind := map[string]string{
		"cluster": "a live cluster", "demo": "the snapshot built into the program", "files": "files, no live cluster",
	}[s.Type]
	if s.Type == "files" && s.Complete {
		kind += "; said to hold every object"
	}
	var rows [][]text
	add := func(name string, value text) {
		if len(value) > 0 {
			rows = append(rows, []text{plain(name), value})
		}
	}
	add("Taken", plain(moment(sc.Taken)))
	add("Source", plain(kind))
	add("Context", code(s.Context))
	add("API server", code(s.Server))
	add("Kubernetes", code(s.Version))
	add("Cluster (uid of kube-system)", code(s.ClusterUID))
	add("Looked at as", code(s.Identity))
	add("Scope", plain(scope))
	add("Files", codes(s.Files))
	var d document
	d.table(whole(columns("What was looked at", ""), rows))
	return d
}

// auditSummary is the answer in one paragraph and one table.
func auditSummary(sc *levels.Scorecard) document {
	var d document
	d.heading(2, plain("Summary"))
	rows := summaryRows(sc)
	if len(rows) == 0 {
		d.paragraph(emptyReason(sc))
		return d
	}
	d.paragraph(totals(sc))
	t := summaryTable(rows, true)
	d.table(t)
	notes := []text{join(plain("Marks: "), legend()), readyLegend()}
	if note := cappedNote(sc); len(note) > 0 {
		notes = append(notes, note)
	}
	d.list(notes...)
	d.append(urgent(sc))
	return d
}

// totals counts what was found.
func totals(sc *levels.Scorecard) text {
	crds, instances, more := 0, 0, ""
	for _, r := range crdRows(sc) {
		crds++
		instances += r.Instances
		if !r.InstancesComplete {
			more = "at least "
		}
	}
	t := plainf("%s, %s and %s%s.", counted(len(sc.Operators), "operator"), counted(crds, "custom resource definition")+" (CRDs)",
		more, counted(instances, "custom resource"))
	if n := len(sc.Unattributed); n > 0 {
		t = join(t, plainf(" %s to no operator.", counted(n, "CRD")+belongs(n)))
	}
	if n := len(gaps(sc)); n > 0 || !sc.Coverage.Complete {
		t = join(t, strong(" The look was incomplete"), plain(": what it leaves open is listed under Coverage and shown as unknown."))
	} else {
		t = join(t, plain(" Everything that was asked for could be read."))
	}
	return t
}

func belongs(n int) string {
	if n == 1 {
		return " belongs"
	}
	return " belong"
}

// urgent lists the critical findings of everybody: what to act on first.
func urgent(sc *levels.Scorecard) document {
	var items []text
	add := func(who text, findings []levels.Finding) {
		for _, f := range findings {
			if f.Severity == "critical" {
				items = append(items, join(who, plain(": "+f.Detail)))
			}
		}
	}
	for _, op := range sc.Operators {
		add(code(op.Name), op.Findings)
	}
	add(plain("No operator"), sc.Findings)
	var d document
	if len(items) > 0 {
		d.heading(3, plain("Act on first"))
		d.list(items...)
	}
	return d
}

// howToRead is what a reader must know before quoting a number.
func howToRead() document {
	var d document
	d.heading(2, plain("How to read this report"))
	d.list(
		join(strong("The five levels are independent."), plain(" Each is judged on its own evidence, as the Operator Framework has defined them since November 2022. "+
			"“Level” is a second number: the highest one up to which all are proven without a gap.")),
		join(strong("A range such as 1–3"), plain(" means: proven up to 1; it would be 3 if what is only indicated, or could not be looked at, held.")),
		join(strong("Proven"), plain(" was seen to be there or to happen. "), strong("Indicated"), plain(" means that the API or the granted rights allow it, and nobody saw it happen. "),
			strong("Refuted"), plain(" means that the operator was seen not to do it.")),
		join(strong("Unknown is not absent."), plain(" It could not be looked at; the reason is given. “Not observed” means that everything needed was seen, and it was not there.")),
		join(strong("Claims are no evidence."), plain(" “Claimed” is what a package or a catalogue says of itself. It is shown for comparison and counts for nothing.")),
		join(strong("The official reading."), plain(" The official text keeps operators that manage no workload of their own (certificates, cloud resources, policies) at level 1. "+
			"That reading is given beside the one used here, which leaves out what does not apply. Compare levels only between operators of one archetype.")),
		join(strong("A level says nothing about correctness"), plain(", security or support of an operator.")),
	)
	return d
}

// auditCoverage lists what was not read and what that makes unknown.
func auditCoverage(sc *levels.Scorecard, o Options) document {
	var d document
	d.heading(2, plain("Coverage"))
	var rows [][]text
	for _, g := range gaps(sc) {
		for _, name := range g.resources {
			rows = append(rows, []text{code(name), plain(g.outcome), plain(g.why), consequence(sc, name)})
		}
	}
	read := len(sc.Coverage.Resources) - len(rows)
	switch {
	case len(sc.Coverage.Resources) == 0:
		d.paragraph(plain("Nothing was read: there is no record of any list call."))
	case len(rows) > 0:
		d.paragraph(plainf("%d of %s read whole. Not read, or not whole:", read, counted(len(sc.Coverage.Resources), "list")))
		d.table(whole(columns("Resource", "Outcome", "Why", "Leaves unknown"), rows))
	case !sc.Coverage.Complete:
		d.paragraph(plainf("%s read; the scan ended before everything was.", counted(read, "list")))
	default:
		d.paragraph(plainf("Complete: %s asked for, all read whole.", counted(read, "list")))
	}
	d.append(unknownLines(sc))
	if o.Verbose {
		d.table(accessTable(sc.Coverage.Resources))
	}
	return d
}

// consequence names the criteria that the gap leaves unknown.
func consequence(sc *levels.Scorecard, resource string) text {
	criteria, ops := madeUnknown(sc, resource)
	if len(criteria) == 0 {
		return plain(nothing)
	}
	return join(codes(criteria), plain(fmt.Sprintf(" (%s)", counted(ops, "operator"))))
}
