package report

import (
	"bytes"
	"strings"

	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// terminalPrinter prints a document as text for a terminal, or for a file that
// is looked at with one.
type terminalPrinter struct {
	out   bytes.Buffer
	color bool
	width int
	// blank is set when an empty line is due before the next block.
	blank bool
}

func printTerminal(d document, o Options) []byte {
	p := &terminalPrinter{color: o.Color, width: o.Width}
	for _, b := range d {
		b.terminal(p)
	}
	return p.out.Bytes()
}

// colours are the terminal sequences of the styles that have one.
var colours = map[style]string{strongStyle: "\x1b[1m", goodStyle: "\x1b[32m", fairStyle: "\x1b[33m", badStyle: "\x1b[31m", faintStyle: "\x1b[2m"}

const reset = "\x1b[0m"

// paint renders one line. Spaces at the edges of a span are its own: they
// separate it from its neighbours.
func (p *terminalPrinter) paint(t text) string {
	var b strings.Builder
	for _, s := range t {
		line := cleanSpan(s.s)
		if colour := colours[s.style]; p.color && colour != "" && line != "" {
			line = colour + line + reset
		}
		b.WriteString(line)
	}
	return strings.TrimSpace(b.String())
}

// cleanSpan cleans a piece of a line and keeps one space at either edge.
func cleanSpan(s string) string {
	line := cleanLine(s)
	if line == "" {
		if s == "" {
			return ""
		}
		return " "
	}
	if strings.HasPrefix(s, " ") {
		line = " " + line
	}
	if strings.HasSuffix(s, " ") {
		line += " "
	}
	return line
}

func (p *terminalPrinter) line(s string) {
	p.out.WriteString(strings.TrimRight(s, " "))
	p.out.WriteByte('\n')
}

// gap writes the empty line between two blocks.
func (p *terminalPrinter) gap() {
	if p.blank {
		p.out.WriteByte('\n')
	}
	p.blank = true
}

// wrapped writes a line in as many as the width needs: first before the first
// one, indent before the others.
func (p *terminalPrinter) wrapped(first, indent, s string) {
	line, used := first, width(first)
	empty := true
	for _, word := range strings.Split(s, " ") {
		w := width(word)
		if !empty && p.width > 0 && used+1+w > p.width {
			p.line(line)
			line, used, empty = indent, width(indent), true
		}
		if !empty {
			line, used = line+" ", used+1
		}
		line, used, empty = line+word, used+w, false
	}
	p.line(line)
}

// width is the number of columns that s takes; colours take none. Characters
// of ambiguous width count as narrow, whatever the locale.
func width(s string) int {
	return twwidth.WidthWithOptions(s, twwidth.Options{})
}

func (h heading) terminal(p *terminalPrinter) {
	p.gap()
	t := make(text, len(h.text))
	for i, s := range h.text {
		if h.level == 2 && s.style == plainStyle {
			s.s = strings.ToUpper(s.s)
		}
		t[i] = span{strongStyle, s.s}
	}
	p.line(p.paint(t))
	p.blank = h.level == 1
}

func (g paragraph) terminal(p *terminalPrinter) {
	p.gap()
	p.wrapped("", "", p.paint(g.text))
	p.blank = !g.lead
}

func (l list) terminal(p *terminalPrinter) {
	p.gap()
	for _, item := range l {
		p.wrapped("  ", "    ", p.paint(item))
	}
}

func (e entry) terminal(p *terminalPrinter) {
	p.gap()
	p.wrapped("  ", "    ", p.paint(e.title))
	longest := 0
	for _, f := range e.facts {
		longest = max(longest, width(f.name))
	}
	for _, f := range e.facts {
		first := "      " + f.name + strings.Repeat(" ", longest-width(f.name)+2)
		p.wrapped(first, strings.Repeat(" ", width(first)), p.paint(f.text))
	}
}
