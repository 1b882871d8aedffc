package cluster

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// The names of these tests are those of reference/field-cases.md.

func TestA1NoDiscoveryWithCRDs(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	f.on("/apis", status(503, metav1.StatusReasonServiceUnavailable, "down"))
	s := collect(t, f.options())
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 0, "")
	if n := len(f.sent("/apis")) + len(f.sent("/api")); n != 0 {
		t.Errorf("discovery was asked %d times", n)
	}
}

func TestA3PluralsOfTheCRD(t *testing.T) {
	f := newFake(t)
	var crds []apiextensionsv1.CustomResourceDefinition
	plurals := map[string]string{"NetworkChaos": "networkchaos", "Gateway": "gateways", "Data": "datas", "Family": "familys"}
	for kind, plural := range plurals {
		crds = append(crds, newCRD(kind, plural, version("v1", true, true)))
	}
	f.crds(crds...)
	s := collect(t, f.options())
	for _, plural := range plurals {
		wantRow(t, row(t, s, "example.io", plural), inventory.Listed, 0, "")
	}
}

func TestA5Versions(t *testing.T) {
	for _, c := range []struct {
		name     string
		versions []apiextensionsv1.CustomResourceDefinitionVersion
		want     string
	}{
		{"the stored one", []apiextensionsv1.CustomResourceDefinitionVersion{version("v2", true, false), version("v1", true, true)}, "v1"},
		{"stored but not served", []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", false, true), version("v2", true, false)}, "v2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.crds(newCRD("Widget", "widgets", c.versions...))
			s := collect(t, f.options())
			if got := row(t, s, "example.io", "widgets"); got.Version != c.want || got.Access != inventory.Listed {
				t.Errorf("read at %s (%s), want %s listed", got.Version, got.Access, c.want)
			}
		})
	}
}

func TestB1SomeForbidden(t *testing.T) {
	f := newFake(t)
	f.crds(manyCRDs(5)...)
	for i := range 2 {
		f.on(fmt.Sprintf("/apis/example.io/v1/kind%ds", i), status(403, metav1.StatusReasonForbidden, "no rights"))
	}
	s := collect(t, f.options())
	for i := range 5 {
		want, detail := inventory.Listed, ""
		if i < 2 {
			want, detail = inventory.Forbidden, "no rights"
		}
		wantRow(t, row(t, s, "example.io", fmt.Sprintf("kind%ds", i)), want, 0, detail)
	}
	// B2: forbidden is not "none".
	if sight := s.Seen("example.io", "kind0s"); sight.Whole || sight.Some || !strings.Contains(sight.Why, "forbidden") {
		t.Errorf("a forbidden kind is seen as %+v", sight)
	}
}

func TestEverythingForbiddenIsNoError(t *testing.T) {
	f := newFake(t)
	f.mu.Lock()
	for p := range f.answers {
		if p != "/version" {
			f.answers[p] = status(403, metav1.StatusReasonForbidden, "nothing for you")
		}
	}
	f.mu.Unlock()
	f.on("/apis", status(403, metav1.StatusReasonForbidden, "no discovery"))
	f.on("/api", status(403, metav1.StatusReasonForbidden, "no discovery"))
	s := collect(t, f.options())
	if want := len(inventory.Kinds()) + 1; len(s.Access) != want {
		t.Errorf("%d access rows, want %d", len(s.Access), want)
	}
	for _, a := range s.Access {
		wantRow(t, a, inventory.Forbidden, 0, "nothing for you")
	}
	wantRow(t, row(t, s, "apiextensions.k8s.io", "customresourcedefinitions"), inventory.Forbidden, 0, "discovery, tried in its place: 403")
}

func TestC5CapAndLimit(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	pages := 0
	f.on(widgetPath, func(w http.ResponseWriter, r *http.Request) {
		pages++
		send(w, 200, targets[0].list(fmt.Sprintf("a%d", pages), fmt.Sprintf("b%d", pages)).page(fmt.Sprintf("t%d", pages), 2_000_000))
	})
	o := f.options()
	o.PageSize, o.MaxPerKind = 2, 7
	s := collect(t, o)
	got := row(t, s, "example.io", "widgets")
	wantRow(t, got, inventory.Partial, 8, "sampled: first 8 of about 2000008")
	if got.Remaining != 2_000_000 {
		t.Errorf("remaining %d", got.Remaining)
	}
	if pages != 4 {
		t.Errorf("%d requests, want 4", pages)
	}
	if last := f.sent(widgetPath)[3].URL.Query().Get("limit"); last != "1" {
		t.Errorf("the last page's limit is %s, want what the cap leaves", last)
	}
	checkRequests(t, f)
}

func TestC5EndlessList(t *testing.T) {
	f := newFake(t)
	n := 0
	f.on("/api/v1/services", func(w http.ResponseWriter, _ *http.Request) {
		n++
		send(w, 200, names("v1", "ServiceList").page(fmt.Sprint("t", n), 0))
	})
	wantRow(t, row(t, collect(t, f.options()), "", "services"), inventory.Partial, 0, "do not end")
}

func TestC6ManyCRDs(t *testing.T) {
	f := newFake(t)
	f.crds(manyCRDs(600)...)
	var now, most atomic.Int32
	for i := range 600 {
		f.on(fmt.Sprintf("/apis/example.io/v1/kind%ds", i), func(w http.ResponseWriter, _ *http.Request) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(2 * time.Millisecond)
			now.Add(-1)
			send(w, 200, names("example.io/v1", "List"))
		})
	}
	o := f.options()
	o.Workers = 6
	var last, calls int
	o.Progress = func(done, total int, _ string) {
		calls++
		if done != calls || done > total {
			t.Errorf("progress %d of %d at call %d", done, total, calls)
		}
		last = total
	}
	s := collect(t, o)
	if len(s.Access) != calls || last != calls {
		t.Errorf("%d rows, %d calls of progress, last total %d", len(s.Access), calls, last)
	}
	if most.Load() > 6 {
		t.Errorf("%d requests at once, want at most 6", most.Load())
	}
}

func TestC8SlowEndpoint(t *testing.T) {
	f := newFake(t)
	f.crds(widgets(), newCRD("Slow", "slows", version("v1", true, true)))
	f.on("/apis/example.io/v1/slows", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	o := f.options()
	o.RequestTimeout = 400 * time.Millisecond
	s := collect(t, o)
	wantRow(t, row(t, s, "example.io", "slows"), inventory.Failed, 0, "no whole answer within 400ms")
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 0, "")
}

// TestEqualClusters holds that the order of answers leaves no trace.
func TestEqualClusters(t *testing.T) {
	f := newFake(t)
	f.crds(manyCRDs(20)...)
	for i := range 20 {
		f.on(fmt.Sprintf("/apis/example.io/v1/kind%ds", i), reply(200, names("example.io/v1", fmt.Sprintf("Kind%dList", i), "b", "a")))
	}
	f.on("/api/v1/secrets", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", "s")))
	o := f.options()
	o.Secrets = true
	var first []byte
	for range 3 {
		s := collect(t, o)
		s.Taken = time.Time{}
		var out bytes.Buffer
		if err := inventory.Encode(&out, s); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = out.Bytes()
		}
		if !bytes.Equal(first, out.Bytes()) {
			t.Fatalf("two looks differ:\n%s\n%s", first, out.Bytes())
		}
	}
	again, err := inventory.Decode(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := inventory.Encode(&out, again); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, out.Bytes()) {
		t.Errorf("encode(decode(x)) differs:\n%s\n%s", first, out.Bytes())
	}
}
