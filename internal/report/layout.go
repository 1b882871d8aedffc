package report

import (
	"slices"
	"strings"
)

// layout is a table with the width of each column; 0 is a column left out.
type layout struct {
	head   []column
	cells  [][][]span // the head, then the rows
	widths []int
}

// layout makes the table fit the limit, as far as its columns allow: first
// spare columns go, then elastic ones are cut, the widest first. Limit 0
// changes nothing.
func (t table) layout(limit int) *layout {
	l := &layout{head: t.head, cells: t.cells(), widths: make([]int, len(t.head))}
	for i := range t.head {
		for _, row := range l.cells {
			l.widths[i] = max(l.widths[i], textWidth(row[i]))
		}
	}
	if limit > 0 {
		l.drop(limit)
		l.shrink(limit)
	}
	return l
}

// total is the width of a line.
func (l *layout) total() int {
	sum, columns := 0, 0
	for _, w := range l.widths {
		if w > 0 {
			sum, columns = sum+w, columns+1
		}
	}
	return sum + len(columnGap)*max(columns-1, 0)
}

// least is the width down to which a column may be cut.
func (l *layout) least(i int) int {
	c := l.head[i]
	if !c.elastic {
		return l.widths[i]
	}
	return min(l.widths[i], max(c.least, narrowest))
}

// drop leaves out spare columns while cutting alone would not do.
func (l *layout) drop(limit int) {
	order := make([]int, 0, len(l.head))
	for i, c := range l.head {
		if c.spare > 0 {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(a, b int) int { return l.head[a].spare - l.head[b].spare })
	for _, i := range order {
		need := l.total()
		for j := range l.head {
			need -= l.widths[j] - l.least(j)
		}
		if need <= limit {
			return
		}
		l.widths[i] = 0
	}
}

// shrink cuts elastic columns, one column of the terminal at a time.
func (l *layout) shrink(limit int) {
	for total := l.total(); total > limit; total-- {
		widest := -1
		for i := range l.head {
			if l.widths[i] > l.least(i) && (widest < 0 || l.widths[i] > l.widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return
		}
		l.widths[widest]--
	}
}

// wrapLast wraps the last column, which is where tables have their long text,
// if that makes the table fit and leaves it readable. The lines of a cell
// become rows of their own.
func (l *layout) wrapLast(limit int) bool {
	last := len(l.head) - 1
	room := limit - (l.total() - l.widths[last])
	if room < readable {
		return false
	}
	wrapped := l.cells[:1:1]
	for _, row := range l.cells[1:] {
		for i, line := range wrapText(row[last], room) {
			next := make([][]span, len(row))
			if i == 0 {
				copy(next, row)
			}
			next[last] = line
			wrapped = append(wrapped, next)
		}
	}
	l.cells, l.widths[last] = wrapped, room
	return true
}

// wrapText breaks text into lines of at most n columns, at spaces. A longer
// word has a line of its own.
func wrapText(t text, n int) []text {
	lines, used := []text{nil}, 0
	for _, s := range t {
		for i, word := range strings.SplitAfter(s.s, " ") {
			w := width(strings.TrimRight(word, " "))
			if used > 0 && used+w > n && (i > 0 || w > 0) {
				trimEnd(lines[len(lines)-1])
				lines, used = append(lines, nil), 0
			}
			at := &lines[len(lines)-1]
			*at = append(*at, span{s.style, word})
			used += width(word)
		}
	}
	return lines
}

// trimEnd takes the space off the end of a line: it would count as a column too
// many, and the word before it would be cut.
func trimEnd(t text) {
	if len(t) > 0 {
		t[len(t)-1].s = strings.TrimRight(t[len(t)-1].s, " ")
	}
}

// dropped names the columns that were left out.
func (l *layout) dropped() string {
	var names []string
	for i, c := range l.head {
		if l.widths[i] == 0 && c.title != "" {
			names = append(names, strings.ToUpper(c.title))
		}
	}
	return strings.Join(names, ", ")
}

// row is a line's cells as they are printed.
func (l *layout) row(p *terminalPrinter, cells [][]span) []string {
	var line []string
	for i, cell := range cells {
		if l.widths[i] > 0 {
			line = append(line, p.paint(shorten(cell, l.widths[i])))
		}
	}
	return line
}

func textWidth(t text) int {
	n := 0
	for _, s := range t {
		n += width(s.s)
	}
	return n
}

// shorten cuts text to n columns; the last one is then an ellipsis.
func shorten(t text, n int) text {
	if textWidth(t) <= n {
		return t
	}
	var short text
	left := n - 1
	for _, s := range t {
		kept := s.s[:fitting(s.s, left)]
		left -= width(kept)
		if kept != s.s {
			return append(short, span{s.style, strings.TrimRight(kept, " ") + "…"})
		}
		short = append(short, s)
	}
	return short
}

// fitting is the length in bytes of the beginning of s that takes n columns.
func fitting(s string, n int) int {
	used := 0
	for i, r := range s {
		used += width(string(r))
		if used > n {
			return i
		}
	}
	return len(s)
}
