package testcluster

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// ReadObjects reads the objects in files, and in the .yaml, .yml and .json files of folders and the folders
// in them, each of which may be compressed (.gz). A file may hold several documents; lists are taken apart.
func ReadObjects(paths ...string) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	for _, root := range paths {
		err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || path != root && !isManifest(path) {
				return err
			}
			found, err := readFile(path)
			objects = append(objects, found...)
			return err
		})
		if err != nil {
			return nil, fmt.Errorf("reading objects from %s: %w", root, err)
		}
	}
	return objects, nil
}

func isManifest(path string) bool {
	extension := filepath.Ext(strings.TrimSuffix(path, ".gz"))
	return slices.Contains([]string{".yaml", ".yml", ".json"}, extension)
}

func readFile(path string) ([]*unstructured.Unstructured, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var data io.Reader = file
	if strings.HasSuffix(path, ".gz") {
		if data, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("decompressing %s: %w", path, err)
		}
	}
	objects, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("decoding %s: %w", path, err)
	}
	return objects, nil
}

func decode(data io.Reader) ([]*unstructured.Unstructured, error) {
	var objects []*unstructured.Unstructured
	decoder := yaml.NewYAMLOrJSONDecoder(data, 4096)
	for {
		var document runtime.RawExtension
		err := decoder.Decode(&document)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, err
		}
		if len(document.Raw) == 0 || string(document.Raw) == "null" {
			continue // nothing but comments
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(document.Raw); err != nil {
			return nil, err
		}
		if !object.IsList() {
			objects = append(objects, object)
			continue
		}
		err = object.EachListItem(func(item runtime.Object) error {
			objects = append(objects, item.(*unstructured.Unstructured))
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
}
