package report

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"testing"

	apiyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/levels"
)

// The enumerations of both CRDs, and what a name of an object may be.
var (
	policyResults    = []string{"pass", "fail", "warn", "error", "skip"}
	policySeverities = []string{"", "critical", "high", "low", "medium", "info"}
	dnsName          = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)
)

func TestPolicyReportsFitTheirCRDs(t *testing.T) {
	kinds := map[string][2]string{"policyreport": {"wgpolicyk8s.io/v1alpha2", "ClusterPolicyReport"}, "openreports": {"openreports.io/v1alpha1", "ClusterReport"}}
	for format, kind := range kinds {
		for name, sc := range map[string]*levels.Scorecard{"shop": shop(), "hostile": hostile(), "empty": {}} {
			reports := policyReports(t, outputs(t, sc, Options{})[format])
			if len(reports) != len(sc.Operators) {
				t.Errorf("%s of %s: %d documents for %d operators", format, name, len(reports), len(sc.Operators))
			}
			names := map[string]bool{}
			for _, r := range reports {
				if r.APIVersion != kind[0] || r.Kind != kind[1] || !dnsName.MatchString(r.Metadata.Name) || names[r.Metadata.Name] {
					t.Errorf("%s of %s: %s %s %q", format, name, r.APIVersion, r.Kind, r.Metadata.Name)
				}
				names[r.Metadata.Name] = true
				checkResults(t, r)
			}
		}
	}
}

func checkResults(t *testing.T, r policyReport) {
	t.Helper()
	s := r.Summary
	if s.Pass+s.Fail+s.Warn+s.Error+s.Skip != len(r.Results) {
		t.Errorf("%s: the summary counts other than %d results", r.Metadata.Name, len(r.Results))
	}
	for _, p := range r.Results {
		if !slices.Contains(policyResults, p.Result) || !slices.Contains(policySeverities, p.Severity) || p.Policy == "" || p.Timestamp == nil {
			t.Errorf("%s: %+v", r.Metadata.Name, p)
		}
		if p.Properties["verdict"] == "unknown" && p.Result != "error" {
			t.Errorf("%s: the unknown %s is a %s", r.Metadata.Name, p.Policy, p.Result)
		}
	}
}

func policyReports(t *testing.T, out string) []policyReport {
	t.Helper()
	var reports []policyReport
	documents := apiyaml.NewDocumentDecoder(io.NopCloser(bytes.NewBufferString(out)))
	for {
		buffer := make([]byte, 4<<20)
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return reports
		} else if err != nil {
			t.Fatal(err)
		}
		var r policyReport
		if err := yaml.UnmarshalStrict(buffer[:n], &r); err != nil {
			t.Fatal(err)
		}
		if r.Kind != "" {
			reports = append(reports, r)
		}
	}
}
