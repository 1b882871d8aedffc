package inventory

// Merge appends every object and every Access row of other, which must be
// pruned already. Taken and Source stay those of s.
func (s *Snapshot) Merge(other *Snapshot) {
	s.Access = append(s.Access, other.Access...)
	s.CRDs = append(s.CRDs, other.CRDs...)
	s.CustomResources = append(s.CustomResources, other.CustomResources...)
	s.Expositions = append(s.Expositions, other.Expositions...)
	for _, k := range storedKinds() {
		k.Each(other, func(obj TypedObject) { k.slot.add(s, obj) })
	}
}
