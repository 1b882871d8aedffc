package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"kubectl-operator-maturity/internal/levels"
)

// The log fits the SARIF schema, has no field that the format does not know,
// and every result names its rule.
func TestSARIFIsValid(t *testing.T) {
	for name, sc := range map[string]*levels.Scorecard{"shop": shop(), "hostile": hostile(), "empty": {}} {
		out := outputs(t, sc, Options{})["sarif"]
		strict := json.NewDecoder(strings.NewReader(out))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&sarif.Report{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		log, err := sarif.FromString(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, run := range log.Runs { // defaults that the library writes without filling them in
			run.Language, run.Tool.Driver.Language, run.NewlineSequences = "en-US", "en-US", []string{"\n"}
		}
		if err := log.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		run := log.Runs[0]
		for _, r := range run.Results {
			if i := r.RuleIndex; i < 0 || i >= len(run.Tool.Driver.Rules) || *run.Tool.Driver.Rules[i].ID != *r.RuleID {
				t.Errorf("%s: result of %s names rule %d", name, *r.RuleID, i)
			}
			if r.Kind != "fail" && r.Level != "none" {
				t.Errorf("%s: a result of kind %s has level %s", name, r.Kind, r.Level)
			}
			if len(r.Locations) == 0 {
				t.Errorf("%s: a result of %s has no location", name, *r.RuleID)
			}
		}
	}
}

// What could not be looked at is told beside the results.
func TestSARIFTellsTheGaps(t *testing.T) {
	out := outputs(t, shop(), Options{})["sarif"]
	for _, want := range []string{"not read whole: events, pods", `"kind": "open"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
}
