// Command schema writes what docs/ says of the program's JSON: a JSON schema
// for each kind of it in docs/schema/, and docs/output.md for people. Both are
// made from the Go types, their comments and their constants.
//
//	go run ./hack/schema     in the root of the checkout
package main

import (
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	if err := write("."); err != nil {
		fmt.Fprintln(os.Stderr, "schema:", err)
		os.Exit(1)
	}
}

func write(root string) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	for name, content := range files {
		path := filepath.Join(root, "docs", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// generate makes all files, by their names under docs/.
func generate(root string) (map[string][]byte, error) {
	source, err := readSource(root, "internal/inventory", "internal/levels", "internal/review", "internal/report")
	if err != nil {
		return nil, err
	}
	documents := schemas(source)
	files := map[string][]byte{"output.md": reference(documents)}
	for _, d := range documents {
		raw, err := encode(d.schema)
		if err != nil {
			return nil, err
		}
		files[d.file] = raw
	}
	return files, nil
}
