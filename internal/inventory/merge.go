package inventory

import "slices"

// Merge takes over every object and every Access row of other, which must be
// pruned already and is not to be used any more. Taken and Source stay those
// of s.
func (s *Snapshot) Merge(other *Snapshot) {
	s.Access = append(s.Access, other.Access...)
	s.CRDs = joined(s.CRDs, other.CRDs)
	s.CustomResources = joined(s.CustomResources, other.CustomResources)
	s.Expositions = append(s.Expositions, other.Expositions...)
	for _, k := range storedKinds() {
		k.slot.move(s, other)
	}
}

// joined appends; where there is nothing yet, nothing is copied. Objects are
// large, and there are many.
func joined[T any](to, from []T) []T {
	if len(to) == 0 {
		return from
	}
	return append(to, from...)
}

// sortLarge sorts stably without copying elements for every comparison: they
// take hundreds of bytes each.
func sortLarge[T any](list []T, compare func(a, b *T) int) {
	order := make([]int, len(list))
	sorted := true
	for i := range list {
		order[i] = i
		sorted = sorted && (i == 0 || compare(&list[i-1], &list[i]) <= 0)
	}
	if sorted {
		return
	}
	slices.SortStableFunc(order, func(a, b int) int { return compare(&list[a], &list[b]) })
	for start := range order {
		if order[start] < 0 {
			continue
		}
		// Round a cycle: each place gets the element that belongs there.
		first := list[start]
		at := start
		for next := order[at]; next != start; next = order[at] {
			list[at], order[at], at = list[next], -1, next
		}
		list[at], order[at] = first, -1
	}
}
