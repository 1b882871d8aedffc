package report

import (
	"fmt"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// auditOperator is the chapter of one operator.
func auditOperator(sc *levels.Scorecard, op levels.Operator) document {
	var d document
	d.heading(3, code(op.Name))
	d.list(identityLines(op)...)
	d.append(controllerTable(op, 4))
	d.append(operatorCRDTable(sc, op, 4))
	d.append(metricsTable(op, 4))
	d.append(managesLines(op))
	d.append(levelsTable(op, 4))
	d.append(blockersSection(op, 4, Options{}))
	d.append(evidenceTable(op))
	d.append(hygieneTable(op))
	if len(op.Findings) > 0 {
		d.heading(4, plain("Findings"))
		d.append(findingsTable(op.Findings))
	}
	return d
}

// identityLines say who this is, why, and what it comes to.
func identityLines(op levels.Operator) []text {
	lines := []text{
		join(strong("Project: "), projectText(op)),
		join(strong("Level: "), headlineCell(op), plain(". "), headlineSentence(op)),
		join(strong("Official reading: "), officialSentence(op)),
		join(strong("Claimed: "), claimSentence(op)),
		join(strong("Version: "), knownOr(op.Version, "not known"), namespaceOf(op)),
		join(strong("Archetype: "), knownOr(op.Archetype, "not known"), because(op.ArchetypeWhy)),
		join(strong("Identity: "), identityText(op)),
	}
	return lines
}

// projectText is the project's name, with the doubt about it.
func projectText(op levels.Operator) text {
	t := plain(op.Title)
	if op.Title == "" {
		t = plain(op.Name)
	}
	switch op.Identity.Confidence {
	case "ambiguous":
		return join(t, styled(fairStyle, " (ambiguous: see Identity)"))
	case "low":
		return join(t, styled(fairStyle, " (a guess: see Identity)"))
	}
	return t
}

func knownOr(s, fallback string) text {
	if s == "" {
		return plain(fallback)
	}
	return plain(s)
}

func namespaceOf(op levels.Operator) text {
	if op.Namespace == "" {
		return nil
	}
	return join(plain(", in namespace "), code(op.Namespace))
}

func because(why string) text {
	if why == "" {
		return nil
	}
	return plain(" (" + why + ")")
}

// identityText is the confidence with its signals, equal ones counted once.
func identityText(op levels.Operator) text {
	t := confidenceText(op.Identity)
	groups := groupSignals(op.Identity.Signals)
	if len(groups) == 0 {
		return join(t, plain(" No signal was recorded."))
	}
	parts := make([]text, len(groups))
	for i, g := range groups {
		parts[i] = g.text()
	}
	return join(t, plain(" Known by "), separated("; ", parts...), plain("."))
}

func confidenceText(id levels.Identity) text {
	switch {
	case id.Confidence == "ambiguous" && len(id.Candidates) > 0:
		return join(styled(fairStyle, "ambiguous"), plain(" evidence: it fits as well "), codes(id.Candidates), plain("."))
	case id.Confidence == "ambiguous":
		return join(styled(fairStyle, "ambiguous"), plain(" evidence."))
	case id.Confidence == "":
		return plain("unknown confidence.")
	}
	return plain(id.Confidence + " confidence.")
}

// signalGroup is one signal with the number of CRDs it was seen for.
type signalGroup struct {
	first levels.Signal
	more  int
}

func (g signalGroup) text() text {
	t := plain(g.first.Signal)
	if g.first.Detail != "" {
		t = join(t, plain(": "+g.first.Detail))
	}
	if g.first.Object != "" {
		t = join(t, plain(" ("), code(g.first.Object), plain(")"))
	}
	if g.more > 0 {
		t = join(t, plainf(" and %d more like it", g.more))
	}
	return t
}

// groupSignals keeps the first signal of each kind and object.
func groupSignals(signals []levels.Signal) []signalGroup {
	var groups []signalGroup
	at := map[[2]string]int{}
	for _, s := range signals {
		key := [2]string{s.Signal, s.Object}
		if i, ok := at[key]; ok {
			groups[i].more++
			continue
		}
		at[key] = len(groups)
		groups = append(groups, signalGroup{first: s})
	}
	return groups
}

func controllerTable(op levels.Operator, section int) document {
	var d document
	var rows [][]text
	add := func(role string, cs []levels.Controller) {
		for _, c := range cs {
			rows = append(rows, []text{
				code(c.Kind + "/" + c.Namespace + "/" + c.Name), plain(role), stateWord(c.State),
				plain(fmt.Sprintf("%d/%d", c.Ready, c.Desired)), plain(c.Why),
			})
		}
	}
	add("controller", op.Controllers)
	add("companion", op.Companions)
	d.heading(section, plain("Controllers"))
	if len(rows) == 0 {
		d.paragraph(plain("No workload on this cluster was seen to be its controller. State: "), stateWord(op.State), whyNoController(op), plain("."))
		return d
	}
	d.table(whole(columns("Workload", "Role", "State", "Ready", "Why"), rows))
	return d
}

// whyNoController gives the reasons that its CRDs have for their state.
func whyNoController(op levels.Operator) text {
	var reasons []string
	for _, c := range op.CRDs {
		if c.ControllerState == op.State && c.ControllerWhy != "" && !slices.Contains(reasons, c.ControllerWhy) {
			reasons = append(reasons, c.ControllerWhy)
		}
	}
	return because(strings.Join(reasons, "; "))
}

func operatorCRDTable(sc *levels.Scorecard, op levels.Operator, section int) document {
	var d document
	d.heading(section, plain("Custom resource definitions"))
	if len(op.CRDs) == 0 {
		d.paragraph(plain("It has none."))
		return d
	}
	var rows []ownedCRD
	for _, c := range op.CRDs {
		rows = append(rows, ownedCRD{Operator: op.Name, CRD: c})
	}
	t := crdTable(rows, withoutOwner(sc))
	t.whole = true
	d.table(t)
	for _, c := range op.CRDs {
		if c.InstancesUnseen != "" {
			d.paragraph(code(c.Name), plain(": not every instance was seen: "+c.InstancesUnseen))
		}
	}
	return d
}
