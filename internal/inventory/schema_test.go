package inventory

import (
	"encoding/json"
	"slices"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func schemaFacts(t *testing.T, schema string) SchemaFacts {
	t.Helper()
	var root apiextensionsv1.JSONSchemaProps
	if err := json.Unmarshal([]byte(schema), &root); err != nil {
		t.Fatal(err)
	}
	return ReduceSchema(&root)
}

func crdOf(t *testing.T, spec string) CRD {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal([]byte(`{"spec":`+spec+`}`), &crd); err != nil {
		t.Fatal(err)
	}
	return ReduceCRD(&crd, 0)
}

// Field case A6: schema present, status in it, and the status subresource are
// three facts.
func TestSchemaStatusAndSubresourceAreThreeFacts(t *testing.T) {
	for name, c := range map[string]struct {
		version                                               string
		present, opaque, hasStatus, opaqueStatus, subresource bool
	}{
		"no schema":                {`{"name":"v1"}`, false, false, false, false, false},
		"no schema, subresource":   {`{"name":"v1","subresources":{"status":{}}}`, false, false, false, false, true},
		"unknown fields at root":   {`{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}`, true, true, false, false, false},
		"no properties":            {`{"name":"v1","schema":{"openAPIV3Schema":{"type":"object"}}}`, true, true, false, false, false},
		"status, no subresource":   {`{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"status":{"type":"object","properties":{"phase":{"type":"string"}}}}}}}`, true, false, true, false, false},
		"subresource, no status":   {`{"name":"v1","subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object"}}}}}`, true, false, false, false, true},
		"unknown fields in status": {`{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"status":{"x-kubernetes-preserve-unknown-fields":true}}}}}`, true, false, true, true, false},
		"status is a text":         {`{"name":"v1","schema":{"openAPIV3Schema":{"type":"object","properties":{"status":{"type":"string"}}}}}`, true, false, true, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			v := crdOf(t, `{"versions":[`+c.version+`]}`).Versions[0]
			got := []bool{v.Schema.Present, v.Schema.Opaque, v.Schema.HasStatus, v.Schema.StatusOpaque, v.StatusSubresource}
			if want := []bool{c.present, c.opaque, c.hasStatus, c.opaqueStatus, c.subresource}; !slices.Equal(got, want) {
				t.Errorf("present, opaque, status, opaque status, subresource: %v, want %v", got, want)
			}
		})
	}
}

func TestSchemaFacts(t *testing.T) {
	f := schemaFacts(t, `{"type":"object","properties":{
	  "spec":{"type":"object","required":["version"],"properties":{
	    "version":{"type":"string","description":"d","enum":["1","2"]},
	    "apiVersion":{"type":"string"},
	    "replicas":{"type":"integer","minimum":1},
	    "volume":{"type":"object","properties":{"size":{"type":"string"}}},
	    "hosts":{"type":"array","description":"d","items":{"type":"string","pattern":"^a"}},
	    "backup":{"type":"object","properties":{"schedule":{"type":"string"}}},
	    "template":{"type":"object","description":"d","properties":{"containers":{"type":"array"},"volumes":{"type":"array"}}}}},
	  "status":{"type":"object","properties":{
	    "phase":{"type":"string","enum":["Running","Failed"]},
	    "conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],"items":{"type":"object","required":["type","status"],
	      "properties":{"type":{"type":"string"},"status":{"type":"string"},"observedGeneration":{"type":"integer"}}}}}}}}`)
	if f.SpecLeaves != 6 || f.SpecDescribed != 2 {
		t.Errorf("%d leaves, %d described; want 6, 2", f.SpecLeaves, f.SpecDescribed)
	}
	if f.Constraints != 4 {
		t.Errorf("%d constraints, want 4: required, enum, minimum, the pattern of items", f.Constraints)
	}
	if got := f.Fields[TopicVersion]; !slices.Equal(got, []string{"spec.version"}) {
		t.Errorf("version fields %q", got)
	}
	if got := f.Fields[TopicReplicas]; !slices.Equal(got, []string{"spec.replicas"}) {
		t.Errorf("replica fields %q: the size of a volume is no number of replicas", got)
	}
	if got := f.Fields[TopicBackup]; !slices.Equal(got, []string{"spec.backup"}) {
		t.Errorf("backup fields %q", got)
	}
	if c := f.Conditions; c == nil || c.Path != "status.conditions" || !c.ListMap || !c.Required {
		t.Errorf("conditions %+v", c)
	}
	if !f.ObservedGeneration || f.PhaseField != "status.phase" || !slices.Equal(f.PhaseEnum, []string{"Running", "Failed"}) {
		t.Errorf("observedGeneration %v, phase %q %q", f.ObservedGeneration, f.PhaseField, f.PhaseEnum)
	}
}

// Field case A5.
func TestListVersion(t *testing.T) {
	for name, c := range map[string]struct{ versions, want string }{
		"storage is served":     {`[{"name":"v2","served":true},{"name":"v1","served":true,"storage":true}]`, "v1"},
		"storage is not served": {`[{"name":"v1","storage":true},{"name":"v2"},{"name":"v3","served":true},{"name":"v4","served":true}]`, "v3"},
		"none is served":        {`[{"name":"v1","storage":true}]`, ""},
		"there is none":         {`[]`, ""},
	} {
		crd := crdOf(t, `{"versions":`+c.versions+`}`)
		if got := crd.ListVersion(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestScalePathsAreCheckedAgainstTheSchema(t *testing.T) {
	const schema = `"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","properties":{"replicas":{"type":"integer"}}},"status":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}`
	for path, want := range map[string]bool{".spec.replicas": true, ".spec.size": false} {
		crd := crdOf(t, `{"versions":[{"name":"v1",`+schema+`,"subresources":{"scale":{"specReplicasPath":"`+path+`","statusReplicasPath":".status.replicas"}}}]}`)
		if got := crd.Versions[0].Scale; got == nil || got.Valid != want {
			t.Errorf("%s: %+v, want valid %v", path, got, want)
		}
	}
}

func TestConversionKeepsNoCredentials(t *testing.T) {
	crd := crdOf(t, `{"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"url":"https://user:pw@host/convert?key=1","caBundle":"YQ=="}}}}`)
	want := Conversion{Strategy: "Webhook", URL: "https://[redacted]@host/convert", CABundle: true}
	if crd.Conversion == nil || *crd.Conversion != want {
		t.Errorf("%+v, want %+v", crd.Conversion, want)
	}
}
