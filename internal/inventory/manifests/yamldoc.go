package manifests

import (
	"bytes"
	"regexp"
)

// yamlDocument is a document being read. kubectl writes a dump of a cluster as
// one document: a list at whose left edge stand the fields of the list and,
// below "items:", a dash for each item. Cut at these dashes, each item is
// parsed by itself: the document never stands in memory, and an item that is
// broken costs no other.
type yamlDocument struct {
	r     *reader
	items *list
	// start is the document as long as it is short: one whose items refer to
	// each other by anchors can only be parsed whole.
	start *chunk
	// header is the document without its items, item the one being read.
	header, item *chunk
	state        yamlState
	indent       int
}

type yamlState int

const (
	inStart    yamlState = iota // nothing is decided yet
	inHeader                    // among the fields of the document
	afterItems                  // behind "items:"
	inItems
)

// wholeLimit bounds the documents that are parsed whole when they use anchors.
const wholeLimit = 1 << 20

var itemsLine = regexp.MustCompile(`^items:[ \t]*(#.*)?\r?\n?$`)

func (r *reader) newYAMLDocument(name string, line int) *yamlDocument {
	at := position{name, line}
	return &yamlDocument{
		r: r, items: r.newList(),
		start:  r.newChunk(at, wholeLimit),
		header: r.newChunk(at, r.options.MaxBytes),
	}
}

// add takes a line of the document.
func (y *yamlDocument) add(line []byte, number int) error {
	line = bytes.TrimPrefix(line, bom)
	if y.state != inStart {
		return y.split(line, number)
	}
	if !y.start.some && bytes.HasPrefix(line, []byte("%")) {
		line = []byte("\n") // a directive, such as %YAML 1.1
	}
	if y.start.text.Len()+len(line) <= wholeLimit {
		y.start.add(line)
		return nil
	}
	if err := y.replay(); err != nil {
		return err
	}
	return y.split(line, number)
}

// replay ends the start: its lines are split after all.
func (y *yamlDocument) replay() error {
	y.state = inHeader
	text, number := y.start.text.Bytes(), y.start.at.line
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n') + 1
		if end == 0 {
			end = len(text)
		}
		if err := y.split(text[:end], number); err != nil {
			return err
		}
		text = text[end:]
		number++
	}
	y.r.done(y.start)
	y.start = nil
	return nil
}

// tooLarge takes a line that is too long to be read, of which the beginning is
// known: it tells whether an item begins with it.
func (y *yamlDocument) tooLarge(line []byte, number int) error {
	if y.state == inStart {
		if err := y.replay(); err != nil {
			return err
		}
	}
	if err := y.split(line, number); err != nil {
		return err
	}
	if y.state == inItems {
		y.item.large = true
	} else {
		y.header.large = true
	}
	return nil
}

// split puts a line where it belongs: to the header or to an item.
func (y *yamlDocument) split(line []byte, number int) error {
	switch y.state {
	case afterItems:
		trimmed := bytes.TrimLeft(line, " ")
		switch {
		case blank(line):
		case dash(trimmed):
			y.items.seen = true
			y.state, y.indent = inItems, indent(line)
			y.begin(line, number)
		default:
			y.state = inHeader
			y.header.add([]byte("items:\n"))
			y.header.add(line)
		}
		return nil
	case inItems:
		depth := indent(line)
		switch {
		case blank(line) || depth > y.indent:
			y.item.add(line)
			return nil
		case depth == y.indent && dash(line[depth:]):
			if err := y.end(); err != nil {
				return err
			}
			y.begin(line, number)
			return nil
		}
		if err := y.end(); err != nil {
			return err
		}
		y.state = inHeader
	}
	if itemsLine.Match(line) {
		y.state = afterItems
		return nil
	}
	y.header.add(line)
	return nil
}

func dash(trimmed []byte) bool {
	return len(trimmed) > 0 && trimmed[0] == '-' && (len(trimmed) == 1 || bytes.IndexByte([]byte(" \t\r\n"), trimmed[1]) >= 0)
}

// begin starts an item: without its dash it is a document.
func (y *yamlDocument) begin(line []byte, number int) {
	line = bytes.Clone(line)
	line[y.indent] = ' '
	y.item = y.r.newChunk(position{y.header.at.file, number}, y.header.max)
	y.item.add(line)
}

// end parses the item that was read.
func (y *yamlDocument) end() error {
	defer y.r.done(y.item)
	raw := y.r.parse(y.item)
	if raw == nil || raw[0] != '{' {
		return nil // a list of plain values is none of objects
	}
	return y.r.item(document{raw, y.item.begin()}, headOf(raw), y.items)
}

// close ends the document.
func (y *yamlDocument) close() error {
	defer func() { y.r.done(y.header) }()
	if y.state == inStart {
		text := y.start.text.Bytes()
		if usesAliases(text) || int64(len(text)) <= y.header.max && !mayHaveItems(text) {
			defer y.r.done(y.start)
			return y.r.whole(y.start, y.items)
		}
		if err := y.replay(); err != nil {
			return err
		}
	}
	if y.state == inItems {
		if err := y.end(); err != nil {
			return err
		}
	}
	if y.items.seen && !y.header.some && !y.header.large {
		y.header.add([]byte("{}\n")) // nothing but items
	}
	return y.r.whole(y.header, y.items)
}

// mayHaveItems tells whether a document may be a list that is to be split.
func mayHaveItems(text []byte) bool {
	return bytes.HasPrefix(text, []byte("items:")) || bytes.Contains(text, []byte("\nitems:"))
}
