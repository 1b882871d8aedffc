package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// operatorColumns are one fact each, so that a spreadsheet can sort and count.
// What could not be looked at is "?".
var operatorColumns = []struct {
	title string
	cell  func(levels.Operator) string
}{
	{"operator", func(op levels.Operator) string { return op.Name }},
	{"title", func(op levels.Operator) string { return op.Title }},
	{"version", func(op levels.Operator) string { return op.Version }},
	{"namespace", func(op levels.Operator) string { return op.Namespace }},
	{"archetype", func(op levels.Operator) string { return op.Archetype }},
	{"identity_confidence", func(op levels.Operator) string { return op.Identity.Confidence }},
	{"controller_state", func(op levels.Operator) string { return op.State }},
	{"crds", func(op levels.Operator) string { return strconv.Itoa(len(op.CRDs)) }},
	{"custom_resources", func(op levels.Operator) string { return plainCRs(op, func(c levels.CRD) int { return c.Instances }) }},
	{"custom_resources_complete", func(op levels.Operator) string {
		return strconv.FormatBool(!slices.ContainsFunc(op.CRDs, func(c levels.CRD) bool { return !c.InstancesComplete }))
	}},
	{"ready", func(op levels.Operator) string { return plainCRs(op, func(c levels.CRD) int { return c.Ready }) }},
	{"not_ready", func(op levels.Operator) string { return plainCRs(op, func(c levels.CRD) int { return c.NotReady }) }},
	{"level", func(op levels.Operator) string { return strconv.Itoa(op.Level) }},
	{"level_indicated", func(op levels.Operator) string { return strconv.Itoa(op.LevelIndicated) }},
	{"level_possible", func(op levels.Operator) string { return strconv.Itoa(op.LevelPossible) }},
	{"level_official_reading", func(op levels.Operator) string { return strconv.Itoa(op.SDKLevel) }},
	{"level_claimed", func(op levels.Operator) string {
		if op.LevelClaimed == nil {
			return ""
		}
		return strconv.Itoa(op.LevelClaimed.Level)
	}},
	{"claim_source", func(op levels.Operator) string {
		if op.LevelClaimed == nil {
			return ""
		}
		return op.LevelClaimed.Source
	}},
	{"l1", statusColumn(1)}, {"l2", statusColumn(2)}, {"l3", statusColumn(3)}, {"l4", statusColumn(4)}, {"l5", statusColumn(5)},
	{"blocked_by", func(op levels.Operator) string {
		l, ok := next(op)
		if !ok {
			return ""
		}
		return strings.Join(l.Blocking, " ")
	}},
	{"verdicts_unknown", func(op levels.Operator) string {
		n, _ := unknownChecks(&levels.Scorecard{Operators: []levels.Operator{op}})
		return strconv.Itoa(n)
	}},
	{"critical", severityColumn("critical")}, {"warnings", severityColumn("warning")}, {"info", severityColumn("info")},
}

func statusColumn(level int) func(levels.Operator) string {
	return func(op levels.Operator) string { return string(knownStatus(levelOf(op, level).Status)) }
}

func severityColumn(severity string) func(levels.Operator) string {
	return func(op levels.Operator) string { return strconv.Itoa(ofSeverity(op.Findings, severity)) }
}

func ofSeverity(findings []levels.Finding, severity string) int {
	n := 0
	for _, f := range findings {
		if f.Severity == severity {
			n++
		}
	}
	return n
}

// plainCRs adds up a number over the CRDs, "?" when none of them was seen.
func plainCRs(op levels.Operator, of func(levels.CRD) int) string {
	sum, seen := 0, len(op.CRDs) == 0
	for _, c := range op.CRDs {
		sum, seen = sum+of(c), seen || !unseenInstances(c)
	}
	if !seen {
		return unseen
	}
	return strconv.Itoa(sum)
}

// writeOperatorsCSV has one row an operator; the CRDs have their own table
// (crds -o csv).
func writeOperatorsCSV(w io.Writer, sc *levels.Scorecard, _ Options) error {
	titles := make([]string, len(operatorColumns))
	for i, c := range operatorColumns {
		titles[i] = c.title
	}
	rows := [][]string{titles}
	for _, op := range sc.Operators {
		rows = append(rows, operatorCells(op))
	}
	return writeCSV(w, rows)
}

func operatorCells(op levels.Operator) []string {
	cells := make([]string, len(operatorColumns))
	for i, c := range operatorColumns {
		cells[i] = c.cell(op)
	}
	return cells
}

// writeCSV makes every cell harmless.
func writeCSV(w io.Writer, rows [][]string) error {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	for _, row := range rows {
		line := make([]string, len(row))
		for i, cell := range row {
			line[i] = csvCell(cell)
		}
		if err := out.Write(line); err != nil {
			return fmt.Errorf("encoding the operators as CSV: %w", err)
		}
	}
	if out.Flush(); out.Error() != nil {
		return fmt.Errorf("encoding the operators as CSV: %w", out.Error())
	}
	return writeAll(w, b.Bytes())
}
