package report

import (
	"strings"
	"testing"

	"github.com/clipperhouse/displaywidth"
)

func TestMarkdownText(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"J1":                 {"a|b\\|c\r\nd `e` <img src=x> @team #12", "a\\|b\\\\\\|c<br>d \\`e\\` &lt;img src=x> @&#8203;team #&#8203;12"},
		"link":               {"[click](javascript:alert(1))", `\[click\](javascript:alert(1))`},
		"image":              {"![x](http://evil/p.png)", `!\[x\](http://evil/p.png)`},
		"autolink":           {"<javascript:alert(1)>", "&lt;javascript:alert(1)>"},
		"entity":             {"&lt;b&gt;", "&amp;lt;b&amp;gt;"},
		"issue":              {"owner/repo#7 and GH-8", "owner/repo#&#8203;7 and GH-&#8203;8"},
		"emphasis":           {"*a* _b_ __c__ d_e ~f~ $g$", `\*a\* \_b\_ \_\_c\_\_ d_e \~f\~ \$g\$`},
		"ansi":               {"\x1b[31mred\x1b[0m", "red"},
		"window title":       {"\x1b]0;owned\x07title", "title"},
		"unfinished":         {"text\x1b]8;;http://evil", "text"},
		"8-bit":              {"a\u009b31mb", "ab"},
		"line ends":          {"a\nb\rc\u2028d", "a<br>b<br>c<br>d"},
		"outer lines":        {"\n\na\n", "a"},
		"override":           {"abc\u202egpj", "abc gpj"},
		"zero width":         {"pay\u200bpal", "pay pal"},
		"broken text":        {"a\xffb", "a\uFFFDb"},
		"nul":                {"a\x00b", "a b"},
		"backslash at end":   {`a\`, `a\\`},
		"escaped underscore": {`\_x_`, `\\\_x\_`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := markdownText(c.in); got != c.want {
				t.Errorf("markdownText(%q)\n got %s\nwant %s", c.in, got, c.want)
			}
		})
	}
}

func TestMarkdownCode(t *testing.T) {
	for in, want := range map[string]string{
		"Deployment/cert-manager/cert-manager": "`Deployment/cert-manager/cert-manager`",
		"a`b":                                  "a\\`b",
		"a|b":                                  "a\\|b",
		`a\b`:                                  `a\\b`,
		"<b>":                                  "&lt;b>",
		" a":                                   "a",
		"auditor@shop.example":                 "`auditor@shop.example`",
		"":                                     "",
	} {
		if got := markdownCode(in); got != want {
			t.Errorf("markdownCode(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestMarkdownLink(t *testing.T) {
	for in, want := range map[string]string{
		"https://sdk.example/docs/#level-1":  "<https://sdk.example/docs/#level-1>",
		"javascript:alert(1)":                "javascript:alert(1)",
		"https://a.example/><script>":        "https://a.example/>&lt;script>",
		"https://user:pw@host.example/@team": "https://user:pw@&#8203;host.example/@&#8203;team",
	} {
		if got := markdownLink(in); got != want {
			t.Errorf("markdownLink(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestMarkdownStart(t *testing.T) {
	for in, want := range map[string]string{
		"# title": `\# title`, "- item": `\- item`, "> quote": `\> quote`, "12. item": `12\. item`, "+ proven": `\+ proven`,
		"=== rule": `\=== rule`, "3 operators": "3 operators", "plain": "plain", "": "",
	} {
		if got := markdownStart(in); got != want {
			t.Errorf("markdownStart(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestCSVCell(t *testing.T) {
	for in, want := range map[string]string{
		"=cmd|' /C calc'!A0": "'=cmd|' /C calc'!A0", "+1": "'+1", "-1": "'-1", "@sum": "'@sum", "a\r\nb": "a b", "\t=x": "'=x", "v1": "v1", "": "",
	} {
		if got := csvCell(in); got != want {
			t.Errorf("csvCell(%q) = %q, want %q", in, got, want)
		}
	}
}

// Terminals disagree about emoji sequences. After cleaning, the width by
// runes (that of the table library) and by graphemes are the same.
func TestCleanLineHasOneWidth(t *testing.T) {
	for in, want := range map[string]string{
		"\U0001F1E9\U0001F1EA flag":                    "DE flag",
		"\u2764\ufe0f":                                 "\u2764",
		"\U0001F44D\U0001F3FD":                         "\U0001F44D",
		"\U0001F468\u200d\U0001F469\u200d\U0001F467":   "\U0001F468 \U0001F469 \U0001F467",
		"\u6570\u636e\u5e93":                           "\u6570\u636e\u5e93",
		"e\u0301\u0323":                                "e\u0301\u0323",
		"\u00a7 \u2026 \u2013 \u03b1 ambiguous widths": "\u00a7 \u2026 \u2013 \u03b1 ambiguous widths",
	} {
		got := cleanLine(in)
		if got != want {
			t.Errorf("cleanLine(%q) = %q, want %q", in, got, want)
		}
		if w, g := width(got), displaywidth.String(got); w != g {
			t.Errorf("%q is %d columns wide by runes and %d by graphemes", got, w, g)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("a|b\\|c\r\nd `e` <img src=x> @team #12")
	f.Add("\x1b[31m\u009b2J\x1b]0;x")
	f.Add("\x1b\x1b[[31m31m")
	f.Fuzz(func(t *testing.T, s string) {
		line := cleanLine(s)
		if strings.ContainsAny(line, "\x1b\u009b\n\r\t\x00") {
			t.Errorf("cleanLine(%q) = %q", s, line)
		}
		if again := cleanLine(line); again != line {
			t.Errorf("cleaned twice: %q, then %q", line, again)
		}
		for _, cell := range []string{markdownText(s), markdownCode(s)} {
			if strings.ContainsAny(cell, "\x1b\n\r") || pipes(cell) != 0 {
				t.Errorf("a cell of %q: %q", s, cell)
			}
			if strings.Contains(strings.ReplaceAll(cell, "<br>", ""), "<") {
				t.Errorf("a tag in the cell of %q: %q", s, cell)
			}
		}
	})
}

// pipes counts those that end a cell for GitHub: not behind a backslash that
// is itself not escaped.
func pipes(line string) int { return strings.Count(unescaped(line), "|") }

// unescaped is the line without what a backslash makes plain text.
func unescaped(line string) string {
	var b strings.Builder
	escaped := false
	for _, r := range line {
		switch {
		case escaped:
			escaped = false
		case r == '\\':
			escaped = true
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
