package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func filesOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(content)
	}
	return files
}

func untar(t *testing.T, content string) []packed {
	t.Helper()
	unzipped, err := gzip.NewReader(strings.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	var files []packed
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if !header.ModTime.Equal(noon) || header.Uid != 0 {
			t.Errorf("%s is of %s and user %d", header.Name, header.ModTime, header.Uid)
		}
		raw, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, packed{header.Name, header.FileInfo().Mode(), raw})
	}
}

func unzip(t *testing.T, content string) []packed {
	t.Helper()
	r, err := zip.NewReader(strings.NewReader(content), int64(len(content)))
	if err != nil {
		t.Fatal(err)
	}
	var files []packed
	for _, f := range r.File {
		if !f.Modified.Equal(noon) {
			t.Errorf("%s is of %s", f.Name, f.Modified)
		}
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, packed{f.Name, f.Mode(), raw})
	}
	return files
}
