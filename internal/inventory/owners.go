package inventory

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// Owners indexes the objects of a snapshot that own another or are owned, by
// uid. It is not changed any more once it is made.
type Owners struct {
	places  map[types.UID]int32
	objects []ownedObject
	// children are the places of the objects that name an owner: those of the
	// one at place p stand in children[first[p]:first[p+1]].
	children, first []int32
}

// Owned is an object with its kind.
type Owned struct {
	Group  string
	Kind   string
	Object TypedObject
	// Custom: it is a custom resource.
	Custom bool
}

// ownedObject is an object in its place; nil where none has the uid that
// another names as its owner's.
type ownedObject struct {
	TypedObject
	kind *Kind // nil for a custom resource
}

func (o ownedObject) owned() Owned {
	if o.kind == nil {
		custom := o.TypedObject.(*Object)
		return Owned{custom.Group(), custom.Kind, custom, true}
	}
	return Owned{o.kind.Group, o.kind.Kind, o.TypedObject, false}
}

// NewOwners builds the index of everything in a snapshot that has a uid.
func NewOwners(s *Snapshot) *Owners {
	o := &Owners{places: map[types.UID]int32{}}
	eachOwnable(s, func(obj TypedObject, _ *Kind) {
		refs := obj.GetOwnerReferences()
		if len(refs) == 0 {
			return
		}
		o.place(obj.GetUID())
		for i := range refs {
			o.place(refs[i].UID)
		}
	})
	for i := range s.CRDs {
		for _, ref := range s.CRDs[i].OwnerReferences {
			o.place(ref.UID)
		}
	}
	o.objects = make([]ownedObject, len(o.places))
	var links []link
	eachOwnable(s, func(obj TypedObject, kind *Kind) {
		at, named := o.places[obj.GetUID()]
		if !named || o.objects[at].TypedObject != nil {
			return
		}
		o.objects[at] = ownedObject{obj, kind}
		refs := obj.GetOwnerReferences()
		for i := range refs {
			l := link{o.places[refs[i].UID], at}
			if recent := links[max(0, len(links)-i):]; !slices.Contains(recent, l) {
				links = append(links, l)
			}
		}
	})
	o.sortOut(links)
	return o
}

// eachOwnable calls yield with every object that has a uid and may have owners.
// kind is nil for a custom resource.
func eachOwnable(s *Snapshot, yield func(obj TypedObject, kind *Kind)) {
	for _, k := range storedKinds() {
		if k.Kind == "Event" {
			continue
		}
		k.Each(s, func(obj TypedObject) {
			if obj.GetUID() != "" {
				yield(obj, k)
			}
		})
	}
	for i := range s.CustomResources {
		if c := &s.CustomResources[i]; c.UID != "" {
			yield(c, nil)
		}
	}
}

// place gives a uid its place.
func (o *Owners) place(uid types.UID) {
	if _, known := o.places[uid]; !known {
		o.places[uid] = int32(len(o.places))
	}
}

// link says that one object is the owner of another.
type link struct{ owner, child int32 }

// sortOut lists the children of each owner, in the order of the links.
func (o *Owners) sortOut(links []link) {
	o.first = make([]int32, len(o.places)+1)
	for _, l := range links {
		o.first[l.owner+1]++
	}
	for p := 1; p < len(o.first); p++ {
		o.first[p] += o.first[p-1]
	}
	next := slices.Clone(o.first)
	o.children = make([]int32, len(links))
	for _, l := range links {
		o.children[next[l.owner]] = l.child
		next[l.owner]++
	}
}

// Get finds by its uid an object that another, or a CRD, names as its owner, or
// that has an owner itself.
func (o *Owners) Get(uid types.UID) (Owned, bool) {
	at, named := o.places[uid]
	if !named || o.objects[at].TypedObject == nil {
		return Owned{}, false
	}
	return o.objects[at].owned(), true
}

// Children are the objects that name uid as an owner.
func (o *Owners) Children(uid types.UID) []Owned {
	at, named := o.places[uid]
	if !named {
		return nil
	}
	places := o.children[o.first[at]:o.first[at+1]]
	list := make([]Owned, len(places))
	for i, child := range places {
		list[i] = o.objects[child].owned()
	}
	return list
}

// Descendants are the objects whose chain of owner references ends at uid, uid
// itself left out. A cycle ends the walk.
func (o *Owners) Descendants(uid types.UID) []Owned {
	seen := map[types.UID]bool{uid: true}
	var list []Owned
	for queue := []types.UID{uid}; len(queue) > 0; queue = queue[1:] {
		for _, child := range o.Children(queue[0]) {
			if uid := child.Object.GetUID(); !seen[uid] {
				seen[uid] = true
				list, queue = append(list, child), append(queue, uid)
			}
		}
	}
	return list
}
