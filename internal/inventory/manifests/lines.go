package manifests

import (
	"bufio"
	"bytes"
	"errors"
)

// lines reads a file line by line, however long a line is.
type lines struct {
	in  *bufio.Reader
	max int64
	// number is that of the line next returns.
	number int
	buffer []byte
}

var errLongLine = errors.New("line too long")

// next returns a line with its end, valid until the next call. Of a line longer
// than max it returns how it begins, together with errLongLine. At the end of
// the file it returns what is left together with io.EOF.
func (l *lines) next() ([]byte, error) {
	l.number++
	l.buffer = l.buffer[:0]
	tooLong := false
	for {
		part, err := l.in.ReadSlice('\n')
		if !tooLong && int64(len(l.buffer)+len(part)) > l.max {
			tooLong = true
			l.buffer = append(l.buffer, part[:min(len(part), 80)]...)
		}
		if !tooLong {
			if err == nil && len(l.buffer) == 0 {
				return part, nil
			}
			l.buffer = append(l.buffer, part...)
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == nil && tooLong:
			return l.buffer, errLongLine
		default:
			return l.buffer, err
		}
	}
}

// separator tells whether a line ends a document: "---" alone or with the
// beginning of the next document behind it, or "...". Dashes that go on, as in
// a certificate, do not. rest takes the place of the line in the next document.
func separator(line []byte) (rest []byte, ok bool) {
	line = bytes.TrimPrefix(line, bom)
	after, dashes := bytes.CutPrefix(line, []byte("---"))
	switch {
	case dashes && len(bytes.TrimRight(after, " \t\r\n")) == 0:
		return after, true
	case dashes && (after[0] == ' ' || after[0] == '\t'):
		return append([]byte("   "), after...), true
	}
	after, dots := bytes.CutPrefix(line, []byte("..."))
	return after, dots && len(bytes.TrimRight(after, " \t\r\n")) == 0
}

// indent counts the spaces a line begins with.
func indent(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// blank tells whether a line holds nothing, or a comment.
func blank(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#'
}
