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
	if o.SpecPaths == nil && len(o.Spec) > 0 {
		o.SpecPaths = keyPaths(o.Spec)
	}
	if keepsSpec(o) {
		o.Spec, _ = scrubbed(o.Spec, 0).(map[string]any)
	} else {
		o.Spec = referencesAndVersions(o.Spec, 0)
	}
	o.Status = pruneStatus(o.Status)
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

// scrubbed copies a value without dropped keys, with scrubbed texts and a
// bounded depth.
func scrubbed(v any, depth int) any {
	if depth > 12 {
		return nil
	}
	switch v := v.(type) {
	case map[string]any:
		kept := make(map[string]any, len(v))
		for key, value := range v {
			if droppedKeys.hasFolded(key) && !keptInstall.has(key) {
				continue
			}
			if template, ok := value.(map[string]any); ok && key == "template" && isObject(template) {
				// Any object at all, as in a ResourceGraphDefinition.
				kept[key] = map[string]any{"apiVersion": template["apiVersion"], "kind": template["kind"]}
				continue
			}
			if key == "args" {
				kept[key] = flagsOfAny(value)
				continue
			}
			kept[key] = scrubbed(value, depth+1)
		}
		return kept
	case []any:
		kept := make([]any, 0, len(v))
		for i, value := range v {
			if i == 500 {
				break
			}
			kept = append(kept, scrubbed(value, depth+1))
		}
		return kept
	case string:
		return expression(v)
	default:
		return number(v)
	}
}

// isObject tells whether a map is an object of Kubernetes.
func isObject(m map[string]any) bool {
	_, kind := m["kind"].(string)
	_, apiVersion := m["apiVersion"].(string)
	return kind && apiVersion
}

func flagsOfAny(v any) any {
	list, _ := v.([]any)
	var args []string
	for _, a := range list {
		if s, ok := a.(string); ok {
			args = append(args, s)
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
func referencesAndVersions(spec map[string]any, depth int) map[string]any {
	if depth > 5 {
		return nil
	}
	var kept map[string]any
	keep := func(key string, v any) {
		if kept == nil {
			kept = map[string]any{}
		}
		kept[key] = v
	}
	for key, value := range spec {
		switch v := value.(type) {
		case map[string]any:
			if referenceKeys.has(key) {
				if names := namesOf(v); names != nil {
					keep(key, names)
				}
			} else if below := referencesAndVersions(v, depth+1); below != nil {
				keep(key, below)
			}
		case string:
			switch {
			case strings.HasPrefix(key, "enable"): // only switches are meant
			case !scalarKeys.has(key) && !referenceKeys.has(key):
			case isPlainValue(v) && Text(v) == v:
				keep(key, v)
			}
		case []any:
			if referenceKeys.has(key) {
				if names := listNamesOf(v); names != nil {
					keep(key, names)
				}
			}
		case bool, int64, float64:
			if scalarKeys.has(key) {
				keep(key, number(v))
			}
		}
	}
	return kept
}

// listNamesOf is namesOf for a list of references, such as parentRefs.
func listNamesOf(refs []any) []any {
	var kept []any
	for _, ref := range refs {
		m, _ := ref.(map[string]any)
		if names := namesOf(m); names != nil && len(kept) < maxStatusItems {
			kept = append(kept, names)
		}
	}
	return kept
}

func namesOf(ref map[string]any) map[string]any {
	var kept map[string]any
	for key, value := range ref {
		if !nameKeys.has(key) {
			continue
		}
		if kept == nil {
			kept = map[string]any{}
		}
		switch v := value.(type) {
		case string:
			kept[key] = cut(Text(v), 253)
		case map[string]any:
			labels := map[string]any{}
			for k, l := range v {
				if s, ok := l.(string); ok {
					labels[k] = cut(s, 63)
				}
			}
			kept[key] = labels
		}
	}
	return kept
}
