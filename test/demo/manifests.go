package demo

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

//go:embed manifests schemas.yaml
var files embed.FS

// defaults is a document of kind Defaults.
type defaults struct {
	manager             string
	age                 time.Duration
	labels, annotations map[string]string
}

// load reads the manifests, in the order of their files, each object after its owner.
func load(files fs.FS) ([]*item, error) {
	schemas, err := loadSchemas(files)
	if err != nil {
		return nil, err
	}
	paths, err := fs.Glob(files, "manifests/*.yaml")
	if err != nil {
		return nil, err
	}
	var items []*item
	find := func(ref, namespace string) *item {
		kind, name, _ := strings.Cut(ref, "/")
		for _, i := range items {
			if o := i.object; o.GetKind() == kind && o.GetName() == name && (o.GetNamespace() == namespace || o.GetNamespace() == "") {
				return i
			}
		}
		return nil
	}
	for _, path := range paths {
		documents, err := readDocuments(files, path)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		var d defaults
		for _, o := range documents {
			if o.GetAPIVersion() == "demo.local/v1" {
				if d, err = readDefaults(o); err != nil {
					return nil, fmt.Errorf("reading defaults in %s: %w", path, err)
				}
				continue
			}
			if err := resolve(o.Object, schemas); err != nil {
				return nil, fmt.Errorf("reading %s in %s: %w", keyOf(o), path, err)
			}
			i, err := newItem(o, d, find)
			if err != nil {
				return nil, fmt.Errorf("reading %s in %s: %w", keyOf(o), path, err)
			}
			items = append(items, i)
		}
	}
	return items, nil
}

func readDocuments(files fs.FS, path string) ([]*unstructured.Unstructured, error) {
	data, err := fs.ReadFile(files, path)
	if err != nil {
		return nil, err
	}
	var list []*unstructured.Unstructured
	decoder := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var document runtime.RawExtension
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		o := &unstructured.Unstructured{}
		if err := o.UnmarshalJSON(document.Raw); err != nil {
			return nil, fmt.Errorf("document %d: %w", len(list)+1, err)
		}
		list = append(list, o)
	}
}

func readDefaults(o *unstructured.Unstructured) (defaults, error) {
	manager, _, _ := unstructured.NestedString(o.Object, "manager")
	text, _, _ := unstructured.NestedString(o.Object, "age")
	age, err := parseAge(text)
	return defaults{manager: manager, age: age, labels: o.GetLabels(), annotations: o.GetAnnotations()}, err
}

func loadSchemas(files fs.FS) (map[string]map[string]any, error) {
	data, err := fs.ReadFile(files, "schemas.yaml")
	if err != nil {
		return nil, err
	}
	if data, err = yaml.YAMLToJSON(data); err != nil {
		return nil, fmt.Errorf("reading schemas.yaml: %w", err)
	}
	var schemas map[string]map[string]any
	if err := json.Unmarshal(data, &schemas); err != nil {
		return nil, fmt.Errorf("reading schemas.yaml: %w", err)
	}
	return schemas, nil
}

// resolve puts shared schemas where a schema refers to one. Fields beside the reference win; null ones take a
// field away.
func resolve(value any, schemas map[string]map[string]any) error {
	switch v := value.(type) {
	case map[string]any:
		if name, ok := v["$ref"].(string); ok {
			shared := schemas[name]
			if shared == nil {
				return fmt.Errorf("no schema %q in schemas.yaml", name)
			}
			delete(v, "$ref")
			for field, part := range runtime.DeepCopyJSON(shared) {
				if over, ok := v[field]; !ok {
					v[field] = part
				} else if over == nil {
					delete(v, field)
				}
			}
		}
		for _, below := range v {
			if err := resolve(below, schemas); err != nil {
				return err
			}
		}
	case []any:
		for _, below := range v {
			if err := resolve(below, schemas); err != nil {
				return err
			}
		}
	}
	return nil
}
