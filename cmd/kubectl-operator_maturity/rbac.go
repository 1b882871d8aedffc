package main

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/report"
)

func newRBAC(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rbac",
		Short: "Print the ClusterRole that a scan needs",
		Long: `Prints the ClusterRole that a scan needs, made from the table of kinds that scans
follow: list on them, and on the custom resources of known API groups. It never
holds Secrets, wildcards over groups, or a verb that writes.

The groups are those of the catalogue; with --cluster, --from or --demo they are
those of the CRDs found there, and what the present user may not read is told.`,
		Example: "  kubectl operator-maturity rbac                       # the operators of the catalogue\n  kubectl operator-maturity rbac --cluster | kubectl apply -f -",
		Args:    cobra.NoArgs,
	}
	source := newSource(cmd, kube)
	knowledge := &knowledgeFlags{}
	var rights report.Rights
	var live bool
	flags := cmd.Flags()
	flags.StringArrayVar(&knowledge.catalogs, "catalog", nil, "add the operators of `PATH` (a file or folder), repeatable")
	flags.BoolVar(&live, "cluster", false, "the API groups of the CRDs on the cluster of the context, in place of the catalogue's")
	flags.BoolVar(&rights.Metrics, "metrics", false, "add the right that scan --metrics needs: get pods/proxy")
	flags.StringVar(&rights.Name, "name", "operator-maturity", "name of the ClusterRole")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if live || source.demo || len(source.from) > 0 {
			snapshot, err := source.read(cmd.Context(), s)
			if err != nil && (snapshot == nil || !errors.Is(err, cluster.ErrIncomplete)) {
				return err
			}
			rights.Groups = groupsOfCRDs(snapshot)
			tellLacking(s, snapshot)
		} else {
			cat, err := knowledge.loadCatalogue()
			if err != nil {
				return err
			}
			rights.Groups = groupsOfCatalogue(cat)
		}
		var b bytes.Buffer
		if err := report.WriteClusterRole(&b, rights); err != nil {
			return err
		}
		_, err := s.out.Write(b.Bytes())
		return err
	}
	return cmd
}

func groupsOfCRDs(snapshot *inventory.Snapshot) []string {
	var groups []string
	for i := range snapshot.CRDs {
		groups = append(groups, snapshot.CRDs[i].Group)
	}
	return groups
}

// groupsOfCatalogue are the groups that entries name, and those in the names
// of their CRDs.
func groupsOfCatalogue(cat *catalogue.Catalogue) []string {
	var groups []string
	for _, op := range cat.Operators {
		groups = append(groups, op.Groups...)
		groups = append(groups, op.Generates...)
		for _, crd := range op.CRDs {
			_, group, _ := strings.Cut(crd, ".")
			groups = append(groups, group)
		}
	}
	return groups
}

// tellLacking says what the present user may not read.
func tellLacking(s streams, snapshot *inventory.Snapshot) {
	for i := range snapshot.Access {
		if a := &snapshot.Access[i]; a.Access == inventory.Forbidden {
			fmt.Fprintf(s.err, "note: you may not list %s\n", strings.TrimSuffix(a.Resource+"."+a.Group, "."))
		}
	}
}
