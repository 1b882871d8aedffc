package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/review"
)

// JSONDocument is a kind of JSON that the program writes.
type JSONDocument struct {
	// Kind is the value of its field kind.
	Kind string
	// From are the commands that write it.
	From string
	// Value is a value of its Go type, of which only the type counts.
	Value any
}

// JSONDocuments are the kinds of JSON that reports are written as. Their
// schemas are made from the types.
func JSONDocuments() []JSONDocument {
	return []JSONDocument{
		{"Scorecard", "`scan -o json`", levels.Scorecard{}},
		{"FleetScorecard", "`scan --contexts … -o json` and `fleet … -o json`", levels.FleetScorecard{}},
		{"CRDList", "`crds -o json`", crdList{}},
		{"Comparison", "`diff -o json`", levels.Comparison{}},
		{"ReviewRecord", "`review -o json`", review.Record{}},
	}
}

func writeScorecardJSON(w io.Writer, sc *levels.Scorecard, _ Options) error { return writeJSON(w, sc) }

func writeScorecardYAML(w io.Writer, sc *levels.Scorecard, _ Options) error { return writeYAML(w, sc) }

// writeJSON writes v indented. "<" and "&" stay readable: this is no HTML.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return fmt.Errorf("encoding %T as JSON: %w", v, err)
	}
	return writeAll(w, b.Bytes())
}

// writeYAML writes the structure of the JSON as YAML.
func writeYAML(w io.Writer, v any) error {
	b, err := asYAML(v)
	if err != nil {
		return fmt.Errorf("encoding %T as YAML: %w", v, err)
	}
	return writeAll(w, b)
}

// asYAML takes texts with any character in them: a name from a file may have
// one that YAML refuses.
func asYAML(v any) ([]byte, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return yaml.JSONToYAML(notForYAML.ReplaceAllFunc(b, asNumber))
}

// notForYAML are the characters that JSON holds as they are and YAML only
// escaped (YAML 1.2, 5.1).
var notForYAML = regexp.MustCompile(`[\x7f-\x{84}\x{86}-\x{9f}\x{feff}\x{fffe}\x{ffff}]`)

func asNumber(character []byte) []byte {
	r, _ := utf8.DecodeRune(character)
	return fmt.Appendf(nil, `\u%04x`, r)
}

func writeAll(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
