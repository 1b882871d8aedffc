package endtoend

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
	"kubectl-operator-maturity/internal/review"
)

// reviewDay is after everything in the recordings.
var reviewDay = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

func demoSnapshot(t *testing.T) *inventory.Snapshot {
	t.Helper()
	raw, err := os.ReadFile("../../cmd/kubectl-operator_maturity/demo/snapshot.json.gz")
	if err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	s, err := inventory.Decode(unzipped)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// shopSnapshot is a recording of a whole cluster.
func shopSnapshot(t *testing.T) *inventory.Snapshot {
	t.Helper()
	return read(t, time.Time{}, filepath.Join(corpustest.Dir(t), "recordings", "shop-cluster.json.gz"))
}

// reviewer reviews topics on one cluster.
type reviewer struct {
	t     *testing.T
	input review.Input
}

func newReviewer(t *testing.T, here *inventory.Snapshot, candidates ...string) *reviewer {
	t.Helper()
	rules, err := review.Load(levels.Layer{Name: levels.Builtin, FS: folder(t, "review")})
	if err != nil {
		t.Fatal(err)
	}
	cat, criteria := builtinCatalogue(t), builtinRules(t)
	in := review.Input{
		Here: review.NewScene("", here, cat, criteria), Catalogue: cat, Rules: rules, Criteria: criteria.Criteria(), Now: reviewDay,
	}
	for _, name := range candidates {
		snapshot := read(t, time.Time{}, filepath.Join(corpustest.Dir(t), "manifests", name))
		in.Candidates = append(in.Candidates, review.NewScene(name, snapshot, cat, criteria))
	}
	return &reviewer{t, in}
}

func (r *reviewer) review(topic, answers string) *review.Record {
	r.t.Helper()
	in := r.input
	in.Topic = topic
	if answers != "" {
		in.Answers, in.AnswersFile = review.ParseAnswers("answers.yaml", []byte(answersHead+answers)), "answers.yaml"
	}
	rec, err := review.Review(in)
	if err != nil {
		r.t.Fatal(err)
	}
	r.rendered(rec)
	return rec
}

const answersHead = "apiVersion: operator-maturity/v1\nkind: ReviewAnswers\n"

// rendered holds that every format can be written, twice the same.
func (r *reviewer) rendered(rec *review.Record) {
	r.t.Helper()
	for _, format := range report.ReviewFormats {
		var first, second bytes.Buffer
		for _, b := range []*bytes.Buffer{&first, &second} {
			if err := report.WriteReview(b, format, rec, report.Options{}); err != nil {
				r.t.Fatal(err)
			}
		}
		if first.Len() == 0 || first.String() != second.String() {
			r.t.Errorf("%s of %q: %d bytes, and not twice the same", format, rec.Topic.Text, first.Len())
		}
	}
}

// need answers the questions about the need; the others are answered yes.
func need(existing string, more ...string) string {
	var b strings.Builder
	b.WriteString("need:\n")
	for _, line := range append([]string{"existing-covers: " + existing, "more-than-install: yes", "day-2-defined: yes", "people: yes"}, more...) {
		id, answer, _ := strings.Cut(line, ": ")
		b.WriteString(`  - {id: ` + id + `, answer: "` + answer + `", evidence: "https://wiki.shop.example.com/why", by: team lead, date: 2026-11-20}` + "\n")
	}
	return b.String()
}

func optionNames(rec *review.Record) []string {
	var names []string
	for _, o := range rec.Options {
		names = append(names, o.Name)
	}
	return names
}
