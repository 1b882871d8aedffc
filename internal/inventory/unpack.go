package inventory

import (
	"encoding/binary"
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
	if p.IsZero() || p.text[0] != packedObject {
		return Packed{}
	}
	for r := (unpacker{p.text, 1}); !r.end(); {
		key := r.name()
		begin := r.at
		if r.skip(); key == name {
			found.text = p.text[begin:r.at]
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
