package inventory

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
)

// value is a part of a custom resource as pruning looks at it. What comes off
// the wire is never made into maps, since most of it is thrown away.
type value struct {
	key  string // its name in the object that it is a part of
	kind valueKind
	// text is the content of a string, and of a value from JSON that is none:
	// its JSON. It may be a part of a longer text, which it would hold in
	// memory: what is kept goes through shared.str.
	text string
	// scalar is a number, a truth value or whatever else a map held.
	scalar any
	// of are the fields of an object in the order of their names, or the items
	// of an array.
	of []value
}

type valueKind byte

const (
	nullValue valueKind = iota
	scalarValue
	stringValue
	arrayValue
	objectValue
)

// valueOf is a value as decoders make it: maps, slices and scalars.
func valueOf(v any) value {
	switch v := v.(type) {
	case nil:
		return value{}
	case string:
		return value{kind: stringValue, text: v}
	case []any:
		made := value{kind: arrayValue, of: make([]value, 0, len(v))}
		for _, item := range v {
			made.of = append(made.of, valueOf(item))
		}
		return made
	case map[string]any:
		made := value{kind: objectValue, of: make([]value, 0, len(v))}
		for key, item := range v {
			field := valueOf(item)
			field.key = key
			made.of = append(made.of, field)
		}
		made.sort()
		return made
	}
	return value{kind: scalarValue, scalar: v}
}

func byName(a, b value) int { return cmp.Compare(a.key, b.key) }

// sort brings the fields into the order of their names. Of fields with one
// name the last one stays, as in every decoder of JSON.
func (v *value) sort() {
	inOrder := true
	for i := 1; i < len(v.of) && inOrder; i++ {
		inOrder = v.of[i-1].key < v.of[i].key
	}
	if inOrder {
		return // as API servers write them
	}
	slices.SortStableFunc(v.of, byName)
	kept := v.of[:0]
	for i := range v.of {
		if i+1 < len(v.of) && v.of[i+1].key == v.of[i].key {
			continue
		}
		kept = append(kept, v.of[i])
	}
	v.of = kept
}

// field finds a field of an object; it is null if there is none.
func (v *value) field(name string) value {
	if v.kind != objectValue {
		return value{}
	}
	i, ok := slices.BinarySearchFunc(v.of, name, func(f value, name string) int { return cmp.Compare(f.key, name) })
	if !ok {
		return value{}
	}
	return v.of[i]
}

// number is the scalar, whole numbers as int64 whichever decoder read them.
func (v *value) number() any {
	n, ok := v.scalar.(json.Number)
	if !ok {
		return number(v.scalar)
	}
	if i, err := strconv.ParseInt(string(n), 10, 64); err == nil {
		return i
	}
	f, err := strconv.ParseFloat(string(n), 64)
	if err != nil {
		return nil // beyond what a float can hold
	}
	return number(f)
}
