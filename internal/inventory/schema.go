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
	r := &schemaReader{}
	r.read(node{props: root})
	return r.facts
}

// schemaReader reads the facts off one schema.
type schemaReader struct {
	facts  SchemaFacts
	shared *Shared
	// room is where the properties of what is open stand. Whoever opens gives
	// it back.
	room []property
	err  error // of a schema in protobuf
	// wholeDescriptions: what is open now has a description that is kept.
	wholeDescriptions bool
}

// read reads the facts off a schema, which may be none.
func (r *schemaReader) read(root node) {
	if root.none() {
		return
	}
	r.room = r.room[:0]
	r.wholeDescriptions = true
	s := r.open(root)
	r.facts.Present = true
	r.facts.Opaque = s.preserves || len(s.properties) == 0
	specNode, hasSpec := s.property("spec")
	statusNode, hasStatus := s.property("status")
	var spec opened
	if hasSpec {
		spec = r.open(specNode)
	}
	r.wholeDescriptions = false
	r.facts.Description = descriptionOf(s.description, spec.description)
	if hasSpec {
		r.facts.HasSpec = true
		r.facts.SpecOpaque = spec.opaque()
		r.spec("spec", &spec, 0)
	}
	if hasStatus {
		status := r.open(statusNode)
		r.facts.HasStatus = true
		r.facts.StatusOpaque = status.preserves || status.opaque() && status.kind == "object"
		r.status("status", &status, 0)
	}
}

// spec walks the fields of spec in the order of their names.
func (r *schemaReader) spec(path string, s *opened, depth int) {
	if depth > 10 {
		return
	}
	mark := len(r.room)
	defer func() { r.room = r.room[:mark] }()
	r.facts.Constraints += s.constraints()
	described := s.description != ""
	if items, stepped := r.within(*s); stepped {
		s = &items
		r.facts.Constraints += s.constraints()
		described = described || s.description != ""
	}
	if len(s.properties) == 0 {
		if depth > 0 {
			r.facts.SpecLeaves++
			if described {
				r.facts.SpecDescribed++
			}
		}
		return
	}
	if depth > 0 && coreType(s) {
		if containers, ok := s.property("containers"); ok && path == "spec.template.spec" && r.open(containers).hasItems {
			// The kind is a workload of its own (Rollout, CloneSet): its
			// operand's image is what its pod template says.
			r.keep(TopicImage, path+".containers.image")
		}
		return
	}
	embedded := s.has("spec") // an object within: a claim template and its status
	for _, p := range s.properties {
		if embedded && p.name == "status" {
			continue
		}
		before := len(r.room)
		field := r.open(p.node)
		child := path + "." + p.name
		r.note(&specTopics, child, p.name, &field)
		r.spec(child, &field, depth+1)
		r.room = r.room[:before]
	}
}

func (r *schemaReader) status(path string, s *opened, depth int) {
	if depth > 5 {
		return
	}
	mark := len(r.room)
	defer func() { r.room = r.room[:mark] }()
	for _, p := range s.properties {
		r.room = r.room[:mark]
		field := r.open(p.node)
		child := path + "." + p.name
		r.note(&statusTopics, child, p.name, &field)
		switch {
		case p.name == "conditions" && field.kind == "array":
			r.conditions(child, &field, depth)
			continue
		case p.name == "observedGeneration" && depth == 0:
			r.facts.ObservedGeneration = true
		case depth == 0 && phaseName.MatchString(p.name) && (field.kind == "string" || field.kind == "boolean") && r.facts.PhaseField == "":
			r.facts.PhaseField = child
			r.facts.PhaseEnum = enumOf(&field)
		}
		items, _ := r.within(field)
		r.status(child, &items, depth+1)
	}
}

func (r *schemaReader) conditions(path string, s *opened, depth int) {
	item, _ := r.within(*s)
	if !item.has("type") || !item.has("status") {
		return
	}
	if item.has("observedGeneration") && depth == 0 {
		r.facts.ObservedGeneration = true
	}
	if r.facts.Conditions != nil && (depth > 0 || strings.Count(r.facts.Conditions.Path, ".") == 1) {
		return
	}
	r.facts.Conditions = &ConditionsSchema{
		Path:     path,
		ListMap:  s.listType == "map" && slices.Equal(s.listMapKeys, []string{"type"}),
		Required: slices.Contains(item.required, "type") && slices.Contains(item.required, "status"),
	}
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

func coreType(s *opened) bool {
	if s.has("replicas") {
		return false // an author's own set of members, which takes containers and volumes too (Crunchy)
	}
	for _, set := range coreTypes {
		all := true
		for _, name := range set {
			if !s.has(name) {
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

func enumOf(s *opened) []string {
	var values []string
	for _, raw := range s.enum[:min(len(s.enum), 30)] {
		values = append(values, strings.Trim(raw, `"`))
	}
	return values
}
