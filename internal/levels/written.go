package levels

import (
	"io/fs"
	"reflect"
	"slices"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"gopkg.in/yaml.v3"
)

// Rules are not the only files that people write. What follows lets other
// packages read theirs in the same way: strictly, every mistake at once, each
// with its place.
type (
	// Document is a YAML file written by people, with the mistakes found in it.
	Document = document
	// Text, Boolean, Number and Expression are values that remember where they
	// stand; Raw is a node that its user decodes.
	Text       = text
	Boolean    = boolean
	Number     = number
	Raw        = raw
	Expression = expression
	// Place is where a mapping stands: a field Place of a struct gets it set.
	Place = place
)

// ReadDocument reads the one YAML document of a file; the node is nil when it
// has none, and the mistake is then among the problems.
func ReadDocument(fsys fs.FS, name, shown string, problems *Problems) (*Document, *yaml.Node) {
	return readDocument(fsys, name, shown, problems)
}

// ParseDocument is ReadDocument for a file that has been read.
func ParseDocument(shown string, content []byte, problems *Problems) (*Document, *yaml.Node) {
	return parseDocument(&document{file: shown, problems: problems}, content)
}

// YAMLFiles lists the YAML files below a folder, but for some of its folders.
func YAMLFiles(fsys fs.FS, without ...string) ([]string, error) {
	return yamlFiles(fsys, func(dir string) bool { return slices.Contains(without, dir) })
}

// Err is nil without problems, else the problems in the order of the files.
func (p Problems) Err() error { return p.err() }

// Decode decodes the root of a document into what out points to.
func (d *document) Decode(root *yaml.Node, out any) { d.decodeRoot(root, out) }

// Report notes a mistake at a node; nil stands for the whole file.
func (d *document) Report(n *yaml.Node, format string, args ...any) { d.report(n, format, args...) }

// Value is the text; "" when there is none.
func (t *text) Value() string { return t.value }

// Node is where the text stands; nil when it was not given.
func (t *text) Node() *yaml.Node { return t.node }

// Value is false when it was not given.
func (f *boolean) Value() bool { return f.value }

// Node is where the value stands; nil when it was not given.
func (f *boolean) Node() *yaml.Node { return f.node }

// Value is 0 when it was not given.
func (i *number) Value() int { return i.value }

// Node is where the number stands; nil when it was not given.
func (i *number) Node() *yaml.Node { return i.node }

// Node is the node as it stands in the file; nil when it was not given.
func (r *raw) Node() *yaml.Node { return r.node }

// Node is where the mapping stands; nil when it was not given.
func (p place) Node() *yaml.Node { return p.node }

// Source is the expression as written; "" when there is none.
func (e *expression) Source() string { return e.source }

// Compile checks the expression and reports its mistakes where they stand in
// the file; nil when there is none to compile or it is wrong.
func (e *expression) Compile(env *cel.Env, want *cel.Type) cel.Program {
	if p := compile(env, e, want); p != nil {
		return p.run
	}
	return nil
}

// FactName is the name that a Go field has in expressions.
func FactName(f reflect.StructField) string { return factName(f) }

// NamesFunction is names(list): a short enumeration for people.
func NamesFunction() cel.EnvOption { return namesFunction() }

// UnseenFacets names what an unknown value rests on, as "op.metrics"; empty
// for a value that is known.
func UnseenFacets(v ref.Val) []string {
	if unknown, ok := v.(*types.Unknown); ok {
		return facetsOf(unknown)
	}
	return nil
}
