package inventory

import (
	"fmt"
	"hash"
	"hash/fnv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// shapeOf sums up which fields of which types a schema has. Descriptions,
// bounds and defaults do not matter, nor does what it says of metadata.
func shapeOf(v *apiextensionsv1.CustomResourceValidation) string {
	if v == nil || v.OpenAPIV3Schema == nil {
		return ""
	}
	sum := fnv.New64a()
	for _, name := range names(v.OpenAPIV3Schema.Properties) {
		if field := v.OpenAPIV3Schema.Properties[name]; name != "metadata" && name != "kind" && name != "apiVersion" {
			writeShape(sum, name, &field)
		}
	}
	return fmt.Sprintf("%016x", sum.Sum64())
}

func writeShape(sum hash.Hash, path string, s *apiextensionsv1.JSONSchemaProps) {
	fmt.Fprintf(sum, "%s %s %t %t\n", path, s.Type, s.XIntOrString, preserves(s))
	for _, name := range names(s.Properties) {
		field := s.Properties[name]
		writeShape(sum, path+"."+name, &field)
	}
	if s.Items != nil && s.Items.Schema != nil {
		writeShape(sum, path+"[]", s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		writeShape(sum, path+"{}", s.AdditionalProperties.Schema)
	}
}
