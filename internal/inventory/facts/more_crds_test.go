package facts

import (
	"testing"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

func TestAnOperatorOfWhichCRDsMayBeUnseenIsMarked(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*world)
		marked bool
	}{
		"all were listed": {func(*world) {}, false},
		"the list of CRDs broke off": {func(w *world) {
			w.access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Partial)
		}, true},
		"CRDs are forbidden, and discovery told all": {func(w *world) {
			w.access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Forbidden)
		}, false},
		"a version of its group failed": {func(w *world) {
			w.access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Forbidden)
			w.access("example.io", "*", inventory.Failed)
		}, true},
		"a version of another group of its catalogue entry failed": {func(w *world) {
			w.catalogue(catalogue.Operator{Name: "widget-operator", Groups: []string{"other.io"}})
			w.access("other.io", "*", inventory.Failed)
		}, true},
		"a version of a stranger's group failed": {func(w *world) { w.access("stranger.io", "*", inventory.Failed) }, false},
		"files": {func(w *world) {
			w.s.Source.Type = "files"
			w.access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Partial)
		}, false},
	} {
		w := newWorld()
		w.crd("Widget.example.io")
		c.change(w)
		if why := w.observe().Unseen["moreCRDs"]; (why != "") != c.marked {
			t.Errorf("%s: marked with %q, want marked: %t", name, why, c.marked)
		}
	}
}
