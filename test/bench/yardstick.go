package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// yardstick is the sub-command that decodes the objects of files with a common
// library and throws them away: what a program costs that reads the same in
// the usual way. It is given the objects one by one, since the library decodes
// only what stands in memory: documents are split at their separators, lists
// of JSON by a json.Decoder.
func yardstick(args []string) error {
	flags := flag.NewFlagSet("yardstick", flag.ContinueOnError)
	with := flags.String("with", "yaml", "yaml: sigs.k8s.io/yaml; json: encoding/json, for JSON alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	y := &stick{decode: func(raw []byte) error {
		var object map[string]any
		return yaml.Unmarshal(raw, &object)
	}}
	if *with == "json" {
		y.decode = func(raw []byte) error {
			var object map[string]any
			return json.Unmarshal(raw, &object)
		}
	}
	for _, path := range flags.Args() {
		err := filepath.WalkDir(path, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return err
			}
			return y.file(path)
		})
		if err != nil {
			return fmt.Errorf("reading %s: %w", path, err)
		}
	}
	fmt.Println(y.objects, "objects")
	return nil
}

type stick struct {
	decode  func([]byte) error
	objects int
}

func (y *stick) file(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var in io.Reader = bufio.NewReaderSize(f, 1<<16)
	if plain, ok := strings.CutSuffix(path, ".gz"); ok {
		path = plain
		if in, err = gzip.NewReader(in); err != nil {
			return err
		}
	}
	if filepath.Ext(path) == ".json" {
		err = y.values(json.NewDecoder(in))
	} else {
		err = y.documents(utilyaml.NewYAMLReader(bufio.NewReader(in)))
	}
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func (y *stick) object(raw []byte) error {
	y.objects++
	return y.decode(raw)
}

func (y *stick) documents(in *utilyaml.YAMLReader) error {
	for {
		raw, err := in.Read()
		if err != nil {
			return err
		}
		if err := y.object(raw); err != nil {
			return err
		}
	}
}

// values reads JSON values one after the other: objects, or one list.
func (y *stick) values(in *json.Decoder) error {
	var raw json.RawMessage
	for {
		token, err := in.Token()
		if err != nil {
			return err
		}
		key, err := in.Token()
		if err != nil {
			return err
		}
		if token != json.Delim('{') {
			return fmt.Errorf("found %v where an object was expected", token)
		}
		object := bytes.NewBufferString("{")
		for n := 0; ; n++ {
			if key == "items" {
				if err := y.items(in); err != nil {
					return err
				}
			} else {
				if err := in.Decode(&raw); err != nil {
					return err
				}
				if n > 0 {
					object.WriteByte(',')
				}
				fmt.Fprintf(object, "%q:%s", key, raw)
			}
			if key, err = in.Token(); err != nil {
				return err
			}
			if key == json.Delim('}') {
				break
			}
		}
		object.WriteByte('}')
		if err := y.object(object.Bytes()); err != nil {
			return err
		}
	}
}

func (y *stick) items(in *json.Decoder) error {
	if _, err := in.Token(); err != nil {
		return err
	}
	var raw json.RawMessage
	for in.More() {
		if err := in.Decode(&raw); err != nil {
			return err
		}
		if err := y.object(raw); err != nil {
			return err
		}
	}
	_, err := in.Token()
	return err
}
