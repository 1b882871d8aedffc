package report

import (
	"fmt"

	"kubectl-operator-maturity/internal/levels"
)

// summaryRow is one line of the overview: an operator, a CRD of nobody or a
// shared API.
type summaryRow struct {
	name, version, archetype, controller, crds, crs text
	levels                                          [5]text
	level, claimed, findings                        text
	// The owner's four checks.
	conditions, finalizers, owners, metrics text
}

// summaryRows are the operators, then the CRDs of nobody, then the shared APIs.
func summaryRows(sc *levels.Scorecard) []summaryRow {
	var rows []summaryRow
	for _, op := range sc.Operators {
		rows = append(rows, operatorRow(op))
	}
	for _, c := range sc.Unattributed {
		rows = append(rows, nobodysRow(sc, c))
	}
	for _, api := range sc.SharedAPIs {
		rows = append(rows, sharedRow(sc, api))
	}
	return rows
}

func operatorRow(op levels.Operator) summaryRow {
	r := summaryRow{
		name:       operatorName(op),
		version:    plain(unseen),
		archetype:  knownOr(op.Archetype, unseen),
		controller: controllerState(op),
		crds:       plain(fmt.Sprint(len(op.CRDs))),
		crs:        readyCell(op.CRDs),
		level:      headlineCell(op),
		claimed:    plain(nothing),
		findings:   findingCounts(op.Findings),
		conditions: conditionsCell(op.CRDs),
		finalizers: finalizersCell(op.CRDs, stuckIn(op.Findings, op.CRDs)),
		owners:     ownersCell(op.CRDs),
		metrics:    metricsCell(op),
	}
	if op.Version != "" {
		r.version = plain(op.Version)
	}
	if op.LevelClaimed != nil {
		r.claimed = plain(fmt.Sprint(op.LevelClaimed.Level))
	}
	for i := range r.levels {
		r.levels[i] = statusMark(levelOf(op, i+1).Status)
	}
	return r
}

// operatorName says in the name's own cell when the name is in doubt.
func operatorName(op levels.Operator) text {
	switch op.Identity.Confidence {
	case "ambiguous":
		return join(styled(jumpStyle, op.Name), styled(fairStyle, " (ambiguous)"))
	case "low":
		return join(styled(jumpStyle, op.Name), styled(fairStyle, " (a guess)"))
	}
	return styled(jumpStyle, op.Name)
}

// controllerState is the state, with ready replicas when it is half up.
func controllerState(op levels.Operator) text {
	t := stateWord(op.State)
	if op.State != "degraded" {
		return t
	}
	ready, desired := 0, 0
	for _, c := range op.Controllers {
		ready, desired = ready+c.Ready, desired+c.Desired
	}
	return join(t, plainf(" %d/%d", ready, desired))
}

// nobodysRow is a CRD without an operator. It has no levels: there is nobody
// to assess.
func nobodysRow(sc *levels.Scorecard, c levels.CRD) summaryRow {
	r := crdRow(sc, join(plain("(none) "), code(c.Name)), []levels.CRD{c})
	r.controller = stateWord(c.ControllerState)
	if c.Orphaned {
		r.controller = styled(badStyle, "orphaned")
	}
	return r
}

func sharedRow(sc *levels.Scorecard, api levels.SharedAPI) summaryRow {
	r := crdRow(sc, join(styled(jumpStyle, api.Name), plain(" (shared API)")), api.CRDs)
	r.controller = plain(counted(len(api.Implementers), "implementer"))
	return r
}

// crdRow is a row about CRDs that are no operator's.
func crdRow(sc *levels.Scorecard, name text, crds []levels.CRD) summaryRow {
	var about []levels.Finding
	for _, f := range sc.Findings {
		for _, c := range crds {
			if concerns(f, c) {
				about = append(about, f)
				break
			}
		}
	}
	return summaryRow{
		name:       name,
		version:    plain(nothing),
		archetype:  plain(nothing),
		crds:       plain(fmt.Sprint(len(crds))),
		crs:        readyCell(crds),
		level:      plain(nothing),
		claimed:    plain(nothing),
		findings:   findingCounts(about),
		conditions: conditionsCell(crds),
		finalizers: finalizersCell(crds, stuckIn(about, crds)),
		owners:     ownersCell(crds),
		metrics:    plain(nothing),
	}
}

// summaryTable is the overview. The wide one has the archetype and the owner's
// four checks too, and leaves nothing out on a narrow terminal.
func summaryTable(rows []summaryRow, wide bool) table {
	head := []column{
		{title: "Operator", elastic: true, least: 20}, {title: "Version", elastic: true, spare: 2}, {title: "Controller"},
		{title: "CRDs", spare: 3}, {title: "CRs", spare: 4}, {title: "L1"}, {title: "L2"}, {title: "L3"}, {title: "L4"}, {title: "L5"},
		{title: "Level"}, {title: "Claimed", spare: 1}, {title: "Findings", elastic: true},
	}
	if wide {
		for i := range head {
			head[i].spare = 0
		}
		head = append(head, columns("Archetype", "Conditions", "Finalizers", "OwnerRefs", "Metrics")...)
	}
	t := table{head: head}
	for _, r := range rows {
		cells := []text{r.name, r.version, r.controller, r.crds, r.crs}
		cells = append(cells, r.levels[:]...)
		cells = append(cells, r.level, r.claimed, r.findings)
		if wide {
			cells = append(cells, r.archetype, r.conditions, r.finalizers, r.owners, r.metrics)
		}
		t.rows = append(t.rows, cells)
	}
	return t
}
