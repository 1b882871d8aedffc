package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// displayName is how the program is typed: kubectl finds kubectl-operator_maturity
// on the PATH as the plugin operator-maturity.
const displayName = "kubectl operator-maturity"

// newRoot builds the command tree. Without a sub-command it scans.
func newRoot(s streams) *cobra.Command {
	kube := genericclioptions.NewConfigFlags(true)
	scan := newScan(s, kube)
	root := &cobra.Command{
		Use:   "kubectl-operator_maturity",
		Short: "Which operators run here, who owns each CRD, who reconciles it, and how mature they are",
		Long: `Lists every CRD of a cluster, attributes each to its operator, tells whether a
controller really runs for it, and scores each operator on the five Operator
Framework capability levels from what the cluster shows. It only ever reads.

Without a command it scans the cluster of the current context.`,
		Example: `  kubectl operator-maturity                        # scan the current context
  kubectl operator-maturity scan --demo            # look at a built-in example
  kubectl operator-maturity scan -o markdown=audit.md
  kubectl operator-maturity --contexts all         # every cluster of the kubeconfig, side by side
  kubectl operator-maturity explain cert-manager   # all evidence, and what is missing
  kubectl operator-maturity crds --orphans         # CRDs that nobody reconciles`,
		Annotations:   map[string]string{cobra.CommandDisplayNameAnnotation: displayName},
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noUnknownCommand,
		RunE:          scan.RunE,
	}
	root.Flags().AddFlagSet(scan.Flags())
	kube.AddFlags(root.PersistentFlags())
	root.SuggestionsMinimumDistance = 2
	root.SetOut(s.out)
	root.SetErr(s.err)
	root.SetIn(s.in)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return withHint(err, fmt.Sprintf("see %s --help", cmd.CommandPath()))
	})
	root.AddCommand(scan, newCRDs(s, kube), newExplain(s, kube), newReview(s, kube), newSnapshot(s, kube), newDiff(s), newFleet(s), newRBAC(s, kube), newRules(s), newCatalog(s), newVersion(s))
	(&completer{kube}).register(root)
	return root
}

func noUnknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	suggestions := cmd.SuggestionsFor(args[0])
	err := fmt.Errorf("unknown command %q", args[0])
	if len(suggestions) > 0 {
		return withHint(err, fmt.Sprintf("did you mean %s %s?", displayName, suggestions[0]))
	}
	return withHint(err, displayName+" --help lists the commands; to look at an operator: "+displayName+" explain "+args[0])
}

// namespacesOf is what -n asks for; nil for the whole cluster. The namespace of
// the context does not restrict a scan.
func namespacesOf(cmd *cobra.Command, kube *genericclioptions.ConfigFlags) []string {
	if flag := cmd.Flag("namespace"); flag != nil && flag.Changed && *kube.Namespace != "" {
		return []string{*kube.Namespace}
	}
	return nil
}

func newSource(cmd *cobra.Command, kube *genericclioptions.ConfigFlags) *sourceFlags {
	f := &sourceFlags{kube: kube}
	f.namespaces = func() []string { return namespacesOf(cmd, kube) }
	f.add(cmd)
	return f
}
