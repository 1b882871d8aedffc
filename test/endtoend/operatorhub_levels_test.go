package endtoend

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gopkg.in/yaml.v3"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/levels"
)

// scannedBundle is what the tests ask of a bundle that was attributed and
// scored; its snapshot is dropped.
type scannedBundle struct {
	*bundle
	present  map[string]bool // CRDs with a manifest
	crds     map[string]attribution.CRD
	operator levels.Operator // that of the CSV: with most of its CRDs
}

func (b *scannedBundle) name() string { return b.Catalog + "/" + b.Package }

var (
	scanBundles sync.Once
	allScanned  []scannedBundle
)

// scannedBundles reads every bundle of the corpus once for all tests, by name.
func scannedBundles(t *testing.T) []scannedBundle {
	t.Helper()
	corpustest.Dir(t) // skips before the only run
	scanBundles.Do(func() {
		cat, rules := builtinCatalogue(t), builtinRules(t)
		found := bundles(t)
		for _, name := range slices.Sorted(maps.Keys(found)) {
			b := scannedBundle{bundle: found[name], present: map[string]bool{}, crds: map[string]attribution.CRD{}}
			s := read(t, time.Time{}, b.path)
			a := attribution.Attribute(s, cat)
			for i := range s.CRDs {
				b.present[s.CRDs[i].Name] = true
			}
			for _, o := range a.Operators {
				for _, c := range o.CRDs {
					b.crds[c.Name] = c
				}
			}
			seen := facts.ObserveAll(s, a)
			sc := levels.Score(s, a, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), rules)
			b.operator = b.ownersIn(sc)
			allScanned = append(allScanned, b)
		}
	})
	if len(allScanned) == 0 {
		t.Fatal("no bundle was read")
	}
	return allScanned
}

// ownersIn is the operator that most of the CSV's CRDs are of.
func (b *scannedBundle) ownersIn(sc *levels.Scorecard) levels.Operator {
	var best levels.Operator
	most := -1
	for _, o := range sc.Operators {
		owned := 0
		for _, c := range o.CRDs {
			if slices.ContainsFunc(b.OwnedCRDs, func(own struct{ Name string }) bool { return own.Name == c.Name }) {
				owned++
			}
		}
		if owned > most {
			best, most = o, owned
		}
	}
	return best
}

// TestBundlesProveNoLevel: what was never on a server promises at most.
func TestBundlesProveNoLevel(t *testing.T) {
	for _, b := range scannedBundles(t) {
		o := &b.operator
		if o.Level != 0 {
			t.Errorf("%s is at level %d", b.name(), o.Level)
		}
		for _, l := range o.Levels {
			if l.Status == levels.LevelProven {
				t.Errorf("%s proves level %d", b.name(), l.Level)
			}
		}
		for _, c := range o.Checks {
			if c.Level > 0 && c.Verdict == levels.Proven {
				t.Errorf("%s proves %s: %s", b.name(), c.ID, c.Because)
			}
		}
	}
}

const (
	sharesFile = "testdata/operatorhub-shares.yaml"
	// tolerance is how far a share may move, in points.
	tolerance = 3
)

// TestShareOfBundlesPerVerdict pins for each criterion of a level how many
// bundles in a hundred get which verdict: a rule or a fact that suddenly says
// otherwise of hundreds of operators is looked at by a person first.
func TestShareOfBundlesPerVerdict(t *testing.T) {
	all := scannedBundles(t)
	counts := map[string]map[levels.Verdict]int{}
	for _, b := range all {
		for _, c := range b.operator.Checks {
			if c.Level == 0 {
				continue
			}
			if counts[c.ID] == nil {
				counts[c.ID] = map[levels.Verdict]int{}
			}
			counts[c.ID][c.Verdict]++
		}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Of %d bundles of the OLM catalogues, in a hundred: verdicts by criterion. Written with UPDATE_GOLDEN=1.\n", len(all))
	got := map[string]map[levels.Verdict]int{}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		got[id] = map[levels.Verdict]int{}
		var shares []string
		for _, v := range slices.Sorted(maps.Keys(counts[id])) {
			got[id][v] = (counts[id][v]*100 + len(all)/2) / len(all)
			shares = append(shares, fmt.Sprintf("%s: %d", v, got[id][v]))
		}
		fmt.Fprintf(&b, "%s: {%s}\n", id, strings.Join(shares, ", "))
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(sharesFile, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile(sharesFile)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]map[levels.Verdict]int
	if err := yaml.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for id := range want {
		if got[id] == nil {
			t.Errorf("%s: no such criterion any more", id)
		}
	}
	for id, shares := range got {
		for _, v := range []levels.Verdict{levels.Proven, levels.Indicated, levels.Refuted, levels.NotObserved, levels.NotApplicable, levels.Unknown} {
			if diff := shares[v] - want[id][v]; diff > tolerance || diff < -tolerance {
				t.Errorf("%s is %s for %d %% of the bundles, was %d %%", id, v, shares[v], want[id][v])
			}
		}
	}
}

// TestClaimsAgainstIndicatedLevels puts the level that each package claims
// beside what its manifests indicate: `make claims` prints it. The claims are no
// truth, but on average they should rise with what is there.
func TestClaimsAgainstIndicatedLevels(t *testing.T) {
	type row struct {
		bundles int
		highest [6]int // by levelIndicated
		each    [6]int // bundles with that level indicated, whatever the others
		met, of int    // essential criteria of levels 2 to 5
	}
	var rows [6]row
	for _, b := range scannedBundles(t) {
		r := &rows[b.Level]
		r.bundles++
		r.highest[b.operator.LevelIndicated]++
		for _, l := range b.operator.Levels {
			if l.Status == levels.LevelIndicated {
				r.each[l.Level]++
			}
			if l.Level > 1 {
				r.met += l.Essential.Met
				r.of += l.Essential.Total
			}
		}
	}
	var b strings.Builder
	b.WriteString("\n           indicated without a gap up to level     each level indicated, in %            essential\n")
	b.WriteString("claimed  bundles   0    1    2    3    4    5      1    2    3    4    5    criteria of 2 to 5 met, in %\n")
	share := func(n, of int) int { return (n*100 + of/2) / max(of, 1) }
	for level := range rows {
		r := &rows[level]
		if r.bundles == 0 {
			continue
		}
		fmt.Fprintf(&b, "%-8d %7d", level, r.bundles)
		for _, n := range r.highest {
			fmt.Fprintf(&b, " %4d", n)
		}
		b.WriteString("  ")
		for _, n := range r.each[1:] {
			fmt.Fprintf(&b, " %4d", share(n, r.bundles))
		}
		fmt.Fprintf(&b, " %7d\n", share(r.met, r.of))
	}
	t.Log(b.String())
	if low, high := &rows[1], &rows[5]; share(low.met, low.of) >= share(high.met, high.of) {
		t.Errorf("those who claim level 5 (%d %%) show no more than those who claim level 1 (%d %%)", share(high.met, high.of), share(low.met, low.of))
	}
}
