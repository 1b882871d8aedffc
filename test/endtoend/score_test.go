package endtoend

import (
	"io/fs"
	"slices"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/inventory/manifests"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/rules"
)

func builtinCatalogue(t testing.TB) *catalogue.Catalogue {
	t.Helper()
	cat, err := catalogue.Load(catalogue.Layer{FS: folder(t, "operators")})
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

func builtinRules(t testing.TB) *levels.Rules {
	t.Helper()
	loaded, err := levels.Load(levels.Layer{Name: levels.Builtin, FS: folder(t, "levels")})
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

func folder(t testing.TB, name string) fs.FS {
	t.Helper()
	sub, err := fs.Sub(rules.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// score judges a snapshot as the program does.
func score(t testing.TB, s *inventory.Snapshot) *levels.Scorecard {
	t.Helper()
	attributed := attribution.Attribute(s, builtinCatalogue(t))
	seen := facts.ObserveAll(s, attributed)
	return levels.Score(s, attributed, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), builtinRules(t))
}

// read reads files as `scan --from … --complete` does.
func read(t testing.TB, asOf time.Time, paths ...string) *inventory.Snapshot {
	t.Helper()
	s, err := manifests.Read(t.Context(), manifests.Options{Paths: paths, Complete: true, AsOf: asOf})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// rows are all CRDs of a scorecard by name, with their operator: "" for
// nobody, the API's name for a shared one.
func rows(sc *levels.Scorecard) (crds map[string]levels.CRD, owner map[string]string) {
	crds, owner = map[string]levels.CRD{}, map[string]string{}
	add := func(name string, list []levels.CRD) {
		for _, c := range list {
			crds[c.Name], owner[c.Name] = c, name
		}
	}
	for _, o := range sc.Operators {
		add(o.Name, o.CRDs)
	}
	for _, a := range sc.SharedAPIs {
		add(a.Name, a.CRDs)
	}
	add("", sc.Unattributed)
	return crds, owner
}

func operator(t testing.TB, sc *levels.Scorecard, name string) *levels.Operator {
	t.Helper()
	for i := range sc.Operators {
		if sc.Operators[i].Name == name {
			return &sc.Operators[i]
		}
	}
	t.Fatalf("no operator %s in the scorecard", name)
	return nil
}

// verdictFor is the verdict of a criterion for one CRD of an operator.
func verdictFor(o *levels.Operator, crd, criterion string) levels.Verdict {
	for _, c := range o.Checks {
		if c.ID != criterion {
			continue
		}
		for _, per := range c.PerCRD {
			if per.CRD == crd {
				return per.Verdict
			}
		}
		return c.Verdict
	}
	return ""
}

// large marks tests that read a lot and share nothing between goroutines: the
// race detector, under which they would take many minutes, runs with -short.
func large(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads large input; runs without -short")
	}
}
