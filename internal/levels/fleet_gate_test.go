package levels_test

import (
	"testing"

	"kubectl-operator-maturity/internal/levels"
)

func gate(t *testing.T, config string) levels.Gate {
	t.Helper()
	c, err := levels.ParseConfig("gates.yaml", []byte(config))
	if err != nil {
		t.Fatal(err)
	}
	return c.Gate
}

// Each cluster is judged as if it were alone, and named.
func TestFleetGateNamesTheCluster(t *testing.T) {
	f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(at(3, 3, 3))), on("b\x1b[31m", "2", card(at(1, 1, 1))), on("c", "3", card()), on("d", "4", unreadable(card(), "pods", "forbidden")), dead("e")})
	j := gate(t, "minLevel: 2\nminLevels: [{operator: shop, level: 3}]").JudgeFleet(f, nil)
	for _, want := range []string{"b: shop has proven level 1, 3 is asked for", "c: operator shop is not on this cluster", "d: operator shop was not found, and may be there all the same: pods forbidden"} {
		if !has(j.Violations, want) {
			t.Errorf("no %q in %q", want, j.Violations)
		}
	}
	if len(j.Violations) != 3 || has(j.Violations, "\x1b") {
		t.Errorf("violations %q", j.Violations)
	}
}

func TestFleetExceptions(t *testing.T) {
	const config = `minLevel: 2
exceptions:
  - {operator: shop, cluster: b, id: min-level, reason: small, expires: 2026-12-31}
  - {operator: shop, cluster: uid-c, id: min-level, reason: small, expires: 2026-12-31}
  - {operator: shop, cluster: elsewhere, id: min-level, reason: other, expires: 2026-12-31}
  - {operator: never, id: min-level, reason: none, expires: 2026-12-31}
`
	low := func() *levels.Scorecard { return card(at(1, 1, 1)) }
	f := levels.NewFleet([]levels.FleetCluster{on("a", "uid-a", low()), on("b", "uid-b", low()), on("c", "uid-c", low())})
	j := gate(t, config).JudgeFleet(f, nil)
	if len(j.Violations) != 1 || !has(j.Violations, "a: shop has proven level 1") || len(j.Excused) != 2 || !has(j.Excused, "b: shop") || !has(j.Excused, "c: shop") {
		t.Errorf("violations %q, excused %q", j.Violations, j.Excused)
	}
	if len(j.Notes) != 1 || !has(j.Notes, "gates.yaml:6: the exception for never, min-level excuses nothing: take it out") {
		t.Errorf("notes %q; want one, and none of a cluster that was not scanned", j.Notes)
	}
	blind := levels.NewFleet([]levels.FleetCluster{on("b", "uid-b", low()), dead("x")})
	if j := gate(t, config).JudgeFleet(blind, nil); len(j.Notes) != 0 {
		t.Errorf("with a cluster that was not read, nobody knows what it needs: %q", j.Notes)
	}
	alone := low()
	alone.Source.Context = "b"
	if j := gate(t, config).Judge(alone, nil); len(j.Violations) != 0 || len(j.Excused) != 1 {
		t.Errorf("alone, b is judged as %+v", j)
	}
}

// A baseline goes by the uid: contexts are renamed, and names are used again.
func TestFleetBaseline(t *testing.T) {
	low, high := func() *levels.Scorecard { return card(at(1, 1, 1)) }, func() *levels.Scorecard { return card(at(2, 2, 2)) }
	before := levels.NewFleet([]levels.FleetCluster{on("a", "1", low()), on("old name", "2", low()), on("taken", "3", low()), dead("d")})
	g := gate(t, "minLevel: 2")
	for name, c := range map[string]struct {
		now  levels.FleetCluster
		want string
		note bool
	}{
		"as before":           {on("a", "1", low()), "", false},
		"renamed":             {on("new name", "2", low()), "", false},
		"another of the name": {on("taken", "9", low()), "taken: shop has proven level 1", true},
		"was not read then":   {on("d", "4", low()), "d: shop has proven level 1", true},
		"better":              {on("a", "1", high()), "", false},
	} {
		j := g.JudgeFleet(levels.NewFleet([]levels.FleetCluster{c.now}), before)
		if (len(j.Violations) > 0) != (c.want != "") || c.want != "" && !has(j.Violations, c.want) || has(j.Notes, "is not in the baseline") != c.note {
			t.Errorf("%s: violations %q, notes %q", name, j.Violations, j.Notes)
		}
	}
}
