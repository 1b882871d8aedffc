package levels

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxFile bounds a file of rules: the largest built-in one has a tenth of it.
const maxFile = 1 << 20

// document is a YAML file written by people, with the mistakes found in it.
type document struct {
	file     string // as shown in problems
	lines    []string
	problems *Problems
}

// report notes a mistake at a node; nil stands for the whole file.
func (d *document) report(n *yaml.Node, format string, args ...any) {
	p := Problem{File: d.file, Message: fmt.Sprintf(format, args...)}
	if n != nil {
		p.Line, p.Column = n.Line, n.Column
	}
	*d.problems = append(*d.problems, p)
}

// yamlLine finds the position in the messages of the YAML library.
var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// readDocument reads the one YAML document of a file; nil when it has none.
func readDocument(fsys fs.FS, name, shown string, problems *Problems) (*document, *yaml.Node) {
	d := &document{file: shown, problems: problems}
	text, err := fs.ReadFile(fsys, name)
	if err != nil {
		d.report(nil, "%v", err)
		return d, nil
	}
	return parseDocument(d, text)
}

// parseDocument is readDocument for a file that has been read.
func parseDocument(d *document, text []byte) (*document, *yaml.Node) {
	if len(text) > maxFile {
		d.report(nil, "larger than %d bytes", maxFile)
		return d, nil
	}
	d.lines = strings.Split(string(text), "\n")
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var root, second yaml.Node
	if err := decoder.Decode(&root); err != nil {
		d.reportSyntax(err)
		return d, nil
	}
	if err := decoder.Decode(&second); err == nil {
		d.report(&second, "a second document: put it into a file of its own")
	} else if !errors.Is(err, io.EOF) {
		d.reportSyntax(err)
	}
	if len(root.Content) == 0 {
		d.report(nil, "the file is empty")
		return d, nil
	}
	return d, root.Content[0]
}

func (d *document) reportSyntax(err error) {
	if errors.Is(err, io.EOF) {
		d.report(nil, "the file is empty")
		return
	}
	message := err.Error()
	if strings.Contains(message, "mapping values are not allowed") {
		message += ": a value with a colon and a space needs quotes or a `|` block"
	}
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, _ := strconv.Atoi(m[1])
		d.report(&yaml.Node{Line: line}, "%s", message[len(m[0]):])
		return
	}
	d.report(nil, "%s", strings.TrimPrefix(message, "yaml: "))
}

// yamlFiles lists the YAML files below a folder, hidden ones left out.
func yamlFiles(fsys fs.FS, skip func(dir string) bool) ([]string, error) {
	var files []string
	err := fs.WalkDir(fsys, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name != "." && (strings.HasPrefix(entry.Name(), ".") || entry.IsDir() && skip(name)) {
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if ext := path.Ext(name); !entry.IsDir() && (ext == ".yaml" || ext == ".yml") {
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// holdsRules and holdsTests tell apart the two kinds of files, for people who
// keep both in one folder.
func holdsRules(root *yaml.Node) bool {
	return hasKey(root, "criteria") || hasKey(root, "disable")
}

func holdsTests(root *yaml.Node) bool {
	return hasKey(root, "tests") && !holdsRules(root)
}

func hasKey(n *yaml.Node, key string) bool {
	for i := 0; n.Kind == yaml.MappingNode && i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}
