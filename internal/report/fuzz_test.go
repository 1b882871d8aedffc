package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/levels"
)

// said are texts that a cluster may hold and that once broke a report, here
// or elsewhere (field case J1). They are the seeds of the targets below.
var said = []string{
	"word", nasty, "a|b\\|c\r\nd `e` <img src=x> @team #12", "\x1b[31m\u009b2J\x1b]0;x", script, "`` ` ``", "1. a\n- b\n# c\n---\n", "    x", "~~~\n```\n",
	"=HYPERLINK(\"x\")", "+1", "-1", "@a", "\t=1", "a\",\"=1", "{{ . }}", "<!-- -->", "](x)", "![a](b)", "[a]: http://x", "www.x.io https://x.io a@b.io", "&lt;", "\\", "*_~$", "\u202e\u2066",
	"a\nHTTP 200\n# TYPE x counter\nx{a=\"b\"} 1", "---\nkind: x", "]]>", "\xff\xfe", "$x$", "|---|", "\ufeff\ufffe\uffff\x7f\u0085\u2028\u0000",
}

// spoiled is a small scorecard with said in each string that a cluster fills.
func spoiled(text string) *levels.Scorecard {
	sc := shop()
	sc.Operators = sc.Operators[2:3]
	op := &sc.Operators[0]
	op.Checks, op.CRDs = op.Checks[:min(8, len(op.Checks))], op.CRDs[:min(2, len(op.CRDs))]
	spoil(reflect.ValueOf(sc).Elem(), text)
	return sc
}

// fuzzText runs a target on texts that a message can have once it is read:
// valid, and not long.
func fuzzText(f *testing.F, check func(*testing.T, string)) {
	for _, s := range said {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) <= 120 {
			check(t, s)
		}
	})
}

type proseWriter func(w io.Writer, format string, sc *levels.Scorecard) error

var proseWriters = []proseWriter{
	func(w io.Writer, f string, sc *levels.Scorecard) error {
		return Write(w, f, sc, Options{Verbose: true})
	},
	func(w io.Writer, f string, sc *levels.Scorecard) error {
		return WriteCRDs(w, f, sc, CRDFilter{}, Options{})
	},
	func(w io.Writer, f string, sc *levels.Scorecard) error {
		return WriteExplainOperator(w, f, sc, sc.Operators[0].Name, Options{})
	},
	func(w io.Writer, f string, sc *levels.Scorecard) error {
		return WriteExplainCRD(w, f, sc, sc.Operators[0].CRDs[0].Name, Options{})
	},
}

func written(t *testing.T, write proseWriter, format string, sc *levels.Scorecard) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(&b, format, sc); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FuzzMarkdown holds that no text of a cluster changes what a markdown report
// is made of, for a parser that reads as GitHub does.
func FuzzMarkdown(f *testing.F) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	structure := func(t *testing.T, write proseWriter, s string) ([]string, []byte) {
		out := written(t, write, "markdown", spoiled(s))
		return blocks(t, parser.Parse(gmtext.NewReader(out)), out), out
	}
	var want [][]string
	fuzzText(f, func(t *testing.T, s string) {
		if cleanLine(s) == "" {
			return // an empty cell, and maybe a shorter list
		}
		for i, write := range proseWriters {
			if len(want) == i {
				calm, _ := structure(t, write, "x")
				want = append(want, calm)
			}
			if got, out := structure(t, write, s); !slices.Equal(got, want[i]) {
				t.Fatalf("writer %d: %q changes the structure at block %d\n%s", i, s, firstDifference(got, want[i]), out)
			}
		}
	})
}

// blocks are the kinds of the blocks, in order. Nothing inline may be more
// than text: no markup, no picture, no address behind other words.
func blocks(t *testing.T, root ast.Node, source []byte) []string {
	var list []string
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML:
			if tag := string(n.Segments.Value(source)); tag != "<br>" {
				t.Errorf("markup %q", tag)
			}
		case *ast.Image:
			t.Errorf("a picture %q", n.Destination)
		case *ast.Link:
			if !strings.HasPrefix(string(n.Destination), "#") {
				t.Errorf("a link to %q", n.Destination)
			}
		}
		if n.Type() != ast.TypeInline {
			list = append(list, n.Kind().String())
		}
		return ast.WalkContinue, nil
	})
	return list
}

func firstDifference(a, b []string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

// FuzzHTML holds the same of the page, as a browser parses it.
func FuzzHTML(f *testing.F) {
	var want []string
	fuzzText(f, func(t *testing.T, s string) {
		if cleanLine(s) == "" {
			return
		}
		if want == nil {
			calm, _ := htmlPageOf(t, spoiled("x"))
			want = elements(calm)
		}
		page, raw := htmlPageOf(t, spoiled(s))
		if got := elements(page); !slices.Equal(got, want) {
			i := firstDifference(got, want)
			t.Fatalf("%q changes the page at element %d: %v, not %v", s, i, got[i:min(len(got), i+3)], want[i:min(len(want), i+3)])
		}
		for _, r := range "\u202e\u2066\x1b\x00\r" {
			if bytes.ContainsRune(raw, r) {
				t.Errorf("the page has the character %U", r)
			}
		}
	})
}

// elements are the elements with the names of their attributes. Where a link
// leads is told by TestHTMLHasARowAndASectionForEachOperator.
func elements(p page) []string {
	var list []string
	for _, n := range p.find(func(n *html.Node) bool { return n.Data != "span" }) { // a line of text is cut into spans by what it says
		e := n.Data
		for _, a := range n.Attr {
			e += " " + a.Key
			if a.Key == "href" && !strings.HasPrefix(a.Val, "#") {
				e += "=" + a.Val
			}
		}
		list = append(list, e)
	}
	return list
}

// FuzzTables holds that a table for a terminal has no control character, and
// that a spreadsheet finds as many cells in each row, and no formula.
func FuzzTables(f *testing.F) {
	fuzzText(f, func(t *testing.T, s string) {
		sc := spoiled(s)
		for i, write := range proseWriters {
			for _, format := range []string{"table", "wide", "csv"}[:3-i/2*2] {
				out := written(t, write, format, sc)
				if !utf8.Valid(out) {
					t.Errorf("%s %d is not UTF-8", format, i)
				}
				for _, r := range string(out) {
					if r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 {
						t.Fatalf("%s %d has the character %U of %q", format, i, r, s)
					}
				}
				if format == "csv" {
					safeCells(t, out)
				}
			}
		}
	})
}

func safeCells(t *testing.T, out []byte) {
	rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll() // refuses rows of another length
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a cell begins a formula: %q", cell)
			}
		}
	}
}

// FuzzMachine holds that each format for machines can be read as what it is.
func FuzzMachine(f *testing.F) {
	fuzzText(f, func(t *testing.T, s string) {
		sc := spoiled(s)
		for format, read := range map[string]func([]byte) error{
			"json":         func(b []byte) error { return json.Unmarshal(b, &levels.Scorecard{}) },
			"sarif":        func(b []byte) error { return json.Unmarshal(b, &map[string]any{}) },
			"yaml":         func(b []byte) error { return yaml.UnmarshalStrict(b, &levels.Scorecard{}) },
			"policyreport": func(b []byte) error { return yaml.Unmarshal(b, &map[string]any{}) },
			"openreports":  func(b []byte) error { return yaml.Unmarshal(b, &map[string]any{}) },
			"junit":        readXML,
			"prometheus": func(b []byte) error {
				parser := expfmt.NewTextParser(model.UTF8Validation)
				_, err := parser.TextToMetricFamilies(bytes.NewReader(b))
				return err
			},
		} {
			out := written(t, proseWriters[0], format, sc)
			if err := read(out); err != nil {
				t.Errorf("%s: %v\n%s", format, err, out)
			}
		}
	})
}

func readXML(b []byte) error {
	d := xml.NewDecoder(bytes.NewReader(b))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}
