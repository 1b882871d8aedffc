package manifests_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/inventory/manifests"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/rules"
	"kubectl-operator-maturity/test/faults"
)

// A scorecard of a part of the objects claims nothing that one of all of them
// does not.
func TestASampleMakesNoVerdictMoreCertain(t *testing.T) {
	path := filepath.Join(corpustest.Dir(t), "recordings", "shop-cluster.json.gz")
	score := newScore(t)
	read := func(most int) *inventory.Snapshot {
		s, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{path}, Complete: true, MaxPerKind: most})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	whole := score(read(-1))
	for _, most := range []int{1, 2, 3, 5, 20} {
		s := read(most)
		if !slices.ContainsFunc(s.Access, func(a inventory.Access) bool { return a.Remaining > 0 && a.Access == inventory.Partial }) {
			t.Errorf("cap %d: nothing says that it is a sample", most)
		}
		for _, claim := range faults.Better(score(s), whole) {
			t.Errorf("cap %d: %s", most, claim)
		}
	}
}

// newScore scores snapshots as the program does.
func newScore(t *testing.T) func(*inventory.Snapshot) *levels.Scorecard {
	folder := func(name string) fs.FS {
		sub, err := fs.Sub(rules.FS, name)
		if err != nil {
			t.Fatal(err)
		}
		return sub
	}
	known, err := catalogue.Load(catalogue.Layer{FS: folder("operators")})
	if err != nil {
		t.Fatal(err)
	}
	criteria, err := levels.Load(levels.Layer{Name: levels.Builtin, FS: folder("levels")})
	if err != nil {
		t.Fatal(err)
	}
	return func(s *inventory.Snapshot) *levels.Scorecard {
		attributed := attribution.Attribute(s, known)
		seen := facts.ObserveAll(s, attributed)
		return levels.Score(s, attributed, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), criteria)
	}
}
