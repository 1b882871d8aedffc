package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

func newFleet(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "fleet [NAME=]FILE...",
		Short: "Several clusters in one report, from recordings: operators by cluster, and what differs",
		Long: `Compares recordings, each of one cluster: a snapshot, a scorecard (scan -o json),
the scorecard of a fleet (scan --contexts -o json), or anything else that scan
--from reads. A cluster is called NAME, else after the context it was recorded
from, else after the file. The live counterpart is scan --contexts; scan --from
given several times is another thing: it puts files together as one cluster.`,
		Example: "  kubectl operator-maturity fleet eu.json.gz us.json.gz\n  kubectl operator-maturity fleet live=prod.json.gz planned=rendered/ -o markdown=fleet.md",
		Args:    cobra.MinimumNArgs(1),
	}
	knowledge, outputs, gating := &knowledgeFlags{}, &outputFlags{}, &gateFlags{}
	knowledge.add(cmd)
	outputs.add(cmd, strings.Join(report.FleetFormats(), ", "))
	gating.add(cmd)
	var complete bool
	cmd.Flags().BoolVar(&complete, "complete", false, "dumps hold every object of their cluster, so a kind that is not in them has none")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r := fleetReport{knowledge, outputs, gating}
		return r.run(cmd, s, func() (*levels.FleetScorecard, error) {
			var clusters []levels.FleetCluster
			for _, arg := range args {
				name, path := namedFile(arg)
				list, err := recordings(cmd.Context(), name, path, complete, knowledge)
				if err != nil {
					return nil, err
				}
				clusters = append(clusters, list...)
			}
			if err := tellApart(clusters); err != nil {
				return nil, err
			}
			return levels.NewFleet(clusters), nil
		})
	}
	return cmd
}

// namedFile splits NAME=FILE. A file whose own name has a = is there.
func namedFile(arg string) (name, path string) {
	if _, err := os.Stat(arg); err == nil {
		return "", arg
	}
	name, path, named := strings.Cut(arg, "=")
	if !named {
		return "", arg
	}
	return name, path
}

// run scans the clusters of the contexts asked for. What cannot work is found
// before any of them is asked.
func (f *fleetFlags) run(cmd *cobra.Command, s streams, source *sourceFlags, r fleetReport) error {
	if err := errors.Join(refuseOneConnection(cmd), f.check(source)); err != nil {
		return err
	}
	names, err := chosenContexts(source.kube, f.contexts)
	if err != nil {
		return err
	}
	return r.run(cmd, s, func() (*levels.FleetScorecard, error) {
		return f.scanFleet(cmd.Context(), s, source, r.knowledge, names)
	})
}

// fleetReport is all that happens to a fleet once it is read.
type fleetReport struct {
	knowledge *knowledgeFlags
	outputs   *outputFlags
	gating    *gateFlags
}

func (r fleetReport) run(cmd *cobra.Command, s streams, read func() (*levels.FleetScorecard, error)) error {
	parsed, err := r.outputs.parse()
	if err != nil {
		return err
	}
	for _, o := range parsed {
		if err := report.CheckFleetFormat(o.format); err != nil {
			return err
		}
	}
	gates, err := r.gating.prepareFleet(cmd.Context(), s, r.knowledge)
	if err != nil {
		return err
	}
	fleet, err := read()
	if err != nil {
		return err
	}
	if err := r.outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
		return report.WriteFleet(w, format, fleet, o)
	}); err != nil {
		return err
	}
	return gates.fleetOutcome(s, fleet)
}

// fleetOutcome is the error that sets the exit code: the worst of the clusters,
// each judged as if it were alone. A cluster that was not read makes the report
// partial; when none was, nothing was done.
func (g *gates) fleetOutcome(s streams, f *levels.FleetScorecard) error {
	judged := g.gate.JudgeFleet(f, g.fleet)
	for _, line := range slices.Concat(judged.Excused, judged.Notes) {
		fmt.Fprintf(s.err, "note: %s\n", line)
	}
	unread, short, empty := g.lacks(f)
	if len(judged.Violations) > 0 {
		for _, line := range slices.Concat(unread, short) {
			fmt.Fprintf(s.err, "note: %s\n", line)
		}
		return exitWith(exitGate, "%s", strings.Join(judged.Violations, "\n"))
	}
	switch {
	case len(unread) == len(f.Clusters):
		return fmt.Errorf("no cluster could be read\n%s", strings.Join(unread, "\n"))
	case len(unread)+len(short) > 0:
		return exitWith(exitIncomplete, "the report is partial\n%s", strings.Join(slices.Concat(unread, short), "\n"))
	case len(empty) > 0:
		return exitWith(exitEmpty, "%s", strings.Join(empty, "\n"))
	}
	return nil
}

// lacks says of each cluster what is missing: those that were not read, those
// that were cut short or, if that is asked for, not read whole, and those where
// there is nothing to scan.
func (g *gates) lacks(f *levels.FleetScorecard) (unread, short, empty []string) {
	for i := range f.Clusters {
		switch c := &f.Clusters[i]; {
		case c.Scorecard == nil:
			unread = append(unread, fmt.Sprintf("%s: could not be read: %s", inventory.Text(c.Name), c.Why))
		case c.Outcome != levels.Read:
			short = append(short, fmt.Sprintf("%s: was not read to the end: %s", inventory.Text(c.Name), c.Why))
		case g.strict && !c.Scorecard.Coverage.Complete:
			short = append(short, fmt.Sprintf("%s: not everything could be read (--strict): %s", inventory.Text(c.Name), unreadLists(c.Scorecard)))
		case g.failIfEmpty && c.Scorecard.Empty():
			empty = append(empty, fmt.Sprintf("%s: there is nothing to scan: no CRD and no operator was found (--fail-if-empty)", inventory.Text(c.Name)))
		}
	}
	return unread, short, empty
}
