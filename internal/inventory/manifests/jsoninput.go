package manifests

import (
	"bytes"
	"io"
)

// jsonInput is the part of a file in which JSON is looked for: it grows until
// the value that is wanted is whole.
type jsonInput struct {
	in io.Reader
	// max bounds one value.
	max  int64
	text []byte
	// at is where the next value begins, or white space before it.
	at int
	// line is that of text[counted].
	line, counted int
	// err ended reading.
	err error
}

const inputSize = 256 << 10

func newJSONInput(in io.Reader, max int64) *jsonInput {
	return &jsonInput{in: in, max: max, line: 1, text: make([]byte, 0, inputSize)}
}

// more reads on, and forgets what was taken already.
func (in *jsonInput) more() error {
	if in.err != nil {
		return in.err
	}
	if int64(len(in.text)-in.at) > in.max {
		return errTooLarge(in.max)
	}
	in.lineAt()
	rest := in.text[in.at:]
	switch size := cap(in.text); {
	case len(rest) > size/2:
		// A value that was short is scanned again from its beginning, so that
		// little more at a time would take long.
		in.text = append(make([]byte, 0, 2*size), rest...)
	case size > inputSize && len(rest) < inputSize/2:
		in.text = append(make([]byte, 0, inputSize), rest...) // the large value is gone
	default:
		in.text = in.text[:copy(in.text, rest)]
	}
	in.at, in.counted = 0, 0
	for len(in.text) < cap(in.text) && in.err == nil {
		var n int
		n, in.err = in.in.Read(in.text[len(in.text):cap(in.text)])
		in.text = in.text[:len(in.text)+n]
	}
	return nil
}

// lineAt is the line of the next value.
func (in *jsonInput) lineAt() int {
	in.line += bytes.Count(in.text[in.counted:in.at], []byte("\n"))
	in.counted = in.at
	return in.line
}

// peek goes to the next byte that is not white space, and returns it. The
// error is io.EOF at the end of the file.
func (in *jsonInput) peek() (byte, error) {
	for {
		for ; in.at < len(in.text); in.at++ {
			if !isSpace(in.text[in.at]) {
				return in.text[in.at], nil
			}
		}
		if err := in.more(); err != nil {
			return 0, err
		}
	}
}

// take takes what comes next and is scanned so. It stands in the text of the
// file, so it is good until more is taken.
func (in *jsonInput) take(scan func(*scanner) error) ([]byte, error) {
	if _, err := in.peek(); err != nil {
		return nil, err
	}
	for {
		s := scanner{text: in.text[in.at:]}
		err := scan(&s)
		if err == errShort {
			if err = in.more(); err == nil {
				continue
			}
		}
		if err == errSyntax {
			err = why(s.text)
		}
		if err == nil && int64(s.at) > in.max {
			err = errTooLarge(in.max)
		}
		if err != nil {
			return nil, err
		}
		taken := s.text[:s.at:s.at]
		in.at += s.at
		return taken, nil
	}
}

// value takes a value.
func (in *jsonInput) value() ([]byte, error) { return in.take((*scanner).skip) }

// key takes a key and its colon, and returns it with its quotes.
func (in *jsonInput) key() (key []byte, err error) {
	_, err = in.take(func(s *scanner) error {
		key, err = s.key()
		return err
	})
	return key, err
}

// rest is what was not taken.
func (in *jsonInput) rest() io.Reader {
	return io.MultiReader(bytes.NewReader(in.text[in.at:]), in.in)
}
