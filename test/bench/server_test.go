package main

import (
	"net/http/httptest"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
)

// A scan of the generated cluster reads all that was generated, whole, and in
// hardly more requests than there are pages: otherwise the figures of the
// benchmark would be about something else.
func TestAScanReadsWhatWasGenerated(t *testing.T) {
	tiny := size{name: "tiny", crds: 24, customs: 300, pods: 60}
	made := generate(tiny, time.Now())
	handler := newServer(made)
	api := httptest.NewServer(handler)
	defer api.Close()

	s, err := cluster.Collect(t.Context(), cluster.Options{Config: &rest.Config{Host: api.URL}, PageSize: 50})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{}
	for _, c := range made.collections {
		want[c.resource.GroupResource().String()] = c.objects.len()
	}
	if n := want["customresourcedefinitions.apiextensions.k8s.io"]; n != tiny.crds || want["pods"] < tiny.pods {
		t.Errorf("%d CRDs and %d pods were generated, want %+v", n, want["pods"], tiny)
	}
	for _, row := range s.Access {
		resource := schema.GroupResource{Group: row.Group, Resource: row.Resource}.String()
		if row.Access != inventory.Listed || row.Count != want[resource] {
			t.Errorf("%s: %s, %d objects of %d: %s", resource, row.Access, row.Count, want[resource], row.Detail)
		}
	}
	requests := handler.log.take()
	if _, pages := walksOf(requests); len(requests) > pages+30 {
		t.Errorf("%d requests for %d pages, want 30 more at most", len(requests), pages)
	}
}
