package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"github.com/invopop/jsonschema"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/report"
)

// document is a kind of JSON with its schema.
type document struct {
	report.JSONDocument
	file   string // under docs/
	schema *jsonschema.Schema
}

// schemas of all kinds of JSON that the program writes.
func schemas(s *source) []document {
	var list []document
	for _, d := range report.JSONDocuments() {
		list = append(list, document{d, fileOf(d.Kind), s.schemaOf(d)})
	}
	return append(list, s.snapshot())
}

func fileOf(kind string) string { return "schema/" + strings.ToLower(kind) + ".json" }

func (s *source) schemaOf(d report.JSONDocument) *jsonschema.Schema {
	schema := s.reflector().Reflect(d.Value)
	relax(schema, reflect.TypeOf(d.Value))
	schema.Title = d.Kind
	constant(schema, "apiVersion", inventory.APIVersion)
	constant(schema, "kind", d.Kind)
	return schema
}

// constant narrows a property down to one value.
func constant(schema *jsonschema.Schema, property, value string) {
	p, ok := schema.Properties.Get(property)
	if !ok {
		panic(fmt.Sprintf("%s has no property %s", schema.Title, property))
	}
	p.Const, p.Description = value, ""
}

// reflector makes schemas that let unknown properties pass: within a version
// of the format, fields may come.
func (s *source) reflector() *jsonschema.Reflector {
	taken := map[string]reflect.Type{}
	return &jsonschema.Reflector{
		Anonymous: true, ExpandedStruct: true, AllowAdditionalProperties: true,
		LookupComment: s.of,
		Mapper:        s.mapped,
		Namer: func(t reflect.Type) string {
			name := exported(t.Name())
			if other := taken[name]; name != "" && other != nil && other != t {
				panic(fmt.Sprintf("%s and %s would both be called %s", other, t, name))
			}
			taken[name] = t
			return name
		},
	}
}

var parameter = regexp.MustCompile(`\[(\w+)\]$`)

// exported is a name with a capital, and its type parameter as a word.
func exported(name string) string {
	name = parameter.ReplaceAllStringFunc(name, func(p string) string { return exported(strings.Trim(p, "[]")) })
	if name == "" {
		return "" // a type without a name, such as a slice
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// mapped are types that are more, or less, than their Go structure: our words
// with a fixed set of values, and those of Kubernetes, whose own reference
// tells what is in them.
func (s *source) mapped(t reflect.Type) *jsonschema.Schema {
	if values := s.values[typeKey(t)]; t.Kind() == reflect.String && len(values) > 0 {
		return &jsonschema.Schema{Type: "string", Enum: values, Description: s.of(t, "")}
	}
	if strings.HasPrefix(t.PkgPath(), "k8s.io/") && t.Kind() == reflect.Struct {
		if t.Name() == "Time" {
			return &jsonschema.Schema{Type: "string", Format: "date-time"}
		}
		return &jsonschema.Schema{Type: "object", Description: "Kubernetes' " + t.Name() + ", pruned."}
	}
	return nil
}

// snapshot is the schema of a snapshot: its header, and items of which ours
// are told apart by their kind.
func (s *source) snapshot() document {
	d := document{file: fileOf(inventory.SnapshotKind)}
	d.Kind, d.From = inventory.SnapshotKind, "`snapshot FILE`"
	head, items := inventory.SnapshotTypes()
	d.Value = head
	d.schema = s.schemaOf(d.JSONDocument)
	d.schema.Description = "What one look at a cluster, or at files, has seen. An item is a line."
	object := &jsonschema.Schema{Type: "object", Required: []string{"apiVersion", "kind"},
		Description: "A Kubernetes object, pruned, or an item of one of the kinds below."}
	for _, item := range items {
		schema := s.reflector().Reflect(item)
		name := exported(reflect.TypeOf(item).Name())
		kind := strings.TrimSuffix(name, "Item")
		if kind == "Crd" {
			kind = "CustomResourceDefinition"
		}
		for inner, definition := range schema.Definitions {
			d.schema.Definitions[inner] = definition
		}
		schema.Definitions, schema.Version = nil, ""
		d.schema.Definitions[name] = schema
		ours := &jsonschema.Schema{Properties: jsonschema.NewProperties()}
		ours.Properties.Set("kind", &jsonschema.Schema{Const: kind})
		object.AllOf = append(object.AllOf, &jsonschema.Schema{If: ours, Then: &jsonschema.Schema{Ref: "#/$defs/" + name}})
	}
	d.schema.Definitions["Item"] = object
	d.schema.Properties.Set("items", &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Ref: "#/$defs/Item"}})
	d.schema.Required = append(d.schema.Required, "items")
	return d
}

func encode(schema *jsonschema.Schema) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(schema)
	return b.Bytes(), err
}
