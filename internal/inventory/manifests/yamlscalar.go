package manifests

import (
	"bytes"
	"unicode/utf8"
)

// scalar takes the scalar, or the empty collection, that begins here. It goes
// on in lines that are indented by more than a column.
func (b *block) scalar(col int) bool {
	switch c := b.text[b.at]; c {
	case '{', '[':
		if b.at+1 == len(b.text) || b.text[b.at+1] != c+2 {
			return false
		}
		b.out = append(b.out, c, c+2)
		b.at += 2
		return b.ended()
	case '|':
		return b.literal(col)
	case '"', '\'':
		return b.quoted(col) && b.ended()
	case '>', '?', ':', ',', ']', '}', '#', '&', '*', '!', '%', '@', '`':
		return false
	}
	return b.unquoted(col)
}

// unquoted takes a plain scalar, folding its lines.
func (b *block) unquoted(col int) bool {
	b.plain = b.plain[:0]
	for n := 0; ; n++ {
		line := bytes.TrimRight(b.line(), " ")
		if !printable(line) || colon(line) >= 0 || bytes.Contains(line, []byte(" #")) || n == 0 && b.dash() {
			return false
		}
		b.plain = append(b.plain, line...)
		b.at += len(line)
		end := b.at
		if !b.ended() {
			return false
		}
		if b.col <= col {
			return b.resolved(b.plain)
		}
		b.fold(end)
	}
}

// fold adds what the line breaks between an offset and the next token mean: a
// space, or a break less than there are.
func (b *block) fold(from int) {
	breaks := bytes.Count(b.text[from:b.at], []byte("\n"))
	if breaks == 1 {
		b.plain = append(b.plain, ' ')
	}
	for range breaks - 1 {
		b.plain = append(b.plain, '\n')
	}
}

// quoted takes a quoted scalar. Behind a column of -1 it must be in one line.
func (b *block) quoted(col int) bool {
	quote := b.text[b.at]
	b.plain, b.escaped = b.plain[:0], 0
	b.at++
	for {
		rest := b.text[b.at:]
		n := bytes.IndexAny(rest, "\n\\'\"")
		if n < 0 || !printable(rest[:n]) {
			return false
		}
		b.plain = append(b.plain, rest[:n]...)
		b.at += n
		switch c := rest[n]; {
		case c == '\n':
			if col < 0 || !b.foldQuoted(col) {
				return false
			}
		case c == '\\' && quote == '"':
			if !b.escape(col) {
				return false
			}
			b.escaped = len(b.plain)
		case c != quote:
			b.plain = append(b.plain, c)
			b.at++
		case quote == '\'' && n+1 < len(rest) && rest[n+1] == '\'':
			b.plain = append(b.plain, c)
			b.at += 2
		default:
			b.at++
			b.out = appendJSON(b.out, b.plain)
			return true
		}
	}
}

// foldQuoted goes to the next line of a quoted scalar.
func (b *block) foldQuoted(col int) bool {
	for len(b.plain) > b.escaped && b.plain[len(b.plain)-1] == ' ' {
		b.plain = b.plain[:len(b.plain)-1]
	}
	end := b.at
	if !b.nextLine(b.at+1) || b.col <= col {
		return false
	}
	b.fold(end)
	return true
}

// escape takes an escape of a double-quoted scalar.
func (b *block) escape(col int) bool {
	if b.at+1 == len(b.text) {
		return false
	}
	c := b.text[b.at+1]
	b.at += 2
	switch c {
	case 'n':
		c = '\n'
	case 't':
		c = '\t'
	case 'r':
		c = '\r'
	case '"', '\\', ' ':
	case 'u':
		return b.unicode(4)
	case 'x':
		return b.unicode(2)
	case '\n':
		// The text goes on in the next line, without a space.
		next := b.at
		return col >= 0 && b.nextLine(next) && b.col > col && b.begin == next
	default:
		return false
	}
	b.plain = append(b.plain, c)
	return true
}

func (b *block) unicode(digits int) bool {
	if b.at+digits > len(b.text) {
		return false
	}
	var r rune
	for _, c := range b.text[b.at : b.at+digits] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return false
		}
	}
	if !utf8.ValidRune(r) {
		return false
	}
	b.at += digits
	b.plain = utf8.AppendRune(b.plain, r)
	return true
}

// literal takes a scalar whose lines stay as they are.
func (b *block) literal(col int) bool {
	b.at++
	chomp := byte(0)
	if !b.endOfLine(b.at) && (b.text[b.at] == '-' || b.text[b.at] == '+') {
		chomp = b.text[b.at]
		b.at++
	}
	if b.at >= len(b.text) || b.text[b.at] != '\n' {
		return false
	}
	b.at++
	b.plain = b.plain[:0]
	indent, end := -1, 0 // end is where the last line that is not empty ends
	for b.at < len(b.text) {
		line := b.line()
		depth := len(line) - len(bytes.TrimLeft(line, " "))
		switch {
		case depth < len(line):
		case depth > max(indent, 0):
			return false
		default:
			depth = -1 // an empty line
		}
		if depth >= 0 {
			if indent < 0 {
				indent = depth
			}
			if depth < indent || indent <= col {
				if depth > col {
					return false
				}
				break
			}
			if !printable(bytes.ReplaceAll(line, []byte("\t"), nil)) || line[depth] == '\t' && depth == indent {
				return false
			}
			b.plain = append(b.plain, line[indent:]...)
			end = len(b.plain) + 1
		}
		b.at += len(line) + 1
		if b.at > len(b.text) {
			return false // the last line has no end
		}
		b.plain = append(b.plain, '\n')
	}
	switch {
	case chomp == '-':
		end = max(end-1, 0)
	case chomp == '+':
		end = len(b.plain)
	}
	b.out = appendJSON(b.out, b.plain[:end])
	return b.nextLine(b.at)
}
