package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// gateFlags make a scan fail for CI.
type gateFlags struct {
	minLevel    []string
	failOn      []string
	strict      bool
	failIfEmpty bool
	baseline    string
	config      string
}

func (f *gateFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.minLevel, "min-level", nil, "exit with 2 unless every operator (or `[OPERATOR=]N`) has proven level N, repeatable")
	cmd.Flags().StringArrayVar(&f.failOn, "fail-on", nil, "exit with 2 on a finding with this `ID|SEVERITY`, repeatable")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 3 when something that was asked for could not be read")
	cmd.Flags().BoolVar(&f.failIfEmpty, "fail-if-empty", false, "exit with 4 when there is nothing to scan")
	cmd.Flags().StringVar(&f.baseline, "baseline", "", "exit with 2 only on what got worse since `OLD`, a snapshot or scorecard")
	cmd.Flags().StringVar(&f.config, "config", "", "gates, rules and exceptions of `FILE` (default: "+configName+" where it is there)")
}

// gates are what a scan is judged by: the flags over the config file.
type gates struct {
	gate        levels.Gate
	baseline    *levels.Scorecard
	fleet       *levels.FleetScorecard // the baseline of several clusters
	strict      bool
	failIfEmpty bool
}

// prepare reads all that a judgement needs before the cluster is asked: a
// mistake in it must not cost a scan. The config's layers go to knowledge.
func (f *gateFlags) prepare(ctx context.Context, s streams, knowledge *knowledgeFlags) (*gates, error) {
	g, baseline, err := f.prepareGate(s, knowledge)
	if err == nil && baseline != "" {
		if g.baseline, err = scorecardOf(ctx, baseline, false, knowledge); err != nil {
			return nil, fmt.Errorf("reading the baseline: %w", err)
		}
	}
	return g, err
}

// prepareFleet is prepare for several clusters: the baseline may be of one or
// of several.
func (f *gateFlags) prepareFleet(ctx context.Context, s streams, knowledge *knowledgeFlags) (*gates, error) {
	g, baseline, err := f.prepareGate(s, knowledge)
	if err == nil && baseline != "" {
		clusters, err := recordings(ctx, "", baseline, false, knowledge)
		if err != nil {
			return nil, fmt.Errorf("reading the baseline: %w", err)
		}
		g.fleet = levels.NewFleet(clusters)
	}
	return g, err
}

// prepareGate is the gate without its baseline, and the baseline's path.
func (f *gateFlags) prepareGate(s streams, knowledge *knowledgeFlags) (g *gates, baseline string, err error) {
	typed, err := levels.ParseGate(f.minLevel, f.failOn)
	if err != nil {
		return nil, "", err
	}
	config, err := f.readConfig(s)
	if err != nil {
		return nil, "", err
	}
	knowledge.rules = slices.Concat(config.Rules, knowledge.rules)
	knowledge.catalogs = slices.Concat(config.Catalogs, knowledge.catalogs)
	knowledge.noCatalog = knowledge.noCatalog || config.NoCatalog
	g = &gates{gate: typed.Over(config.Gate), strict: f.strict || config.Strict, failIfEmpty: f.failIfEmpty || config.FailIfEmpty}
	if err := knowledge.checkGate(g.gate); err != nil {
		return nil, "", err
	}
	return g, cmp.Or(f.baseline, config.Baseline), nil
}

// outcome is the error that sets the exit code, the gravest first.
func (g *gates) outcome(s streams, sc *levels.Scorecard, incomplete error) error {
	judged := g.gate.Judge(sc, g.baseline)
	for _, line := range slices.Concat(judged.Excused, judged.Notes) {
		fmt.Fprintf(s.err, "note: %s\n", inventory.Whole(line))
	}
	if len(judged.Violations) > 0 {
		return exitWith(exitGate, "%s", strings.Join(judged.Violations, "\n"))
	}
	switch {
	case incomplete != nil:
		return exitWith(exitIncomplete, "the report is partial: %w", incomplete)
	case g.strict && !sc.Coverage.Complete:
		return exitWith(exitIncomplete, "not everything could be read (--strict): %s", unreadLists(sc))
	case g.failIfEmpty && sc.Empty():
		return exitWith(exitEmpty, "there is nothing to scan: no CRD and no operator was found (--fail-if-empty)")
	}
	return nil
}

func unreadLists(sc *levels.Scorecard) string {
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
