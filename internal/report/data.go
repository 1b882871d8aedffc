package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/levels"
)

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
	b, err := yaml.Marshal(v)
	if err != nil {
		return fmt.Errorf("encoding %T as YAML: %w", v, err)
	}
	return writeAll(w, b)
}

func writeAll(w io.Writer, b []byte) error {
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
