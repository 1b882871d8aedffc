package report

import (
	"bytes"
	"strings"
)

// markdownPrinter prints a document as GitHub-flavoured markdown.
//
// Table cells are not padded: a changed cell then changes one line, which is
// what a report that lives in a repository wants.
type markdownPrinter struct{ out bytes.Buffer }

func printMarkdown(d document, _ Options) []byte {
	p := &markdownPrinter{}
	for _, b := range d {
		if p.out.Len() > 0 {
			p.out.WriteByte('\n')
		}
		b.markdown(p)
	}
	return p.out.Bytes()
}

func (p *markdownPrinter) line(s string) {
	p.out.WriteString(s)
	p.out.WriteByte('\n')
}

// markdownSpans is the only way from text to markdown.
func markdownSpans(t text) string {
	var b strings.Builder
	for _, s := range t {
		switch s.style {
		case codeStyle:
			b.WriteString(markdownCode(s.s))
		case expressionStyle:
			b.WriteString(markdownExpression(s.s))
		case jumpStyle:
			b.WriteString(markdownJump(s.s))
		case linkStyle:
			b.WriteString(markdownLink(s.s))
		case strongStyle:
			if inner := markdownText(s.s); inner != "" {
				b.WriteString(atEdges(s.s, "**"+inner+"**"))
			}
		default:
			b.WriteString(atEdges(s.s, markdownText(s.s)))
		}
	}
	return strings.TrimSpace(b.String())
}

// atEdges gives clean the space that s has at either edge.
func atEdges(s, clean string) string {
	if clean == "" {
		if s == "" {
			return ""
		}
		return " "
	}
	if strings.HasPrefix(s, " ") {
		clean = " " + clean
	}
	if strings.HasSuffix(s, " ") {
		clean += " "
	}
	return clean
}

func (h heading) markdown(p *markdownPrinter) {
	p.line(strings.Repeat("#", h.level) + " " + markdownSpans(h.text))
}

func (g paragraph) markdown(p *markdownPrinter) { p.line(markdownStart(markdownSpans(g.text))) }

func (l list) markdown(p *markdownPrinter) {
	for _, item := range l {
		p.line("- " + markdownStart(markdownSpans(item)))
	}
}

func (e entry) markdown(p *markdownPrinter) {
	p.line("- " + markdownStart(markdownSpans(e.title)))
	for _, f := range e.facts {
		p.line("  - " + f.name + ": " + markdownSpans(f.text))
	}
}

func (t table) markdown(p *markdownPrinter) {
	var head, rule strings.Builder
	for _, c := range t.head {
		head.WriteString("| " + markdownText(c.title) + " ")
		rule.WriteString("|---")
	}
	p.line(head.String() + "|")
	p.line(rule.String() + "|")
	for _, row := range t.rows {
		var line strings.Builder
		for i := range t.head {
			var cell text
			if i < len(row) {
				cell = row[i]
			}
			line.WriteString("| " + markdownSpans(cell) + " ")
		}
		p.line(line.String() + "|")
	}
}
