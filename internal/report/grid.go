package report

import (
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// columnGap is the space between two columns.
const columnGap = "  "

// narrowest is the width down to which an elastic column may be cut, and
// readable the one down to which text may be wrapped.
const (
	narrowest = 10
	readable  = 30
)

// terminal prints the table as kubectl prints its own: aligned, without lines.
func (t table) terminal(p *terminalPrinter) {
	l := t.layout(p.width)
	if t.whole && p.width > 0 && l.total() > p.width && !l.wrapLast(p.width) {
		t.entries(p)
		return
	}
	p.gap()
	grid := tablewriter.NewTable(&trimmer{p: p, indented: t.indented}, gridOptions()...)
	if t.titled() {
		grid.Header(l.row(p, l.cells[0]))
	}
	for _, row := range l.cells[1:] {
		// Append and Render fail when writing fails, which a buffer does not.
		_ = grid.Append(l.row(p, row))
	}
	_ = grid.Render()
	if left := l.dropped(); left != "" {
		p.line(p.paint(styled(faintStyle, "Too narrow for: "+left+" (-o wide shows all).")))
	}
}

// entries prints each row as the first cell with the others below it.
func (t table) entries(p *terminalPrinter) {
	for _, row := range t.rows {
		e := entry{title: row[0]}
		for i, cell := range row[1:] {
			if p.paint(cell) != nothing {
				e.add(strings.ToLower(t.head[i+1].title), cell)
			}
		}
		e.terminal(p)
	}
}

func gridOptions() []tablewriter.Option {
	return []tablewriter.Option{
		tablewriter.WithEastAsian(tw.Off),
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Lines: tw.LinesNone, Separators: tw.SeparatorsNone},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off),
		tablewriter.WithHeaderAutoWrap(tw.WrapNone),
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithHeaderAlignment(tw.AlignLeft),
		tablewriter.WithRowAlignment(tw.AlignLeft),
		tablewriter.WithPadding(tw.Padding{Right: columnGap, Overwrite: true}),
	}
}

// trimmer takes the spaces off the end of each line. The grid closes coloured
// cells once more after its padding; paint has closed them already.
type trimmer struct {
	p        *terminalPrinter
	indented bool
}

func (t *trimmer) Write(b []byte) (int, error) {
	for _, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		line = strings.ReplaceAll(line, " "+reset, " ")
		if t.indented {
			line = "  " + line
		}
		t.p.line(line)
	}
	return len(b), nil
}

func (t table) titled() bool {
	for _, c := range t.head {
		if c.title != "" {
			return true
		}
	}
	return false
}

// cells are the head and the rows, cleaned.
func (t table) cells() [][][]span {
	all := make([][][]span, 0, len(t.rows)+1)
	head := make([][]span, len(t.head))
	for i, c := range t.head {
		title := c.title
		if !c.asIs {
			title = strings.ToUpper(title)
		}
		head[i] = text{{strongStyle, title}}
	}
	all = append(all, head)
	for _, row := range t.rows {
		line := make([][]span, len(t.head))
		for i := range min(len(row), len(line)) {
			for _, s := range row[i] {
				line[i] = append(line[i], span{s.style, cleanSpan(s.s)})
			}
		}
		all = append(all, line)
	}
	return all
}
