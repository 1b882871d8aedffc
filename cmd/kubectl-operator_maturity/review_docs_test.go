package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/report"
	"kubectl-operator-maturity/internal/review"
)

const (
	reviewDocs                 = "../../docs/adoption-review.md"
	answersBegin, answersEnd   = "<!-- answers -->\n```yaml\n", "```\n<!-- /answers -->\n"
	recordBegin, recordEnd     = "<!-- record -->\n````markdown\n", "````\n<!-- /record -->\n"
	criteriaBegin, criteriaEnd = "<!-- criteria -->\n", "<!-- /criteria -->\n"
)

// between cuts a text at two marks.
func between(t *testing.T, text, begin, end string) (before, inside, after string) {
	t.Helper()
	before, rest, found := strings.Cut(text, begin)
	inside, after, ended := strings.Cut(rest, end)
	if !found || !ended {
		t.Fatalf("%s has no place between %q and %q", reviewDocs, begin, end)
	}
	return before + begin, inside, end + after
}

// TestGoldenReviewInDocs keeps the example and the list of criteria
// true; with UPDATE_GOLDEN=1 it writes them again.
func TestGoldenReviewInDocs(t *testing.T) {
	raw, err := os.ReadFile(reviewDocs)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	_, answers, _ := between(t, text, answersBegin, answersEnd)
	flags := &reviewFlags{source: &sourceFlags{demo: true}, knowledge: &knowledgeFlags{}}
	in, _, err := flags.input(t.Context(), streams{}, []string{"PostgresCluster"})
	if err != nil {
		t.Fatal(err)
	}
	in.Answers, in.AnswersFile = review.ParseAnswers("answers.yaml", []byte(answers)), "answers.yaml"
	rec, err := review.Review(*in)
	if err != nil {
		t.Fatal(err)
	}
	var record bytes.Buffer
	if err := report.WriteReview(&record, "markdown", rec, report.Options{Command: displayName}); err != nil {
		t.Fatal(err)
	}
	before, _, after := between(t, text, recordBegin, recordEnd)
	want := before + record.String() + after
	before, _, after = between(t, want, criteriaBegin, criteriaEnd)
	want = before + criteriaTable(in.Rules) + after
	if text == want {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") == "" {
		t.Fatalf("%s does not show what review --demo prints; run: make golden", reviewDocs)
	}
	if err := os.WriteFile(reviewDocs, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestRulesInDocsLoad holds the example of a team's own rules true.
func TestRulesInDocsLoad(t *testing.T) {
	raw, err := os.ReadFile(reviewDocs)
	if err != nil {
		t.Fatal(err)
	}
	_, own, _ := between(t, string(raw), "## Rules of your own", "Expressions are")
	_, yaml, _ := between(t, own, "```yaml\n", "```")
	file := t.TempDir() + "/mine.yaml"
	if err := os.WriteFile(file, []byte(yaml), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := (&reviewFlags{rules: []string{file}}).loadRules(); err != nil {
		t.Error(err)
	}
}

func criteriaTable(rules *review.Rules) string {
	var b strings.Builder
	b.WriteString("| Criterion | About | Priority | Answered by | Question |\n|---|---|---|---|---|\n")
	for _, c := range rules.Criteria() {
		priority := c.Priority
		if priority == "" {
			priority = c.Group
		}
		b.WriteString("| `" + c.ID + "` | " + c.About + " | " + priority + " | " + c.Type + " | " + strings.ReplaceAll(c.Question, "*", `\*`) + " |\n")
	}
	return b.String()
}
