package cluster

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func apiService(group, status string) map[string]any {
	return map[string]any{
		"metadata": map[string]any{"name": "v1." + group},
		"spec":     map[string]any{"group": group, "version": "v1", "service": map[string]any{"namespace": "a", "name": "b"}},
		"status":   map[string]any{"conditions": []any{map[string]any{"type": "Available", "status": status}}},
	}
}

// A server that is not available is not asked, and one that answers nonsense
// leaves its kinds unknown.
func TestAggregatedAPIsTellTheirKinds(t *testing.T) {
	f := newFake(t)
	f.on("/apis/apiregistration.k8s.io/v1/apiservices", reply(200, map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIServiceList", "metadata": map[string]any{},
		"items": []any{apiService("good.example.com", "True"), apiService("down.example.com", "False"), apiService("odd.example.com", "True")},
	}))
	f.on("/apis/good.example.com/v1", reply(200, map[string]any{"kind": "APIResourceList", "groupVersion": "good.example.com/v1", "resources": []any{
		map[string]any{"name": "things", "kind": "Thing"}, map[string]any{"name": "things/status", "kind": "Thing"}, map[string]any{"name": "bits", "kind": "Bit"},
	}}))
	f.on("/apis/odd.example.com/v1", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("nonsense")) })
	s := collect(t, f.options())
	got := map[string]any{}
	for i := range s.APIServices {
		got[s.APIServices[i].Name] = s.APIServices[i].Spec.At("kinds")
	}
	want := map[string]any{"v1.good.example.com": []any{"Bit", "Thing"}, "v1.down.example.com": nil, "v1.odd.example.com": nil}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(f.sent("/apis/down.example.com/v1")); n > 0 {
		t.Errorf("an API server that is not available was asked %d times", n)
	}
}
