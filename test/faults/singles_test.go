package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
)

// situation is what decides which calls that are no lists a scan makes: what
// its user may list, and what it was asked for.
type situation struct {
	name string
	// refused may not be listed, gone is not served; group/resource.
	refused, gone string
	// oneAnswer: discovery tells of all groups at once.
	oneAnswer  bool
	namespaces []string // -n
	calls      []single
}

// single is a call that is no list.
type single struct {
	what string // in the documentation
	path string
	// harmless are faults after which nothing is missing.
	harmless []string
	// unknown tells what should be said to be unknown, and is not.
	unknown func(s *inventory.Snapshot, r row) string
}

const (
	namespaces   = "/namespaces"
	certificates = "cert-manager.io/certificates"
	extension    = "things.example.com"
)

// situations are all that make a scan ask for something other than lists.
func (rec *recording) situations() []situation {
	version := single{what: "the server's version", path: "/version", unknown: func(s *inventory.Snapshot, _ row) string { return want("", s.Source.Version) }}
	kinds := single{what: "kinds of an aggregated API", path: "/apis/" + extension + "/v1", unknown: func(s *inventory.Snapshot, _ row) string { return want("", kindsOf(s)) }}
	uid := single{what: "namespace kube-system, for the cluster's uid", path: "/api/v1/namespaces/kube-system",
		unknown: func(s *inventory.Snapshot, _ row) string { return want("", s.Source.ClusterUID) }}
	named := single{what: "a namespace named with -n", path: "/api/v1/namespaces/shop", unknown: func(s *inventory.Snapshot, _ row) string {
		return says(s, "", "namespaces", inventory.Forbidden, "whether namespace shop exists could not be checked: ")
	}}
	again := single{what: "a CRD whose objects are not served", path: "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/certificates.cert-manager.io",
		unknown: func(s *inventory.Snapshot, r row) string {
			return says(s, "cert-manager.io", "certificates", inventory.Failed, "its CRD could not be read again: ")
		}}
	return []situation{
		{name: "all may be listed", calls: []single{version, kinds}},
		{name: "CRDs may not be listed", refused: definitions, calls: append([]single{version, groups("/api", "404", empty.name), groups("/apis")}, rec.versions()...)},
		{name: "CRDs may not be listed, discovery in one answer", refused: definitions, oneAnswer: true,
			calls: []single{version, groups("/api", "404", empty.name), groups("/apis"), kinds}},
		{name: "namespaces may not be listed", refused: namespaces, calls: []single{version, kinds, uid}},
		{name: "a namespace is named that may not be listed", refused: namespaces, namespaces: []string{"shop"}, calls: []single{version, kinds, uid, named}},
		{name: "objects of a CRD are not served", gone: certificates, calls: []single{version, kinds, again}},
	}
}

func groups(path string, harmless ...string) single {
	return single{what: "discovery: `" + path + "`", path: path, harmless: harmless, unknown: func(s *inventory.Snapshot, _ row) string {
		return says(s, "apiextensions.k8s.io", "customresourcedefinitions", inventory.Forbidden, "; discovery, tried in its place: ")
	}}
}

// versions are the calls for the resources of each version of each group.
func (rec *recording) versions() []single {
	core := single{what: "discovery: `/api/v1`", path: "/api/v1", harmless: []string{"404", empty.name},
		unknown: func(s *inventory.Snapshot, _ row) string { return says(s, "", "*", inventory.Failed, "discovery: ") }}
	calls := []single{core}
	seen := map[string]bool{"v1": true}
	for key, l := range rec.lists {
		if seen[l.apiVersion] {
			continue
		}
		seen[l.apiVersion] = true
		group, _, _ := strings.Cut(key, "/")
		call := single{what: "discovery: `/apis/GROUP/VERSION`", path: "/apis/" + l.apiVersion, unknown: func(s *inventory.Snapshot, _ row) string {
			if group == extension {
				return want("", kindsOf(s))
			}
			return says(s, group, "*", inventory.Failed, "discovery: ")
		}}
		if group != extension && !slices.Contains(replayGroups, group) {
			call.harmless = []string{empty.name} // it holds no custom resources
		}
		calls = append(calls, call)
	}
	slices.SortFunc(calls, func(a, b single) int { return strings.Compare(a.path, b.path) })
	return calls
}

func want(want, got string) string {
	if got == want {
		return ""
	}
	return fmt.Sprintf("%q, want %q", got, want)
}

// says looks for a row of the coverage. A detail that ends in a colon is
// followed by a reason.
func says(s *inventory.Snapshot, group, resource string, state inventory.AccessState, detail string) string {
	for _, a := range s.Access {
		_, why, found := strings.Cut(a.Detail, detail)
		if a.Group == group && a.Resource == resource && a.Access == state && found && (why != "" || !strings.HasSuffix(detail, ": ")) {
			return ""
		}
	}
	return fmt.Sprintf("no row of %s/%s is %s: %s", group, resource, state, detail)
}

// kindsOf are the kinds that the extension server is known to serve.
func kindsOf(s *inventory.Snapshot) string {
	for i := range s.APIServices {
		if spec := s.APIServices[i].Spec.Map(); spec["group"] == extension && spec["kinds"] != nil {
			return fmt.Sprint(spec["kinds"])
		}
	}
	return ""
}

// extended is a recording with all namespaces of another, and an extension API
// server that answers.
func (rec *recording) extended(full *recording) *recording {
	more := &recording{lists: map[string]*replayed{extension + "/things": {apiVersion: extension + "/v1", kind: "Thing", scope: "Cluster"}}, taken: rec.taken}
	for key, l := range rec.lists {
		list := *l
		if key == "apiregistration.k8s.io/apiservices" {
			raw := `{"apiVersion":"apiregistration.k8s.io/v1","kind":"APIService","metadata":{"name":"v1.` + extension + `"},"spec":{"group":"` + extension +
				`","version":"v1","service":{"namespace":"monitoring","name":"prometheus-adapter"}},"status":{"conditions":[{"type":"Available","status":"True"}]}}`
			list.items = append(slices.Clone(l.items), itemOf(json.RawMessage(raw)))
		}
		more.lists[key] = &list
	}
	more.lists[namespaces] = full.lists[namespaces]
	return more
}

// asking is a server that lets one call go wrong, and remembers all.
type asking struct {
	replay *replay
	situation
	path  string
	fault fault

	mu    sync.Mutex
	asked map[string]int
}

func (a *asking) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", a.replay.taken.Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json")
	a.mu.Lock()
	a.asked[r.URL.Path]++
	n := a.asked[r.URL.Path]
	a.mu.Unlock()
	if r.URL.Path == a.path && a.fault(a.replay, w, r, n) {
		return
	}
	switch key := listed(r.URL.Path); {
	case key != "" && key == a.refused:
		status(w, http.StatusForbidden, "Forbidden", "forbidden by the test")
	case key != "" && key == a.gone:
		status(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	case a.oneAnswer && (r.URL.Path == "/api" || r.URL.Path == "/apis"):
		a.replay.discoveryInOne(w, r.URL.Path)
	default:
		a.replay.ServeHTTP(w, r)
	}
}

// listed is the group/resource that a path lists; "" if it is no list.
func listed(path string) string {
	group, resource, _, name := split(path)
	if resource == "" || name != "" {
		return ""
	}
	return group + "/" + resource
}

// scan collects from such a server, and tells what it was asked.
func (rec *recording) scan(t *testing.T, at situation, path string, f fault, patience time.Duration) (*inventory.Snapshot, map[string]int, error) {
	t.Helper()
	a := &asking{replay: &replay{recording: rec, asked: map[string]int{}}, situation: at, path: path, fault: f, asked: map[string]int{}}
	server := httptest.NewServer(a)
	defer server.Close()
	defer server.CloseClientConnections()
	began := time.Now()
	s, err := cluster.Collect(t.Context(), cluster.Options{Config: &rest.Config{Host: server.URL}, Namespaces: at.namespaces, QPS: -1, RequestTimeout: patience, Timeout: 2 * time.Minute})
	if took := time.Since(began); took > 10*patience+20*time.Second {
		t.Errorf("%s: the scan took %s, where a request may take %s", path, took, patience)
	}
	if s != nil {
		s.Source.Server = "" // the port differs
	}
	return s, a.asked, err
}

// discoveryInOne tells of groups, versions and resources in one answer.
func (s *replay) discoveryInOne(w http.ResponseWriter, path string) {
	versions := map[string][]any{}
	for key, l := range s.lists {
		group, resource, _ := strings.Cut(key, "/")
		if (group == "") == (path == "/api") {
			kind := map[string]any{"kind": l.kind}
			versions[l.apiVersion] = append(versions[l.apiVersion], map[string]any{"resource": resource, "responseKind": kind, "scope": l.scope, "verbs": []string{"get", "list"},
				"subresources": []any{map[string]any{"subresource": "status", "responseKind": kind, "verbs": []string{"get"}}}})
		}
	}
	items := []any{}
	for gv, resources := range versions {
		group, version, grouped := strings.Cut(gv, "/")
		if !grouped {
			group, version = "", gv
		}
		items = append(items, map[string]any{"metadata": map[string]any{"name": group}, "versions": []any{map[string]any{"version": version, "freshness": "Current", "resources": resources}}})
	}
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "apidiscovery.k8s.io/v2", "kind": "APIGroupDiscoveryList", "items": items})
}
