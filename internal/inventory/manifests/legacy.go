package manifests

import (
	"encoding/json"
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// movedGroups are kinds that stood in another API group once, or stand in two.
var movedGroups = map[schema.GroupKind]string{
	{Group: "extensions", Kind: "Deployment"}:    "apps",
	{Group: "extensions", Kind: "DaemonSet"}:     "apps",
	{Group: "extensions", Kind: "ReplicaSet"}:    "apps",
	{Group: "extensions", Kind: "Ingress"}:       "networking.k8s.io",
	{Group: "extensions", Kind: "NetworkPolicy"}: "networking.k8s.io",
	{Group: "events.k8s.io", Kind: "Event"}:      "",
}

// modern rewrites the few old versions whose fields have other names than in
// the version that a snapshot keeps.
func modern(raw []byte, h head) ([]byte, error) {
	var change func(map[string]any)
	switch {
	case h.Kind == "Event" && strings.HasPrefix(h.APIVersion, "events.k8s.io/"):
		change = coreEvent
	case h.Kind == "HorizontalPodAutoscaler" && h.APIVersion == "autoscaling/v1":
		change = autoscalerV2
	default:
		return raw, nil
	}
	var tree map[string]any
	if err := utiljson.Unmarshal(raw, &tree); err != nil {
		return nil, err
	}
	change(tree)
	return json.Marshal(tree)
}

// coreEvent gives an Event of events.k8s.io the names that core/v1 has.
func coreEvent(event map[string]any) {
	for old, name := range map[string]string{
		"note": "message", "regarding": "involvedObject", "reportingController": "reportingComponent",
		"deprecatedSource": "source", "deprecatedCount": "count",
		"deprecatedFirstTimestamp": "firstTimestamp", "deprecatedLastTimestamp": "lastTimestamp",
	} {
		if v, ok := event[old]; ok {
			event[name] = v
			delete(event, old)
		}
	}
}

// autoscalerV2 writes the one metric of autoscaling/v1 as v2 does.
func autoscalerV2(hpa map[string]any) {
	spec, _ := hpa["spec"].(map[string]any)
	if target, ok := spec["targetCPUUtilizationPercentage"]; ok {
		spec["metrics"] = []any{map[string]any{"type": "Resource", "resource": map[string]any{
			"name": "cpu", "target": map[string]any{"type": "Utilization", "averageUtilization": target},
		}}}
	}
	delete(hpa, "status") // other fields, and only figures of the moment
}

// AnnotationV1beta1 marks a CRD whose manifest has a version that no API
// server from Kubernetes 1.22 on accepts.
const AnnotationV1beta1 = "operator-maturity/apiextensions-v1beta1"

// readCRD decodes a CustomResourceDefinition of any version.
func readCRD(raw []byte, apiVersion string) (*apiextensionsv1.CustomResourceDefinition, error) {
	if apiVersion != "apiextensions.k8s.io/v1beta1" {
		crd := &apiextensionsv1.CustomResourceDefinition{}
		return crd, utiljson.Unmarshal(raw, crd)
	}
	var old crdV1beta1
	if err := utiljson.Unmarshal(raw, &old); err != nil {
		return nil, err
	}
	if len(old.Spec.Versions) == 0 && old.Spec.Version == "" {
		return nil, fmt.Errorf("it names no version")
	}
	return old.convert(), nil
}

// crdV1beta1 is a CRD whose schema, subresources and columns may stand once
// for all versions.
type crdV1beta1 struct {
	Metadata metav1.ObjectMeta `json:"metadata"`
	Spec     struct {
		Group                    string                                        `json:"group"`
		Version                  string                                        `json:"version"`
		Names                    apiextensionsv1.CustomResourceDefinitionNames `json:"names"`
		Scope                    apiextensionsv1.ResourceScope                 `json:"scope"`
		Validation               *apiextensionsv1.CustomResourceValidation     `json:"validation"`
		Subresources             *apiextensionsv1.CustomResourceSubresources   `json:"subresources"`
		Versions                 []crdVersionV1beta1                           `json:"versions"`
		AdditionalPrinterColumns []columnV1beta1                               `json:"additionalPrinterColumns"`
		Conversion               *struct {
			Strategy            apiextensionsv1.ConversionStrategyType `json:"strategy"`
			WebhookClientConfig *apiextensionsv1.WebhookClientConfig   `json:"webhookClientConfig"`
		} `json:"conversion"`
		PreserveUnknownFields *bool `json:"preserveUnknownFields"`
	} `json:"spec"`
	Status apiextensionsv1.CustomResourceDefinitionStatus `json:"status"`
}

type crdVersionV1beta1 struct {
	Name                     string                                      `json:"name"`
	Served                   bool                                        `json:"served"`
	Storage                  bool                                        `json:"storage"`
	Deprecated               bool                                        `json:"deprecated"`
	DeprecationWarning       *string                                     `json:"deprecationWarning"`
	Schema                   *apiextensionsv1.CustomResourceValidation   `json:"schema"`
	Subresources             *apiextensionsv1.CustomResourceSubresources `json:"subresources"`
	AdditionalPrinterColumns []columnV1beta1                             `json:"additionalPrinterColumns"`
}

type columnV1beta1 struct {
	Name     string `json:"name"`
	JSONPath string `json:"JSONPath"`
}

func (old *crdV1beta1) convert() *apiextensionsv1.CustomResourceDefinition {
	crd := &apiextensionsv1.CustomResourceDefinition{ObjectMeta: old.Metadata, Status: old.Status}
	if crd.Annotations == nil {
		crd.Annotations = map[string]string{}
	}
	crd.Annotations[AnnotationV1beta1] = ""
	crd.Spec.Group, crd.Spec.Names, crd.Spec.Scope = old.Spec.Group, old.Spec.Names, old.Spec.Scope
	// The defaults of v1beta1: unknown fields are kept, scope is Namespaced.
	crd.Spec.PreserveUnknownFields = old.Spec.PreserveUnknownFields == nil || *old.Spec.PreserveUnknownFields
	if crd.Spec.Scope == "" {
		crd.Spec.Scope = apiextensionsv1.NamespaceScoped
	}
	versions := old.Spec.Versions
	if len(versions) == 0 {
		versions = []crdVersionV1beta1{{Name: old.Spec.Version, Served: true, Storage: true}}
	}
	for _, v := range versions {
		crd.Spec.Versions = append(crd.Spec.Versions, old.version(v))
	}
	if c := old.Spec.Conversion; c != nil {
		crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: c.Strategy}
		if c.WebhookClientConfig != nil {
			crd.Spec.Conversion.Webhook = &apiextensionsv1.WebhookConversion{ClientConfig: c.WebhookClientConfig}
		}
	}
	return crd
}

// version is a version with what the CRD says once for all of them.
func (old *crdV1beta1) version(v crdVersionV1beta1) apiextensionsv1.CustomResourceDefinitionVersion {
	converted := apiextensionsv1.CustomResourceDefinitionVersion{
		Name: v.Name, Served: v.Served, Storage: v.Storage,
		Deprecated: v.Deprecated, DeprecationWarning: v.DeprecationWarning,
		Schema: v.Schema, Subresources: v.Subresources,
	}
	if converted.Schema == nil {
		converted.Schema = old.Spec.Validation
	}
	if converted.Subresources == nil {
		converted.Subresources = old.Spec.Subresources
	}
	columns := v.AdditionalPrinterColumns
	if len(columns) == 0 {
		columns = old.Spec.AdditionalPrinterColumns
	}
	for _, c := range columns {
		converted.AdditionalPrinterColumns = append(converted.AdditionalPrinterColumns,
			apiextensionsv1.CustomResourceColumnDefinition{Name: c.Name, JSONPath: c.JSONPath})
	}
	return converted
}
