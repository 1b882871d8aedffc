package inventory

import (
	"encoding/binary"
	"iter"
	"math"
)

// Value is the value as maps, slices, texts, int64, float64 and bool. The maps
// are the caller's own; the texts are parts of p.
func (p Packed) Value() any {
	if p.IsZero() {
		return nil
	}
	r := unpacker{p.text, 0}
	return r.value()
}

// Map is the value as a map; nil when there is none or it is no object.
func (p Packed) Map() map[string]any {
	m, _ := p.Value().(map[string]any)
	return m
}

// ValueBut is Value with a field of the object left packed: for those that read
// it without maps.
func (p Packed) ValueBut(name string) any {
	if !p.IsObject() {
		return p.Value()
	}
	fields := map[string]any{}
	for r := (unpacker{p.text, 1}); !r.end(); {
		if key := r.name(); key == name {
			fields[key] = r.packed()
		} else {
			fields[key] = r.value()
		}
	}
	return fields
}

// IsObject tells whether the value is an object.
func (p Packed) IsObject() bool { return !p.IsZero() && p.text[0] == packedObject }

// IsArray tells whether the value is an array.
func (p Packed) IsArray() bool { return !p.IsZero() && p.text[0] == packedArray }

// Items are the items of an array; none if it is none.
func (p Packed) Items() iter.Seq[Packed] {
	return func(yield func(Packed) bool) {
		if !p.IsArray() {
			return
		}
		for r := (unpacker{p.text, 1}); !r.end(); {
			if !yield(r.packed()) {
				return
			}
		}
	}
}

// Len is how many items an array has.
func (p Packed) Len() (n int) {
	for range p.Items() {
		n++
	}
	return n
}

// Fields are the fields of an object, in its order; none if it is none. Of two
// with one name both come.
func (p Packed) Fields() iter.Seq2[string, Packed] {
	return func(yield func(string, Packed) bool) {
		if !p.IsObject() {
			return
		}
		for r := (unpacker{p.text, 1}); !r.end(); {
			if name := r.name(); !yield(name, r.packed()) {
				return
			}
		}
	}
}

// Text is the value if it is a text.
func (p Packed) Text() (text string, ok bool) {
	if p.IsZero() || p.text[0] != packedText {
		return "", false
	}
	r := unpacker{p.text, 1}
	return r.take(r.uvarint()), true
}

// At is the value at the end of a path of field names; nil where there is none.
func (p Packed) At(path ...string) any {
	for _, name := range path {
		if p = p.field(name); p.IsZero() {
			return nil
		}
	}
	return p.Value()
}

// field is a field of an object; zero where there is none. Of two with one name
// the last one counts, as in Value.
func (p Packed) field(name string) (found Packed) {
	for key, value := range p.Fields() {
		if key == name {
			found = value
		}
	}
	return found
}

// unpacker reads a packed value from its beginning to its end.
type unpacker struct {
	from string
	at   int
}

func (r *unpacker) value() any {
	r.at++
	switch r.from[r.at-1] {
	case packedFalse:
		return false
	case packedTrue:
		return true
	case packedWhole:
		n := r.uvarint()
		return int64(n>>1) ^ -int64(n&1) // as encoding/binary writes signed ones
	case packedFloat:
		r.at += 8
		return math.Float64frombits(binary.BigEndian.Uint64([]byte(r.from[r.at-8 : r.at])))
	case packedText:
		return r.take(r.uvarint())
	case packedArray:
		list := make([]any, 0, 4)
		for !r.end() {
			list = append(list, r.value())
		}
		return list
	case packedObject:
		fields := map[string]any{}
		for !r.end() {
			key := r.name()
			fields[key] = r.value()
		}
		return fields
	}
	return nil
}

// packed is the next value as it is.
func (r *unpacker) packed() Packed {
	begin := r.at
	r.skip()
	return Packed{r.from[begin:r.at]}
}

// skip steps over a value.
func (r *unpacker) skip() {
	r.at++
	switch r.from[r.at-1] {
	case packedWhole:
		r.uvarint()
	case packedFloat:
		r.at += 8
	case packedText:
		r.take(r.uvarint())
	case packedArray:
		for !r.end() {
			r.skip()
		}
	case packedObject:
		for !r.end() {
			r.name()
			r.skip()
		}
	}
}

// end steps over the end of an array or object, if it comes next.
func (r *unpacker) end() bool {
	if r.from[r.at] != packedEnd {
		return false
	}
	r.at++
	return true
}

func (r *unpacker) name() string { return r.take(r.uvarint() - 1) }

func (r *unpacker) take(n uint64) string {
	r.at += int(n)
	return r.from[r.at-int(n) : r.at]
}

// uvarint is binary.Uvarint for a text.
func (r *unpacker) uvarint() (n uint64) {
	for shift := 0; ; shift += 7 {
		b := r.from[r.at]
		r.at++
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
}
