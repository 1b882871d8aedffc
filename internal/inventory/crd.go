package inventory

import (
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// ReduceCRD turns a CustomResourceDefinition into what a snapshot keeps of it.
// size is its length in bytes as read, 0 if unknown. The CRD is not changed.
func ReduceCRD(crd *apiextensionsv1.CustomResourceDefinition, size int) CRD {
	schemas := make([]node, len(crd.Spec.Versions))
	for i := range schemas {
		if s := crd.Spec.Versions[i].Schema; s != nil {
			schemas[i].props = s.OpenAPIV3Schema
		}
	}
	reduced := reduceCRD(crd, &schemaReader{}, schemas)
	reduced.ObjectMeta = *crd.ObjectMeta.DeepCopy()
	reduced.Bytes = size
	pruneMeta(&reduced.ObjectMeta)
	return reduced
}

// reduceCRD leaves metadata to its caller, and takes the schemas of the
// versions apart from them.
func reduceCRD(crd *apiextensionsv1.CustomResourceDefinition, r *schemaReader, schemas []node) CRD {
	reduced := CRD{
		Group:                 crd.Spec.Group,
		Names:                 crd.Spec.Names,
		Scope:                 crd.Spec.Scope,
		PreserveUnknownFields: crd.Spec.PreserveUnknownFields,
		Conversion:            reduceConversion(crd.Spec.Conversion),
		StoredVersions:        crd.Status.StoredVersions,
	}
	for _, c := range crd.Status.Conditions {
		c.Message = Text(c.Message)
		reduced.Conditions = append(reduced.Conditions, c)
	}
	for i := range crd.Spec.Versions {
		v := reduceVersion(&crd.Spec.Versions[i], r, schemas[i])
		if len(crd.Spec.Versions) > 1 {
			v.Shape = r.shapeOf(schemas[i])
		}
		reduced.Versions = append(reduced.Versions, v)
	}
	return reduced
}

func reduceVersion(v *apiextensionsv1.CustomResourceDefinitionVersion, r *schemaReader, root node) CRDVersion {
	reduced := CRDVersion{
		Name: v.Name, Served: v.Served, Storage: v.Storage, Deprecated: v.Deprecated,
	}
	if v.DeprecationWarning != nil {
		reduced.DeprecationWarning = Text(*v.DeprecationWarning)
	}
	r.facts = SchemaFacts{}
	r.read(root)
	reduced.Schema = r.facts
	if !v.Storage {
		reduced.Schema.Description = "" // mostly the same again
	}
	if v.Subresources != nil {
		reduced.StatusSubresource = v.Subresources.Status != nil
		if scale := v.Subresources.Scale; scale != nil {
			reduced.Scale = &ScalePaths{
				SpecReplicas: scale.SpecReplicasPath, StatusReplicas: scale.StatusReplicasPath,
				Valid: r.hasPath(root, scale.SpecReplicasPath) && r.hasPath(root, scale.StatusReplicasPath),
			}
			if scale.LabelSelectorPath != nil {
				reduced.Scale.Selector = *scale.LabelSelectorPath
			}
		}
	}
	for _, c := range v.AdditionalPrinterColumns {
		reduced.PrinterColumns = append(reduced.PrinterColumns, PrinterColumn{Name: c.Name, JSONPath: c.JSONPath})
	}
	return reduced
}

func reduceConversion(c *apiextensionsv1.CustomResourceConversion) *Conversion {
	if c == nil {
		return nil
	}
	reduced := &Conversion{Strategy: string(c.Strategy)}
	if c.Webhook == nil || c.Webhook.ClientConfig == nil {
		return reduced
	}
	client := c.Webhook.ClientConfig
	reduced.CABundle = len(client.CABundle) > 0
	if client.URL != nil {
		url, _, _ := strings.Cut(*client.URL, "?")
		reduced.URL = Text(url)
	}
	if client.Service != nil {
		reduced.Service = &ServiceRef{Namespace: client.Service.Namespace, Name: client.Service.Name, Port: 443}
		if client.Service.Port != nil {
			reduced.Service.Port = *client.Service.Port
		}
	}
	return reduced
}

// hasPath tells whether a schema has the field that a path such as
// .spec.replicas names. Below an opaque part everything may be there.
func (r *schemaReader) hasPath(root node, path string) bool {
	if root.none() || path == "" {
		return false
	}
	r.room = r.room[:0]
	s := r.open(root)
	for _, name := range strings.Split(strings.TrimPrefix(path, "."), ".") {
		if s.preserves {
			return true
		}
		field, ok := s.property(name)
		if !ok {
			return s.hasAdditional
		}
		s = r.open(field)
	}
	return true
}
