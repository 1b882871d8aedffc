package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// docs/schema and docs/output.md are what the types say.
func TestTheReferenceIsCurrent(t *testing.T) {
	files, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		if got, err := os.ReadFile(filepath.Join("../../docs", name)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/%s is not what the types say (%v): run make docs", name, err)
		}
	}
	written, err := filepath.Glob("../../docs/schema/*.json")
	if err != nil || len(written) != len(files)-1 {
		t.Errorf("docs/schema has %d files, want %d: one is of no type", len(written), len(files)-1)
	}
}

// Every schema is one, by the metaschema that it names.
func TestSchemasAreValid(t *testing.T) {
	files, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		if !strings.HasSuffix(name, ".json") {
			continue
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		compiler := jsonschema.NewCompiler()
		if err := compiler.AddResource(name, parsed); err != nil {
			t.Fatal(err)
		}
		if _, err := compiler.Compile(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Links of the reference lead to sections of it.
func TestTheReferenceLinksToItself(t *testing.T) {
	files, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	text := string(files["output.md"])
	sections := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		if title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " "); ok && strings.HasPrefix(line, "#") {
			sections[strings.ReplaceAll(strings.ToLower(title), " ", "-")] = true
		}
	}
	links := 0
	for _, part := range strings.Split(text, "](#")[1:] {
		links++
		if target, _, _ := strings.Cut(part, ")"); !sections[target] {
			t.Errorf("there is no section %q", target)
		}
	}
	if links == 0 {
		t.Error("it has no links")
	}
}

// Every kind of JSON that a report is written as has its schema: the golden
// files tell which there are.
func TestEveryKindOfJSONIsDescribed(t *testing.T) {
	files, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	golden, err := filepath.Glob("../../internal/report/testdata/*.json")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]bool{}
	for _, name := range golden {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var document struct{ APIVersion, Kind string }
		if err := json.Unmarshal(raw, &document); err != nil {
			t.Fatal(err)
		}
		if document.APIVersion == "" {
			continue // a part of a document
		}
		kinds[document.Kind] = true
		if files[fileOf(document.Kind)] == nil {
			t.Errorf("%s is a %s, which has no schema: add it to report.JSONDocuments", name, document.Kind)
		}
	}
	if len(kinds) < 3 {
		t.Errorf("only %v were found", kinds)
	}
}
