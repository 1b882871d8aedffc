package endtoend

import (
	"archive/tar"
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// bundle is a line of operatorhub/claims.jsonl: a package of a catalogue.
type bundle struct {
	Package   string
	Catalog   string
	Archive   string
	Dir       string
	CSVName   string `json:"csvName"`
	OwnedCRDs []struct{ Name string }
	Level     int `json:"capabilityLevel"`

	path string // where it was unpacked
}

// bundles unpacks the archives of the corpus, the packages by catalogue/name.
func bundles(t *testing.T) map[string]*bundle {
	t.Helper()
	dir := filepath.Join(corpustest.Dir(t), "operatorhub")
	root := t.TempDir()
	for _, archive := range []string{"bundles.tar.gz", "bundles-certified.tar.gz"} {
		unpack(t, filepath.Join(dir, archive), filepath.Join(root, archive))
	}
	claims, err := os.Open(filepath.Join(dir, "claims.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer claims.Close()
	found := map[string]*bundle{}
	lines := bufio.NewReader(claims)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var b bundle
			if err := json.Unmarshal(line, &b); err != nil {
				t.Fatal(err)
			}
			b.path = filepath.Join(root, b.Archive, filepath.FromSlash(b.Dir))
			if exists(b.path) { // the corpus holds a part of the catalogues
				found[b.Catalog+"/"+b.Package] = &b
			}
		}
		if errors.Is(err, io.EOF) {
			return found
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func unpack(t *testing.T, archive, into string) {
	t.Helper()
	file, err := os.Open(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	entries := tar.NewReader(unzipped)
	for {
		header, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(into, filepath.Clean("/"+header.Name))
		if header.Typeflag != tar.TypeReg {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(entries)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestEveryCRDThatACSVOwnsIsItsOperators(t *testing.T) {
	owned, wrong := 0, 0
	for _, b := range scannedBundles(t) {
		for _, o := range b.OwnedCRDs {
			if !b.present[o.Name] {
				continue // listed as owned without a manifest
			}
			owned++
			if c := b.crds[o.Name]; c.Confidence != attribution.High || !hasSignal(c, "csv") {
				wrong++
				t.Errorf("%s: %s has confidence %q without its CSV", b.name(), o.Name, c.Confidence)
			}
		}
	}
	t.Logf("%d owned CRDs, %d not from their CSV", owned, wrong)
	if owned < 1000 {
		t.Errorf("only %d owned CRDs were looked at", owned)
	}
}

func hasSignal(c attribution.CRD, name string) bool {
	for _, s := range c.Signals {
		if s.Signal == name {
			return true
		}
	}
	return false
}

func TestCRDOfSeveralPackagesHasNoSilentWinner(t *testing.T) {
	large(t)
	cat := builtinCatalogue(t)
	all := bundles(t)
	raw, err := os.ReadFile(filepath.Join(corpustest.Dir(t), "operatorhub", "crd-conflicts.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	pairs := map[string][]string{} // packages -> CRDs
	for _, line := range strings.Split(strings.TrimSpace(string(raw)), "\n")[1:] {
		fields := strings.Split(line, "\t")
		pairs[fields[2]] = append(pairs[fields[2]], fields[0])
	}
	checked := 0
	for packages, crds := range pairs {
		var paths []string
		csvs := map[string]bool{}
		for _, name := range strings.Split(packages, ",") {
			// Two packages whose CSVs have one name cannot both be installed in
			// one namespace: they are one object.
			if b := all[name]; b != nil && !csvs[b.CSVName] {
				csvs[b.CSVName] = true
				paths = append(paths, b.path)
			}
		}
		if len(paths) < 2 {
			continue
		}
		r := attribution.Attribute(read(t, time.Time{}, paths...), cat)
		for _, o := range r.Operators {
			for _, c := range o.CRDs {
				for _, conflicted := range crds {
					if c.Name != conflicted {
						continue
					}
					checked++
					owners := 0
					for _, s := range c.Signals {
						if s.Signal == "csv" {
							owners++
						}
					}
					if c.Confidence != attribution.Ambiguous && owners < 2 {
						t.Errorf("%s: %s is silently %s's (%s, %d owners shown)", packages, c.Name, o.Name, c.Confidence, owners)
					}
				}
			}
		}
	}
	t.Logf("%d conflicted CRDs checked", checked)
	if checked < 20 {
		t.Errorf("only %d conflicted CRDs were looked at", checked)
	}
}
