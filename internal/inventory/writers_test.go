package inventory

import (
	"slices"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestWrote(t *testing.T) {
	entry := metav1.ManagedFieldsEntry{FieldsV1: shallowFields(metav1.NewFieldsV1(
		`{"f:metadata":{"f:finalizers":{".":{},"v:\"a\"":{}}},"f:spec":{"f:status":{"f:deep":{}}},"f:data":{"f:password":{}}}`))}
	if got, want := entry.FieldsV1.GetRawString(), `{"f:data":{},"f:metadata":{"f:finalizers":{}},"f:spec":{"f:status":{}}}`; got != want {
		t.Errorf("kept %s, want %s", got, want)
	}
	for field, want := range map[string]bool{"metadata.finalizers": true, "metadata": true, "spec": true, "status": false, "metadata.labels": false} {
		if got := Wrote(&entry, field); got != want {
			t.Errorf("wrote %s: %v, want %v", field, got, want)
		}
	}
	if got := FieldsWritten(&entry, "spec"); !slices.Equal(got, []string{"status"}) {
		t.Errorf("fields of spec %q", got)
	}
	if !Wrote(&metav1.ManagedFieldsEntry{Subresource: "status"}, "status") {
		t.Error("an entry without fields, of subresource status, did not write status")
	}
}
