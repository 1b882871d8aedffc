package inventory

import (
	"strings"
	"testing"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

func described(root, spec string) *apiextensionsv1.JSONSchemaProps {
	return &apiextensionsv1.JSONSchemaProps{Description: root, Properties: map[string]apiextensionsv1.JSONSchemaProps{
		"apiVersion": {Description: "APIVersion defines the versioned schema of this representation of an object."},
		"spec":       {Description: spec},
	}}
}

func TestSchemaDescription(t *testing.T) {
	const conventions = "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#spec-and-status"
	for _, c := range []struct{ root, spec, want string }{
		{"", "", ""},
		{"A cache in memory.", "", "A cache in memory."},
		{"", "What is wanted.", "What is wanted."},
		{"A cache\n  in memory.", "What is wanted.", "A cache in memory. What is wanted."},
		{"The same.", "The same.", "The same."},
		{"Alert is the Schema for the alerts API", "AlertSpec defines the desired state of Alert", ""},
		{"AssignImage is the Schema for the assignimage API.", "Spec is the desired state of the Bundle.", ""},
		{"Alert is the schema for the alerts\nAPI. It tells people.", "spec defines the desired state of Alert. A channel has to be there.", "It tells people. A channel has to be there."},
		{"ConfigMap is the Schema for the configmaps APIServer", "", "ConfigMap is the Schema for the configmaps APIServer"},
		{"Push is the Schema for the pushes API that sends secrets.", "", "Push is the Schema for the pushes API that sends secrets."},
		{"Secret is the Schema for the external-secrets API. It defines how to fetch.", "", "It defines how to fetch."},
		{"Ext is the schema for the Contour extension services API.", "KafkaSpec defines the desired state of a message broker.", "Ext is the schema for the Contour extension services API. KafkaSpec defines the desired state of a message broker."},
		{"", "Spec holds the desired state of the Route (from the client).", ""},
		{"", "Specification of the mail server. More info: " + conventions, "Specification of the mail server."},
		{"Try password=hunter22 \x1b[31mnow", "", "Try password=[redacted] now"},
	} {
		if got := ReduceSchema(described(c.root, c.spec)).Description; got != c.want {
			t.Errorf("%q and %q give %q, want %q", c.root, c.spec, got, c.want)
		}
	}
}

func TestSchemaDescriptionIsCut(t *testing.T) {
	for n := range 4 {
		got := ReduceSchema(described(strings.Repeat("x", n)+strings.Repeat("€", 300), "more")).Description
		if len(got) > maxDescription || len(got) < maxDescription-3 || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
			t.Errorf("%d bytes, valid %v: %q", len(got), utf8.ValidString(got), got)
		}
	}
}

func TestSchemaDescriptionOfTheStorageVersion(t *testing.T) {
	const schema = `"schema":{"openAPIV3Schema":{"type":"object","description":"A cache."}}`
	crd := crdOf(t, `{"versions":[{"name":"v1","served":true,`+schema+`},{"name":"v2","served":true,"storage":true,`+schema+`}]}`)
	if old, stored := crd.Versions[0].Schema.Description, crd.Versions[1].Schema.Description; old != "" || stored != "A cache." {
		t.Errorf("%q and %q, want that of the storage version alone", old, stored)
	}
}
