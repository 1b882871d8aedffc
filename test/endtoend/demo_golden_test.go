package endtoend

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

// What each format says of the demo is what stands in testdata/demo, which
// somebody has read. It is of two operators, one that is down and one without
// CRDs, of the CRD of nobody and of the shared API: the whole is 5 MB, which
// nobody reads.
func TestDemoGolden(t *testing.T) {
	sc := score(t, demoSnapshot(t))
	sc.Operators = slices.DeleteFunc(sc.Operators, func(op levels.Operator) bool {
		return op.Name != "redis-operator-ot" && op.Name != "external-dns"
	})
	for _, format := range report.Formats() {
		var b bytes.Buffer
		if err := report.Write(&b, format.Name, sc, report.Options{}); err != nil {
			t.Fatalf("%s: %v", format.Name, err)
		}
		current(t, filepath.Join("testdata", "demo", format.Name+"."+format.Extension), b.Bytes())
	}
	files, err := os.ReadDir(filepath.Join("testdata", "demo"))
	if err != nil || len(files) != len(report.Formats()) {
		t.Errorf("%d files for %d formats: %v", len(files), len(report.Formats()), err)
	}
}
