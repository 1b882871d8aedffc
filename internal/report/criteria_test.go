package report

import (
	"bytes"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/levels"
)

var someCriteria = []levels.Criterion{
	{ID: "backup-completed", Title: "A backup has succeeded", Level: 3, Scope: levels.PerCRD, Essential: true, Witness: true, Episodic: true,
		Archetypes: []string{"workload"}, Applies: "crd.children.stateful || true", NotApplicable: "Keeps no data.", Proven: "size(crd.backups.completed) > 0",
		Because: "'x'", Why: "A <backup> that never ran | is a hope.", Fix: "Run one.", Docs: "Level 3", Source: "builtin", Position: "levels/3.yaml:4"},
	{ID: "crd-in-use", Title: "In use", Scope: levels.PerOperator, Proven: "true", Because: "'x'", Source: "builtin", Position: "levels/hygiene.yaml:9"},
}

func TestCriteriaReferenceHasASectionForEachWithItsExpressions(t *testing.T) {
	var b bytes.Buffer
	if err := WriteCriteria(&b, "markdown", someCriteria, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## Level 3: Full Lifecycle", "### `backup-completed`", "Proven when: `size(crd.backups.completed) > 0`", "## Hygiene", "### `crd-in-use`",
		"Applies when: `crd.children.stateful || true`", "Otherwise: Keeps no data.", `&lt;backup> that never ran`} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, b.String())
		}
	}
}

func TestCriteriaListAndOneCriterionInEveryFormat(t *testing.T) {
	for _, format := range []string{"table", "markdown", "json", "yaml"} {
		var list, one bytes.Buffer
		if err := WriteCriteria(&list, format, someCriteria, Options{}); err != nil {
			t.Fatal(err)
		}
		if err := WriteExplainCriterion(&one, format, &someCriteria[0], Options{}); err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"list": list.String(), "one": one.String()} {
			if !strings.Contains(text, "backup-completed") || !strings.Contains(text, "A backup has succeeded") {
				t.Errorf("%s as %s lacks the criterion:\n%s", name, format, text)
			}
		}
	}
	if err := WriteCriteria(&bytes.Buffer{}, "sheet", someCriteria, Options{}); err == nil {
		t.Error("an unknown format was written")
	}
}

func TestCatalogueEntryShowsThatAClaimIsNoEvidence(t *testing.T) {
	entry := &catalogue.Operator{Name: "acme", Title: "Acme", Groups: []string{"acme.example.com"}, Domain: "toys", Archetype: "workload",
		Claimed: &catalogue.Claim{Level: 5, Name: "Auto Pilot", Source: "CSV acme.v1"}, External: []catalogue.Platform{{Platform: "Acme Cloud", Groups: []string{"cloud.acme.example.com"}}}}
	var one, list bytes.Buffer
	if err := WriteCatalogueEntry(&one, "table", entry, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := WriteCatalogue(&list, "table", []*catalogue.Operator{entry}, Options{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"acme.example.com", "Claimed level (no evidence): 5 Auto Pilot, CSV acme.v1", "Acme Cloud (shown by group cloud.acme.example.com)"} {
		if !strings.Contains(one.String(), want) {
			t.Errorf("%q is missing in:\n%s", want, one.String())
		}
	}
	if !strings.Contains(list.String(), "1 operator.") || !strings.Contains(list.String(), "toys") {
		t.Errorf("list:\n%s", list.String())
	}
}
