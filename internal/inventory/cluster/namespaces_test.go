package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// forbidden403 is the refusal of a list over all namespaces.
var forbidden403 = status(403, metav1.StatusReasonForbidden, "cannot list at the cluster scope")

func TestB4Namespaces(t *testing.T) {
	two := func(f *fake) {
		f.on("/apis/example.io/v1/namespaces/a/widgets", reply(200, targets[0].list("x", "y")))
		f.on("/apis/example.io/v1/namespaces/b/widgets", reply(200, targets[0].list("z")))
	}
	three := func(f *fake) {
		two(f)
		f.on("/api/v1/namespaces", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", "a", "b", "c")))
	}
	for _, c := range []struct {
		name       string
		namespaces []string // of the options
		set        func(f *fake)
		want       inventory.AccessState
		count      int
		detail     string
	}{
		{"some may be read", nil, func(f *fake) {
			f.on("/apis/example.io/v1/namespaces/a/widgets", reply(200, targets[0].list("x")))
		}, inventory.Partial, 1, "1 of 2 namespaces; b: not in this namespace"},
		{"all may be read", nil, two, inventory.Listed, 3, ""},
		{"none may be read", nil, func(*fake) {}, inventory.Forbidden, 0, "cannot list at the cluster scope"},
		{"one fails, the other is forbidden", nil, func(f *fake) {
			f.on("/apis/example.io/v1/namespaces/a/widgets", status(503, metav1.StatusReasonServiceUnavailable, "down"))
		}, inventory.Forbidden, 0, "cannot list at the cluster scope; by namespace: a: 503: down"},
		{"namespaces are not listable", nil, func(f *fake) {
			two(f)
			f.on("/api/v1/namespaces", forbidden403)
		}, inventory.Forbidden, 0, "cannot list at the cluster scope"},
		{"the list of namespaces is not whole", nil, func(f *fake) {
			two(f)
			f.on("/api/v1/namespaces", repeating("meta.k8s.io/v1", "PartialObjectMetadataList", "a", "b"))
		}, inventory.Partial, 3, "there may be more namespaces"},
		{"named", []string{"b", "a", "a"}, two, inventory.Partial, 3, "namespaces a, b; the rest of the cluster was not looked at"},
		{"named, one is forbidden", []string{"a", "c"}, three, inventory.Partial, 2, "1 of the namespaces a, c (c: not in this namespace)"},
		{"named, all are forbidden", []string{"c"}, three, inventory.Forbidden, 0, "c: not in this namespace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.crds(widgets())
			f.on("/api/v1/namespaces", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", "a", "b")))
			f.on(widgetPath, forbidden403)
			c.set(f)
			o := f.options()
			o.Namespaces = c.namespaces
			s := collect(t, o)
			wantRow(t, row(t, s, "example.io", "widgets"), c.want, c.count, c.detail)
			if c.namespaces != nil && len(f.sent(widgetPath)) > 0 {
				t.Error("all namespaces were asked for, though some are named")
			}
			// Cluster-scoped kinds know no namespaces.
			wantRow(t, row(t, s, "", "nodes"), inventory.Listed, 0, "")
			checkRequests(t, f)
		})
	}
}

// repeating is a list whose pages repeat: two of them are read.
func repeating(apiVersion, kind string, list ...string) http.HandlerFunc {
	return reply(200, names(apiVersion, kind, list...).page("again", 1))
}

func TestManyNamespacesAreBounded(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	var list []string
	for i := range 80 {
		list = append(list, fmt.Sprintf("n%02d", i))
		f.on(fmt.Sprintf("/apis/example.io/v1/namespaces/n%02d/widgets", i), reply(200, targets[0].list("x")))
	}
	f.on("/api/v1/namespaces", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", list...)))
	f.on(widgetPath, forbidden403)
	s := collect(t, f.options())
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Partial, 50, "50 of 80 namespaces (the first 50 were tried")
}

func TestCapOverNamespaces(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	f.on("/apis/example.io/v1/namespaces/a/widgets", reply(200, targets[0].list("x", "y").page("more", 5)))
	f.on("/apis/example.io/v1/namespaces/b/widgets", reply(200, targets[0].list("z")))
	f.on("/api/v1/namespaces", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", "a", "b")))
	o := f.options()
	o.Namespaces, o.MaxPerKind = []string{"a", "b"}, 2
	wantRow(t, row(t, collect(t, o), "example.io", "widgets"), inventory.Partial, 2, "a: sampled: first 2 of about 7")
}

// A namespace that does not exist is an error, not an empty cluster; where
// nobody may tell, that is said.
func TestANamespaceThatDoesNotExist(t *testing.T) {
	missing := failure(404, metav1.StatusReasonNotFound, `namespaces "shpo" not found`, "")
	missing.Details = &metav1.StatusDetails{Kind: "namespaces", Name: "shpo"}
	there := metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"}}
	for _, c := range []struct {
		name    string
		set     func(f *fake)
		missing bool
		detail  string // of the namespaces' row
	}{
		{"the list tells", func(*fake) {}, true, ""},
		{"a GET tells", func(f *fake) {
			f.on("/api/v1/namespaces", forbidden403)
			f.on("/api/v1/namespaces/shpo", reply(404, missing))
		}, true, ""},
		{"a GET finds it", func(f *fake) {
			f.on("/api/v1/namespaces", forbidden403)
			f.on("/api/v1/namespaces/shpo", reply(200, there))
		}, false, "cannot list at the cluster scope"},
		{"nobody may tell", func(f *fake) {
			f.on("/api/v1/namespaces", forbidden403)
		}, false, "whether namespace shpo exists could not be checked: not in this namespace"},
		{"a gateway's 404 tells nothing", func(f *fake) {
			f.on("/api/v1/namespaces", forbidden403)
			f.on("/api/v1/namespaces/shpo", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "404 page not found", 404) })
		}, false, "whether namespace shpo exists could not be checked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t)
			f.on("/api/v1/namespaces", reply(200, names("meta.k8s.io/v1", "PartialObjectMetadataList", "kube-system", "shop")))
			c.set(f)
			o := f.options()
			o.Namespaces = []string{"shpo"}
			s, err := Collect(context.Background(), o)
			if c.missing {
				if !errors.Is(err, ErrNoNamespace) || !strings.Contains(err.Error(), "shpo") {
					t.Errorf("the error is %v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wantRow(t, row(t, s, "", "namespaces"), inventory.Forbidden, 0, c.detail)
			checkRequests(t, f)
		})
	}
}
