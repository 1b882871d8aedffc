package endtoend

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/levels"
)

// everyScorecard is the demo's and, where they are there, the recordings'.
func everyScorecard(t *testing.T, look func(t *testing.T, sc *levels.Scorecard)) {
	t.Helper()
	t.Run("demo", func(t *testing.T) {
		look(t, score(t, read(t, time.Time{}, "../../cmd/kubectl-operator_maturity/demo/snapshot.json.gz")))
	})
	for _, name := range []string{"shop-cluster.json.gz", "shop-cluster-later.json.gz"} {
		t.Run(name, func(t *testing.T) {
			look(t, score(t, read(t, time.Time{}, filepath.Join(corpustest.Dir(t), "recordings", name))))
		})
	}
}

// TestRecordingNothingIsSaidTwice: no object stands twice in a list of evidence
// or in a sentence, as an Event does that is both a failover and a repair.
func TestRecordingNothingIsSaidTwice(t *testing.T) {
	everyScorecard(t, func(t *testing.T, sc *levels.Scorecard) {
		for _, o := range sc.Operators {
			for _, c := range o.Checks {
				if twice := repeated(c.Evidence); twice != "" {
					t.Errorf("%s %s has the evidence %s twice", o.Name, c.ID, twice)
				}
				if twice := repeated(objectsNamed(c.Because)); twice != "" {
					t.Errorf("%s %s names %s twice: %s", o.Name, c.ID, twice, c.Because)
				}
			}
			for _, f := range o.Findings {
				if twice := repeated(f.Objects); twice != "" {
					t.Errorf("%s: finding %s is about %s twice", o.Name, f.ID, twice)
				}
			}
		}
	})
}

// TestRecordingOperandRowsNameTheirContainers: whoever reads that one container
// has no probe wants to know which.
func TestRecordingOperandRowsNameTheirContainers(t *testing.T) {
	everyScorecard(t, func(t *testing.T, sc *levels.Scorecard) {
		seen := 0
		for _, o := range sc.Operators {
			for _, c := range o.Checks {
				if !slices.Contains([]string{"operand-liveness-probe", "operand-readiness-probe", "operand-resource-requests"}, c.ID) || !strings.Contains(c.Because, "operand containers ") {
					continue
				}
				seen++
				if len(c.Evidence) == 0 || !slices.ContainsFunc(c.Evidence, func(e string) bool { return strings.Contains(c.Because, e) }) {
					t.Errorf("%s %s names no container: %s (%v)", o.Name, c.ID, c.Because, c.Evidence)
				}
			}
		}
		if seen == 0 {
			t.Error("no operand container was seen")
		}
	})
}

// objectsNamed are the enumerated parts of a sentence that name an object.
func objectsNamed(sentence string) []string {
	var list []string
	for _, part := range strings.FieldsFunc(sentence, func(r rune) bool { return r == ',' || r == ';' || r == '(' || r == ')' }) {
		if part = strings.TrimSpace(part); strings.Count(part, "/") >= 2 && !strings.Contains(part, ": ") {
			list = append(list, part)
		}
	}
	return list
}

func repeated(list []string) string {
	for i, s := range list {
		if slices.Contains(list[:i], s) {
			return s
		}
	}
	return ""
}
