package inventory

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"slices"
)

// Packed is a value as JSON knows it (objects, arrays, texts, numbers, truth
// values, null), in few bytes and without pointers: a snapshot holds the
// statuses of tens of thousands of objects until all is judged, and as maps
// they take ten times the room. The zero Packed is no value at all. It is made
// by Pack and read by Value, Map and At.
type Packed struct{ text string }

// IsZero tells whether there is no value.
func (p Packed) IsZero() bool { return p.text == "" }

// Equal tells whether the same was packed in the same order.
func (p Packed) Equal(other Packed) bool { return p == other }

// String is the value as JSON, for people who look for a mistake.
func (p Packed) String() string {
	raw, err := p.MarshalJSON()
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// The first byte of a packed value says what it is. A text is its length and
// its bytes. Arrays and objects hold their items and end with packedEnd; before
// each field of an object stands its name, whose length is written one too
// large: no name begins as the end does.
const (
	packedEnd byte = iota
	packedNull
	packedFalse
	packedTrue
	packedWhole // a varint
	packedFloat // eight bytes
	packedText
	packedArray
	packedObject
)

// Pack packs maps, slices, texts, numbers and truth values, as decoders of JSON
// make them. nil is no value.
func Pack(v any) Packed {
	if v == nil {
		return Packed{}
	}
	return Packed{string(appendPacked(nil, v))}
}

func appendPacked(to []byte, v any) []byte {
	switch v := v.(type) {
	case map[string]any:
		to = append(to, packedObject)
		for _, key := range slices.Sorted(maps.Keys(v)) {
			to = appendPacked(appendName(to, key), v[key])
		}
		return append(to, packedEnd)
	case []any:
		to = append(to, packedArray)
		for _, item := range v {
			to = appendPacked(to, item)
		}
		return append(to, packedEnd)
	case string:
		return appendText(to, v)
	}
	return appendScalar(to, v)
}

// appendScalar packs what is no text; what JSON does not know is null.
func appendScalar(to []byte, v any) []byte {
	switch v := v.(type) {
	case bool:
		if v {
			return append(to, packedTrue)
		}
		return append(to, packedFalse)
	case int:
		return binary.AppendVarint(append(to, packedWhole), int64(v))
	case int64:
		return binary.AppendVarint(append(to, packedWhole), v)
	case float64:
		return binary.BigEndian.AppendUint64(append(to, packedFloat), math.Float64bits(v))
	}
	return append(to, packedNull)
}

func appendText(to []byte, text string) []byte {
	to = append(to, packedText)
	to = binary.AppendUvarint(to, uint64(len(text)))
	return append(to, text...)
}

func appendName(to []byte, name string) []byte {
	to = binary.AppendUvarint(to, uint64(len(name))+1)
	return append(to, name...)
}

// appendPacked packs a value as it is.
func (v *value) appendPacked(to []byte) []byte {
	switch v.kind {
	case objectValue:
		to = append(to, packedObject)
		for i := range v.of {
			to = v.of[i].appendPacked(appendName(to, v.of[i].key))
		}
		return append(to, packedEnd)
	case arrayValue:
		to = append(to, packedArray)
		for i := range v.of {
			to = v.of[i].appendPacked(to)
		}
		return append(to, packedEnd)
	case stringValue:
		return appendText(to, v.text)
	}
	return appendScalar(to, v.number())
}

// MarshalJSON writes the value as JSON; none is null.
func (p Packed) MarshalJSON() ([]byte, error) { return json.Marshal(p.Value()) }

// UnmarshalJSON packs JSON, which decoders have found valid before they call
// it. Whole numbers stay whole.
func (p *Packed) UnmarshalJSON(raw []byte) error {
	var r jsonReader
	v := r.read(string(raw), "")
	*p = Packed{}
	if v.kind != nullValue {
		p.text = string(v.appendPacked(nil))
	}
	return nil
}
