package manifests

import "bytes"

// startsMapping tells whether a key stands here.
func (b *block) startsMapping() bool {
	line := b.line()
	switch line[0] {
	case '"', '\'':
		end := quotedEnd(line)
		return end > 0 && end < len(line) && line[end] == ':' && (end+1 == len(line) || line[end+1] == ' ')
	}
	return colon(line) >= 0
}

// line is the rest of the line.
func (b *block) line() []byte {
	rest := b.text[b.at:]
	if end := bytes.IndexByte(rest, '\n'); end >= 0 {
		return rest[:end]
	}
	return rest
}

// colon finds the end of a plain key; -1 if there is none.
func colon(line []byte) int {
	for i := 0; ; {
		next := bytes.IndexByte(line[i:], ':')
		if next < 0 {
			return -1
		}
		i += next
		if i+1 == len(line) || line[i+1] == ' ' {
			return i
		}
		i++
	}
}

// quotedEnd is where a quoted scalar ends within its line; -1 if it does not.
func quotedEnd(line []byte) int {
	quote := line[0]
	for i := 1; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] != quote:
		case quote == '\'' && i+1 < len(line) && line[i+1] == '\'':
			i++
		default:
			return i + 1
		}
	}
	return -1
}

// maxKey: the library does not take long keys for keys.
const maxKey = 500

// key takes a key and its colon.
func (b *block) key() bool {
	if b.at == len(b.text) {
		return false
	}
	line := b.line()
	if line[0] == '"' || line[0] == '\'' {
		end := quotedEnd(line)
		if end < 0 || end > maxKey || end == len(line) || line[end] != ':' || end+1 < len(line) && line[end+1] != ' ' {
			return false
		}
		if !b.quoted(-1) {
			return false
		}
		b.at++
		return true
	}
	end := colon(line)
	if end <= 0 || end > maxKey {
		return false
	}
	key := line[:end]
	if key[end-1] == ' ' || !surelyText(key) || !printable(key) || bytes.Contains(key, []byte(" #")) {
		return false
	}
	b.out = appendJSON(b.out, key)
	b.at += end + 1
	return true
}

// span is a part of what was written.
type span struct{ from, to int }

// isNew tells whether the key written last is new to the mapping whose first
// key stands at an index of keys: of keys that come twice the library takes the
// last. largest is the largest key so far; mostly they come in order.
func (b *block) isNew(first int, from int, largest *span) bool {
	last, key := span{from, len(b.out)}, b.out[from:]
	if len(b.keys) == first || bytes.Compare(key, b.out[largest.from:largest.to]) > 0 {
		*largest = last
	} else {
		if len(b.keys)-first > 1000 {
			return false
		}
		for _, k := range b.keys[first:] {
			if bytes.Equal(key, b.out[k.from:k.to]) {
				return false
			}
		}
	}
	b.keys = append(b.keys, last)
	return true
}
