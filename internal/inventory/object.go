package inventory

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Object is a custom resource, or an object of a built-in kind known by its
// metadata.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`

	metav1.ObjectMeta `json:"metadata"`

	// Spec holds only what pruning keeps (prune_custom.go): references,
	// version-like scalars, and the whole of monitors, rules and autoscalers.
	Spec Packed `json:"spec,omitzero"`
	// SpecPaths are the key paths that spec had, without values: "storage.size".
	SpecPaths []string `json:"specPaths,omitempty"`
	// Status is bounded in depth and length. The zero one: the object has no status key.
	// It is an object but for those that break the convention.
	Status Packed `json:"status,omitzero"`
}

// Group is the API group of the object; "" is the core group.
func (o *Object) Group() string { return groupOf(o.APIVersion) }

func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

// CRD is a CustomResourceDefinition with its schemas reduced to facts: whole
// schemas of a cluster take hundreds of megabytes, the facts a few.
type CRD struct {
	metav1.ObjectMeta `json:"metadata"`

	Group    string                                        `json:"group"`
	Names    apiextensionsv1.CustomResourceDefinitionNames `json:"names"`
	Scope    apiextensionsv1.ResourceScope                 `json:"scope"`
	Versions []CRDVersion                                  `json:"versions"`
	// Conversion is nil when the CRD names none.
	Conversion *Conversion `json:"conversion,omitempty"`
	// PreserveUnknownFields is the field of old CRDs that switches pruning off.
	PreserveUnknownFields bool `json:"preserveUnknownFields,omitempty"`

	Conditions     []apiextensionsv1.CustomResourceDefinitionCondition `json:"conditions,omitempty"`
	StoredVersions []string                                            `json:"storedVersions,omitempty"`

	// Bytes is the size of the CRD as JSON when it was read; 0 is unknown.
	Bytes int `json:"bytes,omitempty"`
	// DiscoveryOnly marks a resource known from discovery alone, since CRDs
	// could not be listed: schema, conversion and stored versions are unknown.
	DiscoveryOnly bool `json:"discoveryOnly,omitempty"`
}

// CRDVersion is one version of a CRD.
type CRDVersion struct {
	Name               string      `json:"name"`
	Served             bool        `json:"served"`
	Storage            bool        `json:"storage"`
	Deprecated         bool        `json:"deprecated,omitempty"`
	DeprecationWarning string      `json:"deprecationWarning,omitempty"`
	StatusSubresource  bool        `json:"statusSubresource,omitempty"`
	Scale              *ScalePaths `json:"scale,omitempty"`
	// PrinterColumns are name and JSONPath.
	PrinterColumns []PrinterColumn `json:"printerColumns,omitempty"`
	Schema         SchemaFacts     `json:"schema"`
	// Shape tells schemas with different fields apart; "" if there is but one
	// version.
	Shape string `json:"shape,omitempty"`
}

// ScalePaths are the paths of the scale subresource, and whether the schema
// has the fields they name.
type ScalePaths struct {
	SpecReplicas   string `json:"specReplicas"`
	StatusReplicas string `json:"statusReplicas"`
	Selector       string `json:"selector,omitempty"`
	Valid          bool   `json:"valid"`
}

// PrinterColumn is a column of kubectl get.
type PrinterColumn struct {
	Name     string `json:"name"`
	JSONPath string `json:"jsonPath"`
}

// Conversion says how versions are converted.
type Conversion struct {
	Strategy string `json:"strategy"`
	// Service is set for a webhook that is a Service of the cluster.
	Service *ServiceRef `json:"service,omitempty"`
	URL     string      `json:"url,omitempty"`
	// CABundle tells whether one is set.
	CABundle bool `json:"caBundle,omitempty"`
}

// ServiceRef names a Service and a port.
type ServiceRef struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
	Port      int32  `json:"port,omitempty"`
}

// StorageVersion is the version that objects are stored in; nil if none is.
func (c *CRD) StorageVersion() *CRDVersion {
	for i := range c.Versions {
		if c.Versions[i].Storage {
			return &c.Versions[i]
		}
	}
	return nil
}

// ListVersion is the version to list at: the storage version when it is
// served, since objects stored in it need no conversion; else the first
// served one in the CRD's order, which is the order of preference. "" when
// none is served.
func (c *CRD) ListVersion() string {
	if v := c.StorageVersion(); v != nil && v.Served {
		return v.Name
	}
	for i := range c.Versions {
		if c.Versions[i].Served {
			return c.Versions[i].Name
		}
	}
	return ""
}

// Namespaced tells whether its objects live in namespaces.
func (c *CRD) Namespaced() bool { return c.Scope == apiextensionsv1.NamespaceScoped }

// Condition is the status of one of the CRD's own conditions; "" if absent.
func (c *CRD) Condition(kind apiextensionsv1.CustomResourceDefinitionConditionType) apiextensionsv1.ConditionStatus {
	for i := range c.Conditions {
		if c.Conditions[i].Type == kind {
			return c.Conditions[i].Status
		}
	}
	return ""
}

// The methods below make Object a runtime.Object and metav1.Object, so that
// custom resources and built-in kinds can be walked together.

// GetObjectKind implements runtime.Object.
func (o *Object) GetObjectKind() schema.ObjectKind { return o }

// GroupVersionKind implements schema.ObjectKind.
func (o *Object) GroupVersionKind() schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(o.APIVersion, o.Kind)
}

// SetGroupVersionKind implements schema.ObjectKind.
func (o *Object) SetGroupVersionKind(gvk schema.GroupVersionKind) {
	o.APIVersion, o.Kind = gvk.ToAPIVersionAndKind()
}

// DeepCopyObject implements runtime.Object.
func (o *Object) DeepCopyObject() runtime.Object {
	c := *o
	o.ObjectMeta.DeepCopyInto(&c.ObjectMeta)
	c.SpecPaths = append([]string(nil), o.SpecPaths...)
	return &c
}
