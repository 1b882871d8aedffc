package endtoend

import (
	"bytes"
	"testing"

	"kubectl-operator-maturity/internal/report"
)

// TestCriteriaDocIsCurrent: docs/criteria.md is what `make docs` writes.
func TestCriteriaDocIsCurrent(t *testing.T) {
	var b bytes.Buffer
	if err := report.WriteCriteria(&b, "markdown", builtinRules(t).Criteria(), report.Options{}); err != nil {
		t.Fatal(err)
	}
	current(t, "../../docs/criteria.md", b.Bytes())
}
