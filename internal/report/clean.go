package report

import (
	"regexp"
	"strings"
	"unicode"
)

// escapes are terminal control sequences, in their 7-bit and 8-bit forms:
// CSI, then the strings OSC, DCS, SOS, PM and APC, then the short ones.
var escapes = regexp.MustCompile(`(?s)(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]?` +
	`|(?:\x1b[\]PX^_]|[\x{9d}\x{90}\x{98}\x{9e}\x{9f}])[^\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})?` +
	`|\x1b[ -/]*[0-~]?`)

// cleanLine makes one line of visible text: no control sequence, no control or
// formatting character (they hide or reorder text), no run of spaces.
//
// What terminals disagree about in width is put into a form they agree on, so
// that columns line up: flags become their two letters, and variation
// selectors and skin tones go.
func cleanLine(s string) string {
	if isClean(s) {
		return s
	}
	s = escapes.ReplaceAllString(strings.ToValidUTF8(s, "\uFFFD"), "")
	s = strings.Map(visible, s)
	return strings.Join(strings.Fields(s), " ")
}

// isClean: printable ASCII with single spaces inside, which most text is.
func isClean(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' || s[i] == ' ' && (i == 0 || i == len(s)-1 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

func visible(r rune) rune {
	switch {
	case r >= 0x1F1E6 && r <= 0x1F1FF: // regional indicators
		return 'A' + r - 0x1F1E6
	case r >= 0x1F3FB && r <= 0x1F3FF, unicode.Is(unicode.Variation_Selector, r):
		return -1
	case unicode.IsControl(r), unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.Noncharacter_Code_Point): // XML has no noncharacters
		return ' '
	}
	return r
}

// lineBreaks turns every kind of line end into "\n".
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")

// markdownSpecial escapes everything that GitHub-flavoured markdown would act
// on inside a cell. One pass, so nothing is escaped twice.
var markdownSpecial = strings.NewReplacer(
	`\`, `\\`, `|`, `\|`, `&`, `&amp;`, `<`, `&lt;`, "\n", "<br>",
	"`", "\\`", `*`, `\*`, `[`, `\[`, `]`, `\]`, `~`, `\~`, `$`, `\$`,
)

// mention finds what GitHub links on its own: @name, #123, GH-123.
var mention = regexp.MustCompile(`(?i)(@)([a-z0-9])|(#)([0-9])|\b(GH-)([0-9])`)

// underscores escapes those that may be emphasis: at the edge of a word.
// Inside a word they are only text, and names stay readable.
func underscores(s string) string {
	if !strings.Contains(s, "_") {
		return s
	}
	runes := []rune(s)
	var b strings.Builder
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && runes[end] == '_' {
			end++
		}
		if end == i {
			b.WriteRune(runes[i])
			i++
			continue
		}
		inside := i > 0 && end < len(runes) && inWord(runes[i-1]) && inWord(runes[end])
		for ; i < end; i++ {
			if !inside {
				b.WriteByte('\\')
			}
			b.WriteByte('_')
		}
	}
	return b.String()
}

func inWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// markdownText makes text harmless in GitHub-flavoured markdown, in a table
// cell or outside one. The order matters (field case J1): control sequences go
// first, then what is special is escaped, then line ends become <br>, then what
// GitHub would link is broken by a zero-width space.
func markdownText(s string) string {
	if !isClean(s) {
		lines := strings.Split(lineBreaks.Replace(s), "\n")
		for i := range lines {
			lines[i] = cleanLine(lines[i])
		}
		s = strings.Trim(strings.Join(lines, "\n"), "\n")
	}
	s = markdownSpecial.Replace(s)
	s = underscores(s)
	if !strings.ContainsAny(s, "@#-") {
		return s
	}
	return mention.ReplaceAllString(s, "$1$3$5&#8203;$2$4$6")
}

// codeSafe is what a code span shows unchanged, in a table too: no backtick,
// pipe or backslash, which have no escape there.
var codeSafe = regexp.MustCompile(`^[A-Za-z0-9_./:@*(]([A-Za-z0-9_./:@*()\[\]{}#=+,;'"%$?!~ -]*[A-Za-z0-9_./:@*()\]}#=+?!-])?$`)

// markdownCode makes a code span where that is safe, else escaped text.
func markdownCode(s string) string {
	if c := cleanLine(s); c == s && codeSafe.MatchString(c) {
		return "`" + c + "`"
	}
	return markdownText(s)
}

// markdownExpression is a code span whatever is in it: its fence is longer than
// the longest run of backticks inside. In a table a pipe would still split the
// cell, so it does not belong there.
func markdownExpression(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if s = cleanLine(s); strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

// address is a link that is sure to be nothing else.
var address = regexp.MustCompile(`^https?://[A-Za-z0-9][A-Za-z0-9._~/%?#=&+:-]*$`)

func markdownLink(s string) string {
	if address.MatchString(s) {
		return "<" + s + ">"
	}
	return markdownText(s)
}

// slug is a heading that is its own anchor.
var slug = regexp.MustCompile(`^[a-z0-9-]+$`)

// markdownJump links to a heading that is just this name.
func markdownJump(s string) string {
	if slug.MatchString(s) {
		return "[`" + s + "`](#" + s + ")"
	}
	return markdownCode(s)
}

// blockStart finds what begins a heading, a list, a quote or a rule.
var blockStart = regexp.MustCompile(`^([#+=>-]|[0-9]{1,9}[.)])`)

// markdownStart keeps the first character of a line from beginning a block.
func markdownStart(s string) string {
	m := blockStart.FindString(s)
	if m == "" {
		return s
	}
	return s[:len(m)-1] + `\` + s[len(m)-1:]
}

// csvCell makes text harmless in a spreadsheet, which runs what looks like a
// formula.
func csvCell(s string) string {
	s = cleanLine(s)
	if s != "" && strings.ContainsRune("=+-@", rune(s[0])) {
		return "'" + s
	}
	return s
}
