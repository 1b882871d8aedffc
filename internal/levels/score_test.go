package levels

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
)

// example is a cluster with an operator, a CRD of nobody with one object, a
// shared API and an aggregated one.
func example() (*inventory.Snapshot, *attribution.Result, []facts.Operator) {
	definition := func(plural, group, kind string) inventory.CRD {
		return inventory.CRD{
			ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group}, Group: group, Scope: apiextensionsv1.NamespaceScoped,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, Plural: plural},
			Versions: []inventory.CRDVersion{{Name: "v1beta1", Served: true, Deprecated: true}, {Name: "v1", Served: true, Storage: true, StatusSubresource: true}},
		}
	}
	taken := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	s := &inventory.Snapshot{
		Taken: taken, Source: inventory.Source{Type: "cluster", Context: "kind"},
		Access: []inventory.Access{
			{Version: "v1", Resource: "pods", Access: inventory.Forbidden, Detail: "pods is forbidden"},
			{Group: "apps", Version: "v1", Resource: "deployments", Access: inventory.Listed, Count: 1},
			{Group: "myteam.example.com", Version: "v1", Resource: "widgets", Access: inventory.Listed, Count: 1},
		},
		CRDs: []inventory.CRD{
			definition("databases", "db.example.com", "Database"), definition("backups", "db.example.com", "Backup"),
			definition("widgets", "myteam.example.com", "Widget"), definition("routes", "shared.example.com", "Route"),
		},
		CustomResources: []inventory.Object{{
			APIVersion: "myteam.example.com/v1", Kind: "Widget",
			ObjectMeta: metav1.ObjectMeta{Name: "w", Namespace: "x", Finalizers: []string{"b/b", "a/a"}},
		}},
	}
	a := &attribution.Result{
		Operators: []attribution.Operator{{
			Name: "database-operator", Confidence: attribution.High, Version: "v2",
			Entry:   &catalogue.Operator{Title: "Database Operator", Claimed: &catalogue.Claim{Level: 4, Name: "Deep Insights", Source: "CSV x", Date: "2026-01-01"}},
			Signals: []attribution.Signal{{Signal: "catalogue", Detail: "exact name"}},
			CRDs: []attribution.CRD{
				{Name: "databases.db.example.com", State: attribution.Running, Controllers: []string{"Deployment/db/operator"}, LastStatusWrite: taken, StatusManager: "operator"},
				{Name: "backups.db.example.com", State: attribution.Running},
			},
			Controllers: []attribution.Controller{{
				Workload: inventory.Workload{Kind: "Deployment", Namespace: "db", Name: "operator", Ready: 1, Desired: 1}, State: attribution.Running,
			}},
		}},
		Unattributed: []attribution.CRD{{Name: "widgets.myteam.example.com", State: attribution.Absent, Orphaned: true}},
		SharedAPIs: []attribution.SharedAPI{{
			Name: "routes-api", CRDs: []attribution.CRD{{Name: "routes.shared.example.com", State: attribution.NotNeeded}},
			Implementers: []attribution.Implementer{{Operator: "z"}, {Operator: "a", Signals: []attribution.Signal{{Signal: "rbac", Detail: "writes status"}}}},
		}},
		Aggregated: []attribution.AggregatedAPI{{Name: "v1beta1.metrics.k8s.io", Service: "kube-system/metrics-server", AvailabilityUnknown: true}},
	}
	op := operator(
		facts.CRD{
			Name: "databases.db.example.com", Group: "db.example.com", Kind: "Database",
			Reconciled: facts.Reconciled{State: "running", StatusManager: "operator"}, Seen: facts.Seen{Children: 3, Conditions: 2},
			Instances: facts.Instances{Count: 2, Complete: true, Ready: 1, NotReady: 1, WithStatus: 2, WithConditions: 2, ConditionTypes: []string{"Ready"}, Finalizers: []string{"db/f"}},
			Children: facts.Children{
				Total: 3, Valid: 2, Dangling: []string{"Pod/x/lost"},
				Kinds: []facts.ChildKind{{Group: "apps", Kind: "StatefulSet", Count: 2}, {Group: "db.example.com", Kind: "Backup", Count: 1}},
			},
		},
		facts.CRD{
			Name: "backups.db.example.com", Group: "db.example.com", Kind: "Backup", Product: true,
			Reconciled: facts.Reconciled{State: "running"}, Seen: facts.Seen{Instances: 1},
			Unseen: map[string]string{"instances": "backups.db.example.com forbidden", "children": "pods forbidden"},
		},
	)
	op.Name, op.Controllers.State = "database-operator", "running"
	op.RBAC.Writes = []string{
		"statefulsets.apps", "secrets", "events", "leases.coordination.k8s.io", "databases.db.example.com", "databases.db.example.com/status",
		"backups.db.example.com", "grafanas.integreatly.org", "widgets.myteam.example.com",
	}
	op.Metrics.Endpoints = []facts.MetricsEndpoint{{Workload: "Deployment/db/operator", Port: "metrics", Broken: "no Service"}}
	return s, a, []facts.Operator{op}
}

func TestScorecard(t *testing.T) {
	rules, err := Load(Layer{Name: Builtin, FS: os.DirFS("testdata/rules")})
	if err != nil {
		t.Fatal(err)
	}
	s, a, f := example()
	data, err := json.MarshalIndent(Score(s, a, f, rules), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "scorecard.golden.json", string(data)+"\n")
	if strings.Contains(string(data), "null") {
		t.Error("null in the output: lists must be []")
	}
}

// An operator without facts is unknown, not bad.
func TestOperatorWithoutFacts(t *testing.T) {
	rules, err := Load(Layer{Name: Builtin, FS: os.DirFS("testdata/rules")})
	if err != nil {
		t.Fatal(err)
	}
	s, a, _ := example()
	o := Score(s, a, nil, rules).Operators[0]
	for _, c := range o.Checks {
		if c.Verdict != Unknown && c.Verdict != NotApplicable {
			t.Errorf("%s is %s: %s", c.ID, c.Verdict, c.Because)
		}
	}
	if o.Level != 0 || o.State != "running" {
		t.Errorf("level %d, state %s", o.Level, o.State)
	}
}

func TestCoverageComplete(t *testing.T) {
	tests := map[string]struct {
		access []inventory.AccessState
		want   bool
	}{
		"all listed":    {[]inventory.AccessState{inventory.Listed, inventory.Absent}, true},
		"one forbidden": {[]inventory.AccessState{inventory.Listed, inventory.Forbidden}, false},
		"one partial":   {[]inventory.AccessState{inventory.Partial}, false},
		"one failed":    {[]inventory.AccessState{inventory.Failed}, false},
		"nothing asked": {nil, false},
	}
	for name, tt := range tests {
		s := &inventory.Snapshot{}
		for _, a := range tt.access {
			s.Access = append(s.Access, inventory.Access{Access: a})
		}
		if got := coverage(s).Complete; got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestConditionsColumn(t *testing.T) {
	described := facts.Schema{Present: true, HasStatus: true}
	opaque := facts.Schema{Present: true, StatusOpaque: true}
	withConditions := facts.Schema{Present: true, HasConditions: true}
	unseen := map[string]string{"instances": "forbidden"}
	tests := map[string]struct {
		crd  facts.CRD
		want string
	}{
		"on instances":          {facts.CRD{Instances: facts.Instances{WithConditions: 1}}, "observed"},
		"on some instances":     {facts.CRD{Seen: facts.Seen{Conditions: 1}, Unseen: unseen}, "observed"},
		"in the schema":         {facts.CRD{Schema: withConditions, Instances: facts.Instances{Complete: true}}, "schema"},
		"the schema has none":   {facts.CRD{Schema: described, Unseen: unseen}, "none"},
		"the schema is opaque":  {facts.CRD{Schema: opaque, Unseen: unseen}, "unknown"},
		"opaque, no instances":  {facts.CRD{Schema: opaque, Instances: facts.Instances{Complete: true}}, "unknown"},
		"opaque, none has any":  {facts.CRD{Schema: opaque, Instances: facts.Instances{Complete: true, Count: 2, WithStatus: 2}}, "none"},
		"nothing could be seen": {facts.CRD{Unseen: map[string]string{"instances": "x", "schema": "x"}}, "unknown"},
	}
	for name, tt := range tests {
		if got := conditions(&tt.crd); got != tt.want {
			t.Errorf("%s: got %s, want %s", name, got, tt.want)
		}
	}
}

// What hangs on CRDs of nobody is a finding of the cluster.
func TestFindingsOfNobody(t *testing.T) {
	rules, err := Load(Layer{Name: Builtin, FS: os.DirFS("testdata/rules")})
	if err != nil {
		t.Fatal(err)
	}
	s, a, f := example()
	stray := func(name, crd string, dangling ...string) facts.Operator {
		return facts.Operator{Name: name, CRDs: []facts.CRD{{Name: crd, Kind: crd, Instances: facts.Instances{Count: 1}, Children: facts.Children{Total: 1, Dangling: dangling}}}}
	}
	// A shared API with the name of an operator does not take its place.
	f = append(f, stray("", "widgets.myteam.example.com", "Pod/x/w"), stray("database-operator", "routes.shared.example.com", "Pod/x/r"), stray("", "fine.example.com"))
	card := Score(s, a, f, rules)
	if card.Operators[0].Level != 1 {
		t.Errorf("the operator has other facts: level %d", card.Operators[0].Level)
	}
	want := []Finding{
		{ID: "makes-children", Severity: "warning", Detail: "1 dangling owner references", Objects: []string{"Pod/x/r", "Pod/x/w"}},
		{ID: "no-dangling", Severity: "warning", Detail: "Pod/x/r point to nothing; likewise widgets.myteam.example.com", Objects: []string{"Pod/x/r", "Pod/x/w"}},
	}
	if diff := cmp.Diff(want, card.Findings); diff != "" {
		t.Error(diff)
	}
}
