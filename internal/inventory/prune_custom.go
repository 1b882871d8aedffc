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

// PruneCustom reduces a custom resource in place: spec becomes key paths plus
// the few values that evidence rests on, status is bounded.
func PruneCustom(o *Object) {
	pruneMeta(&o.ObjectMeta)
	(*Shared)(nil).pruneCustom(o, valueOf(o.Spec), valueOf(o.Status))
}

// pruneCustom sets what is kept of a spec and a status. A spec may be anything,
// since schemas allow that; only an object has fields to keep.
func (s *Shared) pruneCustom(o *Object, spec, status value) {
	o.Spec = nil
	if spec.kind == objectValue {
		if o.SpecPaths == nil && len(spec.of) > 0 {
			o.SpecPaths = s.keyPaths(&spec)
		}
		if keepsSpec(o) {
			s.cleanNames(&spec)
			o.Spec, _ = s.scrubbed(&spec, 0).(map[string]any)
		} else {
			o.Spec = s.referencesAndVersions(&spec, 0)
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

// scrubbed copies a value without dropped keys, with scrubbed texts and a
// bounded depth.
func (s *Shared) scrubbed(v *value, depth int) any {
	if depth > 12 {
		return nil
	}
	switch v.kind {
	case objectValue:
		kept := make(map[string]any, len(v.of))
		for i := range v.of {
			field := &v.of[i]
			if droppedKeys.hasFolded(field.key) && !keptInstall.has(field.key) {
				continue
			}
			kept[s.str(field.key)] = s.scrubbedField(field, depth)
		}
		return kept
	case arrayValue:
		kept := make([]any, 0, len(v.of))
		for i := range v.of {
			if i == 500 {
				break
			}
			kept = append(kept, s.scrubbed(&v.of[i], depth+1))
		}
		return kept
	case stringValue:
		return s.str(expression(v.text))
	default:
		return v.number()
	}
}

func (s *Shared) scrubbedField(field *value, depth int) any {
	switch field.key {
	case "template":
		kind, apiVersion := field.field("kind"), field.field("apiVersion")
		if kind.kind == stringValue && apiVersion.kind == stringValue {
			// Any object at all, as in a ResourceGraphDefinition.
			return map[string]any{"apiVersion": s.str(apiVersion.text), "kind": s.str(kind.text)}
		}
	case "args":
		return s.flagsOfValue(field)
	}
	return s.scrubbed(field, depth+1)
}

func (s *Shared) flagsOfValue(v *value) any {
	var args []string
	for i := range v.of {
		if v.kind == arrayValue && v.of[i].kind == stringValue {
			args = append(args, s.str(v.of[i].text))
		}
	}
	var kept []any
	for _, a := range flagsOf(args) {
		kept = append(kept, a)
	}
	return kept
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

// scalarKeys are spec fields whose plain values are kept wherever they stand.
var scalarKeys = newKeySet(`version image imageName replicas instances size members nodes paused suspend suspended maintenance
	schedule controllerName minReplicas maxReplicas`, []string{"enable"}, []string{"Version"})

// referenceKeys are spec fields that name another object. Values below them
// are kept if they are names, kinds, groups or namespaces.
var referenceKeys = newKeySet("cluster clusterName backup backupName source secretName issuer ref scaleTargetRef", nil,
	[]string{"Ref", "Refs", "Reference", "ClusterName", "Selector"})

var nameKeys = newKeySet("name kind group apiVersion apiGroup namespace clusterName matchLabels", nil, nil)

// referencesAndVersions keeps of a spec the scalars of scalarKeys and the names
// below referenceKeys.
func (s *Shared) referencesAndVersions(spec *value, depth int) map[string]any {
	if depth > 5 {
		return nil
	}
	var kept map[string]any
	for i := range spec.of {
		field := &spec.of[i]
		v := s.referenceOrVersion(field, depth)
		if v == nil {
			continue
		}
		if kept == nil {
			kept = map[string]any{}
		}
		kept[s.str(field.key)] = v
	}
	return kept
}

// referenceOrVersion is what is kept of one field of a spec, nil for nothing.
func (s *Shared) referenceOrVersion(field *value, depth int) any {
	key := field.key
	switch field.kind {
	case objectValue:
		if referenceKeys.has(key) {
			return orNil(s.namesOf(field))
		}
		return orNil(s.referencesAndVersions(field, depth+1))
	case stringValue:
		switch {
		case strings.HasPrefix(key, "enable"): // only switches are meant
		case !scalarKeys.has(key) && !referenceKeys.has(key):
		case isPlainValue(field.text) && s.clean(field.text) == field.text:
			return s.boxed(field.text)
		}
	case arrayValue:
		if referenceKeys.has(key) {
			return s.listNamesOf(field)
		}
	case scalarValue:
		if scalarKeys.has(key) {
			switch n := field.number().(type) {
			case bool, int64, float64:
				return n
			}
		}
	}
	return nil
}

// orNil makes an empty map in an interface a plain nil.
func orNil(m map[string]any) any {
	if m == nil {
		return nil
	}
	return m
}

// listNamesOf is namesOf for a list of references, such as parentRefs.
func (s *Shared) listNamesOf(refs *value) any {
	var kept []any
	for i := range refs.of {
		if names := s.namesOf(&refs.of[i]); names != nil && len(kept) < maxStatusItems {
			kept = append(kept, names)
		}
	}
	if kept == nil {
		return nil
	}
	return kept
}

func (s *Shared) namesOf(ref *value) map[string]any {
	var kept map[string]any
	keep := func(key string, v any) {
		if kept == nil {
			kept = map[string]any{}
		}
		kept[s.str(key)] = v
	}
	for i := range ref.of {
		field := &ref.of[i]
		switch {
		case ref.kind != objectValue || !nameKeys.has(field.key):
		case field.kind == stringValue:
			keep(field.key, s.str(upTo(s.clean(field.text), 253)))
		case field.kind == objectValue:
			labels := map[string]any{}
			for j := range field.of {
				if l := &field.of[j]; l.kind == stringValue {
					labels[s.str(l.key)] = s.str(cut(l.text, 63))
				}
			}
			keep(field.key, labels)
		}
	}
	return kept
}
