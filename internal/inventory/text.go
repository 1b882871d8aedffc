package inventory

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxText bounds every free text that is kept, in bytes.
const maxText = 400

// credentials are the shapes of secrets that turn up in messages: a password
// in a URL, cloud access keys, bearer and JSON web tokens, key=value pairs
// with a telling key, and private keys. A pattern is tried only on texts that
// have one of its words, in either case: looking for a word costs a hundredth.
var credentials = []struct {
	pattern *regexp.Regexp
	with    string
	words   []string
}{
	{regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)(?:[^\s/?#"']*|[^\s/@:"']*:[^\s"']*)@`), "${1}[redacted]@", []string{"://"}},
	{regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{12,}\b`), "[redacted]", []string{"akia", "asia"}},
	{regexp.MustCompile(`(?i)\bbearer\s+[a-z0-9._~+/=-]{8,}`), "Bearer [redacted]", []string{"bearer"}},
	{regexp.MustCompile(`(?i)(authorization["']?\s*[=:]\s*["']?basic\s+)[^\s"',;]+`), "${1}[redacted]", []string{"authorization"}},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), "[redacted]", []string{"eyj"}},
	{regexp.MustCompile(`\b(ghp|gho|ghs|github_pat|glpat|xox[abp])[_-][A-Za-z0-9_-]{10,}`), "[redacted]", []string{"gh", "glpat", "xox"}},
	{regexp.MustCompile(`(?i)((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret)["']?\s*[=:]\s*["']?)[^\s"',;&]{3,}`), "${1}[redacted]",
		[]string{"passw", "pwd", "secret", "token", "key"}},
	{regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:.*?-----END [A-Z0-9 ]*PRIVATE KEY-----|.*)`), "[redacted]", []string{"private key"}},
}

// Text makes a text from the cluster fit to be kept and shown: control
// characters and terminal escapes become spaces, credentials are taken out,
// and it is cut at 400 bytes. Applied twice it gives the same.
func Text(s string) string {
	return upTo(clean(cut(s, 8*maxText)), maxText) // patterns on a megabyte take long
}

// upTo cuts a clean text to at most n bytes. Where the cut leaves a part of what
// was taken out, a pattern would match that part: then it is cut before.
func upTo(s string, n int) string {
	for ; n > 16; n -= 16 {
		if short := cut(s, n); short == s || clean(short) == short {
			return short
		}
	}
	return "…"
}

// Whole is Text without the cut: for messages to a person that are not kept.
func Whole(s string) string { return clean(s) }

// clean is Text without the cut.
func clean(s string) string {
	if s == "" {
		return s
	}
	plain := plainLine(s)
	if !plain {
		s = ansi.ReplaceAllString(s, "")
		s = strings.Map(func(r rune) rune {
			if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				return ' '
			}
			return r
		}, s)
		// Before the patterns: they know no other space than this one.
		s = strings.Join(strings.Fields(s), " ")
	}
	for i := range credentials {
		// Beyond ASCII there are letters that a pattern takes for others.
		if c := &credentials[i]; !plain || hasAny(s, c.words) {
			s = c.pattern.ReplaceAllString(s, c.with)
		}
	}
	return s
}

// plainLine tells whether a text is printable ASCII with single spaces within:
// most are, and stay as they are.
func plainLine(s string) bool {
	space := true
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && space {
			return false
		}
		space = s[i] == ' '
	}
	return !space
}

// hasAny tells whether an ASCII text has one of the words, which are in lower
// case, in either case.
func hasAny(s string, words []string) bool {
	for _, word := range words {
		for i := range len(s) - len(word) + 1 {
			if s[i]|0x20 == word[0]|0x20 && strings.EqualFold(s[i:i+len(word)], word) {
				return true
			}
		}
	}
	return false
}

var ansi = regexp.MustCompile(`\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(\x07|\x1b\\)?`)

// cut shortens a text to at most n bytes, at a rune's border, and says so.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	const mark = "…"
	for n -= len(mark); n > 0 && !utf8.RuneStart(s[n]); n-- {
	}
	return s[:n] + mark
}

// Squash keeps the letters and digits of a word, in lower case, so that
// PrometheusOperator and prometheus-operator, or "Cluster in healthy state" and
// cluster_in_healthy_state, are the same.
func Squash(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r + 'a' - 'A'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return -1
	}, s)
}
