package report

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// Prometheus' own parser reads what is written, whatever the names hold.
func TestPrometheusParses(t *testing.T) {
	for name, sc := range map[string]*levels.Scorecard{"shop": shop(), "hostile": hostile(), "empty": {}} {
		out := outputs(t, sc, Options{})["prometheus"]
		parser := expfmt.NewTextParser(model.UTF8Validation)
		families, err := parser.TextToMetricFamilies(strings.NewReader(out))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := len(families["operator_maturity_operator_info"].GetMetric()); got != len(sc.Operators) {
			t.Errorf("%s: %d operators, want %d", name, got, len(sc.Operators))
		}
	}
}

// A number that nobody could see has no sample.
func TestPrometheusLeavesOutWhatWasNotSeen(t *testing.T) {
	sc := &levels.Scorecard{Operators: []levels.Operator{{Name: "a", CRDs: []levels.CRD{{Name: "unseen.example.com"}, {Name: "none.example.com", InstancesComplete: true}}}}}
	out := outputs(t, sc, Options{})["prometheus"]
	if strings.Contains(out, "unseen.example.com") || !strings.Contains(out, `crd="none.example.com",readiness="ready"} 0`) {
		t.Errorf("unseen instances became a number, or 0 seen ones none:\n%s", out)
	}
}

// No operator of a cluster that could not be looked at is not 0 operators.
func TestPrometheusCountsOnlyWhatWasRead(t *testing.T) {
	for state, want := range map[inventory.AccessState]bool{inventory.Listed: true, inventory.Forbidden: false, inventory.Partial: false, inventory.Failed: false} {
		sc := &levels.Scorecard{Coverage: levels.Coverage{Resources: []levels.Resource{access("apiextensions.k8s.io", "customresourcedefinitions", state, 0, "")}}}
		out := outputs(t, sc, Options{})["prometheus"]
		for _, line := range []string{"\noperator_maturity_operators 0\n", "\noperator_maturity_orphaned_crds 0\n"} {
			if strings.Contains(out, line) != want {
				t.Errorf("CRDs %s: the line %q is there: %v", state, line, !want)
			}
		}
	}
}

// promtool checks names and help texts too.
func TestPromtoolAccepts(t *testing.T) {
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		const missing = "no promtool on the PATH (Debian: apt-get install prometheus); expfmt has parsed it in the other test"
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	for name, sc := range map[string]*levels.Scorecard{"shop": shop(), "hostile": hostile()} {
		cmd := exec.CommandContext(t.Context(), promtool, "check", "metrics")
		cmd.Stdin = strings.NewReader(outputs(t, sc, Options{})["prometheus"])
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s: promtool check metrics: %v\n%s", name, err, out)
		}
	}
}
