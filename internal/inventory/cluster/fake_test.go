package cluster

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
)

// fake is an API server of canned answers: a small cluster with no objects
// but namespace kube-system, where each test changes some paths.
type fake struct {
	*httptest.Server

	mu       sync.Mutex
	answers  map[string]http.HandlerFunc
	requests []*http.Request
}

func newFake(t *testing.T) *fake {
	t.Helper()
	f := &fake{answers: map[string]http.HandlerFunc{}}
	f.Server = httptest.NewServer(f)
	t.Cleanup(func() {
		f.CloseClientConnections()
		f.Close()
	})
	f.on("/version", reply(200, map[string]string{"gitVersion": "v1.37.2"}))
	for _, k := range inventory.Kinds() {
		f.on(path(resourceOf(&k), ""), reply(200, emptyList(&k)))
	}
	f.on("/api/v1/namespaces", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", "kube-system")))
	f.crds()
	return f
}

// ServeHTTP implements http.Handler.
func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	f.requests = append(f.requests, r)
	answer := f.answers[r.URL.Path]
	f.mu.Unlock()
	if answer == nil && strings.Contains(r.URL.Path, "/namespaces/") {
		answer = status(403, metav1.StatusReasonForbidden, "not in this namespace")
	}
	if answer == nil {
		http.Error(w, "404 page not found", http.StatusNotFound)
		return
	}
	answer(w, r)
}

func (f *fake) on(path string, answer http.HandlerFunc) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.answers[path] = answer
}

// sent are the requests to a path, in order.
func (f *fake) sent(path string) []*http.Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []*http.Request
	for _, r := range f.requests {
		if path == "" || r.URL.Path == path {
			list = append(list, r)
		}
	}
	return list
}

// crds makes the server list these CRDs, and serve each with no objects.
func (f *fake) crds(list ...apiextensionsv1.CustomResourceDefinition) {
	all := apiextensionsv1.CustomResourceDefinitionList{Items: list}
	all.APIVersion, all.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinitionList"
	f.on(crdPath, reply(200, all))
	for _, crd := range list {
		one := metav1.PartialObjectMetadata{ObjectMeta: crd.ObjectMeta}
		one.APIVersion, one.Kind = "meta.k8s.io/v1", "PartialObjectMetadata"
		f.on(crdPath+"/"+crd.Name, reply(200, one))
		for _, v := range crd.Spec.Versions {
			r := schema.GroupVersionResource{Group: crd.Spec.Group, Version: v.Name, Resource: crd.Spec.Names.Plural}
			f.on(path(r, ""), reply(200, names(r.GroupVersion().String(), crd.Spec.Names.Kind+"List")))
		}
	}
}

func (f *fake) options() Options {
	return Options{
		Config: &rest.Config{Host: f.URL, Transport: ownTransport()}, Context: "test", QPS: -1,
		RequestTimeout: 5 * time.Second, Timeout: 20 * time.Second,
	}
}

const (
	crdPath    = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	widgetPath = "/apis/example.io/v1/widgets"
)

func path(r schema.GroupVersionResource, namespace string) string {
	return "/" + strings.Join(collectionPath(r, namespace), "/")
}

// widgets is a namespaced CRD with one version.
func widgets() apiextensionsv1.CustomResourceDefinition {
	return newCRD("Widget", "widgets", version("v1", true, true))
}

func newCRD(kind, plural string, versions ...apiextensionsv1.CustomResourceDefinitionVersion) apiextensionsv1.CustomResourceDefinition {
	var crd apiextensionsv1.CustomResourceDefinition
	crd.Name = plural + ".example.io"
	crd.Spec.Group, crd.Spec.Scope = "example.io", apiextensionsv1.NamespaceScoped
	crd.Spec.Names.Kind, crd.Spec.Names.Plural = kind, plural
	crd.Spec.Versions = versions
	return crd
}

func version(name string, served, storage bool) apiextensionsv1.CustomResourceDefinitionVersion {
	return apiextensionsv1.CustomResourceDefinitionVersion{Name: name, Served: served, Storage: storage}
}

func reply(code int, v any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { send(w, code, v) }
}

func send(w http.ResponseWriter, code int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(v)
}

// status is an error answer of an API server.
func status(code int, reason metav1.StatusReason, message string) http.HandlerFunc {
	return reply(code, failure(code, reason, message, ""))
}

func failure(code int, reason metav1.StatusReason, message, token string) metav1.Status {
	s := metav1.Status{Status: metav1.StatusFailure, Code: int32(code), Reason: reason, Message: message}
	s.APIVersion, s.Kind, s.Continue = "v1", "Status", token
	return s
}

type listBody struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   metav1.ListMeta `json:"metadata"`
	Items      []any           `json:"items"`
}

// names is a list of objects that have nothing but a name, each in namespace
// "default".
func names(apiVersion, listKind string, list ...string) listBody {
	body := listBody{APIVersion: apiVersion, Kind: listKind, Items: []any{}}
	for _, name := range list {
		body.Items = append(body.Items, map[string]any{
			"apiVersion": apiVersion, "kind": strings.TrimSuffix(listKind, "List"),
			"metadata": map[string]any{"name": name, "namespace": "default", "uid": "uid-" + name},
		})
	}
	return body
}

func emptyList(k *inventory.Kind) listBody {
	if k.MetadataOnly {
		return names("meta.k8s.io/v1", "PartialObjectMetadataList")
	}
	return names(resourceOf(k).GroupVersion().String(), k.Kind+"List")
}

// page is a list with a continue token.
func (b listBody) page(next string, remaining int64) listBody {
	b.Metadata.Continue = next
	if remaining > 0 {
		b.Metadata.RemainingItemCount = &remaining
	}
	return b
}

func collect(t *testing.T, o Options) *inventory.Snapshot {
	t.Helper()
	s, err := Collect(context.Background(), o)
	if err != nil {
		t.Fatalf("Collect: %v", err)
	}
	return s
}

// row is the one Access row of a resource.
func row(t *testing.T, s *inventory.Snapshot, group, resource string) inventory.Access {
	t.Helper()
	var found []inventory.Access
	for _, a := range s.Access {
		if a.Group == group && a.Resource == resource {
			found = append(found, a)
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d access rows for %s.%s, want 1: %+v", len(found), resource, group, found)
	}
	return found[0]
}

func wantRow(t *testing.T, got inventory.Access, state inventory.AccessState, count int, detail string) {
	t.Helper()
	if got.Access != state || got.Count != count || !strings.Contains(got.Detail, detail) {
		t.Errorf("access to %s.%s is %s (%d) %q, want %s (%d) with %q",
			got.Resource, got.Group, got.Access, got.Count, got.Detail, state, count, detail)
	}
	if state == inventory.Listed && got.Detail != "" {
		t.Errorf("%s is listed, but has detail %q", got.Resource, got.Detail)
	}
}

func manyCRDs(n int) []apiextensionsv1.CustomResourceDefinition {
	var list []apiextensionsv1.CustomResourceDefinition
	for i := range n {
		list = append(list, newCRD(fmt.Sprintf("Kind%d", i), fmt.Sprintf("kind%ds", i), version("v1", true, true)))
	}
	return list
}

// ownTransport is no one else's: the servers of other tests close the idle
// connections of the transport that all share.
func ownTransport() http.RoundTripper { return http.DefaultTransport.(*http.Transport).Clone() }
