package manifests

import (
	"bytes"
	"unicode/utf8"

	"sigs.k8s.io/yaml"
)

// scalars are plain scalars that may be no texts, with the JSON that the
// library makes of them.
type scalars struct {
	known map[string]string
	// plain and keys are memory to use again.
	plain []byte
	keys  []span
}

// maxScalars bounds what is remembered.
const maxScalars = 10_000

// resolved writes a plain scalar: a text, a number, a boolean or null.
func (b *block) resolved(plain []byte) bool {
	switch {
	case surelyText(plain):
		b.out = appendJSON(b.out, plain)
		return true
	case isSmallNumber(plain):
		b.out = append(b.out, plain...)
		return true
	}
	value, ok := b.scalars.resolve(plain)
	b.out = append(b.out, value...)
	return ok
}

// resolve asks the library what a scalar of one line is.
func (s *scalars) resolve(plain []byte) (string, bool) {
	if value, ok := s.known[string(plain)]; ok {
		return value, value != ""
	}
	if bytes.IndexByte(plain, '\n') >= 0 || len(plain) > 200 {
		return "", false
	}
	raw, err := yaml.YAMLToJSON(append([]byte("a: "), plain...))
	value, ok := bytes.CutPrefix(raw, []byte(`{"a":`))
	if err != nil || !ok {
		value = nil
	}
	value = bytes.TrimSuffix(bytes.TrimSuffix(value, []byte("\n")), []byte("}"))
	if s.known == nil || len(s.known) == maxScalars {
		s.known = map[string]string{}
	}
	s.known[string(plain)] = string(value)
	return string(value), len(value) > 0
}

// surelyText tells whether a plain scalar is nothing but a text. Others begin
// like a number, or are words of YAML 1.1.
func surelyText(plain []byte) bool {
	switch c := plain[0]; {
	case c|0x20 >= 'a' && c|0x20 <= 'z':
		return len(plain) > 5 || !words[string(plain)]
	case c == '/' || c == '_' || c == '$' || c == '(':
		return true
	case c == '.':
		return len(plain) == 1
	case isDigit(c) || c == '-' && len(plain) > 1:
		return !numeric(plain)
	}
	return false
}

// numeric tells whether a scalar has only what numbers and times are made of.
func numeric(plain []byte) bool {
	dots, digits, dashes := 0, 0, 0
	for _, c := range plain {
		switch {
		case c == '.':
			dots++
		case isDigit(c):
			digits++
		case c == '-':
			dashes++
		case c|0x20 >= 'a' && c|0x20 <= 'f':
		case bytes.IndexByte([]byte("xXoOpPiInNtTzZ_+: \n"), c) >= 0:
		default:
			return false
		}
	}
	// 10.0.0.1 is a text, and so is a uid: a time has three dashes at most.
	return dashes < 4 && (dots < 2 || dots+digits < len(plain))
}

// isSmallNumber tells a whole number that every reader takes for the same.
func isSmallNumber(plain []byte) bool {
	if len(plain) > 15 || plain[0] == '0' && len(plain) > 1 {
		return false
	}
	for _, c := range plain {
		if !isDigit(c) {
			return false
		}
	}
	return true
}

// words are those of YAML 1.1 that are no texts.
var words = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range []string{"y", "n", "yes", "no", "on", "off", "true", "false", "null"} {
		set[word] = true
		set[string(bytes.ToUpper([]byte(word)))] = true
		set[string(bytes.ToUpper([]byte(word[:1])))+word[1:]] = true
	}
	return set
}()

// printable tells whether a text of one line has nothing in it that YAML
// forbids or takes for a line break, and no tab.
func printable(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r > 0xfffd {
			return false
		}
		i += n
	}
	return true
}

// appendJSON appends a text as a JSON string.
func appendJSON(out, text []byte) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	from := 0
	for i, c := range text {
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		out = append(out, text[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			out = append(out, '\\', c)
		case '\n':
			out = append(out, '\\', 'n')
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(out, text[from:]...), '"')
}
