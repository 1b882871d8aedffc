package cluster

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

const (
	proxyPath = "/api/v1/namespaces/ops/pods/widget-1:8080/proxy/metrics"
	httpsPath = "/api/v1/namespaces/ops/pods/https:widget-1:8080/proxy/metrics"
)

func widgetPods(ports ...inventory.MetricsPort) inventory.MetricsTarget {
	if len(ports) == 0 {
		ports = []inventory.MetricsPort{{Number: 8080}}
	}
	return inventory.MetricsTarget{Workload: "Deployment/ops/widget", Namespace: "ops", Name: "widget", Pods: []string{"widget-1"}, Ports: ports}
}

func scrape(t *testing.T, o Options, targets ...inventory.MetricsTarget) ([]inventory.Exposition, inventory.Access) {
	t.Helper()
	list, row, err := Scrape(context.Background(), o, targets)
	if err != nil {
		t.Fatalf("Scrape: %v", err)
	}
	slices.SortFunc(list, func(a, b inventory.Exposition) int { return strings.Compare(a.Pod+a.Endpoint, b.Pod+b.Endpoint) })
	return list, row
}

// text is the answer of an endpoint itself.
func text(code int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4")
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// unreachable is how the API server says that it did not reach a pod.
func unreachable(code int, cause string) http.HandlerFunc {
	return status(code, metav1.StatusReasonServiceUnavailable, "error trying to reach service: "+cause)
}

func aboutPod(code int, reason metav1.StatusReason, message string) http.HandlerFunc {
	s := failure(code, reason, message, "")
	s.Details = &metav1.StatusDetails{Name: "widget-1", Kind: "pods"}
	return reply(code, s)
}

const counted = "# TYPE controller_runtime_reconcile_total counter\ncontroller_runtime_reconcile_total{controller=\"w\",result=\"success\"} 7\n"

func TestScrapeOutcomes(t *testing.T) {
	const wrongScheme = "Client sent an HTTP request to an HTTPS server.\n"
	for name, c := range map[string]struct {
		http, https http.HandlerFunc
		outcome     inventory.ExpositionOutcome
		detail      string
		access      inventory.AccessState
	}{
		"200":                  {http: text(200, counted), outcome: inventory.Served, access: inventory.Listed},
		"HTTPS":                {http: text(400, wrongScheme), https: text(200, counted), outcome: inventory.Served, access: inventory.Listed},
		"HTTPS and 401":        {http: text(400, wrongScheme), https: text(401, "Unauthorized"), outcome: inventory.Protected, detail: "protected: it asks for credentials (401)", access: inventory.Failed},
		"401":                  {http: text(401, "Unauthorized\n"), outcome: inventory.Protected, detail: "(401)", access: inventory.Failed},
		"403":                  {http: text(403, "Authorization denied"), outcome: inventory.Protected, detail: "(403)", access: inventory.Failed},
		"403 in API words":     {http: status(403, metav1.StatusReasonForbidden, `forbidden: User "system:anonymous" cannot get path "/metrics"`), outcome: inventory.Protected, detail: "(403)", access: inventory.Failed},
		"not our right":        {http: aboutPod(403, metav1.StatusReasonForbidden, `pods "widget-1:8080" is forbidden: User "jane" cannot get resource "pods/proxy" in API group "" in the namespace "ops"`), outcome: inventory.Unread, detail: "needs the right to get pods/proxy", access: inventory.Forbidden},
		"client certificate":   {http: text(400, wrongScheme), https: unreachable(502, "remote error: tls: certificate required"), outcome: inventory.Protected, detail: "client certificate (TLS)", access: inventory.Failed},
		"connection refused":   {http: unreachable(502, "dial tcp 10.1.2.3:8080: connect: connection refused"), outcome: inventory.Refused, detail: "nothing listens", access: inventory.Failed},
		"a tunnel is refused":  {http: status(502, "", "proxy error from 127.0.0.1:8131 while dialing 10.1.2.3:8080, code 502: connection refused"), outcome: inventory.Unread, detail: "502", access: inventory.Failed},
		"502":                  {http: unreachable(502, "dial tcp 10.1.2.3:8080: i/o timeout"), outcome: inventory.Unread, detail: "i/o timeout", access: inventory.Failed},
		"neither scheme":       {http: unreachable(502, "EOF"), https: unreachable(502, "http: server gave HTTP response to HTTPS client"), outcome: inventory.Unread, detail: "neither", access: inventory.Failed},
		"the pod is gone":      {http: aboutPod(404, metav1.StatusReasonNotFound, `pods "widget-1" not found`), outcome: inventory.Unread, detail: "gone", access: inventory.Failed},
		"no such path":         {http: text(404, "404 page not found"), outcome: inventory.Unread, detail: "/q/metrics", access: inventory.Failed},
		"a web page":           {http: text(200, "<!doctype html>"), outcome: inventory.Unread, detail: "line 1", access: inventory.Failed},
		"an empty answer":      {http: text(200, ""), outcome: inventory.Unread, detail: "no metric", access: inventory.Failed},
		"a redirect elsewhere": {http: redirect("/api/v1/namespaces/ops/secrets"), outcome: inventory.Unread, detail: "redirects", access: inventory.Failed},
		"too large":            {http: huge, outcome: inventory.Unread, detail: "larger than 32 MiB", access: inventory.Failed},
		"broken off":           {http: brokenOff, outcome: inventory.Unread, detail: "EOF", access: inventory.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t)
			f.on(proxyPath, c.http)
			for _, path := range metricsPaths[1:] {
				f.on(strings.TrimSuffix(proxyPath, "/metrics")+path, text(404, "404 page not found"))
			}
			if c.https != nil {
				f.on(httpsPath, c.https)
			}
			list, row := scrape(t, f.options(), widgetPods())
			if len(list) != 1 || list[0].Outcome != c.outcome || !strings.Contains(list[0].Detail, c.detail) {
				t.Fatalf("%+v, want one that is %s with %q", list, c.outcome, c.detail)
			}
			if e := list[0]; e.Workload != "Deployment/ops/widget" || e.Pod != "widget-1" || e.Endpoint != "port 8080" || e.Via != inventory.ViaPodProxy {
				t.Errorf("%+v", e)
			}
			if row.Access != c.access || row.Resource != inventory.PodProxyResource {
				t.Errorf("row %+v, want %s", row, c.access)
			}
			if c.outcome == inventory.Served && (len(list[0].Families) != 1 || list[0].Families[0].Sum != 7) {
				t.Errorf("families %+v", list[0].Families)
			}
			if len(f.sent("/api/v1/namespaces/ops/secrets")) > 0 {
				t.Error("it followed a pod's redirect into the API")
			}
			for _, r := range f.sent("") {
				if r.Method != http.MethodGet {
					t.Errorf("sent %s", r.Method)
				}
			}
		})
	}
}

func redirect(to string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, to, http.StatusFound) }
}

// huge says how much it would send.
func huge(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "40000000")
	_, _ = io.WriteString(w, counted)
}

func brokenOff(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Length", "1000")
	_, _ = io.WriteString(w, counted)
}

func TestScrapeTimesOut(t *testing.T) {
	f := newFake(t)
	hang := make(chan struct{})
	t.Cleanup(func() { close(hang) })
	f.on(proxyPath, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, counted)
		w.(http.Flusher).Flush()
		<-hang
	})
	o := f.options()
	o.RequestTimeout = 200 * time.Millisecond
	list, _ := scrape(t, o, widgetPods())
	if list[0].Outcome != inventory.Unread || list[0].Detail != "no whole answer within 200ms" {
		t.Errorf("%+v", list[0])
	}
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	o.RequestTimeout = 0
	list, row, err := Scrape(ctx, o, []inventory.MetricsTarget{widgetPods()})
	if !errors.Is(err, ErrIncomplete) || len(list) != 1 || !strings.HasPrefix(list[0].Detail, "not finished: ") || row.Access != inventory.Failed {
		t.Errorf("%v, %+v, %+v", err, list, row)
	}
}

// TestScrapeAsksEachReplica: all are asked, on every port, at the path that is
// known; what was left out is said.
func TestScrapeAsksEachReplica(t *testing.T) {
	f := newFake(t)
	f.on("/api/v1/namespaces/ops/pods/widget-1:8080/proxy/custom/metrics", text(200, counted))
	f.on("/api/v1/namespaces/ops/pods/https:widget-1:8443/proxy/custom/metrics", text(401, "no"))
	f.on("/api/v1/namespaces/ops/pods/widget-2:8080/proxy/custom/metrics", unreachable(502, "dial tcp 10.0.0.1:8080: connect: connection refused"))
	f.on("/api/v1/namespaces/ops/pods/https:widget-2:8443/proxy/custom/metrics", text(401, "no"))
	target := widgetPods(inventory.MetricsPort{Number: 8080}, inventory.MetricsPort{Number: 8443, HTTPS: true})
	target.Pods, target.Path, target.More = []string{"widget-1", "widget-2"}, "/custom/metrics", 3
	unknown := inventory.MetricsTarget{Workload: "Deployment/ops/other", Namespace: "ops", Pods: []string{"other-1"}}
	list, row := scrape(t, f.options(), target, unknown)
	var got []string
	for _, e := range list {
		got = append(got, e.Pod+" "+e.Endpoint+" "+string(e.Outcome))
	}
	want := []string{"  failed", "widget-1 port 8080 served", "widget-1 port 8443 protected", "widget-2 port 8080 refused", "widget-2 port 8443 protected"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if row.Access != inventory.Partial || row.Count != 1 || !strings.HasPrefix(row.Detail, "4 of 5 pods not read: ") || !strings.Contains(row.Detail, "ops/widget-2: protected") {
		t.Errorf("row %+v", row)
	}
	if sent := f.sent("/api/v1/namespaces/ops/pods/widget-1:8080/proxy/custom/metrics"); len(sent) != 1 || !strings.HasPrefix(sent[0].Header.Get("Accept"), "text/plain;version=0.0.4") {
		t.Errorf("%d requests", len(sent))
	}
}

func TestScrapeUnderAServersPath(t *testing.T) {
	f := newFake(t)
	f.on(proxyPath, text(200, counted))
	server := httptest.NewServer(http.StripPrefix("/clusters/a", f))
	defer server.Close()
	o := f.options()
	o.Config.Host = server.URL + "/clusters/a"
	if list, _ := scrape(t, o, widgetPods()); list[0].Outcome != inventory.Served {
		t.Errorf("%+v", list[0])
	}
}
