package demo

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
)

var recorded = time.Date(2027, time.March, 3, 3, 3, 3, 0, time.UTC)

// recording is a Pod owned by a custom resource that is being deleted, an Event about it, a Lease, and what the
// server makes for itself, with what one recording has at random.
func recording(random string) *inventory.Snapshot {
	meta := func(name string) metav1.ObjectMeta {
		now := metav1.NewTime(recorded)
		return metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name + random), ResourceVersion: random, CreationTimestamp: now,
			ManagedFields: []metav1.ManagedFieldsEntry{
				{Manager: "operator", Operation: "Update", Subresource: "status", Time: &now},
				{Manager: "operator", Operation: "Update", Time: &now, FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:finalizers":{}}}`)},
				{Manager: "kubectl", Operation: "Update", Time: &now, FieldsV1: metav1.NewFieldsV1(`{"f:spec":{}}`)},
			}}
	}
	s := &inventory.Snapshot{
		Access:          []inventory.Access{{Group: "coordination.k8s.io", Resource: "leases", Access: inventory.Listed, Count: 2}},
		CustomResources: []inventory.Object{{APIVersion: "example.com/v1", Kind: "Cache", ObjectMeta: meta("cart")}},
		Pods:            []inventory.Pod{{ObjectMeta: meta("cart-0")}},
		Services:        []corev1.Service{{ObjectMeta: meta("cart"), Spec: corev1.ServiceSpec{ClusterIP: "10.0." + random, ClusterIPs: []string{"10.0." + random}}}},
		Events:          []corev1.Event{{ObjectMeta: meta("kubernetes." + random)}, {ObjectMeta: meta("cart.1"), InvolvedObject: corev1.ObjectReference{Kind: "Cache", Name: "cart", UID: types.UID("cart" + random)}}},
		Leases:          []coordinationv1.Lease{{ObjectMeta: meta("apiserver-" + random)}, {ObjectMeta: meta("leader")}},
	}
	s.CustomResources[0].DeletionTimestamp = &s.CustomResources[0].CreationTimestamp
	s.Pods[0].OwnerReferences = []metav1.OwnerReference{{Kind: "Cache", Name: "cart", UID: types.UID("cart" + random)}}
	s.Leases[0].Labels = map[string]string{"apiserver.kubernetes.io/identity": "kube-apiserver"}
	return s
}

func stories() []*item {
	cache := &unstructured.Unstructured{}
	cache.SetAPIVersion("example.com/v1")
	cache.SetKind("Cache")
	cache.SetNamespace("shop")
	cache.SetName("cart")
	event := &unstructured.Unstructured{}
	event.SetAPIVersion("v1")
	event.SetKind("Event")
	event.SetNamespace("shop")
	event.SetName("cart.1")
	return []*item{{object: event, age: time.Hour}, {object: cache, manager: "kubectl", statusManager: "operator", generation: 3,
		age: 40 * day, changed: 5 * day, statusAge: 20 * day, deleted: 3 * time.Hour}}
}

const day = 24 * time.Hour

func TestSettleTellsTheStory(t *testing.T) {
	s := recording("7")
	settle(s, stories())

	cache := s.CustomResources[0]
	times := map[string]time.Time{"created": cache.CreationTimestamp.Time, "deleted": cache.DeletionTimestamp.Time}
	for _, f := range cache.ManagedFields {
		times[f.Manager+" "+f.Subresource] = f.Time.Time
	}
	want := map[string]time.Time{
		"created": Base.Add(-40 * day), "operator ": Base.Add(-40 * day), "operator status": Base.Add(-20 * day),
		"kubectl ": Base.Add(-5 * day), "deleted": Base.Add(-3 * time.Hour),
	}
	if diff := cmp.Diff(want, times); diff != "" {
		t.Errorf("times of a custom resource (-want +got):\n%s", diff)
	}
	if cache.Generation != 3 {
		t.Errorf("generation = %d, want that of the story", cache.Generation)
	}
	if cache.UID == "cart7" || s.Pods[0].OwnerReferences[0].UID != cache.UID || s.Events[0].InvolvedObject.UID != cache.UID {
		t.Errorf("uid %q, owner of the pod %q, object of the event %q: want one new uid",
			cache.UID, s.Pods[0].OwnerReferences[0].UID, s.Events[0].InvolvedObject.UID)
	}
	if got := s.Pods[0].CreationTimestamp.Time; !got.Equal(Base.Add(-clusterAge)) {
		t.Errorf("an object without a story was made at %v, want the age of the cluster", got)
	}
	if len(s.Leases) != 1 || s.Leases[0].Name != "leader" || s.Access[0].Count != 1 {
		t.Errorf("leases %d, counted %d: want the API server's own left out", len(s.Leases), s.Access[0].Count)
	}
	if len(s.Events) != 1 || s.Events[0].Name != "cart.1" {
		t.Errorf("events %d: want the API server's own left out", len(s.Events))
	}
}

func TestSettleForgetsTheRecording(t *testing.T) {
	one, two := recording("7"), recording("8")
	settle(one, stories())
	settle(two, stories())
	if diff := cmp.Diff(one, two); diff != "" {
		t.Errorf("two recordings differ:\n%s", diff)
	}
}
