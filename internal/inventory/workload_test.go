package inventory

import (
	"encoding/json"
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// elements splits a JSON array.
func elements(t *testing.T, array string) [][]byte {
	t.Helper()
	var list []json.RawMessage
	if err := json.Unmarshal([]byte(array), &list); err != nil {
		t.Fatal(err)
	}
	var raw [][]byte
	for _, e := range list {
		raw = append(raw, e)
	}
	return raw
}

func TestDescendants(t *testing.T) {
	s := snapshotOf(t, elements(t, `[
	 {"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"w","uid":"w"}},
	 {"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"name":"s","uid":"s","ownerReferences":[{"uid":"w"},{"uid":"w"}]}},
	 {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","uid":"p","ownerReferences":[{"uid":"s"}]}},
	 {"apiVersion":"v1","kind":"Pod","metadata":{"name":"stray","uid":"q","ownerReferences":[{"uid":"gone"}]}},
	 {"apiVersion":"v1","kind":"Pod","metadata":{"name":"no uid","ownerReferences":[{"uid":"w"}]}},
	 {"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"c1","uid":"c1","ownerReferences":[{"uid":"c2"}]}},
	 {"apiVersion":"example.io/v1","kind":"Widget","metadata":{"name":"c2","uid":"c2","ownerReferences":[{"uid":"c1"}]}}
	]`)...)
	owners := NewOwners(s)
	for uid, want := range map[string][]string{"w": {"s", "p"}, "s": {"p"}, "p": nil, "c1": {"c2"}, "gone": {"stray"}} {
		var got []string
		for _, o := range owners.Descendants(types.UID(uid)) {
			got = append(got, o.Object.GetName())
		}
		if !slices.Equal(got, want) {
			t.Errorf("descendants of %s: %q, want %q", uid, got, want)
		}
	}
	if n := len(owners.Children("w")); n != 1 {
		t.Errorf("%d children, want 1: two references to one owner are one child", n)
	}
	if o, ok := owners.Get("w"); !ok || !o.Custom || o.Group != "example.io" || o.Kind != "Widget" {
		t.Errorf("%+v, %v", o, ok)
	}
	if o, ok := owners.Get("gone"); ok {
		t.Errorf("%+v is not there", o)
	}
}

func TestAnOwnerOfACRDAloneIsFound(t *testing.T) {
	s := snapshotOf(t, elements(t, `[{"apiVersion":"example.io/v1","kind":"Package","metadata":{"name":"p","uid":"p"}}]`)...)
	s.CRDs = []CRD{{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.io", OwnerReferences: []metav1.OwnerReference{{UID: "p"}}}}}
	if o, ok := NewOwners(s).Get("p"); !ok || o.Kind != "Package" {
		t.Errorf("%+v, %v", o, ok)
	}
}

func TestWorkloads(t *testing.T) {
	s := snapshotOf(t, elements(t, `[
	 {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"ns","name":"d","uid":"d"},"spec":{"template":{"metadata":{"labels":{"app":"d"}},"spec":{"serviceAccountName":"sa"}}},"status":{"readyReplicas":1}},
	 {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"namespace":"ns","name":"e"},"spec":{"replicas":0,"strategy":{"type":"Recreate"}}},
	 {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"namespace":"ns","name":"d-1","ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"d","controller":true}]}},
	 {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"namespace":"ns","name":"r"},"spec":{"template":{"metadata":{"labels":{"app":"r"}},"spec":{"serviceAccountName":"sa"}}}},
	 {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns","name":"done"},"status":{"phase":"Succeeded"}},
	 {"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"ns","name":"p"},"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}
	]`)...)
	type row struct {
		ref, strategy, account string
		desired, ready         int32
		live, selected         bool
	}
	var got []row
	for _, w := range s.Workloads() {
		selected := w.SelectedBy(map[string]string{"app": w.Name}) && !w.SelectedBy(nil)
		got = append(got, row{w.Ref(), w.Strategy, w.ServiceAccount(), w.Desired, w.Ready, w.Live, selected})
	}
	want := []row{
		{"Deployment/ns/d", "RollingUpdate", "sa", 1, 1, true, true},
		{"Deployment/ns/e", "Recreate", "default", 0, 0, false, false},
		{"Pod/ns/p", "", "default", 1, 1, false, false},
		{"ReplicaSet/ns/r", "", "sa", 1, 0, false, true},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}
