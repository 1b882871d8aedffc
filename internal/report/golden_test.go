package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("reading the golden file (go test -update writes it): %v", err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestFormats(t *testing.T) {
	for _, f := range Formats() {
		t.Run(f.Name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, f.Name, shop(), Options{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "shop."+f.Name+"."+f.Extension, b.Bytes())
		})
	}
}

func TestOptions(t *testing.T) {
	for name, o := range map[string]Options{
		"narrow":  {Width: 80},
		"color":   {Color: true},
		"verbose": {Verbose: true, Command: "kubectl operator-maturity --context prod"},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := Write(&b, "table", shop(), o); err != nil {
				t.Fatal(err)
			}
			golden(t, "shop.table-"+name+".txt", b.Bytes())
		})
	}
}

func TestCRDFormats(t *testing.T) {
	extensions := map[string]string{"table": "txt", "wide": "txt", "markdown": "md", "json": "json", "yaml": "yaml", "csv": "csv"}
	for format, extension := range extensions {
		t.Run(format, func(t *testing.T) {
			var b bytes.Buffer
			if err := WriteCRDs(&b, format, shop(), CRDFilter{Sort: "operator"}, Options{}); err != nil {
				t.Fatal(err)
			}
			golden(t, "crds."+format+"."+extension, b.Bytes())
		})
	}
}

func TestExplainFormats(t *testing.T) {
	for format, extension := range map[string]string{"table": "txt", "markdown": "md", "json": "json", "yaml": "yaml"} {
		t.Run(format, func(t *testing.T) {
			var operator, crd bytes.Buffer
			if err := WriteExplainOperator(&operator, format, shop(), "cert-manager", Options{Width: 100}); err != nil {
				t.Fatal(err)
			}
			if err := WriteExplainCRD(&crd, format, shop(), "certificates.cert-manager.io", Options{Width: 100}); err != nil {
				t.Fatal(err)
			}
			golden(t, "explain."+format+"."+extension, operator.Bytes())
			golden(t, "explain-crd."+format+"."+extension, crd.Bytes())
		})
	}
}
