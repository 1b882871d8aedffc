package faults

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
)

// singles is what the test of all calls that are no lists found.
type singles struct {
	mu    sync.Mutex
	Calls []countedCall `yaml:"calls"`
}

// countedCall counts the faults of calls of one kind, in all situations.
type countedCall struct {
	Call string `yaml:"call"`
	// Nothing was missing after so many faults, and so many made something
	// unknown that is said.
	Same    int `yaml:"same"`
	Unknown int `yaml:"unknown"`
	// Scorecards were compared; so many verdicts in them became unknown.
	Scorecards int `yaml:"scorecards"`
	ToUnknown  int `yaml:"toUnknown"`
}

func (s *singles) count(what string, add func(*countedCall)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.Calls, func(c countedCall) bool { return c.Call == what })
	if i < 0 {
		i = len(s.Calls)
		s.Calls = append(s.Calls, countedCall{Call: what})
	}
	add(&s.Calls[i])
}

// TestEveryCallOfAScanGoesWrongInATest holds that a scan, in each situation,
// asks for nothing but the lists of TestEveryFaultOfEveryListIsNamed and the
// calls of TestEveryFaultOfEveryOtherCallIsNamed, and for all of the latter.
// A custom resource without objects is listed as one with objects is.
func TestEveryCallOfAScanGoesWrongInATest(t *testing.T) {
	full := readRecording(t, recorded)
	lists, rec := full.targets(), full.small().extended(full)
	for _, at := range rec.situations() {
		_, asked, err := rec.scan(t, at, "", nil, patient)
		if err != nil {
			t.Fatalf("%s: %v", at.name, err)
		}
		for path := range asked {
			key := listed(path)
			l := rec.lists[key]
			if key != "" && (slices.Contains(lists, key) || l != nil && len(l.items) == 0) {
				continue
			}
			if !slices.ContainsFunc(at.calls, func(c single) bool { return c.path == path }) {
				t.Errorf("%s: no test lets %s go wrong", at.name, path)
			}
		}
		for _, c := range at.calls {
			if asked[c.path] == 0 {
				t.Errorf("%s: %s is not asked", at.name, c.path)
			}
		}
	}
}

// TestEveryFaultOfEveryOtherCallIsNamed lets each call that is no list go wrong
// in each way, one at a time, in each situation that makes a scan ask it. No
// fault ends the scan or holds it up; what is unknown for it is said, and
// nothing is seen that is not seen without it. The scorecards of a full cluster
// are compared with that of the scan in which the call went well.
func TestEveryFaultOfEveryOtherCallIsNamed(t *testing.T) {
	read, judge, got := readRecording(t, recorded), newJudge(t), &singles{}
	full, small := read.extended(read), read.small().extended(read)
	for _, at := range small.situations() { // in the order of the documentation
		for _, c := range at.calls {
			got.count(c.what, func(*countedCall) {})
		}
	}
	t.Run("calls", func(t *testing.T) {
		for _, at := range small.situations() {
			t.Run(at.name, func(t *testing.T) {
				t.Parallel()
				calls := at.calls
				if testing.Short() {
					calls = calls[len(calls)-1:]
				}
				for _, call := range calls {
					small.allFaults(t, at, call, got)
					full.noBetter(t, at, call, judge, got)
				}
			})
		}
	})
	if !testing.Short() && !t.Failed() {
		compareSummary(t, got)
	}
}

// allFaults holds what a scan says after each fault of a call.
func (rec *recording) allFaults(t *testing.T, at situation, call single, got *singles) {
	t.Helper()
	whole, _, err := rec.scan(t, at, "", nil, patient)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range singleRows() {
		patience := patient
		if r.hangs {
			patience = impatient
		}
		same := r.recovers || slices.Contains(call.harmless, r.name)
		for {
			s, asked, err := rec.scan(t, at, call.path, r.answer, patience)
			wrong := ""
			switch {
			case err != nil:
				wrong = fmt.Sprintf("it ended the scan: %v", err)
			case asked[call.path] == 0:
				wrong = "it is not asked"
			case same:
				wrong = want(saw(whole), saw(s))
			default:
				wrong = call.unknown(s, r) + seenOnlyIn(s, whole)
			}
			if wrong == "" {
				break
			}
			if patience *= 4; !r.hangs || patience > patient { // else another call may have been too slow for it
				t.Errorf("%s: %s: %s", call.path, r.name, wrong)
				break
			}
		}
		got.count(call.what, func(c *countedCall) {
			if same {
				c.Same++
			} else {
				c.Unknown++
			}
		})
	}
}

// saw is all that tells what a scan saw apart.
func saw(s *inventory.Snapshot) string {
	return fmt.Sprintf("%s version %q uid %q kinds %s", seenAs(s), s.Source.Version, s.Source.ClusterUID, kindsOf(s))
}

// seenOnlyIn lists the rows that whole does not have but for the one that says
// what went wrong.
func seenOnlyIn(s, whole *inventory.Snapshot) string {
	var b strings.Builder
	before := map[string]bool{}
	for line := range strings.Lines(seenAs(whole)) {
		before[line] = true
	}
	for line := range strings.Lines(seenAs(s)) {
		if !before[line] && !strings.Contains(line, "/* failed 0") && line != certificates+" absent 0\n" {
			fmt.Fprintf(&b, " only with the fault: %s", line)
		}
	}
	return b.String()
}

// noBetter compares scorecards: of the faults that leave the same to see, once.
func (rec *recording) noBetter(t *testing.T, at situation, call single, judge *judge, got *singles) {
	t.Helper()
	s, _, err := rec.scan(t, at, "", nil, patient)
	if err != nil {
		t.Fatal(err)
	}
	scored, whole := map[string]bool{saw(s): true}, judge.score(s)
	for _, r := range singleRows() {
		if r.hangs || r.recovers {
			continue // as it is after a 503, and without a fault
		}
		s, _, err := rec.scan(t, at, call.path, r.answer, patient)
		if err != nil {
			continue // said by allFaults
		}
		key := saw(s)
		if scored[key] {
			continue
		}
		scored[key] = true
		less := judge.score(s)
		for _, said := range Better(less, whole) {
			t.Errorf("%s: %s: %s", call.path, r.name, said)
		}
		if less.Coverage.Complete && !whole.Coverage.Complete {
			t.Errorf("%s: %s: the coverage is complete", call.path, r.name)
		}
		got.count(call.what, func(c *countedCall) {
			c.Scorecards++
			c.ToUnknown += movedToUnknown(less, whole)
		})
	}
}

// TestOnlyTheServerItselfTellsThatANamedNamespaceIsMissing: the error that
// there is none stands on an answer that names it; any other 404 may be a
// gateway's, and then whether it exists is unknown.
func TestOnlyTheServerItselfTellsThatANamedNamespaceIsMissing(t *testing.T) {
	full := readRecording(t, recorded)
	rec := full.small().extended(full)
	at := situation{refused: namespaces, namespaces: []string{"shop"}}
	named := always(func(w http.ResponseWriter) {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,"message":"namespaces \"shop\" not found","details":{"name":"shop","kind":"namespaces"}}`)
	})
	if _, _, err := rec.scan(t, at, "/api/v1/namespaces/shop", named, patient); !errors.Is(err, cluster.ErrNoNamespace) {
		t.Errorf("the server says that there is no such namespace, and the scan: %v", err)
	}
	for _, r := range singleRows() {
		if !r.hangs {
			if _, _, err := rec.scan(t, at, "/api/v1/namespaces/shop", r.answer, patient); err != nil {
				t.Errorf("%s: %v", r.name, err)
			}
		}
	}
}
