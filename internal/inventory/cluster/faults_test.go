package cluster

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// target is a resource that a fault happens to: each way of reading has one.
type target struct {
	group, resource, path string
	list                  func(names ...string) listBody
}

var targets = []target{
	{"example.io", "widgets", widgetPath, func(n ...string) listBody { return names("example.io/v1", "WidgetList", n...) }},
	{"apps", "deployments", "/apis/apps/v1/deployments", func(n ...string) listBody { return names("apps/v1", "DeploymentList", n...) }},
	{"", "configmaps", "/api/v1/configmaps", func(n ...string) listBody { return names("meta.k8s.io/v1", "PartialObjectMetadataList", n...) }},
	{"apiregistration.k8s.io", "apiservices", "/apis/apiregistration.k8s.io/v1/apiservices",
		func(n ...string) listBody { return names("apiregistration.k8s.io/v1", "APIServiceList", n...) }},
}

// faults are what may happen to a list call. An answer is told how often the path
// was asked before.
var faults = []struct {
	name   string
	answer func(to target) func(w http.ResponseWriter, r *http.Request, before int)
	want   inventory.AccessState
	count  int
	detail string
}{
	{"403", always(status(403, metav1.StatusReasonForbidden, "things is forbidden: User \"u\" cannot list")), inventory.Forbidden, 0, `User "u" cannot list`},
	{"403 without a status", always(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "denied by gateway", http.StatusForbidden) }), inventory.Forbidden, 0, "denied by gateway"},
	{"401", always(status(401, metav1.StatusReasonUnauthorized, "Unauthorized")), inventory.Forbidden, 0, "Unauthorized"},
	{"410 with a new token", pagesThen(1, func(w http.ResponseWriter) {
		send(w, 410, failure(410, metav1.StatusReasonExpired, "The provided continue parameter is too old", "page2-new"))
	}), inventory.Listed, 3, ""},
	{"410 without a new token, then not again", pagesThen(1, func(w http.ResponseWriter) {
		send(w, 410, failure(410, metav1.StatusReasonExpired, "too old", ""))
	}), inventory.Listed, 3, ""},
	{"410 for ever", pagesThen(99, func(w http.ResponseWriter) {
		send(w, 410, failure(410, metav1.StatusReasonExpired, "too old", ""))
	}), inventory.Partial, 2, "stopped after 2 objects: 410: too old"},
	{"410 for ever with new tokens", pagesThen(99, func(w http.ResponseWriter) {
		send(w, 410, failure(410, metav1.StatusReasonExpired, "too old", "page2-new"))
	}), inventory.Partial, 2, "too old"},
	{"410 at once", always(status(410, metav1.StatusReasonExpired, "too old")), inventory.Failed, 0, "410: too old"},
	{"429, then an answer", func(to target) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, _ *http.Request, before int) {
			if before == 0 {
				tooMany(w)
				return
			}
			send(w, 200, to.list("a"))
		}
	}, inventory.Listed, 1, ""},
	{"429 for ever", always(func(w http.ResponseWriter, _ *http.Request) { tooMany(w) }), inventory.Failed, 0, "429: "},
	{"conversion webhook failed", always(status(500, metav1.StatusReasonInternalError,
		`conversion webhook for example.io/v1, Kind=Widget failed: Post "https://none.gone.svc:443/": service "none" not found`)),
		inventory.Failed, 0, "conversion webhook for example.io/v1, Kind=Widget failed"},
	{"503", always(status(503, metav1.StatusReasonServiceUnavailable, "the server is starting")), inventory.Failed, 0, "503: the server is starting"},
	{"503 on the second page", pagesThen(99, func(w http.ResponseWriter) {
		send(w, 503, failure(503, metav1.StatusReasonServiceUnavailable, "the server is going away", ""))
	}), inventory.Partial, 2, "stopped after 2 objects: 503: the server is going away"},
	{"hang", always(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), inventory.Failed, 0, "no whole answer within 400ms"},
	{"hang within the body", func(to target) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, r *http.Request, _ int) {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprintf(w, `{"kind":"WidgetList","items":[{"metadata":{"name":"a"}},`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		}
	}, inventory.Failed, 0, "no whole answer within 400ms"},
	{"reset within the body", always(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "5000")
		fmt.Fprintf(w, `{"kind":"WidgetList","items":[{"metadata":{"name":"a"}},`)
	}), inventory.Failed, 0, "unexpected EOF"},
	{"reset within the second page", pagesThen(99, func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", "5000")
		fmt.Fprintf(w, `{"kind":"WidgetList","items":[{"metadata":{"name":"a"}},`)
	}), inventory.Partial, 2, "unexpected EOF"},
	{"a login page", always(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>Log in</html>")
	}), inventory.Failed, 0, `content type "text/html"`},
	{"truncated JSON", always(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"apiVersion":"apps/v1","kind":"DeploymentList","items":[{"metadata":{"name":"a"}},{"meta`)
	}), inventory.Failed, 0, ""},
	{"another kind of object", always(reply(200, map[string]any{"apiVersion": "v1", "kind": "Pod"})), inventory.Failed, 0, ""},
	{"an empty object", always(reply(200, map[string]any{})), inventory.Failed, 0, ""},
	{"a page that repeats", func(to target) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, _ *http.Request, _ int) { send(w, 200, to.list("a").page("again", 7)) }
	}, inventory.Partial, 1, "pages repeat"},
}

func always(answer http.HandlerFunc) func(target) func(http.ResponseWriter, *http.Request, int) {
	return func(target) func(http.ResponseWriter, *http.Request, int) {
		return func(w http.ResponseWriter, r *http.Request, _ int) { answer(w, r) }
	}
}

// pagesThen gives a page of two, and instead of the next page the fault, so
// many times; then the list ends with a third object.
func pagesThen(times int, fault func(http.ResponseWriter)) func(target) func(http.ResponseWriter, *http.Request, int) {
	return func(to target) func(http.ResponseWriter, *http.Request, int) {
		left := times
		return func(w http.ResponseWriter, r *http.Request, _ int) {
			switch {
			case r.URL.Query().Get("continue") == "":
				send(w, 200, to.list("a", "b").page("page2", 1))
			case left > 0:
				left--
				fault(w)
			default:
				send(w, 200, to.list("c"))
			}
		}
	}
}

func tooMany(w http.ResponseWriter) {
	w.Header().Set("Retry-After", "0")
	send(w, 429, failure(429, metav1.StatusReasonTooManyRequests, "too many requests", ""))
}

func TestFaults(t *testing.T) {
	for _, to := range targets {
		for _, fault := range faults {
			t.Run(to.resource+"/"+fault.name, func(t *testing.T) {
				t.Parallel()
				f := newFake(t)
				f.crds(widgets())
				answer := fault.answer(to)
				before := 0
				f.on(to.path, func(w http.ResponseWriter, r *http.Request) {
					answer(w, r, before)
					before++
				})
				o := f.options()
				if strings.HasPrefix(fault.name, "hang") {
					o.RequestTimeout = 400 * time.Millisecond
				}
				s := collect(t, o)

				wantRow(t, row(t, s, to.group, to.resource), fault.want, fault.count, fault.detail)
				// One failed list never ends the scan.
				wantRow(t, row(t, s, "", "pods"), inventory.Listed, 0, "")
				if len(s.CRDs) != 1 {
					t.Errorf("%d CRDs, want 1", len(s.CRDs))
				}
				checkRequests(t, f)
			})
		}
	}
}

// checkRequests holds what must be true of every request of every test.
// oneNamespace is the path of a namespace, not of a list in it.
var oneNamespace = regexp.MustCompile(`^/api/v1/namespaces/[^/]+$`)

func checkRequests(t *testing.T, f *fake) {
	t.Helper()
	for _, r := range f.sent("") {
		if r.Method != http.MethodGet {
			t.Errorf("sent %s %s", r.Method, r.URL)
		}
		isList := r.URL.Path != "/version" && !strings.HasPrefix(r.URL.Path, crdPath+"/") && !oneNamespace.MatchString(r.URL.Path)
		if isList && r.URL.Query().Get("limit") == "" {
			t.Errorf("%s has no limit", r.URL)
		}
	}
}

// TestObjectsAfterRestart looks at the objects behind the counts.
func TestObjectsAfterRestart(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	answer := pagesThen(1, func(w http.ResponseWriter) {
		send(w, 410, failure(410, metav1.StatusReasonExpired, "too old", ""))
	})(targets[0])
	f.on(widgetPath, func(w http.ResponseWriter, r *http.Request) { answer(w, r, 0) })
	s := collect(t, f.options())
	var got []string
	for _, o := range s.CustomResources {
		got = append(got, o.Name)
	}
	if strings.Join(got, " ") != "a b c" {
		t.Errorf("custom resources %v, want a b c once each", got)
	}
}

func TestMissingCollection(t *testing.T) {
	f := newFake(t)
	f.crds(widgets(), newCRD("Gone", "gones", version("v1", true, true)), newCRD("Hidden", "hiddens", version("v1", true, true)), newCRD("None", "nones", version("v1", false, true)))
	missing := func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "404 page not found", 404) }
	f.on(widgetPath, missing)
	f.on("/apis/example.io/v1/gones", missing)
	gone := failure(404, metav1.StatusReasonNotFound, "not found", "")
	gone.Details = &metav1.StatusDetails{Group: "apiextensions.k8s.io", Kind: "customresourcedefinitions", Name: "gones.example.io"}
	f.on(crdPath+"/gones.example.io", reply(404, gone))
	f.on("/apis/example.io/v1/hiddens", missing)
	f.on(crdPath+"/hiddens.example.io", missing) // a gateway says so: nobody who knows the CRD
	f.on("/apis/autoscaling/v2/horizontalpodautoscalers", missing)
	s := collect(t, f.options())

	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Failed, 0, "though its CRD exists")
	wantRow(t, row(t, s, "example.io", "gones"), inventory.Absent, 0, "deleted while scanning")
	wantRow(t, row(t, s, "example.io", "hiddens"), inventory.Failed, 0, "could not be read again")
	wantRow(t, row(t, s, "example.io", "nones"), inventory.Failed, 0, "no version of the CRD is served")
	wantRow(t, row(t, s, "autoscaling", "horizontalpodautoscalers"), inventory.Failed, 0, "404")
	if len(s.CRDs) != 3 || s.CRDs[0].Name != "hiddens.example.io" || s.CRDs[1].Name != "nones.example.io" || s.CRDs[2].Name != "widgets.example.io" {
		t.Errorf("CRDs %v, want hiddens, nones and widgets", s.CRDs)
	}
}
