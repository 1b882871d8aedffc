package report

import (
	"encoding/csv"
	"strings"
	"testing"
)

// Whatever the cluster says, no cell is a formula, and every row has as many
// cells as the head.
func TestCSVHasNoFormula(t *testing.T) {
	sc := hostile()
	sc.Operators[0].Name, sc.Operators[1].Version, sc.Operators[2].Namespace = "=cmd|' /C calc'!A0", "+1", "@SUM(1)"
	rows, err := csv.NewReader(strings.NewReader(outputs(t, sc, Options{})["csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(sc.Operators)+1 {
		t.Errorf("%d rows for %d operators", len(rows), len(sc.Operators))
	}
	for _, row := range rows {
		for _, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("a spreadsheet would run %q", cell)
			}
		}
	}
}
