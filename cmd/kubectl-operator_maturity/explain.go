package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

func newExplain(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain OPERATOR|CRD|CRITERION",
		Short: "Show all evidence on an operator or CRD, or what a criterion means",
		Long: `For an operator: every criterion with its verdict and the objects behind it, what
stands between it and the next level, and what would raise it. For a CRD: every
candidate owner with its signals. For a criterion: what it means, where it is
defined, and its expressions.`,
		Example: "  kubectl operator-maturity explain cert-manager\n  kubectl operator-maturity explain certificates.cert-manager.io\n  kubectl operator-maturity explain backup-completed",
		Args:    cobra.ExactArgs(1),
	}
	source := newSource(cmd, kube)
	source.metrics.add(cmd)
	knowledge, outputs := &knowledgeFlags{}, &outputFlags{}
	knowledge.add(cmd)
	outputs.add(cmd, "table, markdown, json, yaml")
	cmd.ValidArgsFunction = (&completer{kube}).explainable
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		criteria, err := knowledge.loadRules()
		if err != nil {
			return err
		}
		if c := criterionNamed(criteria, args[0]); c != nil {
			return outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
				return report.WriteExplainCriterion(w, format, c, o)
			})
		}
		scorecard, incomplete, err := scored(cmd.Context(), s, source, knowledge)
		if err != nil {
			return err
		}
		if err := outputs.writeAll(s, parsed, explainer(scorecard, args[0])); err != nil {
			return err
		}
		return partial(incomplete)
	}
	return cmd
}

func criterionNamed(criteria *levels.Rules, name string) *levels.Criterion {
	for _, c := range criteria.Criteria() {
		if c.ID == name {
			return &c
		}
	}
	return nil
}

// explainer chooses by what the name is: an operator here, a CRD here, else it
// says which operators there are.
func explainer(sc *levels.Scorecard, name string) func(io.Writer, string, report.Options) error {
	for i := range sc.Operators {
		if sc.Operators[i].Name == name {
			return func(w io.Writer, format string, o report.Options) error {
				return report.WriteExplainOperator(w, format, sc, name, o)
			}
		}
	}
	if sc.HasCRD(name) {
		return func(w io.Writer, format string, o report.Options) error {
			return report.WriteExplainCRD(w, format, sc, name, o)
		}
	}
	return func(io.Writer, string, report.Options) error {
		return withHint(fmt.Errorf("%q is no operator or CRD of this cluster and no criterion", name),
			displayName+" scan lists the operators, "+displayName+" crds the CRDs, "+displayName+" rules list the criteria")
	}
}
