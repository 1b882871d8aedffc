package inventory

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// typedSlot is a slice of one of Kubernetes' own types.
type typedSlot[T any, P interface {
	*T
	TypedObject
}] struct {
	of func(*Snapshot) *[]T
}

func in[T any, P interface {
	*T
	TypedObject
}](of func(*Snapshot) *[]T) slot {
	return typedSlot[T, P]{of}
}

func (t typedSlot[T, P]) newObject() TypedObject { return P(new(T)) }

func (t typedSlot[T, P]) add(s *Snapshot, obj TypedObject, _ *Shared) {
	slice := t.of(s)
	*slice = append(*slice, *obj.(P))
}

func (t typedSlot[T, P]) each(s *Snapshot, yield func(TypedObject)) {
	slice := *t.of(s)
	for i := range slice {
		yield(P(&slice[i]))
	}
}

func (t typedSlot[T, P]) sort(s *Snapshot) {
	sortLarge(*t.of(s), func(a, b *T) int { return compareMeta(P(a), P(b)) })
}

func (t typedSlot[T, P]) move(to, from *Snapshot) { *t.of(to) = joined(*t.of(to), *t.of(from)) }

// reducedSlot is a slice of a type of our own, which keeps less than
// Kubernetes' own type that objects come in.
type reducedSlot[T, Full any, P interface {
	*T
	TypedObject
}, F interface {
	*Full
	TypedObject
}] struct {
	typedSlot[T, P]
	keep func(*Shared, *Full) T
}

func reduced[T, Full any, P interface {
	*T
	TypedObject
}, F interface {
	*Full
	TypedObject
}](keep func(*Shared, *Full) T, of func(*Snapshot) *[]T) slot {
	return reducedSlot[T, Full, P, F]{typedSlot[T, P]{of}, keep}
}

func (r reducedSlot[T, Full, P, F]) newObject() TypedObject { return F(new(Full)) }

func (r reducedSlot[T, Full, P, F]) add(s *Snapshot, obj TypedObject, shared *Shared) {
	slice := r.of(s)
	*slice = append(*slice, r.keep(shared, obj.(F)))
}

// eventSlot keeps the events about custom resources: of pods alone there are
// far more, and nothing rests on them.
type eventSlot struct{ slot }

func (e eventSlot) add(s *Snapshot, obj TypedObject, shared *Shared) {
	about := &obj.(*corev1.Event).InvolvedObject
	if group := groupOf(about.APIVersion); strings.Contains(group, ".") && KindFor(group, about.Kind) == nil {
		e.slot.add(s, obj, shared)
	}
}

// objectSlot holds the objects of one kind within a slice of Object that may
// hold other kinds too.
type objectSlot struct {
	kind string
	of   func(*Snapshot) *[]Object
}

func objects(kind string, of func(*Snapshot) *[]Object) slot { return objectSlot{kind, of} }

func (o objectSlot) newObject() TypedObject { return &Object{Kind: o.kind} }

func (o objectSlot) add(s *Snapshot, obj TypedObject, _ *Shared) {
	slice := o.of(s)
	*slice = append(*slice, *obj.(*Object))
}

func (o objectSlot) each(s *Snapshot, yield func(TypedObject)) {
	slice := *o.of(s)
	for i := range slice {
		if slice[i].Kind == o.kind {
			yield(&slice[i])
		}
	}
}

func (o objectSlot) sort(s *Snapshot) { sortObjects(*o.of(s)) }

// move moves the objects of all kinds in the slice, once: the kinds that share
// it find it empty.
func (o objectSlot) move(to, from *Snapshot) {
	*o.of(to) = joined(*o.of(to), *o.of(from))
	*o.of(from) = nil
}
