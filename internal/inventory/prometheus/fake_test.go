package prometheus_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/prometheus"
)

// fake is a Prometheus of canned answers to queries that begin with a text.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	methods map[string]int
	queries []string
}

func newFake(t *testing.T, answers map[string][]sample) *fake {
	t.Helper()
	f := &fake{methods: map[string]int{}}
	f.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.FormValue("query")
		f.mu.Lock()
		f.methods[r.Method]++
		f.queries = append(f.queries, query)
		f.mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasSuffix(r.URL.Path, "/labels"):
			_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": []string{"__name__", "job", "instance", "name"}})
		case !strings.HasSuffix(r.URL.Path, "/query"):
			http.NotFound(w, r) // as servers that are no Prometheus do for metadata
		default:
			result := []map[string]any{}
			for prefix, samples := range answers {
				if strings.HasPrefix(query, prefix) {
					for _, s := range samples {
						result = append(result, map[string]any{"metric": s.labels, "value": []any{1796057191.5, s.value}})
					}
				}
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"status": "success", "data": map[string]any{"resultType": "vector", "result": result}})
		}
	}))
	t.Cleanup(f.Close)
	return f
}

type sample struct {
	labels map[string]string
	value  string
}

func named(name, value string) sample { return sample{map[string]string{"__name__": name}, value} }

// TestWithoutMetadata: a server that does not know types gives families by
// their names; series that Prometheus makes are left out; nothing but GET is sent.
func TestWithoutMetadata(t *testing.T) {
	f := newFake(t, map[string][]sample{
		"vector(1)": {{map[string]string{}, "1"}},
		"up{namespace=": {{map[string]string{"__name__": "up", "job": "w", "instance": "10.0.0.1:8080", "namespace": "ops", "pod": "widget-1"}, "1"},
			{map[string]string{"__name__": "up", "job": "w", "instance": "10.0.0.2:8080", "namespace": "ops", "pod": "widget-2"}, "0"}},
		"count by (__name__) ({job=\"w\",instance=~\"10\\\\.0\\\\.0\\\\.1:8080\"})": {named("a_total", "2"), named("h_bucket", "20"), named("h_sum", "2"), named("h_count", "2"),
			named("x_sync_call_count", "3"), named("s_sum", "1"), named("s_count", "1"), named("s", "3"), named("plain", "1"), named("up", "1"), named("scrape_duration_seconds", "1"), named("job:rule:sum", "1"), named("ALERTS", "1")},
		"sum by (__name__) ":     {named("a_total", "7.5"), named("h_count", "9"), named("plain", "NaN")},
		"max by (__name__) ":     {named("a_total", "5"), named("h_count", "8"), named("plain", "+Inf")},
		"sum by (__name__,code)": {{map[string]string{"__name__": "a_total", "code": "429"}, "4"}},
		`count by (__name__) ({job="w",instance=~"10\\.0\\.0\\.1:8080",name!=""})`: {named("a_total", "2")},
	})
	list, row := ask(t, f.URL, workload("widget", "widget-1", "widget-2"))
	if row.Access != inventory.Partial || len(list) != 2 || list[1].Pod != "widget-2" || list[1].Outcome != inventory.Unread {
		t.Fatalf("row %+v, %+v", row, list)
	}
	want := []inventory.MetricFamily{
		{Name: "a_total", Type: "counter", Series: 2, Sum: 7.5, Max: 5, Labels: []string{"name"}, Outcomes: map[string]float64{"429": 4}},
		{Name: "h", Type: "histogram", Series: 2, Sum: 9, Max: 8},
		{Name: "plain", Type: "untyped", Series: 1},
		{Name: "s", Type: "summary", Series: 1},
		{Name: "x_sync_call_count", Type: "untyped", Series: 3},
	}
	if diff := cmp.Diff(want, list[0].Families, relative); diff != "" {
		t.Error(diff)
	}
	if len(f.methods) != 1 || f.methods["GET"] == 0 {
		t.Errorf("methods %v, want GET alone", f.methods)
	}
}

func TestCheck(t *testing.T) {
	for _, good := range []string{"http://127.0.0.1:9090", "https://user:pw@prometheus.example/path/"} {
		if err := (prometheus.Options{URL: good}).Check(); err != nil {
			t.Errorf("%s: %v", good, err)
		}
	}
	for _, bad := range []string{"", "prometheus:9090", "localhost", "ftp://x", "http://", "http://user:s3cret@[::1"} {
		if err := (prometheus.Options{URL: bad}).Check(); err == nil || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

// TestBadServers: what can't be asked is a failed row with a reason and no error.
func TestBadServers(t *testing.T) {
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		detail string
	}{
		"credentials": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Unauthorized", http.StatusUnauthorized) }, "401"},
		"forbidden":   {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusForbidden) }, "403"},
		"a web page":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<!doctype html>")) }, "bad_response"},
		"broken":      {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oops", http.StatusInternalServerError) }, "server_error"},
		"a hang":      {func(http.ResponseWriter, *http.Request) { <-hang }, "no whole answer in time"},
		"a flood": {func(w http.ResponseWriter, _ *http.Request) {
			for chunk := []byte(strings.Repeat(" ", 1<<20)); ; {
				if _, err := w.Write(chunk); err != nil {
					return
				}
			}
		}, "larger than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := httptest.NewServer(c.answer)
			t.Cleanup(func() {
				s.CloseClientConnections()
				s.Listener.Close()
			})
			timeout := 10 * time.Second
			if name == "a hang" {
				timeout = 200 * time.Millisecond
			}
			list, row, err := prometheus.Ask(context.Background(), prometheus.Options{URL: s.URL, Timeout: timeout}, []inventory.MetricsTarget{workload("w", "w-1")})
			if err != nil || len(list) != 0 || row.Access != inventory.Failed || row.Resource != inventory.PrometheusResource || !strings.Contains(row.Detail, c.detail) {
				t.Errorf("%v, %+v, row %+v, want %q", err, list, row, c.detail)
			}
		})
	}
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	_, row, err := prometheus.Ask(context.Background(), prometheus.Options{URL: strings.Replace(gone.URL, "://", "://user:s3cret@", 1)}, nil)
	if err != nil || row.Access != inventory.Failed || !strings.Contains(row.Detail, "refused") || strings.Contains(row.Detail, "s3cret") {
		t.Errorf("%v, row %+v", err, row)
	}
}
