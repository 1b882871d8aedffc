package inventory

import (
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var emptyMeta metav1.ObjectMeta

// meta reads metadata into m as pruneMeta leaves it; false where a field is not
// of the type that metav1.ObjectMeta has.
func (s *Shared) meta(m *metav1.ObjectMeta, v *value) bool {
	if v.kind != objectValue {
		return false
	}
	ok := true
	for i := range v.of {
		ok = ok && s.metaField(m, &v.of[i])
	}
	return ok
}

func (s *Shared) metaField(m *metav1.ObjectMeta, f *value) bool {
	switch f.key {
	case "name":
		return s.own(&m.Name, f)
	case "generateName":
		return s.text(&m.GenerateName, f)
	case "namespace":
		return s.text(&m.Namespace, f)
	case "selfLink":
		//lint:ignore SA1019 what files have of old servers is kept too
		return s.own(&m.SelfLink, f)
	case "uid":
		return s.own((*string)(&m.UID), f)
	case "resourceVersion":
		return s.own(&m.ResourceVersion, f)
	case "generation":
		return whole(&m.Generation, f)
	case "creationTimestamp":
		at, ok := moment(f)
		if at != nil {
			m.CreationTimestamp = *at
		}
		return ok
	case "deletionTimestamp":
		at, ok := moment(f)
		m.DeletionTimestamp = at
		return ok
	case "deletionGracePeriodSeconds":
		if f.kind == nullValue {
			return true
		}
		m.DeletionGracePeriodSeconds = new(int64)
		return whole(m.DeletionGracePeriodSeconds, f)
	case "labels":
		return s.pairs(&m.Labels, f, func(_, v string) (string, bool) { return v, true })
	case "annotations":
		return s.pairs(&m.Annotations, f, s.annotation)
	case "finalizers":
		return s.list(&m.Finalizers, f)
	case "ownerReferences":
		return each(&m.OwnerReferences, f, s.ownerReference)
	case "managedFields":
		return each(&m.ManagedFields, f, s.managedFields)
	}
	return true // a field that the type does not have
}

func (s *Shared) ownerReference(ref *metav1.OwnerReference, f *value) bool {
	switch f.key {
	case "apiVersion":
		return s.text(&ref.APIVersion, f)
	case "kind":
		return s.text(&ref.Kind, f)
	case "name":
		return s.text(&ref.Name, f)
	case "uid":
		return s.text((*string)(&ref.UID), f)
	case "controller":
		return truth(&ref.Controller, f)
	case "blockOwnerDeletion":
		return truth(&ref.BlockOwnerDeletion, f)
	}
	return true
}

func (s *Shared) managedFields(entry *metav1.ManagedFieldsEntry, f *value) bool {
	switch f.key {
	case "manager":
		return s.text(&entry.Manager, f)
	case "operation":
		return s.text((*string)(&entry.Operation), f)
	case "apiVersion":
		return s.text(&entry.APIVersion, f)
	case "fieldsType":
		return s.text(&entry.FieldsType, f)
	case "subresource":
		return s.text(&entry.Subresource, f)
	case "time":
		at, ok := moment(f)
		entry.Time = at
		return ok
	case "fieldsV1":
		if f.text != "null" {
			entry.FieldsV1 = s.tree(f.text)
		}
	}
	return true
}

// own is a text that only this object has, such as its uid.
func (s *Shared) own(to *string, f *value) bool {
	if f.kind == stringValue {
		*to = strings.Clone(f.text)
	}
	return f.kind == stringValue || f.kind == nullValue
}

// text is one that other objects may have too.
func (s *Shared) text(to *string, f *value) bool {
	if f.kind == stringValue {
		*to = s.str(f.text)
	}
	return f.kind == stringValue || f.kind == nullValue
}

func (s *Shared) list(to *[]string, f *value) bool {
	if f.kind == nullValue {
		return true
	}
	ok := f.kind == arrayValue
	for i := range f.of {
		ok = ok && f.of[i].kind == stringValue
		*to = append(*to, s.str(f.of[i].text))
	}
	return ok
}

// pairs reads labels or annotations. keep says what is kept of a value, and
// whether anything is.
func (s *Shared) pairs(to *map[string]string, f *value, keep func(key, v string) (string, bool)) bool {
	if f.kind != objectValue {
		return f.kind == nullValue
	}
	s.buf = s.buf[:0]
	for i := range f.of {
		v := &f.of[i]
		if v.kind != stringValue {
			return false
		}
		if kept, ok := keep(v.key, v.text); ok {
			s.addPair(v.key, kept)
		}
	}
	*to = s.setOf(s.buf, func() map[string]string {
		made := make(map[string]string, len(f.of))
		for i := range f.of {
			v := &f.of[i]
			if kept, ok := keep(v.key, v.text); ok {
				made[s.str(v.key)] = s.str(kept)
			}
		}
		return made
	})
	return true
}

// each reads a list of objects, field by field.
func each[T any](to *[]T, f *value, field func(*T, *value) bool) bool {
	if f.kind != arrayValue {
		return f.kind == nullValue
	}
	list := make([]T, len(f.of))
	ok := true
	for i := range f.of {
		ok = ok && f.of[i].kind == objectValue
		for j := range f.of[i].of {
			ok = ok && field(&list[i], &f.of[i].of[j])
		}
	}
	*to = list
	return ok
}

func whole(to *int64, f *value) bool {
	n, err := strconv.ParseInt(f.text, 10, 64)
	*to = n
	return f.kind == nullValue || f.kind == scalarValue && err == nil
}

func truth(to **bool, f *value) bool {
	if b, ok := f.scalar.(bool); ok {
		*to = &b
		return true
	}
	return f.kind == nullValue
}

// moment reads a time as metav1.Time does.
func moment(f *value) (*metav1.Time, bool) {
	if f.kind != stringValue {
		return nil, f.kind == nullValue
	}
	at, err := time.Parse(time.RFC3339, f.text)
	if err != nil {
		return nil, false
	}
	return &metav1.Time{Time: at.Local()}, true
}
