package inventory

import (
	"cmp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// node is a place in a schema that has not been looked into yet: a decoded
// schema, or the bytes of one in protobuf. Most of a CRD is descriptions and
// embedded core types that no fact rests on; on the wire they are stepped over.
type node struct {
	wire  []byte
	props *apiextensionsv1.JSONSchemaProps
	// in and name are for schemas within a map: out of it they are copied, they
	// are large, and only when looked into.
	in   map[string]apiextensionsv1.JSONSchemaProps
	name string
}

// none tells that there is no schema at the place. One of no bytes is there.
func (n node) none() bool { return n.wire == nil && n.props == nil && n.in == nil }

// opened is one level of a schema: what facts rest on.
type opened struct {
	kind        string // the type
	description string
	properties  []property // in the order of their names
	items       node       // of an array
	hasItems    bool
	additional  node // what a map holds
	// hasAdditional: additional properties are allowed or denied by a word.
	hasAdditional bool
	preserves     bool // unknown fields
	intOrString   bool
	listType      string
	listMapKeys   []string
	required      []string
	enum          []string // JSON
	validations   int      // CEL rules
	bounds        int      // how many of pattern, minimum, maximum, lengths and default are set
	oneOf, anyOf  bool
}

type property struct {
	name string
	node node
}

// open looks into a place, one level deep.
func (r *schemaReader) open(n node) opened {
	switch {
	case n.props != nil:
		return openProps(n.props)
	case n.in != nil:
		p := n.in[n.name]
		return openProps(&p)
	}
	return r.openWire(n.wire)
}

func openProps(p *apiextensionsv1.JSONSchemaProps) opened {
	s := opened{
		kind: p.Type, description: p.Description, hasItems: p.Items != nil, hasAdditional: p.AdditionalProperties != nil,
		preserves: p.XPreserveUnknownFields != nil && *p.XPreserveUnknownFields, intOrString: p.XIntOrString,
		listMapKeys: p.XListMapKeys, required: p.Required, validations: len(p.XValidations),
		oneOf: len(p.OneOf) > 0, anyOf: len(p.AnyOf) > 0,
	}
	if p.XListType != nil {
		s.listType = *p.XListType
	}
	if p.Items != nil {
		s.items.props = p.Items.Schema
	}
	if p.AdditionalProperties != nil {
		s.additional.props = p.AdditionalProperties.Schema
	}
	s.properties = make([]property, 0, len(p.Properties))
	for name := range p.Properties {
		s.properties = append(s.properties, property{name, node{in: p.Properties, name: name}})
	}
	s.sort()
	for i := range p.Enum {
		s.enum = append(s.enum, string(p.Enum[i].Raw))
	}
	for _, set := range []bool{p.Pattern != "", p.Minimum != nil, p.Maximum != nil, p.MinLength != nil, p.MaxLength != nil, p.Default != nil} {
		if set {
			s.bounds++
		}
	}
	return s
}

func (s *opened) sort() {
	byName := func(a, b property) int { return cmp.Compare(a.name, b.name) }
	if !slices.IsSortedFunc(s.properties, byName) {
		slices.SortFunc(s.properties, byName)
	}
}

// property finds a property by its name.
func (s *opened) property(name string) (node, bool) {
	i, ok := slices.BinarySearchFunc(s.properties, name, func(p property, name string) int { return strings.Compare(p.name, name) })
	if !ok {
		return node{}, false
	}
	return s.properties[i].node, true
}

func (s *opened) has(name string) bool {
	_, ok := s.property(name)
	return ok
}

// opaque: the schema tells nothing of the fields below it.
func (s *opened) opaque() bool {
	return s.preserves || len(s.properties) == 0 && !s.hasAdditional
}

func (s *opened) constraints() int {
	n := len(s.required) + s.validations + s.bounds
	for _, set := range []bool{len(s.enum) > 0, s.oneOf, s.anyOf && !s.intOrString} {
		if set {
			n++
		}
	}
	return n
}

// within steps through arrays and maps to what they hold.
func (r *schemaReader) within(s opened) (inner opened, stepped bool) {
	for range 4 {
		switch {
		case !s.items.none():
			s = r.open(s.items)
		case !s.additional.none() && len(s.properties) == 0:
			s = r.open(s.additional)
		default:
			return s, stepped
		}
		stepped = true
	}
	return s, stepped
}
