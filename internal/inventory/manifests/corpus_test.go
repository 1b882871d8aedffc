package manifests

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
)

func TestRecording(t *testing.T) {
	path := filepath.Join(corpustest.Dir(t), "recordings", "shop-cluster.json.gz")
	s, err := Read(context.Background(), Options{Paths: []string{path}, Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(s.CRDs) != 169 || len(s.Deployments) != 38 {
		t.Errorf("%d CRDs, %d Deployments; want 169, 38", len(s.CRDs), len(s.Deployments))
	}
	kinds := map[string]int{}
	for _, o := range s.CustomResources {
		kinds[o.Kind]++
	}
	if kinds["Widget"] != 2 || kinds["PrometheusRule"] != 31 {
		t.Errorf("%d Widgets, %d PrometheusRules; want 2, 31", kinds["Widget"], kinds["PrometheusRule"])
	}
	if want := time.Date(2026, 11, 30, 17, 8, 0, 111722000, time.UTC); s.Taken != want {
		t.Errorf("taken %s, want %s", s.Taken, want)
	}
	if !s.Source.Complete || s.Source.ClusterUID == "" {
		t.Errorf("source %+v", s.Source)
	}
	for _, a := range s.Access {
		if a.Access != inventory.Listed || a.Detail != "" {
			t.Errorf("access %+v", a)
		}
	}
	sameAfterCodec(t, s)
}

// Bundles as they are published: wrong apiVersions, v1beta1 CRDs.
func TestOperatorHubBundles(t *testing.T) {
	path := filepath.Join(corpustest.Dir(t), "operatorhub", "bundles-legacy.tar.gz")
	s, err := Read(context.Background(), Options{Paths: []string{path}})
	if err != nil {
		t.Fatal(err)
	}
	csvs := 0
	for _, o := range s.CustomResources {
		if o.Kind == csvKind {
			csvs++
		}
	}
	if len(s.CRDs) != 67 || csvs != 25 || len(s.Deployments) != 25 {
		t.Errorf("%d CRDs, %d CSVs, %d Deployments; want 67, 25, 25", len(s.CRDs), csvs, len(s.Deployments))
	}
	for _, a := range s.Access {
		if a.Access != inventory.Listed {
			t.Errorf("access %+v", a)
		}
	}
	sameAfterCodec(t, s)
}

// everyFolder is 1 to read all folders of the corpus; the race detector makes
// reading YAML twenty times slower, so that with it a few must do.
var everyFolder = 1

func TestManifestFolders(t *testing.T) {
	dir := filepath.Join(corpustest.Dir(t), "manifests")
	folders, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range folders {
		if !f.IsDir() || i%everyFolder != 0 {
			continue
		}
		t.Run(f.Name(), func(t *testing.T) {
			t.Parallel()
			s, err := Read(context.Background(), Options{Paths: []string{filepath.Join(dir, f.Name())}})
			if err != nil {
				t.Fatal(err)
			}
			if Empty(s) {
				t.Error("nothing read")
			}
			for _, a := range s.Access {
				if a.Access != inventory.Listed {
					t.Errorf("access %+v", a)
				}
			}
			sameAfterCodec(t, s)
		})
	}
}

// A dump gives the same snapshot as JSON and as YAML.
func TestYAMLAndJSONAreTheSame(t *testing.T) {
	f, err := os.Open(filepath.Join(corpustest.Dir(t), "recordings", "shop-cluster.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var dump struct {
		APIVersion string           `json:"apiVersion"`
		Items      []map[string]any `json:"items"`
		Kind       string           `json:"kind"`
	}
	if err := json.NewDecoder(unzipped).Decode(&dump); err != nil {
		t.Fatal(err)
	}
	n := 0
	dump.Items = slices.DeleteFunc(dump.Items, func(item map[string]any) bool {
		n++
		return item["kind"] == crdKind.Kind || n%4 != 0 // CRDs are most of the bytes
	})
	asJSON, err := json.MarshalIndent(dump, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	asYAML, err := yaml.JSONToYAML(asJSON)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(encode(t, read(t, string(asJSON))), encode(t, read(t, string(asYAML)))) {
		t.Error("the snapshots differ")
	}
}

func BenchmarkReadRecording(b *testing.B) {
	path := filepath.Join(corpustest.Dir(b), "recordings", "shop-cluster.json.gz")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(context.Background(), Options{Paths: []string{path}, Complete: true}); err != nil {
			b.Fatal(err)
		}
	}
}
