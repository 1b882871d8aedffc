package cluster

import (
	"net/http"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// noCRDs is a server that forbids CRDs and knows discovery of some groups.
func noCRDs(t *testing.T, groups ...metav1.APIGroup) *fake {
	t.Helper()
	f := newFake(t)
	f.on(crdPath, status(403, metav1.StatusReasonForbidden, "cannot list CRDs"))
	f.on("/api", reply(200, metav1.APIVersions{TypeMeta: metav1.TypeMeta{Kind: "APIVersions"}, Versions: []string{"v1"}}))
	f.on("/api/v1", reply(200, resources("v1")))
	f.on("/apis", reply(200, metav1.APIGroupList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIGroupList"}, Groups: groups}))
	return f
}

func group(name string, versions ...string) metav1.APIGroup {
	g := metav1.APIGroup{Name: name}
	for _, v := range versions {
		g.Versions = append(g.Versions, metav1.GroupVersionForDiscovery{GroupVersion: name + "/" + v, Version: v})
	}
	g.PreferredVersion = g.Versions[0]
	return g
}

func resources(groupVersion string, list ...metav1.APIResource) metav1.APIResourceList {
	return metav1.APIResourceList{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "APIResourceList"}, GroupVersion: groupVersion, APIResources: list}
}

func TestB3DiscoveryInPlaceOfCRDs(t *testing.T) {
	verbs := metav1.Verbs{"get", "list"}
	f := noCRDs(t, group("apps", "v1"), group("metrics.k8s.io", "v1beta1"), group("example.io", "v1", "v1beta1"), group("own.company.io", "v1"))
	widget := metav1.APIResource{Name: "widgets", Kind: "Widget", Namespaced: true, Verbs: verbs, Categories: []string{"all"}}
	f.on("/apis/apps/v1", reply(200, resources("apps/v1", metav1.APIResource{Name: "deployments", Kind: "Deployment", Verbs: verbs})))
	f.on("/apis/metrics.k8s.io/v1beta1", status(503, metav1.StatusReasonServiceUnavailable, "the server is currently unable to handle the request"))
	f.on("/apis/example.io/v1", reply(200, resources("example.io/v1", widget,
		metav1.APIResource{Name: "widgets/status", Kind: "Widget", Verbs: metav1.Verbs{"get"}},
		metav1.APIResource{Name: "widgetreviews", Kind: "WidgetReview", Verbs: metav1.Verbs{"create"}})))
	f.on("/apis/example.io/v1beta1", reply(200, resources("example.io/v1beta1", widget)))
	f.on("/apis/own.company.io/v1", reply(200, resources("own.company.io/v1", metav1.APIResource{Name: "rows", Kind: "Row", Verbs: verbs})))
	f.on("/apis/apiregistration.k8s.io/v1/apiservices", reply(200, map[string]any{"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIServiceList",
		"items": []any{map[string]any{"metadata": map[string]any{"name": "v1.own.company.io"},
			"spec": map[string]any{"group": "own.company.io", "version": "v1", "service": map[string]any{"name": "own", "namespace": "own"}}}}}))
	f.on(widgetPath, reply(200, targets[0].list("w")))
	s := collect(t, f.options())

	wantRow(t, row(t, s, "apiextensions.k8s.io", "customresourcedefinitions"), inventory.Forbidden, 0, "cannot list CRDs")
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 1, "")
	// A1: a group that is down is a row, not the end. A7: what can only be
	// created is no failure.
	wantRow(t, row(t, s, "metrics.k8s.io", "*"), inventory.Failed, 0, "currently unable")
	wantRow(t, row(t, s, "example.io", "widgetreviews"), inventory.Absent, 0, "verbs: create")
	if len(s.CRDs) != 1 {
		t.Fatalf("CRDs %+v, want widgets only", s.CRDs)
	}
	crd := s.CRDs[0]
	if crd.Name != "widgets.example.io" || !crd.DiscoveryOnly || !crd.Namespaced() || crd.Names.Kind != "Widget" {
		t.Errorf("discovered %+v", crd)
	}
	if len(crd.Versions) != 2 || crd.ListVersion() != "v1" || !crd.Versions[0].StatusSubresource || crd.Versions[1].StatusSubresource {
		t.Errorf("versions %+v", crd.Versions)
	}
	checkGets(t, f)
}

func TestA2StaleGroup(t *testing.T) {
	f := noCRDs(t)
	aggregated := func(groups string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			_, _ = w.Write([]byte(`{"apiVersion":"apidiscovery.k8s.io/v2","kind":"APIGroupDiscoveryList","items":[` + groups + `]}`))
		}
	}
	f.on("/api", aggregated(""))
	f.on("/apis", aggregated(`
		{"metadata":{"name":"metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale","resources":[]}]},
		{"metadata":{"name":"example.io"},"versions":[{"version":"v1","freshness":"Current","resources":[
			{"resource":"widgets","responseKind":{"group":"example.io","version":"v1","kind":"Widget"},"scope":"Namespaced","verbs":["list"],
			 "subresources":[{"subresource":"status","responseKind":{"group":"example.io","version":"v1","kind":"Widget"},"verbs":["get"]}]}]}]}`))
	f.on(widgetPath, reply(200, targets[0].list("w")))
	s := collect(t, f.options())
	wantRow(t, row(t, s, "metrics.k8s.io", "*"), inventory.Failed, 0, "discovery: stale")
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 1, "")
	if len(s.CRDs) != 1 || !s.CRDs[0].Versions[0].StatusSubresource {
		t.Errorf("CRDs %+v", s.CRDs)
	}
}

// An answer without content is no group without resources: what is missing
// stands in the coverage.
func TestAnEmptyAnswerOfDiscoveryIsNamed(t *testing.T) {
	f := noCRDs(t, group("example.io", "v1", "v2"))
	f.on("/apis/example.io/v1", reply(200, map[string]any{}))
	f.on("/apis/example.io/v2", reply(200, resources("example.io/v2")))
	s := collect(t, f.options())
	empty := 0
	for _, a := range s.Access {
		if a.Group == "example.io" && a.Resource == "*" && a.Access == inventory.Failed {
			empty++
		}
	}
	if empty != 2 {
		t.Errorf("%d rows for the two versions of example.io: %+v", empty, s.Access)
	}

	f = noCRDs(t)
	f.on("/apis", reply(200, map[string]any{}))
	s = collect(t, f.options())
	wantRow(t, row(t, s, "apiextensions.k8s.io", "customresourcedefinitions"), inventory.Forbidden, 0, "names no API group")
}

// checkGets is checkRequests where discovery is among the requests.
func checkGets(t *testing.T, f *fake) {
	t.Helper()
	for _, r := range f.sent("") {
		if r.Method != http.MethodGet {
			t.Errorf("sent %s %s", r.Method, r.URL)
		}
	}
}
