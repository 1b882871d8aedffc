// Package corpustest finds the corpus of real manifests and recordings that
// tests read. It lies outside the repository.
package corpustest

import (
	"os"
	"path/filepath"
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
