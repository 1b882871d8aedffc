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
// with a telling key, and private keys.
var credentials = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)(?:[^\s/?#"']*|[^\s/@:"']*:[^\s"']*)@`), "${1}[redacted]@"},
	{regexp.MustCompile(`\b(AKIA|ASIA)[A-Z0-9]{12,}\b`), "[redacted]"},
	{regexp.MustCompile(`(?i)\bbearer\s+[a-z0-9._~+/=-]{8,}`), "Bearer [redacted]"},
	{regexp.MustCompile(`(?i)(authorization["']?\s*[=:]\s*["']?basic\s+)[^\s"',;]+`), "${1}[redacted]"},
	{regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`), "[redacted]"},
	{regexp.MustCompile(`\b(ghp|gho|ghs|github_pat|glpat|xox[abp])[_-][A-Za-z0-9_-]{10,}`), "[redacted]"},
	{regexp.MustCompile(`(?i)((?:password|passwd|pwd|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret)["']?\s*[=:]\s*["']?)[^\s"',;&]{3,}`), "${1}[redacted]"},
	{regexp.MustCompile(`-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----(?:.*?-----END [A-Z0-9 ]*PRIVATE KEY-----|.*)`), "[redacted]"},
}

// Text makes a text from the cluster fit to be kept and shown: control
// characters and terminal escapes become spaces, credentials are taken out,
// and it is cut at 400 bytes. Applied twice it gives the same.
func Text(s string) string {
	return cut(clean(cut(s, 8*maxText)), maxText) // patterns on a megabyte take long
}

// clean is Text without the cut.
func clean(s string) string {
	if s == "" {
		return s
	}
	s = ansi.ReplaceAllString(s, "")
	s = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
	// Before the patterns: they know no other space than this one.
	s = strings.Join(strings.Fields(s), " ")
	for _, c := range credentials {
		s = c.pattern.ReplaceAllString(s, c.with)
	}
	return s
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
