package inventory

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// everyKind is a snapshot with two objects of each kind, in the wrong order.
func everyKind() *Snapshot {
	s := &Snapshot{
		Taken:  time.Date(2026, 11, 30, 17, 8, 0, 111722000, time.UTC),
		Source: Source{Type: "files", Files: []string{"a.yaml"}, Complete: true},
		Access: []Access{{Group: "apps", Version: "v1", Resource: "deployments", Access: Listed, Count: 2}, {Resource: "documents", Access: Failed, Detail: "a.yaml:3: broken"}},
		CRDs: []CRD{
			{ObjectMeta: metav1.ObjectMeta{Name: "widgets.example.io"}, Group: "example.io", Versions: []CRDVersion{{Name: "v1", Served: true, Storage: true, Schema: SchemaFacts{Present: true, Description: "A widget — with <parts> & \"more\".", Fields: map[Topic][]string{TopicImage: {"spec.image"}}}}}},
			{ObjectMeta: metav1.ObjectMeta{Name: "gadgets.example.io"}, Conversion: &Conversion{Strategy: "Webhook", Service: &ServiceRef{Name: "hook", Port: 443}}},
		},
	}
	for _, k := range storedKinds() {
		for _, name := range []string{"b", "a"} {
			obj := k.New()
			obj.SetName(name)
			obj.SetNamespace("ns")
			obj.SetUID(types.UID(k.Kind + "-" + name))
			if e, ok := obj.(*corev1.Event); ok {
				e.InvolvedObject = corev1.ObjectReference{APIVersion: "example.io/v1", Kind: "Widget"}
			}
			k.Add(s, obj)
		}
	}
	for _, kind := range []string{"Widget", "Gadget"} {
		s.AddCustom(Object{
			APIVersion: "example.io/v1", Kind: kind, ObjectMeta: metav1.ObjectMeta{Name: "x"},
			Spec:   Pack(map[string]any{"replicas": int64(3), "version": "1.2", "storage": map[string]any{"size": "1Gi"}}),
			Status: Pack(map[string]any{"observedGeneration": int64(9007199254740993), "ratio": 0.5, "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}}),
		})
	}
	for _, workload := range []string{"Deployment/ns/b", "Deployment/ns/a"} {
		s.Expositions = append(s.Expositions, Exposition{Workload: workload, Pod: "p", Endpoint: "port 8080", Via: ViaPodProxy, Outcome: Served, Families: []MetricFamily{
			{Name: "workqueue_depth", Type: "gauge", Series: 2, Sum: 0.1, Max: 0.1, Labels: []string{"name", "controller"}},
			{Name: "rest_client_requests_total", Type: "counter", Series: 3, Sum: 1.796057191e+09, Max: 3, Outcomes: map[string]float64{"429": 2, "403": 1}}}})
	}
	return s
}

func encoded(t *testing.T, s *Snapshot) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := Encode(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestDecodeEncodeGivesTheSameBytes(t *testing.T) {
	first := encoded(t, everyKind())
	s, err := Decode(bytes.NewReader(first))
	if err != nil {
		t.Fatal(err)
	}
	if second := encoded(t, s); !bytes.Equal(first, second) {
		t.Errorf("differs:\n%s\n%s", first, second)
	}
	if !bytes.Contains(first, []byte("9007199254740993")) {
		t.Error("a large whole number changed")
	}
	for _, k := range storedKinds() {
		n := 0
		k.Each(s, func(TypedObject) { n++ })
		if n != 2 {
			t.Errorf("%d objects of kind %s after decoding, want 2", n, k.Kind)
		}
	}
}

func TestEncodeIsCanonical(t *testing.T) {
	a, b := everyKind(), everyKind()
	slices.Reverse(b.CRDs)
	slices.Reverse(b.CustomResources)
	slices.Reverse(b.Deployments)
	slices.Reverse(b.Others)
	slices.Reverse(b.Access)
	slices.Reverse(b.Expositions)
	slices.Reverse(b.Expositions[0].Families)
	if !bytes.Equal(encoded(t, a), encoded(t, b)) {
		t.Error("the order of a snapshot shows in its bytes")
	}
}

func TestEncodedItemsHaveTheirType(t *testing.T) {
	var file struct {
		Items []struct {
			APIVersion, Kind string
		}
	}
	if err := json.Unmarshal(encoded(t, everyKind()), &file); err != nil {
		t.Fatal(err)
	}
	for i, item := range file.Items {
		if item.APIVersion == "" || item.Kind == "" {
			t.Errorf("item %d has type %q %q", i, item.APIVersion, item.Kind)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	whole := string(encoded(t, everyKind()))
	for name, c := range map[string]struct{ in, want string }{
		"a newer version":   {strings.Replace(whole, APIVersion, "operator-maturity/v2", 1), "update kubectl operator-maturity"},
		"cut in an item":    {whole[:len(whole)/2], "cut short"},
		"cut between items": {whole[:strings.LastIndex(whole, "\n{")], "cut short"},
		"cut at the end":    {strings.TrimSuffix(whole, "}\n"), "cut short"},
		"cut in the header": {whole[:60], "cut short"},
		"an item broken":    {strings.Replace(whole, `"name":"a"`, `"name":7`, 1), "item "},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Decode(strings.NewReader(c.in))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
	for _, in := range []string{"", "[]", "kind: Snapshot", `{"kind":"List","items":[]}`, `{"apiVersion":"operator-maturity/v1","kind":"Scorecard"}`} {
		if _, err := Decode(strings.NewReader(in)); !errors.Is(err, ErrNotSnapshot) {
			t.Errorf("%q: error %v, want ErrNotSnapshot", in, err)
		}
	}
}

func TestDecodeIgnoresUnknownFields(t *testing.T) {
	in := `{"apiVersion":"operator-maturity/v1","kind":"Snapshot","mood":{"a":[1]},"items":[{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"},"aura":1}]}`
	s, err := Decode(strings.NewReader(in))
	if err != nil || len(s.Deployments) != 1 {
		t.Errorf("%v, %+v", err, s)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"apiVersion":"operator-maturity/v1","kind":"Snapshot","items":[{"apiVersion":"a.b/v1","kind":"C","metadata":{"name":"d"},"status":[1]}]}`))
	f.Add([]byte(`{"apiVersion":"operator-maturity/v1","kind":"Snapshot","items":[{"apiVersion":"operator-maturity/v1","kind":"Exposition","families":[{"name":"a","sum":1e308,"labels":["b","a","b"]}]}]}`))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := Decode(bytes.NewReader(in))
		if err != nil {
			return
		}
		first := encoded(t, s)
		again, err := Decode(bytes.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if second := encoded(t, again); !bytes.Equal(first, second) {
			t.Errorf("differs:\n%s\n%s", first, second)
		}
	})
}
