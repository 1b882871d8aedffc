package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/levels"
)

// shopLater is the shop a day later: cert-manager is down, an operator came,
// one went, and events can be read now.
func shopLater() *levels.Scorecard {
	sc := shop()
	sc.Taken = sc.Taken.Add(24 * time.Hour)
	sc.Coverage.Resources[0].Access = "listed"
	sc.Operators = append(sc.Operators[1:], levels.Operator{Name: "velero", Version: "v1.17.0", State: "running"})
	cm := &sc.Operators[1]
	cm.State, cm.Version, cm.Level = "down", "v1.22.0", 0
	cm.Levels[0].Status, cm.Checks[0].Verdict, cm.Checks[0].Because = levels.LevelPartial, levels.NotObserved, "Deployment/cert-manager/cert-manager: down"
	cm.CRDs[0].Ready, cm.CRDs[0].NotReady = 3, 2
	cm.Findings = append(cm.Findings, levels.Finding{ID: "cr-without-controller", Severity: "warning", Detail: "5 Certificate objects wait", Objects: []string{"Certificate/shop/www"}})
	return sc
}

func TestComparisonFormats(t *testing.T) {
	c := levels.Compare(shop(), shopLater())
	for format, extension := range map[string]string{"table": "txt", "markdown": "md", "json": "json", "yaml": "yaml"} {
		var b bytes.Buffer
		if err := WriteComparison(&b, format, c, Options{Width: 120}); err != nil {
			t.Fatal(err)
		}
		golden(t, "comparison."+format+"."+extension, b.Bytes())
	}
	if err := WriteComparison(&bytes.Buffer{}, "html", c, Options{}); err == nil || !strings.Contains(err.Error(), "known are table, markdown, json, yaml") {
		t.Errorf("an unknown format: %v", err)
	}
}

func TestComparisonOfEqualsSaysSo(t *testing.T) {
	var b bytes.Buffer
	if err := WriteComparison(&b, "table", levels.Compare(shop(), shop()), Options{}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "Nothing changed") {
		t.Errorf("%s", b.String())
	}
}

func TestComparisonCleansWhatTheClusterSays(t *testing.T) {
	var b bytes.Buffer
	if err := WriteComparison(&b, "markdown", levels.Compare(shop(), hostile()), Options{}); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"\x1b", "\u202e", "<img"} {
		if strings.Contains(b.String(), bad) {
			t.Errorf("the markdown has %q", bad)
		}
	}
}
