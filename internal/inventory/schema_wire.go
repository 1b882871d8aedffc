package inventory

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// errWire is protobuf that is none.
var errWire = errors.New("the protobuf of a CRD is broken")

// eachField calls yield with every field of a message: its number and, of
// fields that have a length, its bytes; of others the number that they hold.
func eachField(message []byte, yield func(field protowire.Number, bytes []byte, number uint64)) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeTag(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errWire, protowire.ParseError(n))
		}
		message = message[n:]
		var bytes []byte
		var number uint64
		switch kind {
		case protowire.BytesType:
			bytes, n = protowire.ConsumeBytes(message)
		case protowire.VarintType:
			number, n = protowire.ConsumeVarint(message)
		default:
			n = protowire.ConsumeFieldValue(field, kind, message)
		}
		if n < 0 {
			return fmt.Errorf("%w: %w", errWire, protowire.ParseError(n))
		}
		message = message[n:]
		yield(field, bytes, number)
	}
	return nil
}

// The fields of JSONSchemaProps in generated.proto of
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.
const (
	fieldDescription  = 4
	fieldType         = 5
	fieldDefault      = 8
	fieldMaximum      = 9
	fieldMinimum      = 11
	fieldMaxLength    = 13
	fieldMinLength    = 14
	fieldPattern      = 15
	fieldEnum         = 20
	fieldRequired     = 23
	fieldItems        = 24
	fieldOneOf        = 26
	fieldAnyOf        = 27
	fieldProperties   = 29
	fieldAdditional   = 30
	fieldPreserve     = 38
	fieldIntOrString  = 40
	fieldListMapKeys  = 41
	fieldListType     = 42
	fieldValidations  = 44
	fieldSchemaOfItem = 1 // of JSONSchemaPropsOrArray
	fieldSchemaOfBool = 2 // of JSONSchemaPropsOrBool
)

// openWire is openProps for bytes. What is broken is remembered in the reader.
func (r *schemaReader) openWire(message []byte) opened {
	var s opened
	mark := len(r.room)
	r.fail(eachField(message, func(field protowire.Number, bytes []byte, number uint64) {
		switch field {
		case fieldDescription:
			s.description = r.description(bytes)
		case fieldType:
			s.kind = r.shared.bytes(bytes)
		case fieldDefault, fieldMaximum, fieldMinimum, fieldMaxLength, fieldMinLength:
			s.bounds++
		case fieldPattern:
			if len(bytes) > 0 {
				s.bounds++
			}
		case fieldEnum:
			s.enum = append(s.enum, string(r.only(bytes, 1)))
		case fieldRequired:
			s.required = append(s.required, r.shared.bytes(bytes))
		case fieldItems:
			s.hasItems = true
			s.items.wire = r.only(bytes, fieldSchemaOfItem)
		case fieldOneOf:
			s.oneOf = true
		case fieldAnyOf:
			s.anyOf = true
		case fieldProperties:
			r.room = append(r.room, r.entry(bytes))
		case fieldAdditional:
			s.hasAdditional = true
			s.additional.wire = r.only(bytes, fieldSchemaOfBool)
		case fieldPreserve:
			s.preserves = number != 0
		case fieldIntOrString:
			s.intOrString = number != 0
		case fieldListMapKeys:
			s.listMapKeys = append(s.listMapKeys, string(bytes))
		case fieldListType:
			s.listType = string(bytes)
		case fieldValidations:
			s.validations++
		}
	}))
	s.properties = r.room[mark:len(r.room):len(r.room)]
	s.sort()
	return s
}

// description keeps a description where it is a fact itself; elsewhere only
// that there is one.
func (r *schemaReader) description(bytes []byte) string {
	switch {
	case len(bytes) == 0:
		return ""
	case r.wholeDescriptions:
		return string(bytes)
	}
	return "…"
}

// only is a field with a length of a message; nil if it is not there.
func (r *schemaReader) only(message []byte, wanted protowire.Number) (found []byte) {
	r.fail(eachField(message, func(field protowire.Number, bytes []byte, _ uint64) {
		if field == wanted && bytes != nil {
			found = bytes
		}
	}))
	return found
}

// entry is an entry of a map of schemas.
func (r *schemaReader) entry(message []byte) (p property) {
	p.node.wire = []byte{}
	r.fail(eachField(message, func(field protowire.Number, bytes []byte, _ uint64) {
		switch field {
		case 1:
			p.name = r.shared.bytes(bytes)
		case 2:
			p.node.wire = bytes
		}
	}))
	return p
}

func (r *schemaReader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
}
