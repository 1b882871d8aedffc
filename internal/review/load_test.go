package review

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/levels"
)

func TestMistakesInRulesAreAllReportedWithTheirPlace(t *testing.T) {
	_, err := Load(
		levels.Layer{Name: levels.Builtin, FS: folder(t, "review")},
		levels.Layer{Name: "mine", FS: fstest.MapFS{"a.yaml": {Data: []byte(`criteria:
  - id: licence
    title: x
    about: option
    priority: must
    type: declared
    question: y
  - id: Odd
    about: people
    type: guess
    question: y
    contradicts: [nothing-like-it]
  - id: fields
    title: x
    about: option
    priority: must
    type: offline
    question: y
    met: it.podd.containers > 0
    because: '"x"'
  - id: silent
    title: x
    about: option
    priority: must
    type: live
    question: y
verdicts:
  - {id: v, verdict: perhaps, when: 'need["x"]', because: '"x"'}
warnings:
  - {id: w, title: x}
disable: [not-there]
`)}}})
	if err == nil {
		t.Fatal("no mistake was found")
	}
	want := `mine/a.yaml:2:9: the id "licence" is taken by builtin/2-operators.yaml:7: say override: true to replace it
mine/a.yaml:8:5: Odd needs a title
mine/a.yaml:8:9: id "Odd": use small letters, digits and single hyphens
mine/a.yaml:9:12: about "people": use one of need, option
mine/a.yaml:8:5: priority is missing: use one of must, should, could
mine/a.yaml:10:11: type "guess": use one of live, offline, declared, outside
mine/a.yaml:12:19: no criterion has the id "nothing-like-it"
mine/a.yaml:19:12: undefined field 'podd'
mine/a.yaml:21:5: silent is live, so it needs met or failed
mine/a.yaml:28:22: verdict "perhaps": use one of adopt, adopt with conditions, trial, hold, use Helm or built-ins, write
mine/a.yaml:28:38: expected an expression of type bool, this one is string
mine/a.yaml:30:5: a warning needs a title and a text
mine/a.yaml:31:11: disable: nothing has the id "not-there"`
	sorted := func(s string) []string {
		lines := strings.Split(s, "\n")
		return list(lines)
	}
	if diff := cmp.Diff(sorted(want), sorted(err.Error())); diff != "" {
		t.Errorf("mistakes (-want +got):\n%s", diff)
	}
}

// TestEveryCriterionCanBeRead holds what people need of each.
func TestEveryCriterionCanBeRead(t *testing.T) {
	for _, c := range builtinRules(t).Criteria() {
		if !strings.HasSuffix(c.Question, "?") {
			t.Errorf("%s: the question %q asks nothing", c.ID, c.Question)
		}
		if c.About == aboutOption && c.Priority == "must" && c.Type == "declared" && c.Why == "" {
			t.Errorf("%s: a declared must says why it counts", c.ID)
		}
		if c.About == aboutOption && c.Failed != "" && c.Condition == "" {
			t.Errorf("%s can fail and names no condition", c.ID)
		}
	}
}
