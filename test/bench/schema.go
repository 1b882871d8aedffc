package main

import (
	"math/rand/v2"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// Schemas of real CRDs are mostly prose: field names in camel case, each with
// a sentence or three. The words below make such fields; some of the names
// are those that levels are read from.
var (
	plainNames = strings.Fields(`version image replicas resources storage backup restore schedule retention paused suspend
		monitoring alerting affinity tolerations nodeSelector serviceAccountName secretName clusterName bootstrap
		updateStrategy maxUnavailable failover maintenance tls port host path timeout interval labels annotations
		size instances members nodes parameters users databases topics bucket region provider zone endpoint`)
	firstWords  = strings.Fields(`primary default cluster pod service volume network backup metrics external internal node target source client server user log cache queue shard`)
	secondWords = strings.Fields(`Ref Name Policy Config Template Selector Class Limit Timeout Interval Size Mode Type Options Spec Key Version Image Replicas Address Port Schedule Threshold Strategy Window`)
	prose       = strings.Fields(`the of to a is in and for that be this which must when not are used by with cluster object field value operator
		resource should if name set default from specified defines controller will can been only version an may must
		namespace configuration references Kubernetes pod service volume optional required list secret container`)
)

// schemaMaker makes schemas from a seed: the same ones in every run.
type schemaMaker struct{ *rand.Rand }

// schema makes the schema of a version whose JSON has about the given number
// of bytes.
func (m schemaMaker) schema(bytes int) *apiextensionsv1.JSONSchemaProps {
	spec := m.object(bytes-3000, 0)
	spec.Required = []string{"version"}
	spec.Properties["version"] = apiextensionsv1.JSONSchemaProps{Type: "string", Description: "Version is " + m.sentence(60)}
	spec.Properties["replicas"] = apiextensionsv1.JSONSchemaProps{Type: "integer", Format: "int32", Minimum: new(float64)}
	return &apiextensionsv1.JSONSchemaProps{
		Type: "object", Description: "Kind " + m.sentence(100),
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"apiVersion": {Type: "string", Description: m.sentence(250)},
			"kind":       {Type: "string", Description: m.sentence(250)},
			"metadata":   {Type: "object"},
			"spec":       spec,
			"status":     m.status(),
		},
	}
}

// object makes an object whose fields take about the given number of bytes.
func (m schemaMaker) object(bytes, depth int) apiextensionsv1.JSONSchemaProps {
	o := apiextensionsv1.JSONSchemaProps{Type: "object", Description: m.sentence(80), Properties: map[string]apiextensionsv1.JSONSchemaProps{}}
	for bytes > 0 {
		name, field := m.name(), apiextensionsv1.JSONSchemaProps{}
		if depth < 8 && bytes > 1500 && m.IntN(4) == 0 {
			share := 500 + m.IntN(bytes/2)
			bytes -= share
			field = m.object(share, depth+1)
			if m.IntN(3) == 0 {
				item := field
				field = apiextensionsv1.JSONSchemaProps{Type: "array", Description: m.sentence(60),
					Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &item}}
			}
		} else {
			field = m.leaf()
			bytes -= len(field.Description) + 70
		}
		o.Properties[name] = field
	}
	return o
}

func (m schemaMaker) leaf() apiextensionsv1.JSONSchemaProps {
	f := apiextensionsv1.JSONSchemaProps{Type: "string", Description: m.sentence(40 + m.IntN(260))}
	switch m.IntN(8) {
	case 0:
		f.Type, f.Format = "integer", "int32"
	case 1:
		f.Type = "boolean"
	case 2:
		f.Enum = []apiextensionsv1.JSON{{Raw: []byte(`"Always"`)}, {Raw: []byte(`"Never"`)}}
	case 3:
		f.Pattern = `^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`
	}
	return f
}

func (m schemaMaker) status() apiextensionsv1.JSONSchemaProps {
	text := func() apiextensionsv1.JSONSchemaProps {
		return apiextensionsv1.JSONSchemaProps{Type: "string", Description: m.sentence(150)}
	}
	condition := &apiextensionsv1.JSONSchemaProps{Type: "object", Required: []string{"type", "status"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{
			"type": text(), "status": text(), "reason": text(), "message": text(), "lastTransitionTime": text(),
			"observedGeneration": {Type: "integer", Format: "int64"},
		}}
	mapType := "map"
	return apiextensionsv1.JSONSchemaProps{Type: "object", Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"observedGeneration": {Type: "integer", Format: "int64"},
		"phase":              text(),
		"endpoint":           text(),
		"readyReplicas":      {Type: "integer", Format: "int32"},
		"conditions": {Type: "array", XListType: &mapType, XListMapKeys: []string{"type"},
			Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: condition}},
	}}
}

func (m schemaMaker) name() string {
	if m.IntN(3) == 0 {
		return plainNames[m.IntN(len(plainNames))]
	}
	return firstWords[m.IntN(len(firstWords))] + secondWords[m.IntN(len(secondWords))]
}

func (m schemaMaker) sentence(bytes int) string {
	var b strings.Builder
	for b.Len() < bytes {
		b.WriteString(prose[m.IntN(len(prose))])
		b.WriteByte(' ')
	}
	return strings.TrimSpace(b.String()) + "."
}

// schemaSizes are the bytes of the schemas that CRDs take in turn: 80 kB on
// average, with one in a hundred above 1 MB, as pod templates within a
// schema make them.
func schemaSizes() []int {
	var list []int
	for i := range 100 {
		switch {
		case i == 50:
			list = append(list, 1_300_000)
		case i%10 == 3:
			list = append(list, 230_000)
		case i%10 >= 7:
			list = append(list, 85_000)
		default:
			list = append(list, 26_000)
		}
	}
	return list
}
