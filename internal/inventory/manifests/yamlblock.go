package manifests

import "bytes"

// block turns YAML as machines write it into JSON, in one go: mappings and
// sequences in block style, and scalars. The library behind it takes ten times
// as long. It is asked all the same wherever a text has anything else in it
// (flow style, anchors, tags, comments, keys that are no texts), wherever
// something looks wrong, and for scalars that may be no texts, so that what is
// read is what the library reads (FuzzBlockIsWhatTheLibraryReads).
type block struct {
	scalars *scalars
	text    []byte
	// at is where the next token begins, col is its column; -1 at the end.
	at, col int
	begin   int // of its line
	depth   int
	out     []byte
	keys    []span // of the mappings that are open
	plain   []byte // a scalar that is put together
	// escaped is how much of it stays at the end of a line, spaces or not.
	escaped int
}

// maxBlockDepth is far above what objects have.
const maxBlockDepth = 100

// blockToJSON turns YAML into JSON; false where the library must do it. It
// uses the memory of out.
func blockToJSON(text []byte, s *scalars, out []byte) ([]byte, bool) {
	b := block{scalars: s, text: text, out: out[:0], plain: s.plain[:0], keys: s.keys[:0]}
	if !b.nextLine(0) || b.col < 0 || b.dash() {
		return b.out, false
	}
	ok := b.mapping(b.col) && b.col < 0
	s.plain, s.keys = b.plain, b.keys
	return b.out, ok
}

// nextLine goes to the first token at or behind an offset where a line begins.
func (b *block) nextLine(from int) bool {
	text := b.text
	for from < len(text) {
		i := from
		for i < len(text) && text[i] == ' ' {
			i++
		}
		switch {
		case i == len(text):
			from = i
		case text[i] == '\n':
			from = i + 1
		case text[i] == '#' || text[i] < ' ':
			return false
		case i == from && (bytes.HasPrefix(text[i:], []byte("---")) || bytes.HasPrefix(text[i:], []byte("..."))):
			return false // a document ends here
		default:
			b.begin, b.at, b.col = from, i, i-from
			return true
		}
	}
	b.at, b.col = len(text), -1
	return true
}

// ended goes to the next line, if nothing stands in the rest of this one.
func (b *block) ended() bool {
	b.blanks()
	switch {
	case b.at == len(b.text):
		return b.nextLine(b.at)
	case b.text[b.at] == '\n':
		return b.nextLine(b.at + 1)
	}
	return false
}

func (b *block) blanks() {
	for b.at < len(b.text) && b.text[b.at] == ' ' {
		b.at++
	}
}

// endOfLine tells whether nothing stands at an offset.
func (b *block) endOfLine(i int) bool { return i >= len(b.text) || b.text[i] == '\n' }

// dash tells whether an item of a sequence begins here.
func (b *block) dash() bool {
	return b.at < len(b.text) && b.text[b.at] == '-' && (b.endOfLine(b.at+1) || b.text[b.at+1] == ' ')
}

// node takes the collection that begins here.
func (b *block) node() bool {
	if b.dash() {
		return b.sequence(b.col)
	}
	return b.mapping(b.col)
}

func (b *block) mapping(col int) bool {
	if b.depth++; b.depth > maxBlockDepth {
		return false
	}
	b.out = append(b.out, '{')
	first, largest := len(b.keys), span{}
	for n := 0; b.col == col && !b.dash(); n++ {
		if n > 0 {
			b.out = append(b.out, ',')
		}
		from := len(b.out)
		if !b.key() || !b.isNew(first, from, &largest) {
			return false
		}
		b.out = append(b.out, ':')
		if !b.value(col) {
			return false
		}
	}
	b.out = append(b.out, '}')
	b.keys = b.keys[:first]
	b.depth--
	return b.col < col || b.dash()
}

// value takes what stands behind the colon of a key in a column.
func (b *block) value(col int) bool {
	b.blanks()
	if !b.endOfLine(b.at) {
		return b.scalar(col)
	}
	if !b.ended() {
		return false
	}
	switch {
	case b.col > col:
		return b.node()
	case b.col == col && b.dash():
		return b.sequence(col)
	}
	b.out = append(b.out, "null"...)
	return true
}

func (b *block) sequence(col int) bool {
	if b.depth++; b.depth > maxBlockDepth {
		return false
	}
	b.out = append(b.out, '[')
	for n := 0; b.col == col && b.dash(); n++ {
		if n > 0 {
			b.out = append(b.out, ',')
		}
		b.at++
		if !b.item(col) {
			return false
		}
	}
	b.out = append(b.out, ']')
	b.depth--
	return b.col <= col
}

// item takes what stands behind the dash in a column.
func (b *block) item(col int) bool {
	b.blanks()
	if b.endOfLine(b.at) {
		if !b.ended() {
			return false
		}
		if b.col > col {
			return b.node()
		}
		b.out = append(b.out, "null"...)
		return true
	}
	if b.dash() || b.startsMapping() {
		b.col = b.at - b.begin
		return b.node()
	}
	return b.scalar(col)
}
