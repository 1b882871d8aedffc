package main

import (
	"io"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/report"
)

func newCRDs(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "crds",
		Short: "List every CRD with its operator, controller, instances, conditions, finalizers and owner references",
		Args:  cobra.NoArgs,
	}
	source := newSource(cmd, kube)
	knowledge, outputs := &knowledgeFlags{}, &outputFlags{}
	knowledge.add(cmd)
	outputs.add(cmd, "table, wide, markdown, json, yaml, csv")
	var filter report.CRDFilter
	flags := cmd.Flags()
	flags.StringVar(&filter.Operator, "operator", "", "only CRDs of this operator")
	flags.StringVar(&filter.Group, "group", "", "only CRDs of this API group")
	flags.BoolVar(&filter.Orphans, "orphans", false, "only CRDs that need a controller and have none")
	flags.BoolVar(&filter.Unused, "unused", false, "only CRDs without instances")
	flags.BoolVar(&filter.Ambiguous, "ambiguous", false, "only CRDs with several possible owners")
	flags.StringVar(&filter.Sort, "sort", "name", "order: name, operator, instances, group")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		scorecard, incomplete, err := scored(cmd.Context(), s, source, knowledge)
		if err != nil {
			return err
		}
		if err := outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
			return report.WriteCRDs(w, format, scorecard, filter, o)
		}); err != nil {
			return err
		}
		return partial(incomplete)
	}
	return cmd
}

// partial is the error of a command whose scan was cut short.
func partial(incomplete error) error {
	if incomplete == nil {
		return nil
	}
	return exitWith(exitIncomplete, "the report is partial: %w", incomplete)
}
