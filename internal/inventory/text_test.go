package inventory

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain  words\n\tand lines ", "plain words and lines"},
		{"\x1b[31mred\x1b[0m", "red"},
		{"\x1b]0;title\x07x", "x"},
		{"a\x00b\u009bc\u202ed", "a b c d"},
		{"bad \xff utf8", "bad utf8"},
		{"get https://user:pw@host/x failed", "get https://[redacted]@host/x failed"},
		{"https://user:p@ss@host", "https://[redacted]@host"},
		{"redis://:pw@host", "redis://[redacted]@host"},
		{"https://user:p/w@host", "https://[redacted]@host"},
		{"https://ghtoken@github.com", "https://[redacted]@github.com"},
		{"https://host/path?x=a", "https://host/path?x=a"},
		{"key AKIAIOSFODNN7EXAMPLE used", "key [redacted] used"},
		{"Bearer\u00a0abcdefghijkl", "Bearer [redacted]"},
		{"aws_secret_access_key = abcdef", "aws_secret_access_key = [redacted]"},
		{`{"password":"abc"}`, `{"password":"[redacted]"}`},
		{"-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY----- rest", "[redacted] rest"},
		{"-----BEGIN EC PRIVATE KEY-----\nabc", "[redacted]"},
		{`secret "db" not found`, `secret "db" not found`},
	} {
		if got := Text(c.in); got != c.want {
			t.Errorf("Text(%q) = %q, want %q", c.in, got, c.want)
		}
	}
}

func TestTextIsCutAtRunes(t *testing.T) {
	for n := range 4 {
		in := strings.Repeat("x", n) + strings.Repeat("€", 300)
		got := Text(in)
		if len(got) > maxText || !utf8.ValidString(got) || !strings.HasSuffix(got, "…") {
			t.Errorf("%d bytes, valid %v: %q", len(got), utf8.ValidString(got), got)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("token: Bearer abcdefgh https://a:b@c\x1b[0m")
	f.Add(strings.Repeat("password=", 60))
	f.Fuzz(func(t *testing.T, in string) {
		once := Text(in)
		if twice := Text(once); once != twice {
			t.Errorf("twice differs: %q, %q", once, twice)
		}
		if len(once) > maxText || !utf8.ValidString(once) {
			t.Errorf("%d bytes, valid %v", len(once), utf8.ValidString(once))
		}
	})
}
