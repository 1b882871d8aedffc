package inventory

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Distinct sorts the objects, leaves each one once, and says how many were
// there more than once: a server whose pages repeat, or that continues a list
// with newer objects, sends some again.
func (s *Snapshot) Distinct() int {
	s.Sort()
	dropped := 0
	for i := range kinds {
		dropped += kinds[i].slot.distinct(s)
	}
	s.CustomResources = once(s.CustomResources, sameObject, &dropped)
	s.CRDs = once(s.CRDs, func(a, b CRD) bool { return a.Name == b.Name }, &dropped)
	return dropped
}

func (t typedSlot[T, P]) distinct(s *Snapshot) (dropped int) {
	slice := t.of(s)
	*slice = once(*slice, func(a, b T) bool { return sameName(P(&a), P(&b)) }, &dropped)
	return dropped
}

func (o objectSlot) distinct(s *Snapshot) (dropped int) {
	slice := o.of(s)
	*slice = once(*slice, sameObject, &dropped)
	return dropped
}

func once[T any](sorted []T, same func(a, b T) bool, dropped *int) []T {
	kept := slices.CompactFunc(sorted, same)
	*dropped += len(sorted) - len(kept)
	return kept
}

func sameObject(a, b Object) bool {
	return a.Group() == b.Group() && a.Kind == b.Kind && sameName(&a, &b)
}

func sameName(a, b metav1.Object) bool {
	return a.GetNamespace() == b.GetNamespace() && a.GetName() == b.GetName()
}
