package inventory

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// shareMeta shares of pruned metadata all that is not the object's own.
func (s *Shared) shareMeta(m *metav1.ObjectMeta) {
	m.Namespace, m.GenerateName = s.str(m.Namespace), s.str(m.GenerateName)
	m.Labels, m.Annotations = s.set(m.Labels), s.set(m.Annotations)
	for i := range m.OwnerReferences {
		r := &m.OwnerReferences[i]
		r.APIVersion, r.Kind, r.Name, r.UID = s.str(r.APIVersion), s.str(r.Kind), s.str(r.Name), types.UID(s.str(string(r.UID)))
	}
	for i := range m.Finalizers {
		m.Finalizers[i] = s.str(m.Finalizers[i])
	}
	for i := range m.ManagedFields {
		if f := &m.ManagedFields[i]; f.FieldsV1 != nil || f.Time != nil { // else writersOnly has done it
			s.ownTexts(f)
		}
	}
}

func (s *Shared) ownTexts(f *metav1.ManagedFieldsEntry) {
	f.Manager, f.APIVersion, f.FieldsType, f.Subresource = s.str(f.Manager), s.str(f.APIVersion), s.str(f.FieldsType), s.str(f.Subresource)
	f.Operation = metav1.ManagedFieldsOperationType(s.str(string(f.Operation)))
}

// podSpec is a pruned pod spec, the same one for all that say the same: the
// pods of a workload differ by little more than their node.
func (s *Shared) podSpec(spec *corev1.PodSpec) *corev1.PodSpec {
	own := *spec
	if s == nil {
		return &own
	}
	size := spec.Size()
	if cap(s.buf) < size {
		s.buf = make([]byte, 2*size)
	}
	buf := s.buf[:size]
	if _, err := spec.MarshalToSizedBuffer(buf); err != nil {
		return &own
	}
	if known, ok := s.specs[string(buf)]; ok {
		return known
	}
	return remember(&s.specs, string(buf), func(string) *corev1.PodSpec { return &own })
}
