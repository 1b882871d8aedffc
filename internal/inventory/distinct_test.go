package inventory

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestDistinctLeavesEachObjectOnce(t *testing.T) {
	named := func(namespace, name string) metav1.ObjectMeta {
		return metav1.ObjectMeta{Namespace: namespace, Name: name}
	}
	widget := func(namespace, name string) Object {
		return Object{APIVersion: "example.io/v1", Kind: "Widget", ObjectMeta: named(namespace, name)}
	}
	other := widget("a", "x")
	other.Kind = "Gadget"
	s := &Snapshot{
		Deployments:     []appsv1.Deployment{{ObjectMeta: named("a", "x")}, {ObjectMeta: named("b", "x")}, {ObjectMeta: named("a", "x")}},
		CustomResources: []Object{widget("a", "x"), other, widget("a", "y"), widget("a", "x"), widget("a", "x")},
		CRDs:            []CRD{{ObjectMeta: named("", "c")}, {ObjectMeta: named("", "c")}},
		Others:          []Object{{Kind: "ConfigMap", ObjectMeta: named("a", "x")}, {Kind: "Namespace", ObjectMeta: named("", "x")}, {Kind: "ConfigMap", ObjectMeta: named("a", "x")}},
	}
	if got := s.Distinct(); got != 5 {
		t.Errorf("%d dropped, want 5", got)
	}
	if len(s.Deployments) != 2 || len(s.CustomResources) != 3 || len(s.CRDs) != 1 || len(s.Others) != 2 {
		t.Errorf("left: %d, %d, %d, %d", len(s.Deployments), len(s.CustomResources), len(s.CRDs), len(s.Others))
	}
}
