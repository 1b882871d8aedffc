package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

// relax takes out of the required properties what comes from an embedded
// pointer: where that is nil, none of its fields is written.
func relax(schema *jsonschema.Schema, t reflect.Type) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			walk(t.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[t] {
			return
		}
		seen[t] = true
		for i := range t.NumField() {
			f := t.Field(i)
			walk(f.Type)
			if definition := schema.Definitions[exported(t.Name())]; definition != nil && f.Anonymous && f.Type.Kind() == reflect.Pointer {
				optional := propertiesOf(f.Type.Elem())
				definition.Required = slices.DeleteFunc(definition.Required, func(name string) bool { return slices.Contains(optional, name) })
			}
		}
	}
	walk(t)
}

// propertiesOf are the names of the fields of a struct in JSON.
func propertiesOf(t reflect.Type) []string {
	var list []string
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		list = append(list, name)
	}
	return list
}
