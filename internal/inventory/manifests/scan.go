package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
)

// scanner goes over one JSON value once: it finds its end, checks it as
// encoding/json does, and takes out the little that tells what is to become of
// an object (head.go). Most objects of a large dump are not looked at further,
// and decoding each only to find that out takes most of the time.
type scanner struct {
	text []byte
	at   int
}

// errShort: the value goes on behind the end of the text.
var errShort = errors.New("the text ends within a value")

// errSyntax: the text is no JSON; why tells what encoding/json says of it.
var errSyntax = errors.New("no JSON")

// why is what encoding/json says is wrong with a text.
func why(text []byte) error {
	var value json.RawMessage
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	return errSyntax
}

// maxDepth is how deep encoding/json lets values nest.
const maxDepth = 10_000

// space goes to the next byte that is not white space, and returns it.
func (s *scanner) space() (byte, error) {
	for ; s.at < len(s.text); s.at++ {
		if c := s.text[s.at]; c > ' ' || !isSpace(c) {
			return c, nil
		}
	}
	return 0, errShort
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// fields calls field with each key of the object that begins here, quotes
// included; field takes the value. What is no object is passed over.
func (s *scanner) fields(field func(key []byte) error) error {
	c, err := s.space()
	if err != nil {
		return err
	}
	if c != '{' {
		return s.skip()
	}
	s.at++
	if c, err := s.space(); err != nil || c == '}' {
		s.at++
		return err
	}
	for {
		key, err := s.key()
		if err != nil {
			return err
		}
		if err := field(key); err != nil {
			return err
		}
		if more, err := s.comma('}'); err != nil || !more {
			return err
		}
	}
}

// key takes a key and its colon.
func (s *scanner) key() ([]byte, error) {
	c, err := s.space()
	if err != nil {
		return nil, err
	}
	if c != '"' {
		return nil, errSyntax
	}
	key, err := s.str()
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(key, '\\') >= 0 {
		key = appendJSON(nil, []byte(unquote(key)))
	}
	if c, err = s.space(); err != nil {
		return nil, err
	}
	if c != ':' {
		return nil, errSyntax
	}
	s.at++
	return key, nil
}

// items calls item before each element of the array that begins here; item
// takes it. What is no array is passed over.
func (s *scanner) items(item func() error) error {
	c, err := s.space()
	if err != nil {
		return err
	}
	if c != '[' {
		return s.skip()
	}
	s.at++
	if c, err := s.space(); err != nil || c == ']' {
		s.at++
		return err
	}
	for {
		if err := item(); err != nil {
			return err
		}
		if more, err := s.comma(']'); err != nil || !more {
			return err
		}
	}
}

// comma takes what stands behind an element: a comma, or the end.
func (s *scanner) comma(end byte) (more bool, err error) {
	c, err := s.space()
	if err != nil {
		return false, err
	}
	s.at++
	switch c {
	case ',':
		return true, nil
	case end:
		return false, nil
	}
	return false, errSyntax
}

// str takes the string that begins here and returns it with its quotes.
func (s *scanner) str() ([]byte, error) {
	text, i := s.text, s.at+1
	for i < len(text) {
		switch c := text[i]; {
		case c == '"':
			quoted := text[s.at : i+1]
			s.at = i + 1
			return quoted, nil
		case c == '\\':
			n, err := escape(text[i+1:])
			if err != nil {
				return nil, err
			}
			i += n + 1
		case c < ' ':
			return nil, errSyntax
		default:
			i++
		}
	}
	return nil, errShort
}

// escape is the length of what stands behind a backslash.
func escape(text []byte) (int, error) {
	if len(text) == 0 {
		return 0, errShort
	}
	switch text[0] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 1, nil
	case 'u':
		for i := 1; i < 5; i++ {
			if i >= len(text) {
				return 0, errShort
			}
			if c := text[i]; !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
				return 0, errSyntax
			}
		}
		return 5, nil
	}
	return 0, errSyntax
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// skip goes behind the value that begins here.
func (s *scanner) skip() error {
	var small [64]byte
	open := small[:0] // the ends of the arrays and objects that are open
	for {
		c, err := s.space()
		if err != nil {
			return err
		}
		switch c {
		case '{', '[':
			s.at++
			end := c + 2 // the bracket that closes it
			if len(open) == maxDepth {
				return errSyntax
			}
			next, err := s.space()
			if err != nil {
				return err
			}
			if next != end {
				open = append(open, end)
				if err := s.element(end); err != nil {
					return err
				}
				continue
			}
			s.at++
		case '"':
			if _, err := s.str(); err != nil {
				return err
			}
		default:
			if err := s.plain(c); err != nil {
				return err
			}
		}
		for {
			if len(open) == 0 {
				return nil
			}
			end := open[len(open)-1]
			more, err := s.comma(end)
			if err != nil {
				return err
			}
			if more {
				if err := s.element(end); err != nil {
					return err
				}
				break
			}
			open = open[:len(open)-1]
		}
	}
}

// element goes to the next value within an object or an array that ends so.
func (s *scanner) element(end byte) error {
	if end == ']' {
		return nil
	}
	_, err := s.key()
	return err
}
