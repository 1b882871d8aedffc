package inventory

import (
	"regexp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// SchemaFacts is what a scan needs to know of the OpenAPI schema of one
// version. Paths are field paths without list items: "spec.storage.size".
type SchemaFacts struct {
	// Present: the version has a schema.
	Present bool `json:"present,omitempty"`
	// Opaque: the schema tells nothing of its fields (no properties, or
	// unknown fields preserved at the root). What it lacks proves nothing.
	Opaque bool `json:"opaque,omitempty"`
	// Description is what the schema and its spec say of themselves, without
	// boilerplate, cut at 200 bytes. A CRD keeps that of the storage version.
	Description string `json:"description,omitempty"`

	HasSpec    bool `json:"hasSpec,omitempty"`
	SpecOpaque bool `json:"specOpaque,omitempty"`
	// SpecLeaves counts the fields of spec that have no fields below them,
	// embedded core types (pod templates and the like) left out; Described of
	// them carry a description.
	SpecLeaves    int `json:"specLeaves,omitempty"`
	SpecDescribed int `json:"specDescribed,omitempty"`
	// Constraints counts required, enum, pattern, bounds, defaults and CEL
	// rules below spec.
	Constraints int `json:"constraints,omitempty"`

	HasStatus    bool `json:"hasStatus,omitempty"`
	StatusOpaque bool `json:"statusOpaque,omitempty"`
	// Conditions is nil when status has no array of conditions.
	Conditions *ConditionsSchema `json:"conditions,omitempty"`
	// PhaseField is the path of a field such as status.phase; "" if none.
	PhaseField string   `json:"phaseField,omitempty"`
	PhaseEnum  []string `json:"phaseEnum,omitempty"`
	// ObservedGeneration: status or its conditions have the field.
	ObservedGeneration bool `json:"observedGeneration,omitempty"`

	// Fields are paths by topic, at most five each: see topics in this file.
	Fields map[Topic][]string `json:"fields,omitempty"`
}

// ConditionsSchema describes the conditions array of a status.
type ConditionsSchema struct {
	Path string `json:"path"`
	// ListMap: x-kubernetes-list-type is map, keyed by type alone.
	ListMap bool `json:"listMap,omitempty"`
	// Required: items require type and status.
	Required bool `json:"required,omitempty"`
}

var phaseName = regexp.MustCompile(`^(phase|state|health|ready|readyToUse|status|applied|[A-Za-z]+ClusterStatus)$`)

// ReduceSchema turns the schema of a version into facts. A nil schema gives
// the zero value.
func ReduceSchema(root *apiextensionsv1.JSONSchemaProps) SchemaFacts {
	if root == nil {
		return SchemaFacts{}
	}
	r := &schemaReader{facts: SchemaFacts{Present: true}}
	r.facts.Opaque = preserves(root) || len(root.Properties) == 0
	r.facts.Description = descriptionOf(root)
	if spec, ok := root.Properties["spec"]; ok {
		r.facts.HasSpec = true
		r.facts.SpecOpaque = opaque(&spec)
		r.spec("spec", &spec, 0)
	}
	if status, ok := root.Properties["status"]; ok {
		r.facts.HasStatus = true
		r.facts.StatusOpaque = preserves(&status) || (opaque(&status) && status.Type == "object")
		r.status("status", &status, 0)
	}
	return r.facts
}

func preserves(s *apiextensionsv1.JSONSchemaProps) bool {
	return s.XPreserveUnknownFields != nil && *s.XPreserveUnknownFields
}

func opaque(s *apiextensionsv1.JSONSchemaProps) bool {
	return preserves(s) || (len(s.Properties) == 0 && s.AdditionalProperties == nil)
}

type schemaReader struct{ facts SchemaFacts }

// spec walks the fields of spec in the order of their names.
func (r *schemaReader) spec(path string, s *apiextensionsv1.JSONSchemaProps, depth int) {
	if depth > 10 {
		return
	}
	r.facts.Constraints += constraints(s)
	described := s.Description != ""
	if items := itemsOf(s); items != s {
		s = items
		r.facts.Constraints += constraints(s)
		described = described || s.Description != ""
	}
	if len(s.Properties) == 0 {
		if depth > 0 {
			r.facts.SpecLeaves++
			if described {
				r.facts.SpecDescribed++
			}
		}
		return
	}
	if depth > 0 && coreType(s) {
		if path == "spec.template.spec" && s.Properties["containers"].Items != nil {
			// The kind is a workload of its own (Rollout, CloneSet): its
			// operand's image is what its pod template says.
			r.keep(TopicImage, path+".containers.image")
		}
		return
	}
	_, embedded := s.Properties["spec"] // an object within: a claim template and its status
	for _, name := range names(s.Properties) {
		if embedded && name == "status" {
			continue
		}
		field := s.Properties[name]
		child := path + "." + name
		r.note(specTopics, child, name, &field)
		r.spec(child, &field, depth+1)
	}
}

func (r *schemaReader) status(path string, s *apiextensionsv1.JSONSchemaProps, depth int) {
	if depth > 5 {
		return
	}
	for _, name := range names(s.Properties) {
		field := s.Properties[name]
		child := path + "." + name
		r.note(statusTopics, child, name, &field)
		switch {
		case name == "conditions" && field.Type == "array":
			r.conditions(child, &field, depth)
			continue
		case name == "observedGeneration" && depth == 0:
			r.facts.ObservedGeneration = true
		case depth == 0 && phaseName.MatchString(name) && (field.Type == "string" || field.Type == "boolean") && r.facts.PhaseField == "":
			r.facts.PhaseField = child
			r.facts.PhaseEnum = enumOf(&field)
		}
		r.status(child, itemsOf(&field), depth+1)
	}
}

func (r *schemaReader) conditions(path string, s *apiextensionsv1.JSONSchemaProps, depth int) {
	item := itemsOf(s)
	if _, ok := item.Properties["type"]; !ok {
		return
	}
	if _, ok := item.Properties["status"]; !ok {
		return
	}
	if _, ok := item.Properties["observedGeneration"]; ok && depth == 0 {
		r.facts.ObservedGeneration = true
	}
	if r.facts.Conditions != nil && (depth > 0 || strings.Count(r.facts.Conditions.Path, ".") == 1) {
		return
	}
	r.facts.Conditions = &ConditionsSchema{
		Path:     path,
		ListMap:  s.XListType != nil && *s.XListType == "map" && slices.Equal(s.XListMapKeys, []string{"type"}),
		Required: slices.Contains(item.Required, "type") && slices.Contains(item.Required, "status"),
	}
}

// itemsOf steps through arrays and maps to what they hold.
func itemsOf(s *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.JSONSchemaProps {
	for range 4 {
		switch {
		case s.Items != nil && s.Items.Schema != nil:
			s = s.Items.Schema
		case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil && len(s.Properties) == 0:
			s = s.AdditionalProperties.Schema
		default:
			return s
		}
	}
	return s
}

// coreTypes are sets of properties by which an embedded Kubernetes type is
// recognised: its thousands of described fields say nothing about the author.
var coreTypes = [][]string{
	{"containers", "volumes"},
	{"image", "imagePullPolicy", "env"},
	{"nodeAffinity", "podAffinity"},
	{"accessModes", "volumeMode"},
	{"configMap", "secret", "emptyDir"},
	{"httpGet", "tcpSocket", "exec"},
	{"runAsUser", "seLinuxOptions"},
	{"valueFrom", "value", "name"},
	{"matchExpressions", "matchLabels"},
	{"topologyKey", "whenUnsatisfiable"},
	{"tolerationSeconds", "effect"},
	{"claims", "limits", "requests"},
}

func coreType(s *apiextensionsv1.JSONSchemaProps) bool {
	if _, ok := s.Properties["replicas"]; ok {
		return false // an author's own set of members, which takes containers and volumes too (Crunchy)
	}
	for _, set := range coreTypes {
		all := true
		for _, name := range set {
			if _, ok := s.Properties[name]; !ok {
				all = false
				break
			}
		}
		if all {
			return true
		}
	}
	return false
}

func constraints(s *apiextensionsv1.JSONSchemaProps) int {
	n := len(s.Required) + len(s.XValidations)
	for _, set := range []bool{len(s.Enum) > 0, s.Pattern != "", s.Minimum != nil, s.Maximum != nil, s.MinLength != nil, s.MaxLength != nil, s.Default != nil, len(s.OneOf) > 0, len(s.AnyOf) > 0 && !s.XIntOrString} {
		if set {
			n++
		}
	}
	return n
}

func enumOf(s *apiextensionsv1.JSONSchemaProps) []string {
	var values []string
	for i := range s.Enum {
		if len(values) == 30 {
			break
		}
		values = append(values, strings.Trim(string(s.Enum[i].Raw), `"`))
	}
	return values
}

func names(properties map[string]apiextensionsv1.JSONSchemaProps) []string {
	list := make([]string, 0, len(properties))
	for name := range properties {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}
