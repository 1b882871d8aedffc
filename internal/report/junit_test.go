package report

import (
	"encoding/xml"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"kubectl-operator-maturity/internal/levels"
)

// The totals of every suite are those of its cases, and a case has one
// outcome.
func TestJUnitReadsBack(t *testing.T) {
	for name, sc := range map[string]*levels.Scorecard{"shop": shop(), "hostile": hostile(), "empty": {}} {
		var suites junit.Testsuites
		if err := xml.Unmarshal([]byte(outputs(t, sc, Options{})["junit"]), &suites); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var again junit.Testsuites
		for _, s := range suites.Suites {
			sum := junit.Testsuite{}
			for _, c := range s.Testcases {
				sum.AddTestcase(c)
				outcomes := 0
				for _, set := range []bool{c.Failure != nil, c.Error != nil, c.Skipped != nil} {
					if set {
						outcomes++
					}
				}
				if outcomes > 1 || c.Name == "" || c.Classname == "" {
					t.Errorf("%s: case %q of %q has %d outcomes", name, c.Name, c.Classname, outcomes)
				}
			}
			if sum.Tests != s.Tests || sum.Failures != s.Failures || sum.Errors != s.Errors || sum.Skipped != s.Skipped {
				t.Errorf("%s: suite %s says %d tests and %d failures, and has %d and %d", name, s.Name, s.Tests, s.Failures, sum.Tests, sum.Failures)
			}
			again.AddSuite(s)
		}
		if again.Tests != suites.Tests || again.Failures != suites.Failures {
			t.Errorf("%s: the totals do not add up", name)
		}
	}
}

// Unknown and not observed are no failures; refused lists are errors.
func TestJUnitOutcomes(t *testing.T) {
	out := outputs(t, shop(), Options{})["junit"]
	for _, want := range []string{
		`<skipped message="unknown: could not look at events`, `<error message="needs the right to list them in all namespaces" type="forbidden">`,
		`<skipped message="not observed: `, `type="warning"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q", want)
		}
	}
}
