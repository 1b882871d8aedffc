package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// archive is one that was written.
type archive struct {
	target
	name   string
	sha256 string
}

// packed is a file of an archive.
type packed struct {
	name    string
	mode    fs.FileMode
	content []byte
}

// completionScript is what kubectl runs to complete the arguments of the
// plugin. Windows does not run it.
const completionScript = "kubectl_complete-operator_maturity"

// pack writes the archive of a target: zip for Windows, else tar.gz.
func (r *release) pack(t target, binary string) (archive, error) {
	files, err := r.files(t, binary)
	if err != nil {
		return archive{}, err
	}
	a := archive{target: t, name: fmt.Sprintf("%s_%s_%s_%s", program, r.version, t.os, t.arch)}
	var content []byte
	if t.os == "windows" {
		a.name += ".zip"
		content, err = r.zip(files)
	} else {
		a.name += ".tar.gz"
		content, err = r.tarball(files)
	}
	if err != nil {
		return archive{}, fmt.Errorf("packing %s: %w", a.name, err)
	}
	sum := sha256.Sum256(content)
	a.sha256 = hex.EncodeToString(sum[:])
	return a, os.WriteFile(filepath.Join(r.out, a.name), content, 0o644)
}

// files are those of the archive, in order of their names.
func (r *release) files(t target, binary string) ([]packed, error) {
	sources := []struct {
		name, path string
		mode       fs.FileMode
	}{
		{"LICENSE", filepath.Join(r.root, "LICENSE"), 0o644},
		{t.binary(), binary, 0o755},
		{completionScript, filepath.Join(r.root, "deploy", completionScript), 0o755},
	}
	if t.os == "windows" {
		sources = sources[:2]
	}
	var files []packed
	for _, s := range sources {
		content, err := os.ReadFile(s.path)
		if err != nil {
			return nil, err
		}
		files = append(files, packed{s.name, s.mode, content})
	}
	return files, nil
}

func (r *release) tarball(files []packed) ([]byte, error) {
	var b bytes.Buffer
	compressed, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(compressed)
	for _, f := range files {
		header := &tar.Header{Name: f.name, Mode: int64(f.mode), Size: int64(len(f.content)), ModTime: r.time, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(header); err != nil {
			return nil, err
		}
		if _, err := w.Write(f.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = compressed.Close()
	return b.Bytes(), err
}

func (r *release) zip(files []packed) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range files {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: r.time}
		header.SetMode(f.mode)
		entry, err := w.CreateHeader(header)
		if err != nil {
			return nil, err
		}
		if _, err := entry.Write(f.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
