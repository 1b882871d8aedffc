package report

import "fmt"

// style says what a span is; each printer decides how that looks.
type style int

const (
	plainStyle style = iota
	codeStyle        // a name that can be typed
	strongStyle
	goodStyle
	fairStyle
	badStyle
	faintStyle
	linkStyle       // an address
	expressionStyle // an expression of a rule; never in a table
	jumpStyle       // the name of a heading of this document
)

// span is a run of text in one style. Its text may come from the cluster:
// printers clean it.
type span struct {
	style style
	s     string
}

// text is what a cell, a paragraph or a list item holds.
type text []span

func styled(st style, s string) text {
	if s == "" {
		return nil
	}
	return text{{st, s}}
}

func plain(s string) text      { return styled(plainStyle, s) }
func code(s string) text       { return styled(codeStyle, s) }
func expression(s string) text { return styled(expressionStyle, s) }
func strong(s string) text     { return styled(strongStyle, s) }
func link(s string) text       { return styled(linkStyle, s) }

func plainf(format string, args ...any) text { return plain(fmt.Sprintf(format, args...)) }

func join(parts ...text) text {
	var all text
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

// separated joins the parts that are not empty.
func separated(separator string, parts ...text) text {
	var all text
	for _, p := range parts {
		if len(p) == 0 {
			continue
		}
		if len(all) > 0 {
			all = append(all, span{plainStyle, separator})
		}
		all = append(all, p...)
	}
	return all
}

// codes is a list of names.
func codes(names []string) text {
	parts := make([]text, len(names))
	for i, n := range names {
		parts[i] = code(n)
	}
	return separated(", ", parts...)
}

// block is a part of a document that stands on lines of its own.
type block interface {
	terminal(*terminalPrinter)
	markdown(*markdownPrinter)
}

// document is a text for people, not yet in any format.
type document []block

// heading begins a section. Level 1 is the title.
type heading struct {
	level int
	text  text
}

// paragraph is running text. A lead has no empty line after it on a terminal:
// it announces the block that follows.
type paragraph struct {
	text text
	lead bool
}

// list is a list of short items.
type list []text

// table has a head, or none if it is only aligned text.
type table struct {
	head []column
	rows [][]text
	// whole: nothing may be cut. Where the terminal is too narrow, rows are
	// then printed as entries.
	whole bool
	// indented sets it off from the text above it on a terminal.
	indented bool
}

// column is the head of a table's column and says what happens to it when the
// terminal is too narrow.
type column struct {
	title string
	// elastic cells may be cut, down to least columns if that is set.
	elastic bool
	least   int
	// asIs: the title is a name, which capitals would change.
	asIs bool
	// spare columns may be left out, the lowest number first; 0 stays.
	spare int
}

// entry is a subject with facts about it.
type entry struct {
	title text
	facts []fact
}

type fact struct {
	name string
	text text
}

func (d *document) heading(level int, t text) { *d = append(*d, heading{level, t}) }
func (d *document) paragraph(parts ...text)   { *d = append(*d, paragraph{text: join(parts...)}) }
func (d *document) lead(parts ...text)        { *d = append(*d, paragraph{join(parts...), true}) }
func (d *document) list(items ...text)        { *d = append(*d, list(items)) }
func (d *document) entry(e entry)             { *d = append(*d, e) }
func (d *document) append(other document)     { *d = append(*d, other...) }

func (d *document) table(t table) {
	if len(t.rows) > 0 {
		*d = append(*d, t)
	}
}

// whole makes a table of which nothing is cut.
func whole(head []column, rows [][]text) table { return table{head: head, rows: rows, whole: true} }

// columns are heads of columns that are never cut.
func columns(titles ...string) []column {
	cs := make([]column, len(titles))
	for i, t := range titles {
		cs[i].title = t
	}
	return cs
}
