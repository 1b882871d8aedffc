package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/inventory/manifests"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

// maxScorecard bounds a scorecard that is read: one of a thousand operators
// has a tenth of it.
const maxScorecard = 1 << 30

func newDiff(s streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "What changed between two snapshots or scorecards, and the evidence behind it",
		Long: `Compares two of these: a scorecard (scan -o json), a snapshot, or anything that
scan --from reads. Snapshots and dumps are scored with the rules of now, so a
changed rule shows as no change of the cluster; scorecards are taken as they are.`,
		Example: "  kubectl operator-maturity diff monday.json.gz friday.json.gz\n  kubectl operator-maturity diff --fail-on worse before.json after.json",
		Args:    cobra.ExactArgs(2),
	}
	knowledge, outputs := &knowledgeFlags{}, &outputFlags{}
	knowledge.add(cmd)
	outputs.add(cmd, "table, markdown, json, yaml")
	var failOn string
	var complete bool
	cmd.Flags().StringVar(&failOn, "fail-on", "", "exit with 2 when something got `worse`")
	cmd.Flags().BoolVar(&complete, "complete", false, "dumps hold every object of the cluster, so a kind that is not in them has none")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if failOn != "" && failOn != "worse" {
			return fmt.Errorf("--fail-on %q: diff knows worse", failOn)
		}
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		var cards [2]*levels.Scorecard
		for i, path := range args {
			if cards[i], err = scorecardOf(cmd.Context(), path, complete, knowledge); err != nil {
				return err
			}
		}
		comparison := levels.Compare(cards[0], cards[1])
		if err := outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
			return report.WriteComparison(w, format, comparison, o)
		}); err != nil {
			return err
		}
		if failOn == "worse" && len(comparison.Worse) > 0 {
			var lines []string
			for _, w := range comparison.Worse {
				lines = append(lines, w.String())
			}
			return exitWith(exitGate, "%s", strings.Join(lines, "\n"))
		}
		return nil
	}
	return cmd
}

// scorecardOf reads a scorecard, or scores whatever else stands at the path.
func scorecardOf(ctx context.Context, path string, complete bool, knowledge *knowledgeFlags) (*levels.Scorecard, error) {
	raw, err := plainFile(path)
	if err != nil {
		return nil, err
	}
	if levels.IsFleet(raw) {
		return nil, withHint(fmt.Errorf("%s holds several clusters, and one is wanted", path),
			"fleet compares the clusters of such files; as --baseline it goes with --contexts or fleet")
	}
	if levels.IsScorecard(raw) {
		sc, err := levels.DecodeScorecard(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return sc, nil
	}
	snapshot, err := manifests.Read(ctx, manifests.Options{Paths: []string{path}, Complete: complete})
	if err != nil {
		return nil, err
	}
	return knowledge.score(snapshot)
}

// plainFile is the content of a JSON file, unzipped; nil for anything else that
// exists.
func plainFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return nil, err
	}
	name := strings.ToLower(path)
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		name = strings.TrimSuffix(name, ".gz")
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("unzipping %s: %w", path, err)
		}
	}
	if !strings.HasSuffix(name, ".json") {
		return nil, nil
	}
	var b bytes.Buffer
	if _, err := io.Copy(&b, io.LimitReader(r, maxScorecard+1)); err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	if b.Len() > maxScorecard {
		return nil, errors.New(path + " is larger than any scorecard: look at it with scan --from")
	}
	return b.Bytes(), nil
}
