package endtoend

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/levels"
)

// faults are the ways in which a list call goes wrong. recovers: the scan gets
// everything all the same.
var faults = map[string]struct {
	answer   fault
	recovers bool
}{
	"403":               {answer: always(func(w http.ResponseWriter) { status(w, 403, "Forbidden", "forbidden by the test") })},
	"404":               {answer: always(func(w http.ResponseWriter) { status(w, 404, "NotFound", "not found by the test") })},
	"410 on every page": {answer: always(func(w http.ResponseWriter) { status(w, 410, "Expired", "expired by the test") })},
	"429 once": {recovers: true, answer: func(w http.ResponseWriter, _ *http.Request, n int) bool {
		if n > 1 {
			return false
		}
		w.Header().Set("Retry-After", "0")
		status(w, 429, "TooManyRequests", "slow down")
		return true
	}},
	"500 conversion webhook": {answer: always(func(w http.ResponseWriter) {
		status(w, 500, "InternalError", `conversion webhook for example.io/v1, Kind=X failed: Post "https://gone.none.svc:443/": service "gone" not found`)
	})},
	"503": {answer: always(func(w http.ResponseWriter) { status(w, 503, "ServiceUnavailable", "unavailable by the test") })},
	"hang": {answer: func(_ http.ResponseWriter, r *http.Request, _ int) bool {
		<-r.Context().Done()
		return true
	}},
	"reset mid-body": {answer: always(func(w http.ResponseWriter) {
		fmt.Fprint(w, `{"kind":"List","apiVersion":"v1","items":[{"metadata":`)
		if f, ok := w.(http.Flusher); ok {
			f.Flush()
		}
		panic(http.ErrAbortHandler)
	})},
	"wrong content type": {answer: always(func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>a proxy's page</html>")
	})},
	"truncated JSON": {answer: always(func(w http.ResponseWriter) { fmt.Fprint(w, `{"kind":"List","items":[{"met`) })},
	"invalid JSON":   {answer: always(func(w http.ResponseWriter) { fmt.Fprint(w, `{"kind": nonsense}`) })},
	"endless pages": {answer: func(w http.ResponseWriter, _ *http.Request, n int) bool {
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"continue": fmt.Sprint("page", n)}, "items": []any{}})
		return true
	}},
	"a page that repeats": {answer: always(func(w http.ResponseWriter) {
		_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "v1", "kind": "List", "metadata": map[string]any{"continue": "same"}, "items": []any{}})
	})},
}

func always(answer func(http.ResponseWriter)) fault {
	return func(w http.ResponseWriter, _ *http.Request, _ int) bool {
		answer(w)
		return true
	}
}

// TestNoFaultMakesAVerdictBetter lets each list call of a scan go wrong in
// each way, one at a time, and compares with the scan in which all went well.
func TestNoFaultMakesAVerdictBetter(t *testing.T) {
	server := newReplay(t, "shop-cluster.json.gz")
	config := server.start(t)
	server.failing("", nil)
	scan := func(patience time.Duration) (*levels.Scorecard, error) {
		s, err := cluster.Collect(t.Context(), cluster.Options{Config: config, QPS: -1, RequestTimeout: patience, Timeout: time.Minute})
		if s == nil {
			return nil, err
		}
		return score(t, s), err
	}
	whole, err := scan(30 * time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if !whole.Coverage.Complete || len(whole.Operators) < 6 {
		t.Fatalf("the fault-free scan is not whole: %d operators, %s", len(whole.Operators), unread(whole))
	}
	lists := targets(server)
	if testing.Short() { // under the race detector each scan takes seconds
		lists = []string{"/pods", "cert-manager.io/certificates"}
	}
	for _, target := range lists {
		for _, name := range slices.Sorted(maps.Keys(faults)) {
			// How a fault becomes a row of the coverage is the same for all
			// lists; what the row then means is not.
			if name != "403" && !slices.Contains(everyFault, target) {
				continue
			}
			t.Run(target+"/"+name, func(t *testing.T) {
				server.failing(target, faults[name].answer)
				patience := 30 * time.Second
				if name == "hang" {
					patience = 2 * time.Second
				}
				got, err := scan(patience)
				if err != nil || got == nil {
					t.Fatalf("one failed list ended the scan: %v", err)
				}
				if faults[name].recovers {
					if diff := cmp.Diff(whole.Operators, got.Operators); diff != "" {
						t.Errorf("not what it is without the fault:\n%s", diff)
					}
					return
				}
				namesFault(t, got, target)
				noBetter(t, got, whole)
				noneVanished(t, got, whole, target)
			})
		}
	}
}

// everyFault are the lists that go wrong in every way: one of each sort.
var everyFault = []string{"/pods", "/configmaps", "rbac.authorization.k8s.io/clusterroles", "apiextensions.k8s.io/customresourcedefinitions", "cert-manager.io/certificates"}

// targets are the lists that go wrong in turn: all built-in kinds, and the
// custom resources that there are.
func targets(s *replay) []string {
	var list []string
	for key, l := range s.lists {
		group, _, _ := strings.Cut(key, "/")
		if !slices.Contains(replayGroups, group) || len(l.items) > 0 {
			list = append(list, key)
		}
	}
	slices.Sort(list)
	return list
}

// namesFault holds when the coverage says that the list was not read.
func namesFault(t *testing.T, sc *levels.Scorecard, target string) {
	t.Helper()
	for _, r := range sc.Coverage.Resources {
		if r.Group+"/"+r.Resource != target {
			continue
		}
		if r.Access == inventory.Listed || r.Access == inventory.Absent || sc.Coverage.Complete || r.Detail == "" {
			t.Errorf("%s is %s (%s), coverage complete: %v", target, r.Access, r.Detail, sc.Coverage.Complete)
		}
		return
	}
	t.Errorf("the coverage does not name %s", target)
}

// noneVanished holds when nothing that was there is "not observed" only since
// it could not be looked at.
func noneVanished(t *testing.T, less, full *levels.Scorecard, target string) {
	t.Helper()
	for _, o := range less.Operators {
		i := slices.IndexFunc(full.Operators, func(f levels.Operator) bool { return f.Name == o.Name })
		if i < 0 {
			continue // noBetter says so
		}
		for j, c := range o.Checks {
			was := full.Operators[i].Checks[j]
			if was.Verdict == levels.Proven && (c.Verdict == levels.NotObserved || c.Verdict == levels.Refuted || c.Verdict == levels.NotApplicable) {
				t.Errorf("%s %s: proven, and %s without %s (%s)", o.Name, c.ID, c.Verdict, target, c.Because)
			}
		}
	}
}

func unread(sc *levels.Scorecard) string {
	var rows []string
	for _, r := range sc.Coverage.Resources {
		if r.Access != inventory.Listed {
			rows = append(rows, fmt.Sprintf("%s/%s %s: %s", r.Group, r.Resource, r.Access, r.Detail))
		}
	}
	return strings.Join(rows, "; ")
}
