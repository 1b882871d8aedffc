package levels_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/levels"
)

// The recorded cluster some 15 minutes later: what expected.json tells under
// "later" is what the comparison says, and nothing got proven that should not.
func TestCompareTellsTheStoryOfTheRecordings(t *testing.T) {
	c := levels.Compare(recording(t, "shop-cluster.json.gz"), recording(t, "shop-cluster-later.json.gz"))
	if len(c.Came)+len(c.Went) > 0 || c.OtherCluster {
		t.Errorf("operators came %v or went %v, or the cluster is another", c.Came, c.Went)
	}

	certificates := crdChange(t, c, "certificates.cert-manager.io")
	if certificates.Ready == nil || *certificates.Ready != (levels.Changed[int]{Old: 4, New: 5}) {
		t.Errorf("certificates: ready %+v, want 4 → 5", certificates.Ready)
	}
	if crd := crdChange(t, c, "backups.postgresql.cnpg.io"); crd.Instances == nil || crd.Instances.New != 1 || crd.Ready != nil {
		t.Errorf("a failed backup: %+v", crd)
	}
	if crd := crdChange(t, c, "nodepools.karpenter.sh"); crd.Instances == nil || crd.Instances.New != 1 || crd.Ready != nil {
		t.Errorf("a NodePool nobody reconciles: %+v", crd)
	}
	if eso := operatorChange(t, c, "external-secrets"); eso.State == nil || eso.State.New != "down" {
		t.Errorf("external-secrets: %+v", eso)
	}
	if !slices.ContainsFunc(c.Worse, func(w levels.Worsening) bool { return w.Operator == "external-secrets" && w.ID == "controller" }) {
		t.Errorf("worse: %q", c.Worse)
	}
	if rabbit := operatorChange(t, c, "rabbitmq-cluster-operator"); rabbit.Version == nil || rabbit.Version.New != "2.99.0" || len(rabbit.Levels) != 0 {
		t.Errorf("rabbitmq was rolled out again with its operands as they were: %+v", rabbit)
	}
	for _, o := range c.Operators {
		for _, check := range o.Checks {
			if strings.Contains(check.ID, "autoscal") && check.New == levels.Proven {
				t.Errorf("%s: a user's HPA proves %s", o.Name, check.ID)
			}
		}
	}
}

func crdChange(t *testing.T, c *levels.Comparison, name string) levels.CRDChange {
	t.Helper()
	i := slices.IndexFunc(c.CRDs, func(c levels.CRDChange) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("%s did not change", name)
	}
	return c.CRDs[i]
}

func operatorChange(t *testing.T, c *levels.Comparison, name string) levels.OperatorChange {
	t.Helper()
	i := slices.IndexFunc(c.Operators, func(o levels.OperatorChange) bool { return o.Name == name })
	if i < 0 {
		t.Fatalf("%s did not change", name)
	}
	return c.Operators[i]
}

// twoCards are a cluster and the same one in trouble.
func twoCards() (before, after *levels.Scorecard) {
	shop := func(state string, level int, status levels.Status, verdict levels.Verdict, findings ...levels.Finding) levels.Operator {
		return levels.Operator{
			Name: "shop", State: state, Level: level, Findings: findings,
			Levels: []levels.Level{{Level: 1, Name: "Basic Install", Status: status}},
			Checks: []levels.Check{{ID: "crd-has-running-controller", Level: 1, Essential: true, Verdict: verdict, Because: string(verdict)}},
			CRDs:   []levels.CRD{{Name: "shops.example.com", ControllerState: state, Instances: 2, InstancesComplete: true}},
		}
	}
	stuck := levels.Finding{ID: "finalizer-not-stuck", Severity: "critical", Detail: "stuck for 2 days", Objects: []string{"Shop/a/b: 2 days"}}
	before = &levels.Scorecard{Operators: []levels.Operator{{Name: "left"}, shop("running", 1, levels.LevelProven, levels.Proven)}}
	after = &levels.Scorecard{Operators: []levels.Operator{shop("down", 0, levels.LevelRefuted, levels.Refuted, stuck), {Name: "arrived"}}}
	return before, after
}

func TestCompare(t *testing.T) {
	before, after := twoCards()
	c := levels.Compare(before, after)
	want := []string{
		"shop: its controller was running and is down",
		"shop: level 1, Basic Install, was proven and is refuted (crd-has-running-controller)",
		"shop: crd-has-running-controller was proven and is refuted: refuted",
		"shop: new critical finalizer-not-stuck: stuck for 2 days",
	}
	var got []string
	for _, w := range c.Worse {
		got = append(got, w.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("worse:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if len(c.Came) != 1 || c.Came[0].Name != "arrived" || len(c.Went) != 1 || c.Went[0].Name != "left" {
		t.Errorf("came %v, went %v", c.Came, c.Went)
	}
	if back := levels.Compare(after, before); len(back.Worse) != 0 {
		t.Errorf("the way back is worse: %q", back.Worse)
	}
}

// What could not be looked at is neither better nor worse.
func TestCompareDoesNotTakeUnknownForWorse(t *testing.T) {
	before, after := twoCards()
	shop := &after.Operators[0]
	shop.State, shop.Findings = "unknown", nil
	shop.Levels[0].Status, shop.Checks[0].Verdict = levels.LevelUnknown, levels.Unknown
	shop.CRDs[0].Instances, shop.CRDs[0].InstancesUnseen, shop.CRDs[0].ControllerState = 0, "forbidden", "unknown"
	c := levels.Compare(before, after)
	if len(c.Worse) != 0 {
		t.Errorf("worse: %q", c.Worse)
	}
	if o := c.Operators[0]; o.Levels[0].Direction != levels.Unclear || o.Checks[0].Direction != levels.Unclear {
		t.Errorf("directions: %+v", o)
	}
	if c.CRDs[0].Instances != nil {
		t.Errorf("unseen instances are counted as gone: %+v", c.CRDs[0].Instances)
	}
}

// The words of a finding hold ages and counts: alone they are no change.
func TestCompareMatchesFindingsByTheirObjects(t *testing.T) {
	before, after := twoCards()
	before.Operators[1] = after.Operators[0]
	before.Operators[1].Findings = []levels.Finding{{ID: "finalizer-not-stuck", Severity: "critical", Detail: "stuck for 1 day", Objects: []string{"Shop/a/b: 1 day"}}}
	if c := levels.Compare(before, after); len(c.Operators) != 0 || len(c.Worse) != 0 {
		t.Errorf("the same finding, a day older, is a change: %+v", c.Operators)
	}
}

func TestCompareOfItselfIsEmpty(t *testing.T) {
	before, _ := twoCards()
	untouched, _ := twoCards()
	c := levels.Compare(before, before)
	if len(c.Came)+len(c.Went)+len(c.Operators)+len(c.CRDs)+len(c.Findings)+len(c.Coverage)+len(c.Worse) != 0 {
		t.Errorf("%+v", c)
	}
	if !reflect.DeepEqual(before, untouched) {
		t.Error("comparing changed a scorecard")
	}
	if raw, err := json.Marshal(c); err != nil || strings.Contains(string(raw), "null") {
		t.Errorf("%s, %v: lists are never null", raw, err)
	}
}
