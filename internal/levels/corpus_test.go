package levels_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/inventory/manifests"
	"kubectl-operator-maturity/internal/levels"
)

const rulesRoot = "../../rules"

// recordings are Scorecards of recorded clusters, each made once.
var recordings = map[string]*levels.Scorecard{}

// recording runs everything from a recorded cluster to a Scorecard.
func recording(t *testing.T, name string) *levels.Scorecard {
	t.Helper()
	path := filepath.Join(corpustest.Dir(t), "recordings", name)
	if testing.Short() {
		t.Skip("reading a recorded cluster takes seconds")
	}
	if recordings[name] != nil {
		return recordings[name]
	}
	s, err := manifests.Read(context.Background(), manifests.Options{Paths: []string{path}, Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	cat, err := catalogue.Load(catalogue.Layer{FS: os.DirFS(rulesRoot + "/operators")})
	if err != nil {
		t.Fatal(err)
	}
	rules, err := levels.Load(levels.Layer{Name: levels.Builtin, FS: os.DirFS(rulesRoot + "/levels")})
	if err != nil {
		t.Fatal(err)
	}
	a := attribution.Attribute(s, cat)
	all := facts.ObserveAll(s, a)
	recordings[name] = levels.Score(s, a, slices.Concat(all.Operators, all.SharedAPIs, all.Unattributed), rules)
	return recordings[name]
}

// verdictFor is the verdict of a criterion for one CRD of an operator.
func verdictFor(o *levels.Operator, id, crd string) levels.Verdict {
	for i := range o.Checks {
		c := &o.Checks[i]
		if c.ID != id {
			continue
		}
		for _, row := range c.PerCRD {
			if row.CRD == crd {
				return row.Verdict
			}
		}
		return c.Verdict
	}
	return "missing"
}

// What people who know the operators say of a recorded cluster must come out.
func TestHandLabels(t *testing.T) {
	card := recording(t, "shop-cluster.json.gz")
	data, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "recordings", "verdicts.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Labels map[string]struct{ Proven, Never []string }
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	for crd, label := range file.Labels {
		i := slices.IndexFunc(card.Operators, func(o levels.Operator) bool {
			return slices.ContainsFunc(o.CRDs, func(c levels.CRD) bool { return c.Name == crd })
		})
		if i < 0 {
			t.Errorf("%s belongs to no operator", crd)
			continue
		}
		for _, id := range label.Proven {
			if v := verdictFor(&card.Operators[i], id, crd); v != levels.Proven {
				t.Errorf("%s: %s is %s, not proven", crd, id, v)
			}
		}
		for _, id := range label.Never {
			if v := verdictFor(&card.Operators[i], id, crd); v == levels.Proven || v == "missing" {
				t.Errorf("%s: %s is %s", crd, id, v)
			}
		}
	}
}

// No built-in expression fails on real facts.
func TestNoExpressionFailsOnTheCorpus(t *testing.T) {
	for _, name := range []string{"shop-cluster.json.gz", "shop-cluster-later.json.gz"} {
		data, err := json.Marshal(recording(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), "could not be evaluated") {
			t.Errorf("%s: an expression could not be evaluated", name)
		}
		if strings.Contains(string(data), ":null") {
			t.Errorf("%s: null where a list should be", name)
		}
	}
}
