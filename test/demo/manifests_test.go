package demo

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func TestManifests(t *testing.T) {
	items, err := load(files)
	if err != nil {
		t.Fatal(err)
	}
	if items, err = expand(items); err != nil {
		t.Fatal(err)
	}
	seen := map[key]bool{}
	for _, i := range items {
		if seen[i.key()] {
			t.Errorf("%s is there twice", i.key())
		}
		seen[i.key()] = true
		raw, err := i.object.MarshalJSON()
		if err != nil {
			t.Errorf("%s: %v", i.key(), err)
		}
		if bytes.Contains(raw, []byte(prefix)) || bytes.Contains(raw, []byte(`"ago `)) || bytes.Contains(raw, []byte("$ref")) {
			t.Errorf("%s still has words of the recorder: %s", i.key(), raw)
		}
		if i.manager == "" || i.age <= 0 {
			t.Errorf("%s: made by %q, %v ago", i.key(), i.manager, i.age)
		}
		// What OLM installed goes over from one ClusterServiceVersion to the next.
		if i.owner != nil && i.owner.age < i.age && i.owner.object.GetKind() != "ClusterServiceVersion" {
			t.Errorf("%s is older than its owner %s", i.key(), i.owner.key())
		}
		if i.statusAge > i.age {
			t.Errorf("%s: its status is older than it is", i.key())
		}
	}
	for _, i := range items {
		for _, name := range namedAccounts(i.object) {
			if k := (key{"", "ServiceAccount", i.object.GetNamespace(), name}); !seen[k] {
				t.Errorf("%s runs as %s, which is not there", i.key(), k)
			}
		}
	}
}

func namedAccounts(o *unstructured.Unstructured) []string {
	name, found, _ := unstructured.NestedString(o.Object, "spec", "template", "spec", "serviceAccountName")
	if !found {
		return nil
	}
	return []string{name}
}

func TestLoadRefusesMistakes(t *testing.T) {
	head := "apiVersion: demo.local/v1\nkind: Defaults\nmanager: kubectl\nage: 4d\n---\napiVersion: v1\nkind: ConfigMap\n"
	for text, want := range map[string]string{
		"metadata: {name: a, annotations: {demo.local/owner: Widget/none}}": "does not come before it",
		"metadata: {name: a, annotations: {demo.local/aeg: 4d}}":            "no such annotation",
		"metadata: {name: a, annotations: {demo.local/age: four days}}":     "parsing age",
		"metadata: {name: a}\ndata: {$ref: nothing}":                        `no schema "nothing"`,
	} {
		_, err := load(fstest.MapFS{
			"schemas.yaml":     {Data: []byte("{}")},
			"manifests/a.yaml": {Data: []byte(head + text)},
		})
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "manifests/a.yaml") {
			t.Errorf("load with %s: error %v, want %q and the file", text, err, want)
		}
	}
}
