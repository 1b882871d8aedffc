package exposition

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kubectl-operator-maturity/internal/inventory"
)

func diffFamily(got, want any) string { return cmp.Diff(want, got, cmpopts.EquateEmpty()) }

func TestParse(t *testing.T) {
	got, err := Parse(strings.NewReader(`# HELP a_total Counts.
# TYPE a_total counter
a_total{code="200",name="web"} 3
a_total{code="429",name="db"} 4
a_total{code="403",name=""} NaN
# TYPE b gauge
b -2
b{x=""} -1
# TYPE h histogram
h_bucket{controller="x",le="1"} 5
h_bucket{controller="x",le="+Inf"} 7
h_sum{controller="x"} 9.5
h_count{controller="x"} 7
# TYPE s summary
s{quantile="0.5"} NaN
s_sum 1
s_count 2
loose{result="error",status="failed"} 1
{"odd name"} 1
# TYPE empty counter
last 1`)) // no line feed at the end
	if err != nil {
		t.Fatal(err)
	}
	want := []inventory.MetricFamily{
		{Name: "a_total", Type: "counter", Series: 3, Sum: 7, Max: 4, Labels: []string{"code", "name"}, Outcomes: map[string]float64{"429": 4}},
		{Name: "b", Type: "gauge", Series: 2, Sum: -3, Max: -1},
		{Name: "h", Type: "histogram", Series: 1, Sum: 7, Max: 7, Labels: []string{"controller"}},
		{Name: "last", Type: "untyped", Series: 1, Sum: 1, Max: 1},
		{Name: "loose", Type: "untyped", Series: 1, Sum: 1, Max: 1, Labels: []string{"result", "status"}, Outcomes: map[string]float64{"error": 1}},
		{Name: "s", Type: "summary", Series: 1, Sum: 2, Max: 2},
	}
	if diff := diffFamily(got, want); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		line int
	}{
		"a web page":        {"<!doctype html>\n<title>Log in</title>", 1},
		"JSON":              {`{"kind":"Status"}`, 1},
		"a broken line":     {"# TYPE a counter\na 1\na{x=} 2\n", 3},
		"prose":             {"a 1\nUnauthorized, sorry\n", 2},
		"binary":            {"\x00\x01\x02", 1},
		"an OpenMetrics id": {"# TYPE a counter\na_total 1 # {trace_id=\"x\"} 1\n", 2},
	} {
		_, err := Parse(strings.NewReader(c.in))
		syntax := (*SyntaxError)(nil)
		if !errors.As(err, &syntax) || syntax.Line != c.line {
			t.Errorf("%s: error %v, want one at line %d", name, err, c.line)
		}
	}
	for _, in := range []string{"", "\n\n", "# only a comment\n", "# TYPE a counter\n"} {
		if _, err := Parse(strings.NewReader(in)); !errors.Is(err, ErrNone) {
			t.Errorf("%q: error %v", in, err)
		}
	}
}

func TestParseIsBounded(t *testing.T) {
	if _, err := Parse(io.MultiReader(strings.NewReader("a 1\n"), endless("# a long comment that says nothing at all and does not end\n"))); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an endless text: %v", err)
	}
	var many strings.Builder
	for i := range maxFamilies + 1 {
		many.WriteString("f" + strings.Repeat("x", i%50) + string(rune('a'+i%26)) + strconv.Itoa(i) + " 1\n")
	}
	if _, err := Parse(strings.NewReader(many.String())); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many families: %v", err)
	}
}

// endless repeats a text for ever.
func endless(text string) io.Reader { return &repeated{strings.Repeat(text, 1000), 0} }

type repeated struct {
	text string
	at   int
}

func (r *repeated) Read(p []byte) (int, error) {
	n := copy(p, r.text[r.at:])
	r.at = (r.at + n) % len(r.text)
	return n, nil
}

func TestReadFolder(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	_, _ = w.Write([]byte("b_total 2\n"))
	_ = w.Close()
	fsys := fstest.MapFS{
		"widgets.prom":    {Data: []byte("a_total 1\n")},
		"gadgets.prom.gz": {Data: zipped.Bytes()},
		"broken.prom":     {Data: []byte("a_total 1\n\n<html>\n")},
		"cut.prom.gz":     {Data: []byte("no gzip")},
		"stranger.prom":   {Data: []byte("a_total 1\n")},
		"README.md":       {Data: []byte("prose")},
		".prom":           {Data: []byte("a 1\n")},
	}
	list, row := ReadFolder(fsys, []string{"widgets", "gadgets", "broken", "cut", "absent"})
	if row.Access != inventory.Partial || row.Count != 2 || row.Resource != inventory.ExpositionsResource {
		t.Errorf("row %+v", row)
	}
	for _, want := range []string{"broken.prom:3: ", "cut.prom.gz: unpacking", "no operator has the name of stranger.prom"} {
		if !strings.Contains(row.Detail, want) {
			t.Errorf("detail %q lacks %q", row.Detail, want)
		}
	}
	outcomes := map[string]inventory.ExpositionOutcome{}
	for _, e := range list {
		outcomes[e.Operator] = e.Outcome
	}
	want := map[string]inventory.ExpositionOutcome{"widgets": inventory.Served, "gadgets": inventory.Served, "broken": inventory.Unread, "cut": inventory.Unread}
	if diff := cmp.Diff(want, outcomes); diff != "" {
		t.Error(diff)
	}
	if _, row := ReadFolder(fstest.MapFS{"README.md": {}}, nil); row.Access != inventory.Failed || !strings.Contains(row.Detail, "OPERATOR.prom") {
		t.Errorf("a folder without expositions: %+v", row)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("# TYPE a counter\na{code=\"429\",name=\"x\"} 1\n"))
	f.Add([]byte("# TYPE h histogram\nh_bucket{le=\"1\"} 1\nh_sum 1e308\nh_count 18446744073709551615\n"))
	f.Add([]byte("{\"odd name\",x=\"\\n\"} NaN 5\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		families, err := Parse(bytes.NewReader(in))
		if err != nil {
			return
		}
		// Whatever is read can be written and read again.
		var first, second bytes.Buffer
		if err := inventory.Encode(&first, &inventory.Snapshot{Expositions: []inventory.Exposition{{Workload: "w", Families: families}}}); err != nil {
			t.Fatal(err)
		}
		s, err := inventory.Decode(bytes.NewReader(first.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if err := inventory.Encode(&second, s); err != nil || !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("differs: %v\n%s\n%s", err, first.Bytes(), second.Bytes())
		}
	})
}
