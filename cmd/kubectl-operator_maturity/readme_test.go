package main

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/report"
)

const demoBegin, demoEnd = "<!-- demo -->\n", "<!-- /demo -->\n"

// TestREADMEShowsWhatTheDemoPrints keeps the picture of the output true; with
// UPDATE_GOLDEN=1 it draws it again.
func TestREADMEShowsWhatTheDemoPrints(t *testing.T) {
	snapshot, err := readDemo()
	if err != nil {
		t.Fatal(err)
	}
	scorecard, err := (&knowledgeFlags{}).score(snapshot)
	if err != nil {
		t.Fatal(err)
	}
	var table bytes.Buffer
	if err := report.Write(&table, "table", scorecard, report.Options{Command: displayName}); err != nil {
		t.Fatal(err)
	}
	want := demoBegin + "```\n" + table.String() + "```\n" + demoEnd

	const name = "../../README.md"
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(raw), demoBegin)
	_, after, ended := strings.Cut(rest, demoEnd)
	if !found || !ended {
		t.Fatalf("%s has no place for the demo: %q and %q", name, demoBegin, demoEnd)
	}
	if strings.Contains(string(raw), want) {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") == "" {
		t.Fatalf("%s does not show what scan --demo prints; run: make golden", name)
	}
	if err := os.WriteFile(name, []byte(before+want+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
