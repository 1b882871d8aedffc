package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
	"kubectl-operator-maturity/rules"
)

func newRules(s streams) *cobra.Command {
	cmd := &cobra.Command{Use: "rules", Short: "List, check, test and export the criteria"}
	cmd.AddCommand(newRulesList(s), newRulesCheck(s), newRulesTest(s), newRulesExport(s))
	return cmd
}

func newRulesList(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use: "list", Short: "List every criterion", Args: cobra.NoArgs,
		Example: `  kubectl operator-maturity rules list
  kubectl operator-maturity rules list --review      # those of the adoption review`,
	}
	knowledge, outputs := &knowledgeFlags{}, &outputFlags{}
	ofReview := &reviewFlags{}
	asked := cmd.Flags().Bool("review", false, "list the criteria of the adoption review instead")
	knowledge.add(cmd)
	ofReview.addRules(cmd)
	outputs.add(cmd, "table, markdown, json, yaml")
	cmd.RunE = func(*cobra.Command, []string) error {
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		if !*asked && len(ofReview.rules) > 0 {
			return errors.New("--review-rules goes with --review")
		}
		if *asked {
			loaded, err := ofReview.loadRules()
			if err != nil {
				return err
			}
			return outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
				return report.WriteReviewCriteria(w, format, loaded.Criteria(), o)
			})
		}
		loaded, err := knowledge.loadRules()
		if err != nil {
			return err
		}
		return outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
			return report.WriteCriteria(w, format, loaded.Criteria(), o)
		})
	}
	return cmd
}

func newRulesCheck(s streams) *cobra.Command {
	return &cobra.Command{
		Use: "check PATH…", Short: "Check files of rules, those of the adoption review too: every mistake with file:line:column", Args: cobra.MinimumNArgs(1),
		Example: `  kubectl operator-maturity rules check ./our-rules/ review-rules.yaml`,
		RunE: func(_ *cobra.Command, args []string) error {
			return checkRules(s, args)
		},
	}
}

func newRulesTest(s streams) *cobra.Command {
	return &cobra.Command{
		Use: "test [PATH…]", Short: "Run rule tests: the built-in ones, or those of PATH with its rules",
		RunE: func(_ *cobra.Command, args []string) error {
			knowledge := &knowledgeFlags{rules: args}
			loaded, err := knowledge.loadRules()
			if err != nil {
				return err
			}
			folders := []fs.FS{builtin("tests")}
			for i, path := range args {
				fsys, err := layerFS(path)
				if err != nil {
					return err
				}
				if i == 0 {
					folders = nil
				}
				folders = append(folders, fsys)
			}
			return runRuleTests(s, loaded, folders)
		},
	}
}

func runRuleTests(s streams, loaded *levels.Rules, folders []fs.FS) error {
	passed, failed := 0, 0
	for _, folder := range folders {
		results, err := levels.RunTests(loaded, folder)
		if err != nil {
			return err
		}
		for i := range results {
			r := &results[i]
			if r.Passed() {
				passed++
				continue
			}
			failed++
			for _, f := range r.Failures {
				fmt.Fprintf(s.out, "%s:%d: %s: %s\n", r.File, r.Line, r.Name, f)
			}
		}
	}
	fmt.Fprintf(s.out, "%d passed, %d failed\n", passed, failed)
	switch {
	case failed > 0:
		return fmt.Errorf("%d rule tests failed", failed)
	case passed == 0:
		return fmt.Errorf("no rule test was found: tests stand in tests/*.yaml below the folder")
	}
	return nil
}

func newRulesExport(s streams) *cobra.Command {
	return &cobra.Command{
		Use: "export DIR", Short: "Write the built-in rules, their tests and the catalogue to a folder, to start from", Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			n := 0
			err := fs.WalkDir(rules.FS, ".", func(path string, entry fs.DirEntry, err error) error {
				if err != nil || entry.IsDir() {
					return err
				}
				raw, err := fs.ReadFile(rules.FS, path)
				if err != nil {
					return err
				}
				target := filepath.Join(args[0], filepath.FromSlash(path))
				if _, err := os.Stat(target); err == nil {
					return fmt.Errorf("%s is there already: export to an empty folder", target)
				}
				if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
					return err
				}
				n++
				return writeFile(target, raw)
			})
			if err != nil {
				return fmt.Errorf("exporting the rules to %s: %w", args[0], err)
			}
			_, err = fmt.Fprintf(s.err, "wrote %d files to %s\n", n, args[0])
			return err
		},
	}
}
