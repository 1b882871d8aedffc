package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// Options are the reader's wishes. The zero value is right for a file.
type Options struct {
	// Color allows terminal colours.
	Color bool
	// Width is that of the terminal in columns; 0 means that nothing is cut
	// or wrapped.
	Width int
	// Verbose adds every list that was asked for, and the background of each
	// criterion.
	Verbose bool
	// Command is how the program is called, for the commands to type next;
	// "kubectl operator-maturity" if empty.
	Command string
}

func (o Options) command() string {
	if o.Command == "" {
		return "kubectl operator-maturity"
	}
	return o.Command
}

// Format is one way to write a scorecard.
type Format struct {
	Name        string
	Description string
	// Extension is the usual one of a file, without the dot.
	Extension string

	write func(io.Writer, *levels.Scorecard, Options) error
}

// Formats lists the formats of a scorecard, in the order to show them.
func Formats() []Format {
	return []Format{
		{"table", "one row an operator, for a terminal", "txt", writeTable},
		{"wide", "the table with conditions, finalizers, owner references and metrics", "txt", writeWide},
		{"markdown", "the audit report: everything, for a repository or a ticket", "md", writeAudit},
		{"json", "the scorecard", "json", writeScorecardJSON},
		{"yaml", "the scorecard", "yaml", writeScorecardYAML},
		{"html", "one page that needs nothing else: heat map, charts, evidence, next steps", "html", writeHTML},
		{"csv", "one row an operator, for a spreadsheet", "csv", writeOperatorsCSV},
		{"junit", "JUnit XML: a suite for each operator", "xml", writeJUnit},
		{"sarif", "SARIF 2.1.0: findings, refuted criteria and open questions", "sarif", writeSARIF},
		{"prometheus", "gauges in Prometheus' text format", "prom", writePrometheus},
		{"policyreport", "ClusterPolicyReports (wgpolicyk8s.io/v1alpha2), one an operator", "yaml", writePolicyReport},
		{"openreports", "ClusterReports (openreports.io/v1alpha1), one an operator", "yaml", writeOpenReports},
	}
}

// Write writes the scorecard in the named format.
func Write(w io.Writer, format string, sc *levels.Scorecard, o Options) error {
	var names []string
	for _, f := range Formats() {
		if f.Name == format {
			return f.write(w, sc, o)
		}
		names = append(names, f.Name)
	}
	return unknownFormat(format, names)
}

func unknownFormat(format string, known []string) error {
	return fmt.Errorf("unknown output format %q: known are %s", format, strings.Join(known, ", "))
}
