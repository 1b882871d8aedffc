package levels

import (
	"reflect"
	"strings"
	"unicode"

	"gopkg.in/yaml.v3"
)

// text is a scalar that remembers where it stands.
type text struct {
	value string
	node  *yaml.Node
}

func (t *text) decode(d *document, n *yaml.Node) {
	t.node = n
	if n.Kind != yaml.ScalarNode || n.Tag != "!!str" {
		d.report(n, "expected a text")
		return
	}
	t.value = n.Value
}

// boolean is true or false, and remembers where it stands.
type boolean struct {
	value bool
	node  *yaml.Node // nil when it was not given
}

func (f *boolean) decode(d *document, n *yaml.Node) {
	f.node = n
	d.decodeScalar(n, reflect.ValueOf(&f.value).Elem())
}

// number is a whole number that remembers where it stands.
type number struct {
	value int
	node  *yaml.Node // nil when it was not given
}

func (i *number) decode(d *document, n *yaml.Node) {
	i.node = n
	d.decodeScalar(n, reflect.ValueOf(&i.value).Elem())
}

// raw is a node that is decoded later.
type raw struct{ node *yaml.Node }

func (r *raw) decode(_ *document, n *yaml.Node) { r.node = n }

// place is where a mapping stands; a struct with a field of this type gets it
// set.
type place struct{ node *yaml.Node }

// expression is CEL as written in a file.
type expression struct {
	source string
	doc    *document
	node   *yaml.Node
}

func (e *expression) set() bool { return e.node != nil }

func (e *expression) decode(d *document, n *yaml.Node) {
	e.doc, e.node = d, n
	switch {
	case n.Kind != yaml.ScalarNode:
		d.report(n, "expected an expression")
	case n.Style&yaml.FoldedStyle != 0:
		d.report(n, "an expression in a `>` block loses its line breaks, so mistakes in it could not be shown: use `|`")
	case strings.TrimSpace(n.Value) == "" || n.Tag == "!!null":
		d.report(n, "the expression is empty")
	default:
		e.source = n.Value
	}
}

// at finds the place in the file of a place in the expression: a line from 1
// and a column from 0, counted in characters as CEL does. YAML takes
// indentation and quotes away and may join lines; so the file is walked along
// with the expression, spaces and quoting marks that only the file has being
// skipped.
func (e *expression) at(line, column int) *yaml.Node {
	scan := &scanner{lines: e.doc.lines, line: e.node.Line - 1, column: e.node.Column - 1}
	switch {
	case e.node.Style&yaml.LiteralStyle != 0:
		scan.line, scan.column = scan.line+1, 0
	case e.node.Style&(yaml.DoubleQuotedStyle|yaml.SingleQuotedStyle) != 0:
		scan.column++
	}
	before := beginning(e.source, line, column)
	for _, r := range before {
		scan.skipTo(r)
		scan.next()
	}
	for _, r := range e.source[len(before):] {
		scan.skipTo(r)
		break
	}
	return &yaml.Node{Line: scan.line + 1, Column: scan.column + 1}
}

// beginning is the text before a line (from 1) and column (from 0).
func beginning(s string, line, column int) string {
	start := 0
	for ; line > 1; line-- {
		end := strings.IndexByte(s[start:], '\n')
		if end < 0 {
			break
		}
		start += end + 1
	}
	for i, r := range s[start:] {
		if column == 0 || r == '\n' {
			return s[:start+i]
		}
		column--
	}
	return s
}

// scanner walks over the lines of a file.
type scanner struct {
	lines        []string
	line, column int // from 0; column in bytes
}

// peek is the character at the place, '\n' at the end of a line and 0 at the
// end of the file.
func (s *scanner) peek() (r rune, size int) {
	if s.line >= len(s.lines) {
		return 0, 0
	}
	for _, r := range s.lines[s.line][min(s.column, len(s.lines[s.line])):] {
		return r, len(string(r))
	}
	return '\n', 0
}

func (s *scanner) next() {
	r, size := s.peek()
	if r == '\n' && size == 0 {
		s.line, s.column = s.line+1, 0
		return
	}
	s.column += size
}

// skipTo skips what stands in the file only, before the character want.
func (s *scanner) skipTo(want rune) {
	for {
		r, size := s.peek()
		switch {
		case r == 0 && size == 0, r == want:
			return
		case unicode.IsSpace(r) && unicode.IsSpace(want) && want != '\n':
			return // a line break that YAML made a space
		case unicode.IsSpace(r), r == '\\', r == '\'', r == '"':
			s.next()
		default:
			return
		}
	}
}
