package faults

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/rules"
)

const recorded = "shop-cluster.json.gz"

// judge scores snapshots as the program does. One is shared by all scans of a
// test: rules and catalogue are read once and only read.
type judge struct {
	catalogue *catalogue.Catalogue
	rules     *levels.Rules
}

func newJudge(t testing.TB) *judge {
	t.Helper()
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
	loaded, err := levels.Load(levels.Layer{Name: levels.Builtin, FS: folder("levels")})
	if err != nil {
		t.Fatal(err)
	}
	return &judge{known, loaded}
}

func (j *judge) score(s *inventory.Snapshot) *levels.Scorecard {
	attributed := attribution.Attribute(s, j.catalogue)
	seen := facts.ObserveAll(s, attributed)
	return levels.Score(s, attributed, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), j.rules)
}

func collect(t testing.TB, config *rest.Config, patience time.Duration) *inventory.Snapshot {
	t.Helper()
	s, err := cluster.Collect(t.Context(), cluster.Options{Config: config, QPS: -1, RequestTimeout: patience, Timeout: 2 * time.Minute})
	if err != nil || s == nil {
		t.Fatalf("one failed list ended the scan: %v", err)
	}
	return s
}

const (
	patient   = time.Minute
	impatient = time.Second // where a call hangs
)

// TestEveryFaultOfEveryListIsNamed lets each list call of a scan go wrong in
// each way, one at a time, on a cluster with few objects: no fault ends the
// scan, and the coverage names it. What a list counts for is the same
// whichever fault it was (TestNoFaultMakesAVerdictBetter asks what that is).
func TestEveryFaultOfEveryListIsNamed(t *testing.T) {
	rec := readRecording(t, recorded).small()
	whole := seenAs(collect(t, rec.serve(t, "", nil), patient))
	lists := rec.targets()
	if testing.Short() {
		lists = []string{"/pods", "cert-manager.io/certificates"}
	}
	got := newMatrix(len(lists))
	t.Run("lists", func(t *testing.T) {
		for _, target := range lists {
			t.Run(target, func(t *testing.T) {
				t.Parallel()
				for _, row := range rows {
					s := rec.collectWithout(t, target, row)
					if row.recovers {
						if seenAs(s) != whole {
							t.Errorf("%s: not what it is without the fault: %s", row.name, unread(s.Access, ""))
						}
						got.count(row, inventory.Listed)
						continue
					}
					got.count(row, namesFault(t, s, target, row))
				}
			})
		}
	})
	if !testing.Short() && !t.Failed() {
		got.compare(t)
	}
}

// collectWithout scans with a fault. Where a call hangs the scan cannot wait
// long, and tries again when another list was too slow for it.
func (rec *recording) collectWithout(t *testing.T, target string, row row) *inventory.Snapshot {
	t.Helper()
	if !row.hangs {
		return collect(t, rec.serve(t, target, row.answer), patient)
	}
	for patience := impatient; ; patience *= 4 {
		s := collect(t, rec.serve(t, target, row.answer), patience)
		if unread(s.Access, target) == "" || patience >= patient {
			return s
		}
	}
}

// TestNoFaultMakesAVerdictBetter lets each list be refused, fail, and break
// off half way, and the list of CRDs go wrong in every way, and compares the
// scorecards with that of the scan in which all went well.
func TestNoFaultMakesAVerdictBetter(t *testing.T) {
	rec, judge := readRecording(t, recorded), newJudge(t)
	lists := rec.targets()
	if testing.Short() { // under the race detector each scan takes seconds
		lists = []string{"/pods", definitions, "cert-manager.io/certificates"}
	}
	whole := judge.score(collect(t, rec.serve(t, "", nil), patient))
	if !whole.Coverage.Complete || len(whole.Operators) < 6 {
		t.Fatalf("the fault-free scan is not whole: %d operators, %s", len(whole.Operators), unread(whole.Coverage.Resources, ""))
	}
	got := newMatrix(len(lists))
	t.Run("lists", func(t *testing.T) {
		for _, target := range lists {
			t.Run(target, func(t *testing.T) {
				t.Parallel()
				scored := map[string]bool{}
				for _, row := range rows {
					if !slices.Contains([]string{"403", "503", "503 on the second page"}, row.name) && (target != definitions || row.hangs || testing.Short()) {
						continue
					}
					s := rec.collectWithout(t, target, row)
					key := seenAs(s)
					if scored[key] {
						continue // another fault had left the same to see
					}
					scored[key] = true
					less := judge.score(s)
					if row.recovers {
						if diff := cmp.Diff(whole.Operators, less.Operators); diff != "" {
							t.Errorf("%s: not what it is without the fault:\n%s", row.name, diff)
						}
						continue
					}
					for _, said := range Better(less, whole) {
						t.Errorf("%s: %s", row.name, said)
					}
					if less.Coverage.Complete {
						t.Errorf("%s: the coverage is complete", row.name)
					}
					got.moved(row, less, whole)
				}
			})
		}
	})
	if !testing.Short() && !t.Failed() {
		got.compare(t)
	}
}

const definitions = "apiextensions.k8s.io/customresourcedefinitions"

// seenAs tells snapshots apart by what was seen, as far as one target goes.
func seenAs(s *inventory.Snapshot) string {
	var b strings.Builder
	for _, a := range s.Access {
		fmt.Fprint(&b, a.Group, "/", a.Resource, " ", a.Access, " ", a.Count, "\n")
	}
	return b.String()
}

// namesFault holds when the coverage says that the list was not read, and why.
func namesFault(t *testing.T, s *inventory.Snapshot, target string, row row) inventory.AccessState {
	t.Helper()
	for _, a := range s.Access {
		if a.Group+"/"+a.Resource != target {
			continue
		}
		want := inventory.Failed
		switch {
		case row.name == "403":
			want = inventory.Forbidden
		case row.begun && a.Count > 0:
			want = inventory.Partial
		case row.endless:
			want = inventory.Partial
		}
		if a.Access != want || a.Detail == "" || a.Count > 0 && !row.begun {
			t.Errorf("%s: %d objects, %s, want %s (%s)", row.name, a.Count, a.Access, want, a.Detail)
		}
		if other := unread(s.Access, target); other != "" && target != "/namespaces" && target != definitions {
			t.Errorf("%s: other lists were not read: %s", row.name, other)
		}
		return a.Access
	}
	t.Errorf("%s: the coverage does not name it", row.name)
	return ""
}

func unread(rows []inventory.Access, but string) string {
	var list []string
	for _, r := range rows {
		if r.Access != inventory.Listed && r.Group+"/"+r.Resource != but {
			list = append(list, fmt.Sprintf("%s/%s %s: %s", r.Group, r.Resource, r.Access, r.Detail))
		}
	}
	return strings.Join(list, "; ")
}

// targets are the lists that go wrong in turn: all built-in kinds, and the
// custom resources that there are.
func (rec *recording) targets() []string {
	var list []string
	for key, l := range rec.lists {
		group, _, _ := strings.Cut(key, "/")
		if !slices.Contains(replayGroups, group) || len(l.items) > 0 {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// movedToUnknown counts verdicts that are known in whole and unknown in less;
// of an operator that is not seen any more, all of them.
func movedToUnknown(less, whole *levels.Scorecard) int {
	n := 0
	for _, full := range whole.Operators {
		i := slices.IndexFunc(less.Operators, func(o levels.Operator) bool { return o.Name == full.Name })
		for j, c := range full.Checks {
			if c.Verdict != levels.Unknown && (i < 0 || less.Operators[i].Checks[j].Verdict == levels.Unknown) {
				n++
			}
		}
	}
	return n
}
