package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// fleetFormats are the ways to write several clusters. The others of Formats
// have no place for a cluster: their readers would take equal operators of two
// clusters for one.
var fleetFormats = []struct {
	name  string
	write func(io.Writer, *levels.FleetScorecard, Options) error
}{
	{"table", func(w io.Writer, f *levels.FleetScorecard, o Options) error {
		return writeAll(w, printTerminal(fleetOverview(f, o, false), o))
	}},
	{"wide", func(w io.Writer, f *levels.FleetScorecard, o Options) error {
		return writeAll(w, printTerminal(fleetOverview(f, o, true), o))
	}},
	{"markdown", func(w io.Writer, f *levels.FleetScorecard, o Options) error {
		return writeAll(w, printMarkdown(fleetAudit(f), o))
	}},
	{"json", func(w io.Writer, f *levels.FleetScorecard, _ Options) error { return writeJSON(w, f) }},
	{"yaml", func(w io.Writer, f *levels.FleetScorecard, _ Options) error { return writeYAML(w, f) }},
	{"html", writeFleetHTML},
	{"csv", writeFleetCSV},
	{"prometheus", writeFleetPrometheus},
}

// FleetFormats lists the formats of several clusters.
func FleetFormats() []string {
	var names []string
	for _, f := range fleetFormats {
		names = append(names, f.name)
	}
	return names
}

// CheckFleetFormat tells whether several clusters can be written in a format.
func CheckFleetFormat(format string) error {
	known := FleetFormats()
	for _, name := range known {
		if name == format {
			return nil
		}
	}
	for _, f := range Formats() {
		if f.Name == format {
			return fmt.Errorf("the output format %s is of one cluster: several can be written as %s", format, strings.Join(known, ", "))
		}
	}
	return unknownFormat(format, known)
}

// WriteFleet writes several clusters in the named format.
func WriteFleet(w io.Writer, format string, fleet *levels.FleetScorecard, o Options) error {
	for _, f := range fleetFormats {
		if f.name == format {
			return f.write(w, fleet, o)
		}
	}
	return CheckFleetFormat(format)
}
