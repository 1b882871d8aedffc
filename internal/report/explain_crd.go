package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// WriteExplainCRD writes everything that is known of one CRD: whose it is and
// who else claims it, who reconciles it, and what its instances show.
func WriteExplainCRD(w io.Writer, format string, sc *levels.Scorecard, crdName string, o Options) error {
	r, err := findCRD(sc, crdName)
	if err != nil {
		return err
	}
	return writeExplained(w, format, r, explainCRD(sc, r, o), o)
}

// findCRD finds it by its name, or by its kind or plural if only one has it.
func findCRD(sc *levels.Scorecard, name string) (ownedCRD, error) {
	var alike []ownedCRD
	for _, r := range crdRows(sc) {
		if r.Name == name {
			return r, nil
		}
		plural, _, _ := strings.Cut(r.Name, ".")
		if strings.EqualFold(r.Kind, name) || strings.EqualFold(plural, name) {
			alike = append(alike, r)
		}
	}
	switch len(alike) {
	case 0:
		return ownedCRD{}, fmt.Errorf("no CustomResourceDefinition %q: list them with the crds command", name)
	case 1:
		return alike[0], nil
	}
	names := make([]string, len(alike))
	for i, r := range alike {
		names[i] = r.Name
	}
	return ownedCRD{}, fmt.Errorf("%q may be any of %s: give the full name", name, strings.Join(names, ", "))
}

func explainCRD(sc *levels.Scorecard, r ownedCRD, o Options) document {
	var d document
	d.heading(1, code(r.Name))
	d.list(crdLines(sc, r)...)
	d.heading(2, plain("Why it is attributed so"))
	if len(r.Signals) == 0 {
		d.paragraph(plain("No signal was recorded for it."))
	}
	d.append(signalTable(r.Signals))
	d.append(crdVerdicts(sc, r))
	if about := findingsAbout(sc, r); len(about) > 0 {
		d.heading(2, plain("Findings"))
		d.append(findingEntries(about))
	}
	return d
}

// crdLines are the facts, a line each.
func crdLines(sc *levels.Scorecard, r ownedCRD) []text {
	one := []levels.CRD{r.CRD}
	lines := []text{
		join(strong("Operator: "), ownerCell(r), candidatesText(r)),
		join(strong("Controller: "), controllerCell(r, full), because(r.ControllerWhy)),
		join(strong("Kind: "), plain(orNothing(r.Kind)+", "+orNothing(r.Scope))),
		join(strong("Versions: "), versionsCell(r.CRD), plain(" (* is stored)")),
		join(strong("Instances: "), instancesCell(r.CRD), because(r.InstancesUnseen)),
		join(strong("Conditions: "), conditionsCell(one), typesText(r.ConditionTypes)),
		join(strong("Status subresource: "), plain(yesNo(r.StatusSubresource))),
		join(strong("Status written: "), statusWrittenCell(sc, r, full)),
		join(strong("Finalizers: "), finalizersCell(one, stuckIn(findingsOf(sc, r), one)), typesText(r.Finalizers)),
		join(strong("Owner references of its children: "), ownersCell(one)),
	}
	if r.SharedAPI != "" {
		lines = append(lines, join(strong("Implemented by: "), implementersOf(r.Implementers)))
	}
	if r.DataOnly {
		lines = append(lines, join(strong("Data only: "), plain("nobody writes its status, by design; it needs no controller.")))
	}
	return lines
}

func candidatesText(r ownedCRD) text {
	t := confidenceNote(r.Confidence)
	if len(r.Candidates) > 0 {
		t = join(t, plain("; candidates: "), codes(r.Candidates))
	}
	return t
}

func confidenceNote(confidence string) text {
	if confidence == "" || confidence == "ambiguous" {
		return nil
	}
	return plain(", " + confidence + " confidence")
}

func typesText(names []string) text {
	if len(names) == 0 {
		return nil
	}
	return join(plain(" ("), codes(names), plain(")"))
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// crdVerdicts are the criteria of its operator that were judged on it.
func crdVerdicts(sc *levels.Scorecard, r ownedCRD) document {
	var d document
	var rows [][]text
	for _, op := range sc.Operators {
		if op.Name != r.Operator {
			continue
		}
		for _, c := range levelOrder(op.Checks) {
			if t, ok := verdictFor(c, r.CRD); ok {
				rows = append(rows, append([]text{plain(levelLabel(c.Level)), criterion(c)}, t...))
			}
		}
	}
	if len(rows) > 0 {
		d.heading(2, plain("What was judged on it"))
	}
	d.table(whole(columns("Level", "Criterion", "Verdict", "Because"), rows))
	return d
}

func levelLabel(n int) string {
	if n == 0 {
		return "hygiene"
	}
	return fmt.Sprint(n)
}

// verdictFor is the verdict and the reason of a criterion for one CRD, if the
// criterion is judged for each. Where it has no verdict of its own, it has that
// of the operator, whose reason speaks of another CRD.
func verdictFor(c levels.Check, crd levels.CRD) ([]text, bool) {
	for _, v := range c.PerCRD {
		if v.CRD == crd.Name {
			return []text{join(verdictOnly(v.Verdict), stale(v.Stale)), plain(v.Because)}, true
		}
	}
	switch {
	case c.CRD == "" || c.Verdict == levels.NotApplicable || crd.DataOnly:
		return nil, false
	case c.CRD == crd.Name:
		return []text{verdictWord(c), reason(c)}, true
	}
	return []text{verdictWord(c), join(plain("as for "), code(c.CRD))}, true
}

// findingsAbout are the findings with an object of the CRD.
func findingsAbout(sc *levels.Scorecard, r ownedCRD) []levels.Finding {
	var about []levels.Finding
	for _, f := range findingsOf(sc, r) {
		if concerns(f, r.CRD) {
			about = append(about, f)
		}
	}
	return about
}
