package inventory

import (
	"slices"
	"strings"
)

// Bounds of what is kept of one custom resource.
const (
	maxSpecPaths   = 400
	maxStatusDepth = 6
	maxStatusKeys  = 60
	maxStatusItems = 40
)

// PruneCustom reduces a custom resource in place: of its spec the key paths and
// the few values that evidence rests on are kept, its status is bounded. spec
// and status are what the object had, as decoders of JSON make them.
func PruneCustom(o *Object, spec, status any) { (*Shared)(nil).PruneCustom(o, spec, status) }

// PruneCustom is PruneCustom; what other objects said already is in memory
// once.
func (s *Shared) PruneCustom(o *Object, spec, status any) {
	s.pruneMeta(&o.ObjectMeta)
	o.SpecPaths = s.pathList(o.SpecPaths)
	s.pruneCustom(o, valueOf(spec), valueOf(status))
}

// pruneCustom sets what is kept of a spec and a status. A spec may be anything,
// since schemas allow that; only an object has fields to keep.
func (s *Shared) pruneCustom(o *Object, spec, status value) {
	o.Spec = Packed{}
	if spec.kind == objectValue {
		if o.SpecPaths == nil && len(spec.of) > 0 {
			o.SpecPaths = s.keyPaths(&spec)
		}
		to := append(s.scratch(), packedObject)
		if keepsSpec(o) {
			s.cleanNames(&spec)
			to = s.scrubbedFields(to, &spec, 0)
		} else {
			to = s.referencesAndVersions(to, &spec, 0)
		}
		if len(to) > 1 {
			o.Spec = s.packed(append(to, packedEnd))
		}
	}
	o.Status = s.pruneStatus(status)
}

// wholeSpecs are the kinds whose spec is kept: what they select, expose, scale
// or own is evidence about other operators (DESIGN §5).
var wholeSpecs = map[string][]string{
	"monitoring.coreos.com":        {"ServiceMonitor", "PodMonitor", "PrometheusRule", "Probe"},
	"operator.victoriametrics.com": {"VMServiceScrape", "VMPodScrape", "VMRule"},
	"monitoring.googleapis.com":    {"PodMonitoring", "ClusterPodMonitoring", "Rules", "ClusterRules"},
	"keda.sh":                      {"ScaledObject", "ScaledJob"},
	"autoscaling.k8s.io":           {"VerticalPodAutoscaler"},
	"operators.coreos.com":         {"ClusterServiceVersion", "Subscription", "OperatorCondition", "OperatorGroup", "InstallPlan"},
	"apiextensions.crossplane.io":  {"CompositeResourceDefinition"},
	"templates.gatekeeper.sh":      {"ConstraintTemplate"},
	"kro.run":                      {"ResourceGraphDefinition"},
	"gateway.networking.k8s.io":    {"GatewayClass"},
}

func keepsSpec(o *Object) bool { return slices.Contains(wholeSpecs[o.Group()], o.Kind) }

// droppedKeys are parts of kept specs that are large or may hold secrets, in
// lower case.
var droppedKeys = newKeySet(`icon description keywords maintainers links specdescriptors statusdescriptors actiondescriptors
	rego code libs source examples basicauth authorization tlsconfig oauth2 password token params headers httpheaders proxyurl data stringdata binarydata
	relabelings metricrelabelings schema openapiv3schema template templates env envfrom command volumes volumemounts metadata authenticationref`,
	[]string{"bearertoken"}, nil)

// keptInstall overrides droppedKeys where a dropped name holds what is looked
// for: the Deployments of a CSV, the schema of an XRD version is not.
var keptInstall = newKeySet("install deployments spec template containers clusterPermissions permissions rules", nil, nil)

// cleanNames makes the names of fields what is kept of them, before anything is
// decided by a name: what is not shown hides nothing.
func (s *Shared) cleanNames(v *value) {
	for i := range v.of {
		if v.kind == objectValue {
			v.of[i].key = s.clean(v.of[i].key)
		}
		s.cleanNames(&v.of[i])
	}
	if v.kind == objectValue {
		v.sort()
	}
}

// scrubbed packs a value without dropped keys, with scrubbed texts and a
// bounded depth.
func (s *Shared) scrubbed(to []byte, v *value, depth int) []byte {
	if depth > 12 {
		return append(to, packedNull)
	}
	switch v.kind {
	case objectValue:
		return append(s.scrubbedFields(append(to, packedObject), v, depth), packedEnd)
	case arrayValue:
		to = append(to, packedArray)
		for i := range v.of {
			if i == 500 {
				break
			}
			to = s.scrubbed(to, &v.of[i], depth+1)
		}
		return append(to, packedEnd)
	case stringValue:
		return appendText(to, expression(v.text))
	default:
		return appendScalar(to, v.number())
	}
}

func (s *Shared) scrubbedFields(to []byte, v *value, depth int) []byte {
	for i := range v.of {
		field := &v.of[i]
		if droppedKeys.hasFolded(field.key) && !keptInstall.has(field.key) {
			continue
		}
		to = s.scrubbedField(appendName(to, field.key), field, depth)
	}
	return to
}

func (s *Shared) scrubbedField(to []byte, field *value, depth int) []byte {
	switch field.key {
	case "template":
		kind, apiVersion := field.field("kind"), field.field("apiVersion")
		if kind.kind == stringValue && apiVersion.kind == stringValue {
			// Any object at all, as in a ResourceGraphDefinition.
			to = appendText(appendName(append(to, packedObject), "apiVersion"), apiVersion.text)
			return append(appendText(appendName(to, "kind"), kind.text), packedEnd)
		}
	case "args":
		return appendFlags(to, field)
	}
	return s.scrubbed(to, field, depth+1)
}

func appendFlags(to []byte, v *value) []byte {
	var args []string
	for i := range v.of {
		if v.kind == arrayValue && v.of[i].kind == stringValue {
			args = append(args, v.of[i].text)
		}
	}
	to = append(to, packedArray)
	for _, a := range flagsOf(args) {
		to = appendText(to, a)
	}
	return append(to, packedEnd)
}

// maxExpression bounds the texts of rules and selectors, which are longer than
// messages: a PromQL expression cut in two is no expression.
const maxExpression = 4000

// expression keeps such a text, line by line: a comment ends with its line.
func expression(s string) string {
	var kept []string
	for line := range strings.Lines(cut(s, 4*maxExpression)) {
		if line = clean(line); line != "" {
			kept = append(kept, line)
		}
	}
	return cut(strings.Join(kept, "\n"), maxExpression)
}
