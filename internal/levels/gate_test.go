package levels_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/levels"
)

const gates = `minLevel: 1
failOn: [critical]
exceptions:
  - operator: shop
    id: finalizer-not-stuck
    reason: the vendor knows, ticket 42
    expires: 2026-06-30
`

func judged(t *testing.T, at string, baseline *levels.Scorecard) levels.Judgement {
	t.Helper()
	c, err := levels.ParseConfig("gates.yaml", []byte(gates))
	if err != nil {
		t.Fatal(err)
	}
	_, sc := twoCards()
	if at != "" {
		if sc.Taken, err = time.Parse(time.RFC3339, at); err != nil {
			t.Fatal(err)
		}
	}
	return c.Gate.Judge(sc, baseline)
}

func has(list []string, part string) bool {
	return slices.ContainsFunc(list, func(s string) bool { return strings.Contains(s, part) })
}

// An exception holds through its last day; then what it excused counts again,
// and the report says so. A scan without a time excuses nothing.
func TestExceptionsExpire(t *testing.T) {
	for at, holds := range map[string]bool{"2026-06-30T23:59:59Z": true, "2026-07-01T00:00:00Z": false, "": false} {
		j := judged(t, at, nil)
		if has(j.Violations, "finalizer-not-stuck") == holds || has(j.Excused, "excused until 2026-06-30: the vendor knows, ticket 42") != holds {
			t.Errorf("at %q: %+v", at, j)
		}
		if has(j.Notes, "gates.yaml:4: the exception for shop, finalizer-not-stuck expired on 2026-06-30, so what it excused counts again") == holds {
			t.Errorf("at %q: notes %q", at, j.Notes)
		}
		if !has(j.Violations, "shop has proven level 0") {
			t.Errorf("at %q: an exception for one thing excused another: %q", at, j.Violations)
		}
	}
}

// With a baseline only what got worse fails.
func TestBaseline(t *testing.T) {
	before, after := twoCards()
	if j := judged(t, "2026-01-01T00:00:00Z", after); len(j.Violations) != 0 {
		t.Errorf("nothing changed: %q", j.Violations)
	}
	j := judged(t, "2026-01-01T00:00:00Z", before)
	for _, want := range []string{"shop has proven level 0", "its controller was running and is down", "is refuted"} {
		if !has(j.Violations, want) {
			t.Errorf("no %q in %q", want, j.Violations)
		}
	}
	if has(j.Violations, "finalizer-not-stuck") {
		t.Errorf("an exception holds against a baseline too: %q", j.Violations)
	}
}

func TestConfigMistakesHavePlaces(t *testing.T) {
	for text, want := range map[string]string{
		"minLevels: [{operator: a}]":                            "c.yaml:1:13: a minimum needs operator and level",
		"exceptions: [{id: a, reason: b}]":                      "c.yaml:1:14: an exception needs expires",
		"exceptions: [{id: a, reason: b, expires: 2026-02-30}]": `c.yaml:1:42: expected a date such as 2026-12-31, found "2026-02-30"`,
		"strict: perhaps":                                       "c.yaml:1:9",
		"a: [":                                                  "c.yaml:",
		"":                                                      "c.yaml: the file is empty",
		"failOn: [critical]\nfailOn: [info]":                    `c.yaml:2:1: key "failOn" given twice`,
		"exceptions:\n- {id: a, reason: b, expires: 2026-01-01, o: x}": `c.yaml:2:43: unknown key "o"`,
	} {
		if _, err := levels.ParseConfig("c.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
