package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// operatorOf is the number of the operator that a CRD belongs to.
func operatorOf(crd int) int { return crd / 8 }

func groupName(operator int) string { return fmt.Sprintf("op%03d.example.io", operator) }

// addCRDs makes the CRDs and returns them with the number of custom resources
// of each: six kinds have four fifths of the objects.
func (c *world) addCRDs(s size) []int {
	made := make([]*apiextensionsv1.JSONSchemaProps, 0, 100)
	for _, bytes := range schemaSizes() {
		made = append(made, schemaMaker{c.Rand}.schema(bytes))
	}
	counts := make([]int, s.crds)
	for i := range s.crds {
		c.crds = append(c.crds, c.crd(i, made[i%len(made)]))
	}
	for i, left := 0, s.customs; left > 0; i++ {
		n := left / 4
		if i > 5 {
			n = min(left, 1+c.IntN(2*max(s.customs/(6*s.crds), 1)))
		}
		counts[(i*7)%s.crds] += n
		left -= n
	}
	counts[0] += s.more
	return counts
}

func (c *world) crd(i int, schema *apiextensionsv1.JSONSchemaProps) apiextensionsv1.CustomResourceDefinition {
	group, kind := groupName(operatorOf(i)), fmt.Sprintf("Kind%04d", i)
	plural := fmt.Sprintf("kind%04ds", i)
	crd := apiextensionsv1.CustomResourceDefinition{ObjectMeta: c.meta("", plural+"."+group)}
	crd.Annotations = map[string]string{"controller-gen.kubebuilder.io/version": "v0.19.0"}
	crd.Spec = apiextensionsv1.CustomResourceDefinitionSpec{
		Group: group, Scope: apiextensionsv1.NamespaceScoped,
		Names:      apiextensionsv1.CustomResourceDefinitionNames{Plural: plural, Singular: fmt.Sprintf("kind%04d", i), Kind: kind, ListKind: kind + "List"},
		Conversion: &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter},
		Versions:   []apiextensionsv1.CustomResourceDefinitionVersion{version("v1", schema, true)},
	}
	if i%10 == 0 {
		crd.Spec.Scope = apiextensionsv1.ClusterScoped
	}
	crd.Status = apiextensionsv1.CustomResourceDefinitionStatus{
		AcceptedNames: crd.Spec.Names, StoredVersions: []string{"v1"},
		Conditions: []apiextensionsv1.CustomResourceDefinitionCondition{
			{Type: apiextensionsv1.NamesAccepted, Status: apiextensionsv1.ConditionTrue, LastTransitionTime: c.at(0), Reason: "NoConflicts", Message: "no conflicts found"},
			{Type: apiextensionsv1.Established, Status: apiextensionsv1.ConditionTrue, LastTransitionTime: c.at(0), Reason: "InitialNamesAccepted", Message: "the initial names have been accepted"},
		},
	}
	return crd
}

func version(name string, schema *apiextensionsv1.JSONSchemaProps, storage bool) apiextensionsv1.CustomResourceDefinitionVersion {
	return apiextensionsv1.CustomResourceDefinitionVersion{
		Name: name, Served: true, Storage: storage,
		Schema:       &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema},
		Subresources: &apiextensionsv1.CustomResourceSubresources{Status: &apiextensionsv1.CustomResourceSubresourceStatus{}},
		AdditionalPrinterColumns: []apiextensionsv1.CustomResourceColumnDefinition{
			{Name: "Phase", Type: "string", JSONPath: ".status.phase"},
			{Name: "Age", Type: "date", JSONPath: ".metadata.creationTimestamp"},
		},
	}
}

// customs makes the custom resources of a CRD. Their specs follow its schema.
func (c *world) customs(crd *apiextensionsv1.CustomResourceDefinition, operator, n int) []*unstructured.Unstructured {
	var specs []map[string]any
	for range min(n, 4) {
		budget := 40
		specs = append(specs, c.spec(crd.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"], &budget))
	}
	list := make([]*unstructured.Unstructured, 0, n)
	for i := range n {
		namespace := ""
		if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
			namespace = c.namespace(i)
		}
		spec := specs[i%len(specs)]
		list = append(list, &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": crd.Spec.Group + "/v1",
			"kind":       crd.Spec.Names.Kind,
			"metadata":   c.customMeta(namespace, fmt.Sprintf("object-%05d", i), spec, operatorName(operator)),
			"spec":       spec,
			"status":     c.customStatus(i),
		}})
	}
	return list
}

// spec makes a value for some of the fields of a schema.
func (c *world) spec(of apiextensionsv1.JSONSchemaProps, budget *int) map[string]any {
	made := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		if *budget <= 0 && !slices.Contains(of.Required, name) {
			continue
		}
		*budget--
		switch field := of.Properties[name]; field.Type {
		case "object":
			made[name] = c.spec(field, budget)
		case "array":
			made[name] = []any{c.spec(*field.Items.Schema, budget)}
		case "integer":
			made[name] = int64(c.IntN(100))
		case "boolean":
			made[name] = c.IntN(2) == 0
		default:
			if len(field.Enum) > 0 {
				made[name] = strings.Trim(string(field.Enum[0].Raw), `"`)
				break
			}
			made[name] = fmt.Sprintf("value-%d", c.IntN(1_000_000))
		}
	}
	return made
}

func (c *world) customMeta(namespace, name string, spec map[string]any, manager string) map[string]any {
	m := c.meta(namespace, name)
	at := m.CreationTimestamp.Format("2006-01-02T15:04:05Z")
	fields := map[string]any{}
	for key := range spec {
		fields["f:"+key] = map[string]any{}
	}
	meta := map[string]any{
		"name": name, "uid": string(m.UID), "resourceVersion": m.ResourceVersion, "generation": int64(3), "creationTimestamp": at,
		"labels":      map[string]any{"app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "Helm", "team": "team-" + name[len(name)-1:]},
		"annotations": map[string]any{"meta.helm.sh/release-name": "shop", "meta.helm.sh/release-namespace": "default", "example.io/note": "written by hand once"},
		"finalizers":  []any{manager + "/cleanup"},
		"managedFields": []any{
			map[string]any{"manager": "helm", "operation": "Update", "apiVersion": "v1", "time": at, "fieldsType": "FieldsV1",
				"fieldsV1": map[string]any{"f:metadata": map[string]any{"f:annotations": map[string]any{".": map[string]any{}, "f:meta.helm.sh/release-name": map[string]any{}},
					"f:labels": map[string]any{".": map[string]any{}, "f:team": map[string]any{}}}, "f:spec": fields}},
			map[string]any{"manager": manager, "operation": "Update", "apiVersion": "v1", "time": at, "fieldsType": "FieldsV1", "subresource": "status",
				"fieldsV1": map[string]any{"f:status": map[string]any{"f:conditions": map[string]any{".": map[string]any{}, `k:{"type":"Ready"}`: map[string]any{".": map[string]any{}, "f:status": map[string]any{}}}, "f:phase": map[string]any{}}}},
		},
	}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	return meta
}

func (c *world) customStatus(i int) map[string]any {
	state, reason := "True", "Reconciled"
	if i%9 == 4 {
		state, reason = "False", "WaitingForVolume"
	}
	at := c.at(i).Format("2006-01-02T15:04:05Z")
	condition := func(kind string) map[string]any {
		return map[string]any{"type": kind, "status": state, "reason": reason, "message": "the object was looked at by its controller and found as it should be",
			"lastTransitionTime": at, "observedGeneration": int64(3)}
	}
	return map[string]any{"observedGeneration": int64(3), "phase": "Running", "readyReplicas": int64(i % 5), "endpoint": fmt.Sprintf("svc-%d.example.svc:5432", i),
		"conditions": []any{condition("Ready"), condition("Synced")}}
}
