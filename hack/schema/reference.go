package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/invopop/jsonschema"
)

const introduction = `# The JSON that the program writes

Made by ` + "`make docs`" + ` from the Go types; do not edit. The same structure is written with ` + "`-o yaml`" + `.

Names and meanings of fields are a contract within ` + "`operator-maturity/v1`" + `: a new field may come, none changes its meaning or goes. So a reader must
ignore fields that it does not know. Times are RFC 3339. A field that is not *always* there is left out when it is empty.

` + "`explain OPERATOR -o json`" + ` is one [Operator](#scorecard-operator) of a scorecard, ` + "`explain CRD -o json`" + ` one [item](#crdlist-ownedcrd) of a CRDList.
`

// reference is docs/output.md.
func reference(documents []document) []byte {
	var b bytes.Buffer
	b.WriteString(introduction)
	b.WriteString("\n| kind | written by | JSON schema |\n|---|---|---|\n")
	for _, d := range documents {
		fmt.Fprintf(&b, "| [%s](#%s) | %s | [%s](%s) |\n", d.Kind, strings.ToLower(d.Kind), d.From, d.file, d.file)
	}
	for _, d := range documents {
		fmt.Fprintf(&b, "\n## %s\n", d.Kind)
		describe(&b, d, d.schema)
		for _, name := range slices.Sorted(maps.Keys(d.schema.Definitions)) {
			fmt.Fprintf(&b, "\n### %s %s\n", d.Kind, name)
			describe(&b, d, d.schema.Definitions[name])
		}
	}
	return b.Bytes()
}

// describe writes the comment of a type, and its fields as a table.
func describe(b *bytes.Buffer, d document, schema *jsonschema.Schema) {
	if schema.Description != "" {
		fmt.Fprintf(b, "\n%s\n", schema.Description)
	}
	if schema.Properties.Len() == 0 {
		return
	}
	b.WriteString("\n| field | type | always | meaning |\n|---|---|---|---|\n")
	for p := schema.Properties.Oldest(); p != nil; p = p.Next() {
		always := ""
		if slices.Contains(schema.Required, p.Key) {
			always = "yes"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Key, typeName(d, p.Value), always, strings.ReplaceAll(meaning(p.Value), "|", `\|`))
	}
}

// typeName is the type of a field in words, linked to its section.
func typeName(d document, s *jsonschema.Schema) string {
	switch {
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, "#/$defs/")
		return fmt.Sprintf("[%s](#%s-%s)", name, strings.ToLower(d.Kind), strings.ToLower(name))
	case s.Type == "array":
		return "list of " + typeName(d, s.Items)
	case s.Type == "object" && s.AdditionalProperties != nil:
		return "map to " + typeName(d, s.AdditionalProperties)
	case s.Format == "date-time":
		return "time"
	case s.Type == "":
		return "any"
	}
	return s.Type
}

// meaning is the comment of a field, and the values that it may have.
func meaning(s *jsonschema.Schema) string {
	text := s.Description
	values := s.Enum
	if s.Const != nil {
		values = []any{s.Const}
	}
	var quoted []string
	for _, v := range values {
		quoted = append(quoted, fmt.Sprintf("`%v`", v))
	}
	if len(quoted) > 0 {
		text = strings.TrimSpace(text + " Values: " + strings.Join(quoted, ", ") + ".")
	}
	return text
}
