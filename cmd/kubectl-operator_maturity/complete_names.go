package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/cluster"
)

// knowledgeOf and sourceOf read the flags that were typed already.
func knowledgeOf(cmd *cobra.Command) *knowledgeFlags {
	f := &knowledgeFlags{}
	f.rules, _ = cmd.Flags().GetStringArray("rules")
	f.catalogs, _ = cmd.Flags().GetStringArray("catalog")
	f.noCatalog, _ = cmd.Flags().GetBool("no-catalog")
	return f
}

func (c *completer) sourceOf(cmd *cobra.Command) *sourceFlags {
	f := &sourceFlags{kube: c.kube, namespaces: func() []string { return nil }}
	f.from, _ = cmd.Flags().GetStringArray("from")
	f.demo, _ = cmd.Flags().GetBool("demo")
	f.timeout = completionTime
	return f
}

// options connect as a scan would, but nobody is asked for a password.
func (c *completer) options(f *sourceFlags) (cluster.Options, error) {
	options, err := f.clusterOptions()
	if err == nil && options.Config.ExecProvider != nil {
		options.Config.ExecProvider.StdinUnavailable = true
	}
	options.RequestTimeout = completionTime
	return options, err
}

func (c *completer) namespaces(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := inTime(cmd)
	defer cancel()
	options, err := c.options(c.sourceOf(cmd))
	if err != nil {
		return nil, noFiles
	}
	names, _ := cluster.NamespaceNames(ctx, options)
	return beginningWith(typed, names), noFiles
}

// snapshot is what names are taken from: files or the demo as a scan reads
// them, of a cluster the metadata of its CRDs.
func (c *completer) snapshot(ctx context.Context, cmd *cobra.Command) *inventory.Snapshot {
	f := c.sourceOf(cmd)
	empty := &inventory.Snapshot{}
	if noCluster, _ := cmd.Flags().GetBool("no-cluster"); noCluster || slices.Contains(f.from, "-") {
		return empty
	}
	if f.demo || len(f.from) > 0 {
		s, err := f.read(ctx, streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard})
		if err != nil {
			return empty
		}
		return s
	}
	options, err := c.options(f)
	if err != nil {
		return empty
	}
	s, _ := cluster.CRDNames(ctx, options)
	return s
}

// operatorsOf are the operators of a snapshot. Of CRDs alone they are those
// that the catalogue or the labels of the CRDs tell: a scan may find more.
func operatorsOf(cmd *cobra.Command, s *inventory.Snapshot) []string {
	cat, err := knowledgeOf(cmd).loadCatalogue()
	if err != nil {
		return nil
	}
	return operatorNames(attribution.Attribute(s, cat))
}

func (c *completer) operators(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := inTime(cmd)
	defer cancel()
	return beginningWith(typed, operatorsOf(cmd, c.snapshot(ctx, cmd))), noFiles
}

func (c *completer) groups(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := inTime(cmd)
	defer cancel()
	return beginningWith(typed, groupsOfCRDs(c.snapshot(ctx, cmd))), noFiles
}

// explainable completes what explain takes: operators, CRDs, criteria.
func (c *completer) explainable(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, noFiles
	}
	var names []string
	if criteria, err := knowledgeOf(cmd).loadRules(); err == nil {
		for _, criterion := range criteria.Criteria() {
			names = append(names, criterion.ID+"\tcriterion")
		}
	}
	ctx, cancel := inTime(cmd)
	defer cancel()
	s := c.snapshot(ctx, cmd)
	for i := range s.CRDs {
		names = append(names, s.CRDs[i].Name+"\tCRD")
	}
	for _, name := range operatorsOf(cmd, s) {
		names = append(names, name+"\toperator")
	}
	return beginningWith(typed, names), noFiles
}

// topics completes what a review may be about: kinds, groups and operators
// that are here or known, and the words of the catalogue.
func (c *completer) topics(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	ctx, cancel := inTime(cmd)
	defer cancel()
	s := c.snapshot(ctx, cmd)
	var names []string
	for i := range s.CRDs {
		names = append(names, s.CRDs[i].Group, s.CRDs[i].Names.Kind)
	}
	if cat, err := knowledgeOf(cmd).loadCatalogue(); err == nil {
		for _, op := range cat.Operators {
			names = append(append(names, op.Name, op.Domain), op.Keywords...)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == "" || strings.ContainsAny(name, " \t") })
	return beginningWith(typed, names), noFiles
}

// catalogueNames completes `catalog show`.
func catalogueNames(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	cat, err := knowledgeOf(cmd).loadCatalogue()
	if err != nil || len(args) > 0 {
		return nil, noFiles
	}
	var names []string
	for _, op := range cat.Operators {
		names = append(names, op.Name)
	}
	return beginningWith(typed, names), noFiles
}
