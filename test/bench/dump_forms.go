package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"sigs.k8s.io/yaml"
)

// dumpForm is how objects stand in a file: what comes before, between and
// behind them.
type dumpForm struct {
	name                   string // of the file
	before, between, after string
	encode                 func(map[string]any) ([]byte, error)
}

const (
	listBefore = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        "
	listAfter  = "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
)

var dumpForms = map[string]dumpForm{
	"json-list": {"dump.json", listBefore, ",\n        ", listAfter, indented},
	"json-gz":   {"dump.json.gz", listBefore, ",\n        ", listAfter, indented},
	"ndjson":    {"dump.json", "", "\n", "\n", func(o map[string]any) ([]byte, error) { return json.Marshal(o) }},
	"yaml":      {"dump.yaml", "", "---\n", "", func(o map[string]any) ([]byte, error) { return yaml.Marshal(o) }},
	"yaml-list": {"dump.yaml", "apiVersion: v1\nitems:\n", "", "kind: List\nmetadata:\n  resourceVersion: \"\"\n", dashed},
}

// indented is an item as kubectl get -o json prints it.
func indented(o map[string]any) ([]byte, error) { return json.MarshalIndent(o, "        ", "    ") }

// dashed is an item as kubectl get -o yaml prints it.
func dashed(o map[string]any) ([]byte, error) {
	text, err := yaml.Marshal(o)
	if err != nil {
		return nil, err
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	var out bytes.Buffer
	for i, line := range lines {
		switch {
		case i == 0:
			out.WriteString("- ")
		case len(bytes.TrimSpace(line)) > 0:
			out.WriteString("  ")
		}
		out.Write(line)
	}
	return out.Bytes(), nil
}

func newDumpWriter(form, dir string, perFile int64) (dumpWriter, error) {
	if form == "files" {
		return &folderWriter{dir: filepath.Join(dir, "dump"), perFile: max(perFile, 1)}, nil
	}
	f, ok := dumpForms[form]
	if !ok {
		return nil, fmt.Errorf("no form is called %q: json-list, ndjson, json-gz, yaml, yaml-list and files are", form)
	}
	return newFileWriter(f, filepath.Join(dir, f.name))
}

// fileWriter writes all objects into one file.
type fileWriter struct {
	dumpForm
	file    *os.File
	out     *counting
	closers []func() error
	some    bool
}

func newFileWriter(form dumpForm, path string) (*fileWriter, error) {
	file, err := create(path)
	if err != nil {
		return nil, err
	}
	buffer := bufio.NewWriterSize(file, 1<<20)
	w := &fileWriter{dumpForm: form, file: file, out: &counting{to: buffer}, closers: []func() error{buffer.Flush, file.Close}}
	if strings.HasSuffix(path, ".gz") {
		zipped := gzip.NewWriter(buffer)
		w.out.to, w.closers = zipped, append([]func() error{zipped.Close}, w.closers...)
	}
	_, err = io.WriteString(w.out, form.before)
	return w, err
}

func (w *fileWriter) add(object map[string]any) error {
	raw, err := w.encode(object)
	if err != nil {
		return fmt.Errorf("encoding an object of the dump: %w", err)
	}
	if w.some {
		raw = append([]byte(w.between), raw...)
	}
	w.some = true
	_, err = w.out.Write(raw)
	return err
}

func (w *fileWriter) close() error {
	_, err := io.WriteString(w.out, w.after)
	for _, closer := range w.closers {
		err = errors.Join(err, closer())
	}
	return err
}

func (w *fileWriter) path() string { return w.file.Name() }
func (w *fileWriter) bytes() int64 { return w.out.n }

// folderWriter writes a folder for each kind, with files of several YAML
// documents.
type folderWriter struct {
	dir      string
	perFile  int64
	current  *fileWriter
	kind     string
	files    int
	finished int64
}

func (w *folderWriter) add(object map[string]any) error {
	kind, _ := object["kind"].(string)
	if w.current == nil || w.kind != kind || w.current.out.n >= w.perFile {
		if err := w.next(kind); err != nil {
			return err
		}
	}
	return w.current.add(object)
}

func (w *folderWriter) next(kind string) error {
	if err := w.close(); err != nil {
		return err
	}
	folder := filepath.Join(w.dir, strings.ToLower(kind))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("writing the dump: %w", err)
	}
	w.kind = kind
	w.files++
	var err error
	w.current, err = newFileWriter(dumpForms["yaml"], filepath.Join(folder, fmt.Sprintf("%06d.yaml", w.files)))
	return err
}

func (w *folderWriter) close() error {
	if w.current == nil {
		return nil
	}
	err := w.current.close()
	w.finished += w.current.out.n
	w.current = nil
	return err
}

func (w *folderWriter) path() string { return w.dir }

func (w *folderWriter) bytes() int64 {
	if w.current == nil {
		return w.finished
	}
	return w.finished + w.current.out.n
}
