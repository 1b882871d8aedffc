package review

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/levels"
)

// mistakes reviews with a file of answers and returns what is wrong with it.
func mistakes(t *testing.T, answers string) []string {
	t.Helper()
	_, err := Review(input(t, "Gadget", builtinRules(t), nothingHere(), answers))
	var problems levels.Problems
	if !errors.As(err, &problems) {
		t.Fatalf("no problems: %v", err)
	}
	var lines []string
	for _, p := range problems {
		lines = append(lines, p.Error())
	}
	return lines
}

func TestMistakesInAnswersAreAllReportedWithTheirPlace(t *testing.T) {
	got := mistakes(t, head+`topic: Widget
reviewAgain: 2026-01-01
need:
  - {id: stateful, answer: "yes", by: dba, date: 2026-11-27}
  - {id: stateless, answer: yes, by: dba, date: 2027-11-27}
  - {id: peple, answer: "yes"}
  - {id: people, answer: maybe}
  - id: idempotent
    answer: "no"
    by: x
    by: y
    date: soon
  - {id: know-how, answer: "yes", by: x, date: 2026-11-27}
  - {id: know-how, answer: "no", by: x, date: 2026-11-28}
options:
  - {name: gadget, answers: []}
  - name: gadget-operator
    answers:
      - {id: not-privileged, answer: "no", by: x, date: 2026-11-01}
      - {id: resources-bounded, answer: "yes", by: x, date: 2026-11-01}
      - {id: licence, answer: "yes"}
      - {id: docs, answer: accepted, by: x, date: 2026-11-01}
      - {id: stateful, answer: "yes"}
more: 1
`)
	want := []string{
		`answers.yaml:3:8: these are answers about "Widget", and the review is about "Gadget"`,
		`answers.yaml:4:14: reviewAgain 2026-01-01 is not in the future`,
		`answers.yaml:6:10: stateful and stateless (line 7) contradict each other: both are answered yes`,
		`answers.yaml:7:49: date 2027-11-27 is in the future: the review is of 2026-11-30`,
		`answers.yaml:8:10: no criterion has the id "peple"`,
		`answers.yaml:9:26: answer "maybe": use one of yes, no, unknown, not-applicable, accepted`,
		`answers.yaml:13:5: key "by" given twice`,
		`answers.yaml:14:11: "soon" is no date: write it as 2026-01-31`,
		`answers.yaml:16:10: know-how is answered "no" here and, in contradiction, "yes" in line 15`,
		`answers.yaml:18:12: no operator "gadget" in this review: it looks at gadget-operator`,
		`answers.yaml:21:38: not-privileged is answered "no" against the evidence: 1 container, none privileged`,
		`answers.yaml:22:41: resources-bounded is answered "yes" against the evidence: no requests: Deployment/gadgets/gadget-operator/manager (to take the risk, answer accepted, with a note)`,
		`answers.yaml:23:9: licence: the answer "yes" needs by (a role), date, evidence (a link), since it is a must`,
		`answers.yaml:24:9: docs: the answer "accepted" needs note (why)`,
		`answers.yaml:25:14: stateful is about the need: it belongs below need:`,
		`answers.yaml:26:1: unknown key "more"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}

func TestNoAnswersFileAtAll(t *testing.T) {
	for content, want := range map[string]string{
		"# nothing":              "answers.yaml: the file is empty",
		"- a":                    "answers.yaml:1:1: expected keys and values",
		"a: [":                   "answers.yaml:1",
		"apiVersion: v9\nneed: ": `apiVersion "v9"`,
	} {
		if got := strings.Join(mistakes(t, content), "\n"); !strings.Contains(got, want) {
			t.Errorf("%q: %s\nwant %s", content, got, want)
		}
	}
}

func TestARiskIsAcceptedByName(t *testing.T) {
	rec := mustReview(t, input(t, "Gadget", builtinRules(t), nothingHere(), head+`
options:
  - name: gadget-operator
    answers:
      - {id: resources-bounded, answer: accepted, by: lead, date: 2026-11-01, note: it has a node of its own}
`))
	k := checkOf(t, rec.Options[0].Checks, "resources-bounded")
	if k.State != accepted || !strings.HasPrefix(k.Because, "no requests") {
		t.Errorf("%+v", k)
	}
}

// TestTheFormIsReadBack: what init writes is a valid file that changes nothing,
// and a second init keeps the answers of people.
func TestTheFormIsReadBack(t *testing.T) {
	r := builtinRules(t)
	empty := mustReview(t, input(t, "Gadget \"of\nodd\" names", r, nothingHere(), ""))
	var form bytes.Buffer
	if err := WriteForm(&form, empty); err != nil {
		t.Fatal(err)
	}
	again := mustReview(t, input(t, "Gadget \"of\nodd\" names", r, nothingHere(), form.String()))
	again.Answers = ""
	if diff := cmp.Diff(empty, again); diff != "" {
		t.Errorf("an empty form changes the record:\n%s", diff)
	}
	full := mustReview(t, input(t, "Gadget", r, nothingHere(), answered(t, r)))
	form.Reset()
	if err := WriteForm(&form, full); err != nil {
		t.Fatal(err)
	}
	kept := mustReview(t, input(t, "Gadget", r, nothingHere(), form.String()))
	if diff := cmp.Diff(full, kept); diff != "" {
		t.Errorf("the form loses answers:\n%s", diff)
	}
}

func TestAsking(t *testing.T) {
	r := builtinRules(t)
	rec := mustReview(t, input(t, "Gadget", r, nothingHere(), ""))
	var out bytes.Buffer
	// The role; existing-covers: no; more-than-install: nonsense, then yes with
	// a link; day-2-defined: yes without a link, so it stays open; then stop.
	given, err := Ask(strings.NewReader("lead\nn\nhttps://example.org\nperhaps\ny\nhttps://example.org/2\nyes\n\nq\n"), &out, rec)
	if err != nil || given != 2 {
		t.Fatalf("%d answers, %v\n%s", given, err, out.String())
	}
	var form bytes.Buffer
	if err := WriteForm(&form, rec); err != nil {
		t.Fatal(err)
	}
	after := mustReview(t, input(t, "Gadget", r, nothingHere(), form.String()))
	for id, want := range map[string]string{"existing-covers": failed, "more-than-install": met, "day-2-defined": unknown, "people": unknown} {
		if k := checkOf(t, after.Need, id); k.State != want {
			t.Errorf("%s is %s, want %s", id, k.State, want)
		}
	}
	if !strings.Contains(out.String(), "a must that is answered yes needs evidence: it stays open") {
		t.Errorf("said:\n%s", out.String())
	}
}

// FuzzAnswers holds that no file of answers ends the program, and that what is
// wrong with it has a place.
func FuzzAnswers(f *testing.F) {
	f.Add(head + "need:\n  - {id: people, answer: [yes], date: {a: b}}\n")
	f.Add(head + "options:\n  - {name: gadget-operator, answers: [{id: licence, answer: accepted}]}\n  - a\n")
	f.Add("&a [*a]")
	in := input(f, "Gadget", builtinRules(f), nothingHere(), "")
	f.Fuzz(func(t *testing.T, content string) {
		in.Answers = ParseAnswers("answers.yaml", []byte(content))
		rec, err := Review(in)
		var problems levels.Problems
		switch {
		case err == nil && rec == nil:
			t.Error("no record and no error")
		case err != nil && !errors.As(err, &problems):
			t.Errorf("%v has no place", err)
		}
	})
}
