package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

// gateFlags make a scan fail for CI.
type gateFlags struct {
	minLevel    []string
	failOn      []string
	strict      bool
	failIfEmpty bool
}

func (f *gateFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.minLevel, "min-level", nil, "exit with 2 unless every operator (or `[OPERATOR=]N`) has proven level N, repeatable")
	cmd.Flags().StringArrayVar(&f.failOn, "fail-on", nil, "exit with 2 on a finding with this `ID|SEVERITY`, repeatable")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 3 when something that was asked for could not be read")
	cmd.Flags().BoolVar(&f.failIfEmpty, "fail-if-empty", false, "exit with 4 when there is nothing to scan")
}

func newScan(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scan",
		Short: "Score every operator of a cluster, a dump or manifests",
		Args:  cobra.NoArgs,
	}
	source := newSource(cmd, kube)
	source.metrics.add(cmd)
	knowledge, outputs, gates := &knowledgeFlags{}, &outputFlags{}, &gateFlags{}
	knowledge.add(cmd)
	outputs.add(cmd, formatNames())
	gates.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		gate, err := gates.parse()
		if err != nil {
			return err
		}
		if err := knowledge.checkGate(gate); err != nil {
			return err
		}
		scorecard, incomplete, err := scored(cmd.Context(), s, source, knowledge)
		if err != nil {
			return err
		}
		if err := outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
			return report.Write(w, format, scorecard, o)
		}); err != nil {
			return err
		}
		return gates.outcome(gate, scorecard, incomplete)
	}
	return cmd
}

func formatNames() string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// scored reads and scores. A scan that was cut short still gives a scorecard,
// and the reason as incomplete.
func scored(ctx context.Context, s streams, source *sourceFlags, knowledge *knowledgeFlags) (sc *levels.Scorecard, incomplete, err error) {
	snapshot, err := source.read(ctx, s)
	if err != nil && (snapshot == nil || !errors.Is(err, cluster.ErrIncomplete)) {
		return nil, nil, err
	}
	if err == nil {
		if err = source.readMetrics(ctx, snapshot, knowledge); err != nil && !errors.Is(err, cluster.ErrIncomplete) {
			return nil, nil, err
		}
	}
	scorecard, scoreErr := knowledge.score(snapshot)
	if scoreErr != nil {
		return nil, nil, scoreErr
	}
	return scorecard, err, nil
}

func (f *gateFlags) parse() (levels.Gate, error) {
	return levels.ParseGate(f.minLevel, f.failOn)
}

// outcome is the error that sets the exit code, the gravest first.
func (f *gateFlags) outcome(gate levels.Gate, sc *levels.Scorecard, incomplete error) error {
	if violations := gate.Check(sc); len(violations) > 0 {
		return exitWith(exitGate, "%s", strings.Join(violations, "\n"))
	}
	switch {
	case incomplete != nil:
		return exitWith(exitIncomplete, "the report is partial: %w", incomplete)
	case f.strict && !sc.Coverage.Complete:
		return exitWith(exitIncomplete, "not everything could be read (--strict): %s", unread(sc))
	case f.failIfEmpty && sc.Empty():
		return exitWith(exitEmpty, "there is nothing to scan: no CRD and no operator was found (--fail-if-empty)")
	}
	return nil
}

func unread(sc *levels.Scorecard) string {
	var names []string
	for _, r := range sc.Coverage.Resources {
		if r.Access != "listed" && r.Access != "absent" {
			names = append(names, fmt.Sprintf("%s %s", strings.TrimSuffix(r.Resource+"."+r.Group, "."), r.Access))
		}
	}
	if len(names) > 5 {
		names = append(names[:5:5], fmt.Sprintf("and %d more", len(names)-5))
	}
	return strings.Join(names, ", ")
}
