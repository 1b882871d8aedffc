// Package test holds what is true of the project as a whole.
package test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "kubectl-operator-maturity"

// rooms is the table of packages: which of ours each may import, and what it
// must not. A package that is not here has no place yet.
var rooms = map[string]struct {
	imports []string
	never   []string
}{
	"rules":                          {},
	"internal/corpustest":            {},
	"internal/inventory":             {never: pure},
	"internal/inventory/catalogue":   {never: pure},
	"internal/inventory/attribution": {imports: []string{"internal/inventory", "internal/inventory/catalogue"}, never: pure},
	"internal/inventory/facts":       {imports: []string{"internal/inventory", "internal/inventory/catalogue", "internal/inventory/attribution"}, never: pure},
	"internal/inventory/exposition":  {imports: []string{"internal/inventory"}, never: pure},
	"internal/inventory/cluster":     {imports: []string{"internal/inventory", "internal/inventory/exposition"}},
	"internal/inventory/prometheus":  {imports: []string{"internal/inventory", "internal/inventory/exposition"}, never: []string{"k8s.io/client-go"}},
	"internal/inventory/manifests":   {imports: []string{"internal/inventory"}, never: clients},
	"internal/levels":                {imports: []string{"internal/inventory", "internal/inventory/catalogue", "internal/inventory/attribution", "internal/inventory/facts"}, never: pure},
	"internal/review":                {imports: []string{"internal/levels", "internal/inventory", "internal/inventory/catalogue", "internal/inventory/attribution", "internal/inventory/facts"}, never: pure},
	"internal/report":                {imports: []string{"internal/levels", "internal/review", "internal/inventory", "internal/inventory/catalogue"}, never: slices.Concat(pure, []string{"github.com/google/cel-go"})},
	"cmd/kubectl-operator_maturity":  {imports: []string{"rules", "internal/inventory", "internal/inventory/catalogue", "internal/inventory/attribution", "internal/inventory/facts", "internal/inventory/cluster", "internal/inventory/manifests", "internal/inventory/exposition", "internal/inventory/prometheus", "internal/levels", "internal/review", "internal/report"}},
	"hack/dist":                      {},
	"hack/schema":                    {imports: []string{"internal/inventory", "internal/report"}},
	"test":                           {},
	"test/bench":                     {imports: []string{"rules", "internal/inventory", "internal/inventory/cluster", "internal/inventory/manifests", "internal/inventory/catalogue", "internal/inventory/attribution", "internal/inventory/facts", "internal/levels", "internal/report", "test/testcluster"}},
	"test/testcluster":               {},
	"test/testprometheus":            {},
	"test/testcluster/start":         {imports: []string{"test/demo", "test/testcluster"}},
	"test/demo":                      {imports: []string{"internal/inventory", "internal/inventory/cluster", "test/testcluster"}},
	"test/demo/record":               {imports: []string{"test/demo", "test/testcluster", "internal/inventory", "internal/inventory/cluster"}},
	"test/endtoend":                  {},
	"test/faults":                    {imports: []string{"internal/levels"}},
	"test/promises":                  {},
}

var (
	clients = []string{"k8s.io/client-go", "net/http"}
	// pure packages reach neither the network, the disk nor a clock.
	pure = append([]string{"os", "net"}, clients...)
)

type listed struct {
	ImportPath string
	Imports    []string
}

func TestPackagesImportOnlyWhatTheirRoomAllows(t *testing.T) {
	for _, pkg := range packages(t) {
		name := strings.TrimPrefix(pkg.ImportPath, module+"/")
		room, ok := rooms[name]
		if !ok {
			t.Errorf("package %s has no row in the table of rooms", name)
			continue
		}
		for _, path := range pkg.Imports {
			if ours, ok := strings.CutPrefix(path, module+"/"); ok && !slices.Contains(room.imports, ours) {
				t.Errorf("%s must not import %s", name, ours)
			}
			for _, never := range room.never {
				if path == never || strings.HasPrefix(path, never+"/") && never != "os" {
					t.Errorf("%s must not import %s", name, path)
				}
			}
		}
	}
}

func TestNoPackageIsNamedForNothing(t *testing.T) {
	for _, pkg := range packages(t) {
		last := pkg.ImportPath[strings.LastIndex(pkg.ImportPath, "/")+1:]
		if slices.Contains([]string{"util", "utils", "common", "helpers", "types", "pkg"}, last) {
			t.Errorf("package %s: name it for what it holds", pkg.ImportPath)
		}
	}
}

func packages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list []listed
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var pkg listed
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			return list
		} else if err != nil {
			t.Fatal(err)
		}
		list = append(list, pkg)
	}
}
