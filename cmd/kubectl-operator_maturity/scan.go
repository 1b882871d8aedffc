package main

import (
	"context"
	"errors"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

func newScan(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "scan",
		Short: "Score every operator of a cluster, of several, of a dump or of manifests",
		Long: `Scores every operator of the cluster of the current context, or of what --from
names. --contexts scans several clusters side by side and reports them in one
matrix of operators and clusters, with what differs between them; a cluster that
cannot be read is a column that says why, and stops no other. Each is judged by
the gates as if it were alone. To compare recordings instead: ` + displayName + ` fleet.`,
		Example: `  kubectl operator-maturity scan --demo
  kubectl operator-maturity scan -o markdown=audit.md -o html=report.html
  kubectl operator-maturity scan --contexts prod-eu,prod-us,staging
  kubectl operator-maturity scan --contexts 'prod-*' --min-level 1 -o json=fleet.json
  kubectl operator-maturity scan --from dump.yaml --from crds/`,
		Args: cobra.NoArgs,
	}
	source := newSource(cmd, kube)
	source.metrics.add(cmd)
	knowledge, outputs, gating := &knowledgeFlags{}, &outputFlags{}, &gateFlags{}
	knowledge.add(cmd)
	outputs.add(cmd, formatNames())
	gating.add(cmd)
	several := &fleetFlags{}
	several.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if cmd.Flag(contextsFlag).Changed {
			return several.run(cmd, s, source, fleetReport{knowledge, outputs, gating})
		}
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		gates, err := gating.prepare(cmd.Context(), s, knowledge)
		if err != nil {
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
		return gates.outcome(s, scorecard, incomplete)
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
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	loaded := knowledge.loadBeside(cancel)
	snapshot, err := source.read(ctx, s)
	judges, loadErr := loaded()
	if loadErr != nil {
		return nil, nil, loadErr
	}
	if err != nil && (snapshot == nil || !errors.Is(err, cluster.ErrIncomplete)) {
		return nil, nil, err
	}
	if err == nil {
		if err = source.readMetrics(ctx, snapshot, knowledge); err != nil && !errors.Is(err, cluster.ErrIncomplete) {
			return nil, nil, err
		}
	}
	return judges.score(snapshot), err, nil
}
