package report

import (
	"bytes"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/levels"
)

// nasty is in every text that a cluster could fill.
const nasty = "a|b\\|c\r\nd `e` <img src=x> @team #12 \x1b[31mred \u202e[x](javascript:alert(1)) \u6570\u636e\U0001F1E9\U0001F1EA =1+1"

// hostile is the shop with nasty in every string of the scorecard, names
// included.
func hostile() *levels.Scorecard {
	sc := shop()
	spoil(reflect.ValueOf(sc).Elem(), nasty)
	return sc
}

// words are the fields that hold one of a fixed set of words, or what others
// are found by.
var words = []string{"LastStatusWrite", "State", "ControllerState", "Conditions", "Severity", "Archetype", "Confidence", "Type", "ID", "Blocking"}

// spoil appends said to each string that is free.
func spoil(v reflect.Value, said string) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			spoil(v.Elem(), said)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !slices.Contains(words, v.Type().Field(i).Name) {
				spoil(v.Field(i), said)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			spoil(v.Index(i), said)
		}
	case reflect.String:
		if v.Type() == reflect.TypeFor[string]() && v.CanSet() {
			v.SetString(v.String() + said)
		}
	}
}

// outputs are all reports of a scorecard, by name.
func outputs(t *testing.T, sc *levels.Scorecard, o Options) map[string]string {
	t.Helper()
	all := map[string]string{}
	add := func(name string, write func(*bytes.Buffer) error) {
		var b bytes.Buffer
		if err := write(&b); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all[name] = b.String()
	}
	for _, f := range Formats() {
		add(f.Name, func(b *bytes.Buffer) error { return Write(b, f.Name, sc, o) })
	}
	for _, f := range []string{"table", "wide", "markdown", "json", "yaml", "csv"} {
		add("crds "+f, func(b *bytes.Buffer) error { return WriteCRDs(b, f, sc, CRDFilter{}, o) })
	}
	for _, f := range []string{"table", "markdown", "json", "yaml"} {
		for _, op := range sc.Operators {
			add("explain "+op.Name+" "+f, func(b *bytes.Buffer) error { return WriteExplainOperator(b, f, sc, op.Name, o) })
		}
		for _, r := range crdRows(sc) {
			add("explain "+r.Name+" "+f, func(b *bytes.Buffer) error { return WriteExplainCRD(b, f, sc, r.Name, o) })
		}
	}
	return all
}

// kindOf is the format at the end of an output's name.
func kindOf(name string) string { return name[strings.LastIndexByte(name, ' ')+1:] }

// The hostile goldens are there to be looked at: is it still a report?
func TestHostileFormats(t *testing.T) {
	sc := hostile()
	sc.Operators = sc.Operators[2:3]
	all := outputs(t, sc, Options{})
	golden(t, "hostile.table.txt", []byte(all["table"]))
	golden(t, "hostile.markdown.md", []byte(all["markdown"]))
	golden(t, "hostile-crds.csv", []byte(all["crds csv"]))
}

func TestNoEscapeWithoutColor(t *testing.T) {
	for name, out := range outputs(t, hostile(), Options{Verbose: true}) {
		if i := strings.IndexByte(out, 0x1b); i >= 0 {
			t.Errorf("%s has an escape: %q", name, out[max(0, i-60):min(len(out), i+20)])
		}
	}
}

func TestColorOnlyPaints(t *testing.T) {
	paint := regexp.MustCompile(`\x1b\[[0-9]*m`)
	plain, coloured := outputs(t, hostile(), Options{Width: 90}), outputs(t, hostile(), Options{Width: 90, Color: true})
	for name, out := range coloured {
		if got := paint.ReplaceAllString(out, ""); got != plain[name] {
			t.Errorf("%s differs without its colours:\n%s\nwant\n%s", name, got, plain[name])
		}
	}
}

var codeSpan = regexp.MustCompile("`[^`]*`")

// Every row of a markdown table has as many cells as its head, and nothing of
// what GitHub acts on is left outside code spans.
func TestMarkdownTablesAreWhole(t *testing.T) {
	forbidden := []string{"<img", "](javascript", "@team", "#12 ", "\u202e"}
	for _, sc := range []*levels.Scorecard{shop(), hostile()} {
		for name, out := range outputs(t, sc, Options{Verbose: true}) {
			if kindOf(name) != "markdown" {
				continue
			}
			head := 0
			for i, line := range strings.Split(out, "\n") {
				if !strings.HasPrefix(line, "|") {
					head = 0
				} else if n := pipes(line); head == 0 {
					head = n
				} else if n != head {
					t.Errorf("%s:%d has %d pipes, its head %d: %s", name, i+1, n, head, line)
				}
				bare := codeSpan.ReplaceAllString(unescaped(line), "")
				for _, f := range forbidden {
					if strings.Contains(bare, f) {
						t.Errorf("%s:%d has %q: %s", name, i+1, f, line)
					}
				}
			}
		}
	}
}

// Columns begin at the same place in every row, whatever the names are made of.
func TestColumnsLineUp(t *testing.T) {
	sc := shop()
	sc.Operators[0].Name = "\u6570\u636e\u5e93"
	sc.Operators[1].Name = "cafe\u0301"
	sc.Operators[2].Name = "\U0001F1E9\U0001F1EA-operator"
	sc.Operators[3].Name = "\U0001F468\u200d\U0001F469\u200d\U0001F467"
	for _, o := range []Options{{}, {Width: 40}, {Width: 80}} {
		out := outputs(t, sc, o)["table"]
		lines := strings.Split(out, "\n")[:8]
		at := width(lines[0][:strings.Index(lines[0], "L1")])
		for _, line := range lines[1:] {
			if before, _ := line, 0; width(before) > at && !columnBegins(line, at) {
				t.Errorf("width %d: no column begins at %d in %q", o.Width, at, line)
			}
		}
	}
}

// columnBegins: a space ends before column n, or the text ends there.
func columnBegins(line string, n int) bool {
	used := 0
	for i, r := range line {
		if used == n {
			return line[i-1] == ' '
		}
		used += width(string(r))
	}
	return true
}

func TestNarrowTableFits(t *testing.T) {
	for _, w := range []int{80, 100, 120} {
		var b bytes.Buffer
		if err := Write(&b, "table", shop(), Options{Width: w}); err != nil {
			t.Fatal(err)
		}
		rows, _, _ := strings.Cut(b.String(), "\n\n")
		for _, line := range strings.Split(rows, "\n") {
			if width(line) > w {
				t.Errorf("%d columns in a terminal of %d: %s", width(line), w, line)
			}
		}
	}
}
