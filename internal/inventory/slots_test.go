package inventory

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// Of events there are more than of anything else, and those about built-in
// objects prove nothing about an operator.
func TestOnlyEventsAboutCustomResourcesAreKept(t *testing.T) {
	for _, c := range []struct {
		apiVersion, kind string
		want             int
	}{
		{"v1", "Pod", 0}, {"apps/v1", "Deployment", 0}, {"", "Widget", 0}, {"policy/v1", "PodDisruptionBudget", 0},
		{"networking.k8s.io/v1", "Ingress", 0}, {"example.io/v1", "Widget", 1}, {"gateway.networking.k8s.io/v1", "Gateway", 1},
	} {
		s := &Snapshot{}
		event := KindFor("", "Event")
		event.Add(s, &corev1.Event{InvolvedObject: corev1.ObjectReference{APIVersion: c.apiVersion, Kind: c.kind}})
		if len(s.Events) != c.want {
			t.Errorf("%s %s: %d kept, want %d", c.apiVersion, c.kind, len(s.Events), c.want)
		}
	}
}
