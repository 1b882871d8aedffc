package manifests

import (
	"fmt"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
)

// entry is an object read, pruned already: a dump must not stand in memory.
type entry struct {
	group, kind string
	// builtin is nil for custom resources and CRDs.
	builtin *inventory.Kind
	object  inventory.TypedObject
	crd     *inventory.CRD
	at      position
	// uncapped: however many there are, it is kept.
	uncapped bool
	// derived names the ClusterServiceVersion that an object was worked out
	// from; "" for an object that was in the files.
	derived string
}

// store keeps the objects read, each once.
type store struct {
	entries []*entry
	byUID   map[types.UID]*entry
	byName  map[string]*entry
	samples map[schema.GroupKind]*sample
	// maxCustom is how many custom resources of a kind are kept; 0 is no cap.
	maxCustom int
	shared    inventory.Shared
}

func newStore(maxCustom int) store {
	return store{
		byUID: map[types.UID]*entry{}, byName: map[string]*entry{},
		samples: map[schema.GroupKind]*sample{}, maxCustom: maxCustom,
	}
}

// meta is the identity of an entry.
func (e *entry) meta() (uid types.UID, key, resourceVersion string) {
	if e.crd != nil {
		return e.crd.UID, e.key("", e.crd.Name), e.crd.ResourceVersion
	}
	return e.object.GetUID(), e.key(e.object.GetNamespace(), e.object.GetName()), e.object.GetResourceVersion()
}

func (e *entry) key(namespace, name string) string {
	return e.group + "/" + e.kind + "/" + namespace + "/" + name
}

// add prunes an object and puts it into the store. Of two that are the same
// object, by uid or else by name, the newer one stays.
func (s *store) add(e *entry) error {
	s.prune(e)
	uid, key, version := e.meta()
	known := s.byName[key]
	if uid != "" && s.byUID[uid] != nil {
		known = s.byUID[uid]
	}
	if known == nil {
		s.entries = append(s.entries, e)
		s.index(e, uid, key)
		s.sampled(e)
		return nil
	}
	knownUID, knownKey, knownVersion := known.meta()
	if key == "/Namespace//kube-system" && uid != "" && knownUID != "" && uid != knownUID {
		return fatal{fmt.Errorf("%s and %s come from two clusters (their kube-system namespaces differ): scan them one at a time", known.at, e.at)}
	}
	if newer(version, knownVersion) {
		s.forget(known, knownUID, knownKey)
		*known = *e
		s.index(known, uid, key)
	}
	return nil
}

func (s *store) index(e *entry, uid types.UID, key string) {
	s.byName[key] = e
	if uid != "" {
		s.byUID[uid] = e
	}
}

// forget takes the names of an entry away.
func (s *store) forget(e *entry, uid types.UID, key string) {
	if s.byName[key] == e {
		delete(s.byName, key)
	}
	if s.byUID[uid] == e {
		delete(s.byUID, uid)
	}
}

// newer tells whether a resourceVersion is at least as new as another. One
// that is no number, such as none at all, is older than one that is.
func newer(version, than string) bool {
	a, _ := strconv.ParseUint(version, 10, 64)
	b, _ := strconv.ParseUint(than, 10, 64)
	return a >= b
}

// prune reduces an object to what a snapshot keeps. CRDs and custom resources
// are reduced already.
func (s *store) prune(e *entry) {
	if e.builtin != nil {
		s.shared.Prune(e.object)
	}
}

// fill moves the objects into a snapshot: nothing is left in the store.
func (s *store) fill(into *inventory.Snapshot) {
	s.byName, s.byUID, s.samples = nil, nil, nil
	customs := 0
	for _, e := range s.entries {
		if e.builtin == nil && e.crd == nil {
			customs++
		}
	}
	into.CustomResources = make([]inventory.Object, 0, customs)
	for _, e := range s.entries {
		switch {
		case e.crd != nil:
			into.CRDs = append(into.CRDs, *e.crd)
		case e.builtin != nil:
			e.builtin.AddShared(into, e.object, &s.shared)
		default:
			into.CustomResources = append(into.CustomResources, *e.object.(*inventory.Object))
		}
		*e = entry{} // so that the object is not there twice
	}
	s.entries = nil
}
