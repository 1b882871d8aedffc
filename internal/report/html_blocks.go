package report

import "fmt"

// htmlSpan is a span with its look as an element and a class.
type htmlSpan struct {
	Text string
	Tag  string // code, strong or ""
	// Class is good, fair, bad, faint, or long for what needs a frame.
	Class string
	// Href is a place on this page; no address leads out of it.
	Href string
}

// htmlBlock is a block of a document, in the one shape a template can range
// over.
type htmlBlock struct {
	Kind  string // heading, paragraph, list, table, entry
	Level int
	Text  []htmlSpan
	Items [][]htmlSpan
	Head  []string
	Rows  [][][]htmlSpan
	Facts []htmlFact
}

type htmlFact struct {
	Name string
	Text []htmlSpan
}

// htmlFold is a part that a reader opens: a document with its heading taken
// out as the title.
type htmlFold struct {
	Title  []htmlSpan
	Blocks []htmlBlock
}

// htmlPrinter turns documents into what the template shows. It knows the
// places that names lead to.
type htmlPrinter struct{ anchors map[string]string }

// longText is the length from which text gets a frame that scrolls: a message
// of 20 kB must not push the rest off the page.
const longText = 600

func (p *htmlPrinter) text(t text) []htmlSpan {
	spans := make([]htmlSpan, 0, len(t))
	for _, s := range t {
		span := htmlSpan{Text: cleanSpan(s.s)}
		switch s.style {
		case codeStyle:
			span.Tag = "code"
		case strongStyle:
			span.Tag = "strong"
		case jumpStyle:
			span.Tag = "code"
			if place := p.anchors[s.s]; place != "" {
				span.Href = "#" + place
			}
		case goodStyle:
			span.Class = "good"
		case fairStyle:
			span.Class = "fair"
		case badStyle:
			span.Class = "bad"
		case faintStyle:
			span.Class = "faint"
		}
		if len(span.Text) > longText {
			span.Class, span.Tag = "long", ""
		}
		spans = append(spans, span)
	}
	return spans
}

func (p *htmlPrinter) texts(ts []text) [][]htmlSpan {
	all := make([][]htmlSpan, len(ts))
	for i, t := range ts {
		all[i] = p.text(t)
	}
	return all
}

func (p *htmlPrinter) blocks(d document) []htmlBlock {
	blocks := make([]htmlBlock, 0, len(d))
	for _, b := range d {
		blocks = append(blocks, p.block(b))
	}
	return blocks
}

func (p *htmlPrinter) block(b block) htmlBlock {
	switch b := b.(type) {
	case heading:
		return htmlBlock{Kind: "heading", Level: b.level, Text: p.text(b.text)}
	case paragraph:
		return htmlBlock{Kind: "paragraph", Text: p.text(b.text)}
	case list:
		return htmlBlock{Kind: "list", Items: p.texts(b)}
	case entry:
		e := htmlBlock{Kind: "entry", Text: p.text(b.title)}
		for _, f := range b.facts {
			e.Facts = append(e.Facts, htmlFact{f.name, p.text(f.text)})
		}
		return e
	case table:
		return p.table(b)
	}
	panic(fmt.Sprintf("no HTML for the block %T", b)) // a kind of block that this switch forgot
}

func (p *htmlPrinter) table(t table) htmlBlock {
	b := htmlBlock{Kind: "table"}
	for _, c := range t.head {
		b.Head = append(b.Head, c.title)
	}
	for _, row := range t.rows {
		cells := p.texts(row)
		for len(cells) < len(t.head) {
			cells = append(cells, nil)
		}
		b.Rows = append(b.Rows, cells)
	}
	return b
}

// fold takes the heading of a document for the title of the fold.
func (p *htmlPrinter) fold(d document) htmlFold {
	var f htmlFold
	if h, ok := d[0].(heading); ok {
		f.Title, d = p.text(h.text), d[1:]
	}
	f.Blocks = p.blocks(d)
	return f
}

// folds are those of the documents that say something.
func (p *htmlPrinter) folds(documents ...document) []htmlFold {
	var all []htmlFold
	for _, d := range documents {
		if len(d) > 0 {
			all = append(all, p.fold(d))
		}
	}
	return all
}

// titled is a fold of several documents under one title.
func (p *htmlPrinter) titled(title string, documents ...document) htmlFold {
	f := htmlFold{Title: p.text(plain(title))}
	for _, d := range documents {
		f.Blocks = append(f.Blocks, p.blocks(d)...)
	}
	return f
}
