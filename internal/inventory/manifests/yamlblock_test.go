package manifests

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"sigs.k8s.io/yaml"
)

// asLibrary fails if a text that is read without the library is read as
// something else than the library reads. It tells whether it was read so.
func asLibrary(t *testing.T, text []byte) bool {
	t.Helper()
	got, ok := blockToJSON(text, &scalars{}, nil)
	if !ok {
		return false
	}
	want, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatalf("%q: read as %s; the library: %v", text, got, err)
	}
	if !reflect.DeepEqual(values(t, got), values(t, want)) {
		t.Fatalf("%q: got  %s\nwant %s", text, got, want)
	}
	return true
}

func values(t *testing.T, raw []byte) (v any) {
	t.Helper()
	in := json.NewDecoder(bytes.NewReader(raw))
	in.UseNumber()
	if err := in.Decode(&v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

var blockCases = []string{
	"a: b\n", "a: b", "a:\n  b: c\n  d:\n  - e\n  - f: g\n    h: i\nj: k\n", "a:\nb:\n", "a:\n- b\n-\n- - c\n  - d\n-   e: f\n    g: h\n",
	"a: {}\nb: []\n", "a: 1\nb: -1\nc: 1.10\nd: 1e3\ne: 0x1F\nf: 010\ng: 10.0.0.1\nh: 2026-01-01\ni: 2026-01-01T00:00:00Z\nj: 1_000\nk: 0o7\nl: 9007199254740993\nm: 1:30\nq: .5\no: +1\np: 12345678901234567890\n",
	"a: yes\nb: No\nc: true\nd: null\ne: ~\nf: y\ng: Truely\nj: <<\nk: =\nl: off\n",
	"a: it's\nb: 'it''s'\nc: \"tab\\t quote\\\" \\u00e9 \\x41 \\\\\"\n", "a: 'x: y # z'\nb: x:y\nc: a#b\n",
	"a: one two\n  three\n\n  four\nb: c\n", "a: 'one two\n  three\n\n\n  four '\nb: \"one \\\n  two\n  \\ three\"\n", "a: \"x\\ \n  y\"\n",
	"a: |\n  x\n   y\n\n  z\nb: |-\n  x\n\n\nc: |+\n  x\n\n\nd: |\ne: |-\n  - x: 1\n  # no comment\nf: g\n", "a:\n- |\n  x\n- b\n", "a: |\n\n\n  x\n",
	"f:metadata:\n  f:labels:\n    .: {}\n    f:app.kubernetes.io/name: {}\n  k:{\"type\":\"Ready\"}:\n    .: {}\n", "\"a b\": c\n'd': e\n",
	"a: --flag\nb: -x\nc: /usr/bin\nd: $(A)\ne: (x)\n", "  a: b\n  c:\n    d: e\n", "\n\na: b\n\n\nc: d\n\n",
	"description: Kind if defines will\n  pod are that - from name\n  - with\ntype: object\n", "a: é“x”\n", "uid: 01000000-0000-0000-0000-000000000001\n", "b: 1\nc: 2\na: 3\nab: 4\n",
}

// otherCases are read by the library.
var otherCases = []string{
	"a: \"one \\\n\n  two\"\n",
	"a: |\n  x", "a: |\n  \ty\n", "n: a\n", "a: .inf\n", "a: .nan\n",
	"a: &x b\nc: *x\n", "a: !!str 1\n", "a: {b: c}\n", "a: [1]\n", "# x\na: b\n", "a: b # x\n", "a: >\n  x\n", "? a\n: b\n", "a: b\na: c\n", "<<: {a: b}\n",
	"1: a\n", "true: a\n", "a:\tb\n", "a: b\r\n", "a: b\n c: d\n", "a: b: c\n", "a:\n  b: c\n d: e\n", "- a\n", "a", "a: |2\n   x\n", "a: 'x", "a: \"\\q\"\n", "a: x\u0085y\n", "a: 'x' y\n", "a: @x\n", "a:\n  text\n",
	"a: \"x\n\"\n", "a: -\n", "a: - b\n", "a: |\n   \n  x\n", "a: |\n    x\n  y\nb: c\n", "a: \x01\n", "a: \"\\ud800\"\n", "? a\n", "a: ? b\n", ": a\n", "--- \na: b\n", "\ufeffa: b\n", "a : b\n",
}

func TestBlockIsWhatTheLibraryReads(t *testing.T) {
	for _, text := range blockCases {
		if !asLibrary(t, []byte(text)) {
			t.Errorf("%q is left to the library", text)
		}
	}
	for _, text := range otherCases {
		asLibrary(t, []byte(text))
	}
}

func FuzzBlockIsWhatTheLibraryReads(f *testing.F) {
	for _, text := range append(blockCases, otherCases...) {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { asLibrary(t, text) })
}
