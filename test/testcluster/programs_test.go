package testcluster_test

import (
	"compress/gzip"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kubectl-operator-maturity/test/testcluster"
)

func TestMissingControlPlaneIsSaid(t *testing.T) {
	t.Setenv("KUBEBUILDER_ASSETS", "")
	for _, variable := range []string{"KUBEBUILDER_ASSETS", "OPERATOR_MATURITY_CONTROLPLANE", "XDG_CACHE_HOME"} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv("OPERATOR_MATURITY_CONTROLPLANE", "")
			t.Setenv(variable, filepath.Join(t.TempDir(), "nothing"))
			if _, err := testcluster.New(t.Context(), t.TempDir()); !errors.Is(err, testcluster.ErrNotFound) {
				t.Errorf("starting without a control plane: %v, want ErrNotFound", err)
			}
		})
	}
}

func TestObjectsAreReadFromCompressedFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "objects.yaml.gz")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := gzip.NewWriter(file)
	w.Write([]byte("# nothing\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: a\n---\n---\napiVersion: v1\nkind: Namespace\nmetadata:\n  name: b\n"))
	if err := errors.Join(w.Close(), file.Close()); err != nil {
		t.Fatal(err)
	}
	objects, err := testcluster.ReadObjects(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 2 || objects[0].GetName() != "a" || objects[1].GetName() != "b" {
		t.Errorf("read %v, want namespaces a and b", objects)
	}
}
