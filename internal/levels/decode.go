package levels

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// selfDecoding values keep the node they come from, to report mistakes that
// are found later.
type selfDecoding interface {
	decode(d *document, n *yaml.Node)
}

// decodeRoot decodes into what out points to.
func (d *document) decodeRoot(n *yaml.Node, out any) {
	d.decode(n, reflect.ValueOf(out).Elem())
}

// decode puts a node into v, strictly: a key that v does not have, a key
// given twice or a value of another type is a mistake. Fields go by their
// yaml tag, else by their json tag.
func (d *document) decode(n *yaml.Node, v reflect.Value) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if self, ok := v.Addr().Interface().(selfDecoding); ok {
		self.decode(d, n)
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		d.decodeStruct(n, v)
	case reflect.Map:
		d.decodeMap(n, v)
	case reflect.Slice:
		d.decodeSlice(n, v)
	default:
		d.decodeScalar(n, v)
	}
}

func (d *document) decodeStruct(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.report(n, "expected keys and values")
		return
	}
	if at := v.FieldByName("Place"); at.IsValid() {
		at.Set(reflect.ValueOf(place{n}))
	}
	fields := fieldsOf(v.Type())
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		index, known := fields[key.Value]
		switch {
		case !known:
			d.report(key, "unknown key %q%s", key.Value, didYouMean(key.Value, fields))
		case seen[key.Value]:
			d.report(key, "key %q given twice", key.Value)
		default:
			d.decode(value, v.Field(index))
		}
		seen[key.Value] = true
	}
}

func (d *document) decodeMap(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.MappingNode {
		d.report(n, "expected keys and values")
		return
	}
	m := reflect.MakeMap(v.Type())
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := reflect.New(v.Type().Elem()).Elem()
		d.decode(n.Content[i+1], value)
		m.SetMapIndex(reflect.ValueOf(n.Content[i].Value), value)
	}
	v.Set(m)
}

func (d *document) decodeSlice(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.SequenceNode {
		d.report(n, "expected a list")
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		d.decode(item, list.Index(i))
	}
	v.Set(list)
}

func (d *document) decodeScalar(n *yaml.Node, v reflect.Value) {
	if n.Kind != yaml.ScalarNode {
		d.report(n, "expected a single value")
		return
	}
	var err error
	switch v.Kind() {
	case reflect.String:
		if n.Tag != "!!str" {
			err = errors.New("expected a text: put it in quotes")
		}
		v.SetString(n.Value)
	case reflect.Bool:
		var b bool
		err = n.Decode(&b)
		v.SetBool(b)
	case reflect.Int:
		var i int64
		err = n.Decode(&i)
		v.SetInt(i)
	case reflect.Float64:
		var f float64
		err = n.Decode(&f)
		v.SetFloat(f)
	default:
		panic("levels: no way to decode a " + v.Type().String()) // a fact of a new Go type
	}
	if err != nil && v.Kind() != reflect.String {
		err = fmt.Errorf("expected %s, found %q", kindWords[v.Kind()], n.Value)
	}
	if err != nil {
		d.report(n, "%v", err)
	}
}

var kindWords = map[reflect.Kind]string{
	reflect.Bool: "true or false", reflect.Int: "a whole number", reflect.Float64: "a number",
}

// fieldsOf maps the names of a struct's fields to their indexes.
func fieldsOf(t reflect.Type) map[string]int {
	fields := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("yaml")
		if tag == "" {
			tag = f.Tag.Get("json")
		}
		name, _, _ := strings.Cut(tag, ",")
		if name != "" && name != "-" {
			fields[name] = i
		}
	}
	return fields
}

// didYouMean names the keys that begin or end alike.
func didYouMean(key string, fields map[string]int) string {
	var alike []string
	for name := range fields {
		if strings.EqualFold(name, key) || len(key) > 2 && (strings.HasPrefix(name, key) || strings.HasPrefix(key, name)) {
			alike = append(alike, name)
		}
	}
	if len(alike) == 0 {
		return ""
	}
	slices.Sort(alike)
	return " (did you mean " + strings.Join(alike, " or ") + "?)"
}
