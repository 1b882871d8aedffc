package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/inventory/manifests"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
	"kubectl-operator-maturity/internal/review"
)

// reviewFlags say what a review looks at beside the cluster.
type reviewFlags struct {
	source     *sourceFlags
	knowledge  *knowledgeFlags
	candidates []string
	rules      []string
	answers    string
	noCluster  bool
	date       string
}

func (f *reviewFlags) add(cmd *cobra.Command) {
	f.knowledge.add(cmd)
	flags := cmd.Flags()
	flags.StringArrayVar(&f.candidates, "candidate", nil, "compare with the operator in `PATH` (rendered chart, bundle, manifests: file, folder or archive), repeatable")
	f.addRules(cmd)
	flags.StringVar(&f.answers, "answers", "", "read the answers of people from `FILE` (review init writes one)")
	flags.BoolVar(&f.noCluster, "no-cluster", false, "look at no cluster: the candidates and the catalogue alone")
	flags.StringVar(&f.date, "date", "", "day of the review, `YYYY-MM-DD` (default: today; with --demo the day of the snapshot)")
}

func (f *reviewFlags) addRules(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.rules, "review-rules", nil, "add the criteria and decisions of the review in `PATH` (a file or folder), repeatable")
}

func newReview(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "review TOPIC…",
		Short: "Review from evidence whether to adopt an operator, to write one, or to do without",
		Long: `Answers "should we write this operator?": which operators near TOPIC (a kind, an
API group, or words) are on the cluster, which are known, how they and any
--candidate compare, and what nobody has answered yet. The result is a decision
record: a verdict by published rules (adopt, adopt with conditions, trial, hold,
use Helm or built-ins, write), its reasons, red flags, conditions and open
questions. A must that is unknown never becomes adopt.`,
		Example: `  kubectl operator-maturity review PostgresCluster
  kubectl operator-maturity review redis cache --candidate ./rendered/redis-operator.yaml
  kubectl operator-maturity review init PostgresCluster > answers.yaml
  kubectl operator-maturity review PostgresCluster --answers answers.yaml -o markdown=adr-017.md`,
		Args: cobra.MinimumNArgs(1),
	}
	f, outputs := &reviewFlags{source: newSource(cmd, kube), knowledge: &knowledgeFlags{}}, &outputFlags{}
	f.add(cmd)
	cmd.ValidArgsFunction = (&completer{kube}).topics
	addReviewOutputs(cmd, outputs)
	var asked askFlags
	asked.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		parsed, err := outputs.parse()
		if err != nil {
			return err
		}
		if err := asked.check(s); err != nil {
			return err
		}
		in, incomplete, err := f.input(cmd.Context(), s, args)
		if err != nil {
			return err
		}
		rec, err := review.Review(*in)
		if err != nil {
			return err
		}
		if asked.interactive {
			if rec, err = asked.ask(s, in, rec); err != nil {
				return err
			}
		}
		if err := outputs.writeAll(s, parsed, func(w io.Writer, format string, o report.Options) error {
			return report.WriteReview(w, format, rec, o)
		}); err != nil {
			return err
		}
		return partial(incomplete)
	}
	cmd.AddCommand(newReviewInit(s, kube))
	return cmd
}

// addReviewOutputs makes markdown the default: a record is to be filed.
func addReviewOutputs(cmd *cobra.Command, outputs *outputFlags) {
	outputs.add(cmd, strings.Join(report.ReviewFormats, ", "))
	outputs.outputs = []string{"markdown"}
	cmd.Flags().Lookup("output").DefValue = "[markdown]"
}

func newReviewInit(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "init TOPIC…",
		Short: "Write the answers file of a review: what evidence answers filled in, the rest as questions",
		Example: `  kubectl operator-maturity review init PostgresCluster > answers.yaml
  kubectl operator-maturity review init PostgresCluster --answers answers.yaml > newer.yaml   # keeps the answers`,
		Args: cobra.MinimumNArgs(1),
	}
	f := &reviewFlags{source: newSource(cmd, kube), knowledge: &knowledgeFlags{}}
	f.add(cmd)
	cmd.ValidArgsFunction = (&completer{kube}).topics
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in, incomplete, err := f.input(cmd.Context(), s, args)
		if err != nil {
			return err
		}
		rec, err := review.Review(*in)
		if err != nil {
			return err
		}
		if err := review.WriteForm(s.out, rec); err != nil {
			return err
		}
		return partial(incomplete)
	}
	return cmd
}

// input reads all that a review is made of. A scan that was cut short still
// gives one, and the reason as incomplete.
func (f *reviewFlags) input(ctx context.Context, s streams, topic []string) (in *review.Input, incomplete, err error) {
	rules, err := f.loadRules()
	if err != nil {
		return nil, nil, err
	}
	criteria, err := f.knowledge.loadRules()
	if err != nil {
		return nil, nil, err
	}
	cat, err := f.knowledge.loadCatalogue()
	if err != nil {
		return nil, nil, err
	}
	in = &review.Input{Topic: strings.Join(topic, " "), Catalogue: cat, Rules: rules, Criteria: criteria.Criteria()}
	if f.answers != "" {
		if in.Answers, err = readAnswers(f.answers); err != nil {
			return nil, nil, err
		}
		in.AnswersFile = f.answers
	}
	snapshot, incomplete, err := f.snapshot(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	in.Here = review.NewScene("", snapshot, cat, criteria)
	if in.Candidates, err = readCandidates(ctx, f.candidates, cat, criteria); err != nil {
		return nil, nil, err
	}
	in.Now, err = f.now(snapshot)
	return in, incomplete, err
}

func (f *reviewFlags) snapshot(ctx context.Context, s streams) (snapshot *inventory.Snapshot, incomplete, err error) {
	if f.noCluster {
		if f.source.demo || len(f.source.from) > 0 {
			return nil, nil, errors.New("--no-cluster goes without --demo and --from: those stand for a cluster")
		}
		return &inventory.Snapshot{Source: inventory.Source{Type: "files"}}, nil, nil
	}
	snapshot, err = f.source.read(ctx, s)
	if err != nil && (snapshot == nil || !errors.Is(err, cluster.ErrIncomplete)) {
		return nil, nil, err
	}
	return snapshot, err, nil
}

// now is the day of the review. The demo is of one day, so that its records
// are always the same.
func (f *reviewFlags) now(snapshot *inventory.Snapshot) (time.Time, error) {
	switch {
	case f.date != "":
		day, err := time.Parse(time.DateOnly, f.date)
		if err != nil {
			return day, fmt.Errorf("--date %q is no date such as 2026-01-31", f.date)
		}
		return day, nil
	case f.source.demo:
		return snapshot.Taken, nil
	}
	return time.Now(), nil
}

func (f *reviewFlags) loadRules() (*review.Rules, error) {
	layers := []levels.Layer{{Name: levels.Builtin, FS: builtin("review")}}
	for _, path := range f.rules {
		fsys, err := layerFS(path)
		if err != nil {
			return nil, fmt.Errorf("reading --review-rules: %w", err)
		}
		layers = append(layers, levels.Layer{Name: path, FS: fsys})
	}
	return review.Load(layers...)
}

// readAnswers reads the file as the user named it, so that mistakes show that
// name.
func readAnswers(path string) (*review.Answers, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading --answers: %w", err)
	}
	return review.ParseAnswers(path, raw), nil
}

// readCandidates reads each candidate by itself. Its files are all there is of
// it, so what is not in them it does not have.
func readCandidates(ctx context.Context, paths []string, cat *catalogue.Catalogue, criteria *levels.Rules) ([]*review.Scene, error) {
	var scenes []*review.Scene
	for _, path := range paths {
		snapshot, err := manifests.Read(ctx, manifests.Options{Paths: []string{path}, Complete: true})
		if err != nil {
			return nil, fmt.Errorf("reading --candidate: %w", err)
		}
		scenes = append(scenes, review.NewScene(path, snapshot, cat, criteria))
	}
	return scenes, nil
}
