package main

import (
	"bytes"
	"os"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/manifests"
)

// tiny is a cluster whose kinds all have objects.
var tiny = size{name: "tiny", crds: 10, customs: 60, pods: 20}

func dumpOf(t *testing.T, form string, bytes int64) (path string, objects int) {
	t.Helper()
	out, err := newDumpWriter(form, t.TempDir(), 20_000)
	if err != nil {
		t.Fatal(err)
	}
	objects, err = writeWorld(generate(tiny, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)), bytes, out)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.close(); err != nil {
		t.Fatal(err)
	}
	return out.path(), objects
}

func snapshotOf(t *testing.T, path string, most int) *inventory.Snapshot {
	t.Helper()
	s, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{path}, MaxPerKind: most, Complete: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Source.Files = nil
	return s
}

// A dump reads the same in whatever form it is, whole and as a sample.
func TestEveryFormOfADumpReadsTheSame(t *testing.T) {
	var first [2][]byte
	for _, form := range []string{"json-list", "ndjson", "json-gz", "yaml", "yaml-list", "files"} {
		path, objects := dumpOf(t, form, 0)
		for i, most := range []int{-1, 3} {
			s := snapshotOf(t, path, most)
			read, partial := int64(0), 0
			for _, a := range s.Access {
				read += int64(a.Count) + a.Remaining
				if a.Access == inventory.Partial {
					partial++
				}
			}
			if read != int64(objects) || (partial > 0) != (most > 0) {
				t.Errorf("%s, cap %d: %d objects were written and %d read; %d kinds in part", form, most, objects, read, partial)
			}
			var encoded bytes.Buffer
			if err := inventory.Encode(&encoded, s); err != nil {
				t.Fatal(err)
			}
			if first[i] == nil {
				first[i] = encoded.Bytes()
			}
			if !bytes.Equal(first[i], encoded.Bytes()) {
				t.Errorf("%s, cap %d: another snapshot than of json-list", form, most)
			}
		}
	}
}

// What is kept of a kind, and so what is held, depends on the cap and not on
// how large the dump is.
func TestALargerDumpHoldsNoMore(t *testing.T) {
	const most = 20
	small, _ := dumpOf(t, "ndjson", 2_000_000)
	large, _ := dumpOf(t, "ndjson", 8_000_000)
	if a, b := sizeOf(t, small), sizeOf(t, large); a < 1_500_000 || b < 3*a {
		t.Fatalf("dumps of %d and %d bytes", a, b)
	}
	a, b := snapshotOf(t, small, most), snapshotOf(t, large, most)
	if most := most * tiny.crds; len(a.CustomResources) > most || len(b.CustomResources) > most || len(b.CustomResources) == 0 {
		t.Errorf("%d and %d custom resources were kept", len(a.CustomResources), len(b.CustomResources))
	}
	if len(a.Pods) != len(b.Pods) || len(a.CRDs) != tiny.crds {
		t.Errorf("%d and %d pods, %d CRDs", len(a.Pods), len(b.Pods), len(a.CRDs))
	}
}

func sizeOf(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}
