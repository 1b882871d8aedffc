package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

func writeTable(w io.Writer, sc *levels.Scorecard, o Options) error {
	return writeAll(w, printTerminal(overview(sc, o, false), o))
}

func writeWide(w io.Writer, sc *levels.Scorecard, o Options) error {
	return writeAll(w, printTerminal(overview(sc, o, true), o))
}

// overview is the table with what has to be known to read it: the legend, what
// is down, what could not be looked at, what to type next.
func overview(sc *levels.Scorecard, o Options, wide bool) document {
	var d document
	rows := summaryRows(sc)
	if len(rows) == 0 {
		d.paragraph(emptyReason(sc))
	} else {
		t := summaryTable(rows, wide)
		d.table(t)
		d.append(legendLines(sc))
	}
	d.append(implementers(sc))
	d.append(unavailableAPIs(sc))
	d.append(coverageLines(sc))
	if o.Verbose {
		d.lead(plain("Every list that was asked for:"))
		d.table(accessTable(sc.Coverage.Resources))
	}
	if len(rows) > 0 {
		d.append(nextCommands(sc, o))
	}
	return d
}

// legendLines explain the marks and the numbers.
func legendLines(sc *levels.Scorecard) document {
	lines := []text{
		legend(),
		plain("LEVEL 1–3: proven up to 1 without a gap; 3 if what is indicated or unknown holds. L1 to L5 each stand alone."),
		plain("CLAIMED is the package's own word and counts for nothing."),
		readyLegend(),
	}
	if note := cappedNote(sc); len(note) > 0 {
		lines = append(lines, note)
	}
	var d document
	for _, l := range lines[:len(lines)-1] {
		d.lead(l)
	}
	d.paragraph(lines[len(lines)-1])
	return d
}

func readyLegend() text {
	return plain("CRs are ready/all: + there may be more, (1?) one does not tell, (stale) told by a controller that is gone, ? not seen.")
}

// cappedNote explains the star, where there is one.
func cappedNote(sc *levels.Scorecard) text {
	for _, op := range sc.Operators {
		if capped(op) {
			return plain("* manages no workload: by the official text it would stay at level 1.")
		}
	}
	return nil
}

// implementers lists who implements the shared APIs.
func implementers(sc *levels.Scorecard) document {
	var d document
	for _, api := range sc.SharedAPIs {
		d.paragraph(plain("Shared API "), code(api.Name), plain(", implemented by: "), implementersOf(api.Implementers))
	}
	return d
}

// unavailableAPIs lists the aggregated APIs that do not answer.
func unavailableAPIs(sc *levels.Scorecard) document {
	var d document
	var rows [][]text
	for _, a := range sc.AggregatedAPIs {
		if !a.Available {
			rows = append(rows, []text{code(a.Name), code(orNothing(a.Service)), plain(a.Detail)})
		}
	}
	if len(rows) > 0 {
		d.lead(styled(badStyle, "Aggregated APIs that are not known to be available:"))
		d.table(whole(columns("API", "Service", "Why"), rows))
	}
	return d
}

// nextCommands are the commands that a reader is likely to want now.
func nextCommands(sc *levels.Scorecard, o Options) document {
	var d document
	var rows [][]text
	add := func(args, purpose string) {
		rows = append(rows, []text{plain(o.command() + " " + args + sourceFlags(sc)), plain(purpose)})
	}
	if op, why := worst(sc.Operators); op != nil {
		add("explain "+shellWord(op.Name), why)
	}
	if anyOrphan(sc) {
		add("crds --orphans", "resources that wait for a controller that is not there")
	} else {
		add("crds", "every CRD with its operator, controller and instances")
	}
	add("-o markdown=report.md", "all of this with its evidence, for a ticket or a repository")
	d.lead(plain("Next:"))
	d.table(table{head: columns("", ""), rows: rows, indented: true})
	return d
}

// worst picks the operator that is most worth explaining, and says why.
func worst(operators []levels.Operator) (*levels.Operator, string) {
	reasons := []struct {
		why   string
		holds func(*levels.Operator) bool
	}{
		{"why it has critical findings", func(op *levels.Operator) bool { return severest(op) == "critical" }},
		{"why its controller does not run", func(op *levels.Operator) bool { return op.State == "down" || op.State == "absent" }},
		{"why its controller is degraded", func(op *levels.Operator) bool { return op.State == "degraded" }},
		{"what its warnings are about", func(op *levels.Operator) bool { return severest(op) == "warning" }},
		{"what stands between it and the next level", func(*levels.Operator) bool { return true }},
	}
	for _, r := range reasons {
		for i := range operators {
			if r.holds(&operators[i]) {
				return &operators[i], r.why
			}
		}
	}
	return nil, ""
}

func severest(op *levels.Operator) string {
	if len(op.Findings) == 0 {
		return ""
	}
	return bySeverity(op.Findings)[0].Severity
}

func anyOrphan(sc *levels.Scorecard) bool {
	for _, r := range crdRows(sc) {
		if r.CRD.Orphaned {
			return true
		}
	}
	return false
}

// sourceFlags lead the next command to the same source. A cluster is the
// current context.
func sourceFlags(sc *levels.Scorecard) string {
	switch sc.Source.Type {
	case "demo":
		return " --demo"
	case "files":
		var b strings.Builder
		for _, f := range sc.Source.Files {
			fmt.Fprintf(&b, " --from %s", shellWord(f))
		}
		if sc.Source.Complete {
			b.WriteString(" --complete")
		}
		return b.String()
	}
	return ""
}

// shellWord quotes what a shell would not take as one word.
func shellWord(s string) string {
	s = cleanLine(s)
	plainWord := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:@%+,=", r))
	}) < 0
	if plainWord {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
