package inventory

import (
	"bytes"
	"encoding/json"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"kubectl-operator-maturity/internal/corpustest"
)

// crdPage is a list of CRDs as an API server encodes it.
func crdPage(t testing.TB, list *apiextensionsv1.CustomResourceDefinitionList) []byte {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := apiextensionsv1.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	list.SetGroupVersionKind(apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinitionList"))
	var page bytes.Buffer
	if err := protobuf.NewSerializer(scheme, scheme).Encode(list, &page); err != nil {
		t.Fatal(err)
	}
	return page.Bytes()
}

func sameOnTheWire(t *testing.T, shared *Shared, crds ...apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	var want, got Snapshot
	for i := range crds {
		want.CRDs = append(want.CRDs, ReduceCRD(&crds[i], 0))
	}
	remaining := int64(7)
	list := &apiextensionsv1.CustomResourceDefinitionList{Items: crds, ListMeta: metav1.ListMeta{Continue: "more", RemainingItemCount: &remaining}}
	page := crdPage(t, list)
	listMeta, n, err := got.AddCRDs(page, shared)
	if err != nil || n != len(crds) || listMeta.Continue != "more" || *listMeta.RemainingItemCount != 7 {
		t.Fatalf("%d CRDs, %+v, %v", n, listMeta, err)
	}
	clear(page)
	for i := range crds {
		a, b := encoded(t, &Snapshot{CRDs: got.CRDs[i : i+1]}), encoded(t, &Snapshot{CRDs: want.CRDs[i : i+1]})
		if !bytes.Equal(a, b) {
			t.Errorf("%s from protobuf:\n%s\nfrom Go's types:\n%s", crds[i].Name, a, b)
		}
	}
}

// everySchema has each part of a schema that a fact rests on.
const everySchema = `{"metadata":{"name":"ws.example.io","annotations":{"a":"x","controller-gen.kubebuilder.io/version":"v1"}},
 "spec":{"group":"example.io","scope":"Namespaced","preserveUnknownFields":true,"names":{"plural":"ws","kind":"W","shortNames":["w"],"categories":["all"]},
 "conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],"clientConfig":{"service":{"namespace":"n","name":"s","port":8443},"caBundle":"AAAA"}}},
 "versions":[{"name":"v1","served":true,"storage":true,"deprecated":true,"deprecationWarning":"old","subresources":{"status":{},"scale":{"specReplicasPath":".spec.replicas","statusReplicasPath":".status.replicas","labelSelectorPath":".status.sel"}},
  "additionalPrinterColumns":[{"name":"A","type":"string","jsonPath":".spec.a"}],"selectableFields":[{"jsonPath":".spec.a"}],
  "schema":{"openAPIV3Schema":{"description":"Runs widgets.","type":"object","properties":{
   "spec":{"description":"What is wanted.","type":"object","required":["a","version"],"x-kubernetes-validations":[{"rule":"true"}],"oneOf":[{"required":["a"]}],"anyOf":[{"required":["b"]}],"properties":{
    "version":{"type":"string","pattern":"^v","minLength":1,"maxLength":9,"enum":["1","2"],"default":"1","description":"d"},
    "replicas":{"type":"integer","minimum":0,"maximum":5},"mixed":{"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]},
    "list":{"type":"array","description":"l","items":{"type":"object","properties":{"backup":{"type":"string"}}}},
    "map":{"type":"object","additionalProperties":{"type":"object","properties":{"restore":{"type":"string"}}}},
    "any":{"type":"object","additionalProperties":true},"open":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
    "clone":{"type":"object","properties":{"timestamp":{"type":"string"}}},
    "template":{"type":"object","properties":{"spec":{"type":"object","properties":{"containers":{"type":"array","items":{"type":"object"}},"volumes":{"type":"array"}}}}},
    "claim":{"type":"object","properties":{"spec":{"type":"object"},"status":{"type":"object","properties":{"version":{"type":"string"}}}}}}},
   "status":{"type":"object","properties":{"phase":{"type":"string","enum":["A","B"]},"observedGeneration":{"type":"integer"},"lastBackupTime":{"type":"string"},"replicas":{"type":"integer"},"sel":{"type":"string"},
    "conditions":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["type"],"items":{"type":"object","required":["type","status"],"properties":{"type":{"type":"string"},"status":{"type":"string"},"observedGeneration":{"type":"integer"}}}}}}}}}},
  {"name":"v2","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true},"status":{"type":"string"}}}}},
  {"name":"v3","served":false,"storage":false},{"name":"v4","served":false,"storage":false,"schema":{}},{"name":"v5","served":true,"storage":false,"schema":{"openAPIV3Schema":{}}}]},
 "status":{"storedVersions":["v1","v2"],"conditions":[{"type":"Established","status":"False","reason":"R","message":"m"}]}}`

func decodedCRD(t testing.TB, raw []byte) apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	var crd apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal(raw, &crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// CRDs come from files as JSON and from servers as protobuf, of which only a
// part is decoded: the facts are the same.
func TestACRDOnTheWireIsReducedAsADecodedOne(t *testing.T) {
	shared := &Shared{}
	every := decodedCRD(t, []byte(everySchema))
	sameOnTheWire(t, shared, every, apiextensionsv1.CustomResourceDefinition{}, every)
	sameOnTheWire(t, nil, every)
	sameOnTheWire(t, shared)
}

func TestRealCRDsOnTheWireAreReducedAsDecodedOnes(t *testing.T) {
	var list struct{ Items []json.RawMessage }
	if err := json.Unmarshal([]byte(corpustest.Text(t, "recordings", "shop-cluster.json.gz")), &list); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, raw := range list.Items {
		var is struct{ Kind string }
		if json.Unmarshal(raw, &is) == nil && is.Kind == "CustomResourceDefinition" {
			n++
			sameOnTheWire(t, nil, decodedCRD(t, raw))
		}
	}
	if n < 100 {
		t.Errorf("%d CRDs in the recording, want more than 100", n)
	}
}

// Whatever is cut off or turned round, there is an error or all CRDs, and
// never a panic.
func TestBrokenProtobufOfCRDsIsAnError(t *testing.T) {
	whole := crdPage(t, &apiextensionsv1.CustomResourceDefinitionList{Items: []apiextensionsv1.CustomResourceDefinition{decodedCRD(t, []byte(everySchema))}})
	var all Snapshot
	if _, _, err := all.AddCRDs(whole, nil); err != nil {
		t.Fatal(err)
	}
	for n := range whole {
		var s Snapshot
		if _, _, err := s.AddCRDs(whole[:n], nil); err == nil && !bytes.Equal(encoded(t, &s), encoded(t, &all)) {
			t.Fatalf("cut at %d of %d: %d CRDs, not those that there were, and no error", n, len(whole), len(s.CRDs))
		}
	}
	status := bytes.Replace(whole, []byte("CustomResourceDefinitionList"), []byte("StatusStatusStatusStatusStat"), 1)
	var s Snapshot
	if _, _, err := s.AddCRDs(status, nil); err == nil {
		t.Error("an answer of another kind is taken for a list")
	}
}

func FuzzCRDs(f *testing.F) {
	f.Add(crdPage(f, &apiextensionsv1.CustomResourceDefinitionList{Items: []apiextensionsv1.CustomResourceDefinition{decodedCRD(f, []byte(everySchema))}}))
	f.Add([]byte(protobufMagic))
	f.Fuzz(func(t *testing.T, page []byte) {
		var s Snapshot
		if _, n, err := s.AddCRDs(page, &Shared{}); err != nil && (n > 0 || len(s.CRDs) > 0) {
			t.Errorf("%d CRDs kept in spite of %v", len(s.CRDs), err)
		}
	})
}
