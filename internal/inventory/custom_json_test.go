package inventory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// odd are custom resources that break a convention or are written in an odd
// way; decoders of Kubernetes take each.
var odd = []string{
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"no-spec"}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"n"},"spec":"text","status":7}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"n"},"spec":["a"],"status":[{"a":1}]}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"n"},"spec":{},"status":{}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"n"},"spec":null,"status":null}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"n"},"spec":{"replicas":3.0,"version":1.5,"size":9007199254740993,"paused":true,"enableX":"yes"},"status":{"n":12345678901234567890}}`,
	`{"kind":"A","apiVersion":"a.io/v1","spec":{"z":1,"a":{"b":[{"c":1},{"d":[]},[{"e":1}]],"labels":{"a/b":"x"},"empty":{}}},"metadata":{"name":"unsorted","labels":{"b":"2","a":"1"},"annotations":{}}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"twice","name":"last"},"spec":{"version":"1","version":"2","a":{"x":1},"a":{"y":1}},"status":{"phase":"A","phase":"B"}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"escapes \"\\\u00e9\n"},"spec":{"imageName":"r.io\/x:1","\u0076ersion":"3"},"status":{"message":"a\tb \u001b[31m\ud83d\ude00","a\"b":"c"}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"m","generateName":"m-","namespace":"ns","selfLink":"/x","uid":"u","resourceVersion":"7","generation":4,"creationTimestamp":"2026-01-02T03:04:05Z",
	  "deletionTimestamp":"2026-01-02T03:04:06+02:00","deletionGracePeriodSeconds":0,"finalizers":["a/b","c"],"unknown":{"x":[1]},
	  "ownerReferences":[{"apiVersion":"v1","kind":"K","name":"o","uid":"ou","controller":true,"blockOwnerDeletion":false}],
	  "managedFields":[{"manager":"m","operation":"Apply","apiVersion":"a.io/v1","time":"2026-01-02T03:04:05Z","fieldsType":"FieldsV1","subresource":"status","fieldsV1":{"f:status":{"f:phase":{},".":{}},"f:metadata":{"f:finalizers":{"v:\"a/b\"":{}}}}},{"manager":"n","fieldsV1":null}]}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":"nulls","labels":null,"annotations":null,"finalizers":null,"ownerReferences":null,"managedFields":null,"creationTimestamp":null,"generation":null,"namespace":null}}`,
	` { "apiVersion" : "a.io/v1" , "kind" : "A" , "metadata" : { "name" : "spaces" } , "spec" : { "a" : [ 1 , 2 ] , "b" : [ ] , "c" : { } , "version" : "1" } , "status" : { "a" : [ true , false , null ] } } `,
}

// malformed have metadata that Kubernetes' own decoder refuses.
var malformed = []string{
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"name":7}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"labels":{"a":1}}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"creationTimestamp":"yesterday"}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"managedFields":[{"manager":{}}]}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":{"ownerReferences":{"name":"o"}}}`,
	`{"apiVersion":"a.io/v1","kind":"A","metadata":["name"]}`,
	`{"apiVersion":7,"kind":"A","metadata":{"name":"n"}}`,
	`[1]`,
	`"text"`,
}

// fromMaps is what the decoder of maps and PruneCustom make of an object.
func fromMaps(raw []byte) (*Snapshot, error) {
	var o struct {
		Object
		Spec   any `json:"spec"`
		Status any `json:"status"`
	}
	if err := utiljson.Unmarshal(raw, &o); err != nil {
		return nil, err
	}
	o.SpecPaths = nil
	PruneCustom(&o.Object, o.Spec, o.Status)
	return &Snapshot{CustomResources: []Object{o.Object}}, nil
}

func sameFromTheWire(t *testing.T, shared *Shared, raw []byte) {
	t.Helper()
	want, wantErr := fromMaps(raw)
	got := &Snapshot{}
	err := got.AddCustomJSON(raw, "list.io/v1", "ListKind", shared)
	if err == nil && wantErr != nil && strings.Contains(wantErr.Error(), "cannot unmarshal number") {
		return // beyond what a float can hold: no reason to lose a list
	}
	if (err == nil) != (wantErr == nil) {
		t.Fatalf("%s\nfrom the wire: %v\nfrom maps: %v", raw, err, wantErr)
	}
	if err != nil {
		return
	}
	if o := &want.CustomResources[0]; o.APIVersion == "" || o.Kind == "" {
		o.APIVersion, o.Kind = "list.io/v1", "ListKind"
	}
	if a, b := encoded(t, got), encoded(t, want); !bytes.Equal(a, b) {
		t.Errorf("%s\nfrom the wire:\n%s\nfrom maps:\n%s", raw, a, b)
	}
	once := slices.Clone(got.CustomResources)
	before := encoded(t, got)
	PruneCustom(&once[0], once[0].Spec.Value(), once[0].Status.Value())
	if after := encoded(t, &Snapshot{CustomResources: once}); !bytes.Equal(before, after) {
		t.Errorf("%s\nkept:\n%s\nand after another pass, as when a snapshot is read again:\n%s", raw, before, after)
	}
}

func customsToTry() []string {
	list := append([]string{}, odd...)
	for _, object := range secretive {
		list = append(list, string(fill(object)))
	}
	return list
}

// Objects come from files as maps and from servers as JSON: what is kept of
// them, and above all what is not, is the same.
func TestACustomResourceFromTheWireIsKeptAsOneFromMaps(t *testing.T) {
	shared := &Shared{}
	for range 2 { // the second time all is known to shared
		for _, raw := range customsToTry() {
			sameFromTheWire(t, shared, []byte(raw))
		}
	}
	for _, raw := range malformed {
		sameFromTheWire(t, shared, []byte(raw))
	}
}

func TestNoSecretIsKeptFromTheWire(t *testing.T) {
	shared := &Shared{}
	for _, object := range secretive {
		raw := fill(object)
		s := &Snapshot{}
		if err := s.AddCustomJSON(raw, "a.io/v1", "A", shared); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(object, `"MutatingWebhook`) || storedKind(s.CustomResources[0].Group(), s.CustomResources[0].Kind) != nil {
			continue // no custom resource
		}
		if out := encoded(t, s); bytes.Contains(out, []byte(canary)) {
			t.Errorf("%s is kept:\n%s", canary, out)
		}
	}
}

// What is kept must not hold the page that it was read from in memory: the
// same bytes are overwritten by the next item.
func TestWhatIsKeptIsNoPartOfThePage(t *testing.T) {
	shared := &Shared{}
	for _, object := range customsToTry() {
		page := []byte(object)
		s := &Snapshot{}
		if err := s.AddCustomJSON(page, "a.io/v1", "A", shared); err != nil {
			t.Fatal(err)
		}
		before := encoded(t, s)
		for i := range page {
			page[i] = 'X'
		}
		if after := encoded(t, s); !bytes.Equal(before, after) {
			t.Errorf("changed with the page:\n%s\n%s", before, after)
		}
	}
}

func TestANumberBeyondFloatsLosesNoObject(t *testing.T) {
	s := &Snapshot{}
	raw := `{"metadata":{"name":"n"},"spec":{"size":1e400,"version":"1"},"status":{"n":1e400}}`
	if err := s.AddCustomJSON([]byte(raw), "a.io/v1", "A", nil); err != nil || s.CustomResources[0].Spec.At("version") != "1" {
		t.Errorf("%v, kept %v", err, s.CustomResources)
	}
}

func TestSharedForgetsBeyondItsBound(t *testing.T) {
	shared := &Shared{}
	for i := range 3 * maxShared {
		shared.str(strings.Repeat("x", i%250) + string(rune('a'+i%26)) + strings.Repeat("y", i/250))
	}
	if len(shared.strings) > maxShared {
		t.Errorf("%d texts are held, %d at most were to be", len(shared.strings), maxShared)
	}
}

func FuzzCustomJSON(f *testing.F) {
	for _, raw := range append(customsToTry(), malformed...) {
		f.Add([]byte(raw))
	}
	shared := &Shared{}
	f.Fuzz(func(t *testing.T, raw []byte) {
		// Names that stand twice are no matter of servers, and decoders differ
		// on them: null may leave what was before.
		if !json.Valid(raw) || !jsontext.Value(raw).IsValid(jsontext.AllowInvalidUTF8(true)) {
			return
		}
		sameFromTheWire(t, shared, raw)
	})
}
