package manifests

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// plain takes a number or a word that begins with c.
func (s *scanner) plain(c byte) error {
	switch {
	case c == 't':
		return s.word("true")
	case c == 'f':
		return s.word("false")
	case c == 'n':
		return s.word("null")
	case c == '-' || isDigit(c):
		return s.number()
	}
	return errSyntax
}

func (s *scanner) word(word string) error {
	rest := s.text[s.at:]
	if len(rest) < len(word) {
		if bytes.HasPrefix([]byte(word), rest) {
			return errShort
		}
		return errSyntax
	}
	if string(rest[:len(word)]) != word {
		return errSyntax
	}
	s.at += len(word)
	return nil
}

// number takes a number. At the end of the text it may go on.
func (s *scanner) number() error {
	if s.text[s.at] == '-' {
		s.at++
	}
	switch {
	case s.at == len(s.text):
		return errShort
	case s.text[s.at] == '0':
		s.at++
	default:
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.at < len(s.text) && s.text[s.at] == '.' {
		s.at++
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.at < len(s.text) && s.text[s.at]|0x20 == 'e' {
		s.at++
		if s.at < len(s.text) && (s.text[s.at] == '+' || s.text[s.at] == '-') {
			s.at++
		}
		if err := s.digits(); err != nil {
			return err
		}
	}
	if s.at == len(s.text) {
		return errShort
	}
	return nil
}

// digits takes one digit or more.
func (s *scanner) digits() error {
	from := s.at
	for s.at < len(s.text) && isDigit(s.text[s.at]) {
		s.at++
	}
	switch {
	case s.at > from:
		return nil
	case s.at == len(s.text):
		return errShort
	}
	return errSyntax
}

// raw takes a value and returns its text.
func (s *scanner) raw() ([]byte, error) {
	if _, err := s.space(); err != nil {
		return nil, err
	}
	from := s.at
	err := s.skip()
	return s.text[from:s.at], err
}

// unquote is the text of a string.
func unquote(quoted []byte) string {
	inner := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	var text string
	_ = json.Unmarshal(quoted, &text) // a string: it was scanned before
	return text
}

// unquoteInto is unquote for a value that may be no string: then text stays as
// it is, as in a field that encoding/json decodes.
func unquoteInto(text *string, value []byte) {
	if value[0] == '"' {
		*text = unquote(value)
	}
}
