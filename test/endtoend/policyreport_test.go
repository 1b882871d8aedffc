package endtoend

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/report"
	"kubectl-operator-maturity/test/testcluster"
)

// A server with the CRDs of both policy report APIs takes what is written for
// them: nothing is missing, nothing is undeclared, every value is allowed.
func TestPolicyReportsAreAcceptedByTheirCRDs(t *testing.T) {
	kyverno, err := testcluster.ReadObjects(filepath.Join(corpustest.Dir(t), "manifests", "kyverno", "crds.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	openReports, err := testcluster.ReadObjects(filepath.Join("testdata", "openreports"))
	if err != nil {
		t.Fatal(err)
	}
	var crds []*unstructured.Unstructured
	for _, crd := range kyverno {
		if crd.GetName() == "clusterpolicyreports.wgpolicyk8s.io" {
			crds = append(crds, crd)
		}
	}
	if crds = append(crds, openReports...); len(crds) != 2 {
		t.Fatalf("%d CRDs were found, want 2", len(crds))
	}
	c := testcluster.Start(t)
	applier, err := testcluster.NewApplier(c.Admin(), "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	if err := applier.Apply(t.Context(), crds...); err != nil {
		t.Fatal(err)
	}
	sc := score(t, read(t, time.Time{}, filepath.Join("..", "..", "cmd", "kubectl-operator_maturity", "demo", "snapshot.json.gz")))
	for _, format := range []string{"policyreport", "openreports"} {
		var b bytes.Buffer
		if err := report.Write(&b, format, sc, report.Options{}); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), format+".yaml")
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		reports, err := testcluster.ReadObjects(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(reports) != len(sc.Operators) || len(reports) == 0 {
			t.Errorf("%s: %d reports for %d operators", format, len(reports), len(sc.Operators))
		}
		if err := applier.Apply(t.Context(), reports...); err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}
