package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/report"
)

func newCatalog(s streams) *cobra.Command {
	cmd := &cobra.Command{Use: "catalog", Short: "List, show and search the known operators"}
	cmd.AddCommand(
		catalogCommand(s, "list", "List every known operator", cobra.NoArgs),
		catalogCommand(s, "show NAME", "Show what is known of an operator", cobra.ExactArgs(1)),
		catalogCommand(s, "search WORD…", "Find operators by name, group, domain or keyword", cobra.MinimumNArgs(1)),
	)
	return cmd
}

func catalogCommand(s streams, use, short string, args cobra.PositionalArgs) *cobra.Command {
	cmd := &cobra.Command{Use: use, Short: short, Args: args}
	knowledge, outputs := &knowledgeFlags{}, &outputFlags{}
	cmd.Flags().StringArrayVar(&knowledge.catalogs, "catalog", nil, "add the operators of `PATH` (a file or folder), repeatable")
	cmd.Flags().BoolVar(&knowledge.noCatalog, "no-catalog", false, "leave the built-in catalogue out")
	outputs.add(cmd, "table, markdown, json, yaml")
	if cmd.Name() == "show" {
		cmd.ValidArgsFunction = catalogueNames
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		cat, err := knowledge.loadCatalogue()
		if err != nil {
			return err
		}
		return outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
			switch cmd.Name() {
			case "show":
				entry := cat.ByName(args[0])
				if entry == nil {
					return withHint(fmt.Errorf("the catalogue has no operator %q", args[0]), displayName+" catalog search "+args[0])
				}
				return report.WriteCatalogueEntry(w, format, entry, o)
			case "search":
				return report.WriteCatalogue(w, format, cat.Search(args), o)
			}
			return report.WriteCatalogue(w, format, cat.Operators, o)
		})
	}
	return cmd
}
