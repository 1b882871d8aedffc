// Package corpustest finds the corpus of real manifests and recordings that
// tests read. It lies outside the repository.
package corpustest

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Dir is the folder of the corpus: $CORPUS, or ../shared/corpus beside the
// repository. Without it the test is skipped, in CI it fails.
func Dir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("CORPUS")
	if dir == "" {
		dir = filepath.Join(root(t), "..", "shared", "corpus")
	}
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("no corpus at %s: set CORPUS to its folder", dir)
	}
	t.Skipf("no corpus at %s: set CORPUS to its folder", dir)
	return ""
}

// Text is the content of a file of the corpus, unpacked where it ends in .gz.
func Text(t testing.TB, path ...string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(append([]string{Dir(t)}, path...)...))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(f.Name(), ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// root is the root of the repository: tests run in the folder of their package.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the working directory")
		}
		dir = parent
	}
}
