package manifests

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// sample is what is kept of a kind that may have more objects than memory
// holds: the first in the order in which a server lists them, by namespace and
// name, in whatever order the files have them. A scan of a cluster keeps the
// same ones.
type sample struct {
	of      schema.GroupKind
	most    int
	entries []*entry
	// last is the place of the last object that is kept; "" while there are
	// not too many. What comes behind it is not even decoded.
	last string
	left int64
}

// place is where an object stands in a list, as in etcd.
func place(namespace, name string) string { return namespace + "/" + name }

func (e *entry) place() string { return place(e.object.GetNamespace(), e.object.GetName()) }

// most is how many objects of a kind are kept; 0 is no cap. Caps are those of
// a scan of a cluster: of Kubernetes' own kinds only Events have one.
func (s *store) most(gk schema.GroupKind) int {
	switch kind := inventory.KindFor(gk.Group, gk.Kind); {
	case kind == nil && gk != crdKind:
		return s.maxCustom
	case kind != nil && kind.Kind == "Event":
		return maxEvents
	}
	return 0
}

// expands tells whether an object stands for what OLM makes of it: it is kept
// as the Deployments and rights are that it stands for.
func expands(gk schema.GroupKind, h head) bool { return gk.Kind == csvKind && !h.copied }

// passes tells whether an object can be passed over, since there are enough of
// its kind before it, and counts it.
func (s *store) passes(gk schema.GroupKind, h head) bool {
	of := s.samples[gk]
	if of == nil || of.last == "" || expands(gk, h) || place(h.namespace, h.name) <= of.last {
		return false
	}
	of.left++
	return true
}

// sampled notes that an object was added. A quarter more than asked for is
// held at times, so that not each costs a search.
func (s *store) sampled(e *entry) {
	gk := schema.GroupKind{Group: e.group, Kind: e.kind}
	most := s.most(gk)
	if most == 0 || e.uncapped {
		return
	}
	of := s.samples[gk]
	if of == nil {
		of = &sample{of: gk, most: most}
		s.samples[gk] = of
	}
	if of.entries = append(of.entries, e); len(of.entries) > most+most/4 {
		s.drop(of.cut())
	}
}

// cut keeps the first of each kind.
func (s *store) cut() {
	var gone []*entry
	for _, of := range s.samples {
		gone = append(gone, of.cut()...)
	}
	s.drop(gone)
}

// cut takes out what is too much.
func (of *sample) cut() (gone []*entry) {
	// Files may give the uid of an object to one of another kind, which has
	// taken its place then.
	of.entries = slices.DeleteFunc(of.entries, func(e *entry) bool { return e.group != of.of.Group || e.kind != of.of.Kind || e.crd != nil })
	if len(of.entries) <= of.most {
		return nil
	}
	slices.SortFunc(of.entries, func(a, b *entry) int { return cmp.Compare(a.place(), b.place()) })
	gone = slices.Clone(of.entries[of.most:])
	clear(of.entries[of.most:])
	of.entries = of.entries[:of.most]
	of.last = of.entries[of.most-1].place()
	of.left += int64(len(gone))
	return gone
}

// drop forgets objects.
func (s *store) drop(gone []*entry) {
	if len(gone) == 0 {
		return
	}
	set := make(map[*entry]bool, len(gone))
	for _, e := range gone {
		set[e] = true
		uid, key, _ := e.meta()
		s.forget(e, uid, key)
	}
	s.entries = slices.DeleteFunc(s.entries, func(e *entry) bool { return set[e] })
}

// left is how many objects of a kind were not kept.
func (s *store) left(gk schema.GroupKind) int64 {
	if of := s.samples[gk]; of != nil {
		return of.left
	}
	return 0
}
