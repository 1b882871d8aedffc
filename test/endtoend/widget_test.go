package endtoend

import (
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"kubectl-operator-maturity/internal/levels"
)

// The kinds of the test: of the Widget operator, of an operator that only has
// rights, and of nobody.
const (
	widgetCRD = "widgets.demo.example.com"
	gadgetCRD = "gadgets.scaffold.example.net"
	gizmoCRD  = "gizmos.paper.example.org"
)

// TestWidgetOperator scans a cluster before, while and after a real operator
// (test/widgetoperator) runs against it. Beside it stand an operator with every
// right that does nothing, and a CRD with a perfect schema and no operator.
func TestWidgetOperator(t *testing.T) {
	program := widgetOperator(t)
	s := newStage(t)
	manifests := filepath.Join("..", "widgetoperator", "manifests")

	s.apply(filepath.Join(manifests, "crd.yaml"), filepath.Join("testdata", "widget"))
	s.runPods("gadget-system")
	s.waitDeployment("gadget-system", "gadget-operator", 1)
	absent := s.scan()
	t.Run("not installed", func(t *testing.T) {
		crds, owner := rows(absent)
		for _, name := range []string{widgetCRD, gizmoCRD} {
			if c := crds[name]; owner[name] != "" || c.ControllerState != "absent" || !c.Orphaned {
				t.Errorf("%s is under %q and %s (orphaned: %v), want nobody's and absent", name, owner[name], c.ControllerState, c.Orphaned)
			}
		}
		f := finding(t, absent.Findings, "cr-without-controller")
		for _, name := range []string{widgetCRD, gizmoCRD} {
			if !slices.Contains(f.Objects, "customresourcedefinitions/"+name) {
				t.Errorf("the finding is about %v, want %s among them", f.Objects, name)
			}
		}
		if len(absent.Operators) != 1 {
			t.Errorf("%d operators, want gadget-operator alone", len(absent.Operators))
		}
	})

	s.apply(filepath.Join(manifests, "rbac.yaml"), filepath.Join(manifests, "operator.yaml"))
	pod := s.waitPod("widget-system")
	fresh := collect(t, s.cluster.Admin())
	t.Run("just installed", func(t *testing.T) {
		o := operator(t, score(t, fresh), "widget-operator")
		if o.State != "unknown" || !strings.Contains(o.Controllers[0].Why, "too early to tell") {
			t.Errorf("the operator is %s (%s), want unknown: it was made seconds ago", o.State, o.Controllers[0].Why)
		}
		nothingProven(t, o)
		wantVerdicts(t, o, levels.Unknown, "crd-has-running-controller")
	})
	fresh.Taken = fresh.Taken.Add(time.Hour) // the same, had nothing happened for an hour
	down := score(t, fresh)
	t.Run("installed and not ready", func(t *testing.T) {
		o := operator(t, down, "widget-operator")
		if o.State != "down" {
			t.Errorf("the operator is %s, want down", o.State)
		}
		nothingProven(t, o)
		wantVerdicts(t, o, levels.Refuted, "crd-has-running-controller", "cr-without-controller")
		wantVerdicts(t, o, levels.NotObserved, "cr-creates-managed-resources")
		finding(t, o.Findings, "cr-without-controller")
	})

	s.runPods("widget-system")
	s.waitDeployment("widget-system", "widget-operator", 2)
	ready := s.scan()
	t.Run("ready and not yet at work", func(t *testing.T) {
		o := operator(t, ready, "widget-operator")
		nothingProven(t, o)
		wantVerdicts(t, o, levels.Indicated, "crd-has-running-controller", "status-reports-readiness", "emits-custom-events")
	})

	process := s.start(program, "widget-system", "widget-operator", pod)
	s.waitWidgets("Ready=False", func(w *unstructured.Unstructured) bool { return conditionOf(w, "Ready") == "False" })
	starting := s.scan()
	t.Run("operands start", func(t *testing.T) {
		o := operator(t, starting, "widget-operator")
		crds, _ := rows(starting)
		if c := crds[widgetCRD]; c.Ready != 0 || c.NotReady != 2 {
			t.Errorf("%d Widgets ready and %d not, want 0 and 2", c.Ready, c.NotReady)
		}
		wantLevels(t, o, 1, levels.LevelProven, levels.LevelPartial, levels.LevelPartial, levels.LevelPartial, levels.LevelNotShown)
		wantVerdicts(t, o, levels.NotObserved, "waits-for-children", "status-reports-version")
	})

	s.runPods("shop")
	s.waitWidgets("Ready=True", func(w *unstructured.Unstructured) bool { return conditionOf(w, "Ready") == "True" })
	s.waitEvents("shop", "Ready", 2)
	running := s.scan()
	t.Run("running", func(t *testing.T) { widgetsRunning(t, running) })
	t.Run("the operator is what it says", func(t *testing.T) {
		metrics := process.metrics()
		for _, want := range []string{
			`widget_ready{name="front",namespace="shop"} 1\n`, `widget_ready{name="lamp",namespace="shop"} 1\n`,
			`controller_runtime_reconcile_total{controller="widget",result="success"} [1-9]`,
		} {
			if !regexp.MustCompile(want).MatchString(metrics) {
				t.Errorf("its metrics do not have %s", want)
			}
		}
		requests, err := s.cluster.Requests("system:serviceaccount:widget-system:widget-operator")
		if err != nil || len(requests) == 0 {
			t.Errorf("%d requests as its ServiceAccount were recorded: %v", len(requests), err)
		}
		for _, r := range requests {
			if r.Code == http.StatusForbidden {
				t.Errorf("its rights do not allow %s %s", r.Verb, r.URI)
			}
		}
	})

	process.kill()
	s.scale("widget-system", "widget-operator", 0)
	s.waitDeployment("widget-system", "widget-operator", 0)
	gone := s.scan()
	t.Run("gone", func(t *testing.T) { widgetsLeftBehind(t, running, gone) })

	s.deleteWidget("front")
	stuck := s.scan()
	t.Run("a Widget is deleted and stays", func(t *testing.T) {
		o := operator(t, stuck, "widget-operator")
		crds, _ := rows(stuck)
		if c := crds[widgetCRD]; c.Deleting != 1 {
			t.Errorf("%d Widgets are being deleted, want 1", c.Deleting)
		}
		f := finding(t, o.Findings, "finalizer-not-stuck")
		if !strings.Contains(f.Detail, "Widget/shop/front waits for finalizer demo.example.com/directory, whose controller is gone") {
			t.Errorf("stuck: %s", f.Detail)
		}
		nothingProven(t, o)
	})

	s.scale("widget-system", "widget-operator", 2)
	s.waitDeployment("widget-system", "widget-operator", 2)
	s.deleteLease("widget-system", "widget-operator.demo.example.com") // else the killed leader has it for 15 s more
	s.start(program, "widget-system", "widget-operator", s.waitPod("widget-system"))
	s.waitWidgets("no deletion to wait for", func(w *unstructured.Unstructured) bool { return w.GetDeletionTimestamp() == nil })
	back := s.scan()
	t.Run("back", func(t *testing.T) {
		o := operator(t, back, "widget-operator")
		wantVerdicts(t, o, levels.Proven, "crd-has-running-controller", "finalizer-not-stuck", "latent-finalizer-deadlock", "cr-without-controller")
		if o.Level != 1 {
			t.Errorf("level %d, want 1", o.Level)
		}
		directory, err := s.client.CoreV1().ConfigMaps("widget-system").Get(t.Context(), "widget-directory", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if _, there := directory.Data["shop.front"]; there || directory.Data["shop.lamp"] == "" {
			t.Errorf("the finalizer is about the directory, which holds %v", directory.Data)
		}
	})

	t.Run("promises prove nothing", func(t *testing.T) {
		for _, sc := range []*levels.Scorecard{absent, running, gone, back} {
			promisesOnly(t, sc)
		}
		old := collect(t, s.cluster.Admin())
		old.Taken = old.Taken.Add(time.Hour) // the same, had nothing happened for an hour
		sc := score(t, old)
		promisesOnly(t, sc)
		o := operator(t, sc, "gadget-operator")
		wantVerdicts(t, o, levels.NotObserved, "crd-has-running-controller", "cr-creates-managed-resources", "status-reports-readiness")
		if f := finding(t, o.Findings, "cr-gets-status"); !strings.Contains(f.Detail, "Gadget/default/first") {
			t.Errorf("the Gadget that nobody looks at: %s", f.Detail)
		}
	})
}

// widgetsRunning checks a scan while the operator runs and all Widgets are ready.
func widgetsRunning(t *testing.T, sc *levels.Scorecard) {
	o := operator(t, sc, "widget-operator")
	if o.State != "running" || o.Archetype != "workload" || o.Version != "0.1.0" || o.Identity.Confidence != "high" {
		t.Errorf("the operator is %s %s, %s, with %s confidence", o.Archetype, o.Version, o.State, o.Identity.Confidence)
	}
	if len(o.Controllers) != 1 || o.Controllers[0].Name != "widget-operator" || strings.Contains(o.Controllers[0].Why, "none of its pods") {
		t.Errorf("controllers: %+v", o.Controllers)
	}
	// What it does is a backup that it cannot restore, and no upgrade was seen.
	wantLevels(t, o, 1, levels.LevelProven, levels.LevelIndicated, levels.LevelPartial, levels.LevelPartial, levels.LevelNotShown)
	if o.LevelIndicated != 2 || o.LevelPossible != 2 {
		t.Errorf("levels %d indicated and %d possible, want 2 and 2", o.LevelIndicated, o.LevelPossible)
	}
	wantVerdicts(t, o, levels.Proven,
		"crd-has-running-controller", "cr-creates-managed-resources", "spec-configures-operand", "status-reports-readiness",
		"status-subresource", "status-conditions-live", "ready-condition-summary", "status-tracks-generation", "change-in-progress-visible", "waits-for-children",
		"operand-version-declared", "status-reports-version", "rolling-operand-strategy",
		"backup-api", "operand-liveness-probe", "operand-readiness-probe", "operand-resource-requests", "operand-pdb", "operand-scaling-api", "cr-deletion-cleans-up",
		"operator-metrics-endpoint", "emits-custom-events", "event-quality",
		"cr-without-controller", "crd-single-owner", "owner-references-set", "owner-references-valid", "no-orphans",
		"finalizer-qualified", "finalizer-not-stuck", "latent-finalizer-deadlock", "ready-but-children-not",
		"leader-election-or-single", "rbac-no-wildcards")
	wantVerdicts(t, o, levels.NotObserved,
		"operand-survived-operator-upgrade", "backup-completed", "restore-api", "operand-metrics-exposed", "operand-alerts-shipped",
		"operand-autoscaler-created", "heals-unhealthy-operand", "tunes-operand", "anomaly-alerting", "self-heals-deleted-child")
	wantVerdicts(t, o, levels.Unknown, "operator-reconcile-metrics", "operator-custom-metrics", "cr-state-metrics")
	if why := reason(o, "leader-election-or-single"); !strings.Contains(why, "Lease widget-system/widget-operator.demo.example.com is renewed") {
		t.Errorf("leader election: %s", why)
	}
	if why := reason(o, "operand-scaling-api"); strings.Contains(why, "spec.size") {
		t.Errorf("small, medium and large are no numbers of members: %s", why)
	}
	for _, f := range o.Findings {
		t.Errorf("finding %s: %s", f.ID, f.Detail)
	}

	crds, owner := rows(sc)
	c := crds[widgetCRD]
	if owner[c.Name] != o.Name || c.Instances != 2 || c.Ready != 2 || c.Conditions != "observed" || c.StatusManager != "widget-operator" {
		t.Errorf("widgets: %+v", c)
	}
	if !slices.Equal(c.Finalizers, []string{"demo.example.com/directory"}) || !slices.Equal(c.ConditionTypes, []string{"Progressing", "Ready"}) {
		t.Errorf("widgets: finalizers %v, conditions %v", c.Finalizers, c.ConditionTypes)
	}
	// A Deployment with a ReplicaSet, a Service and a ConfigMap each; three
	// pods; a budget and a CronJob.
	if r := c.OwnerReferences; r == nil || *r != (levels.OwnerReferences{Children: 13, Valid: 13}) {
		t.Errorf("owner references: %+v, want 13 children, all valid", r)
	}
}

// widgetsLeftBehind checks that what the operator was seen to do no longer
// counts when it is gone.
func widgetsLeftBehind(t *testing.T, before, sc *levels.Scorecard) {
	o := operator(t, sc, "widget-operator")
	if o.State != "down" {
		t.Errorf("the operator is %s, want down", o.State)
	}
	nothingProven(t, o)
	for _, id := range []string{"cr-creates-managed-resources", "spec-configures-operand", "status-reports-readiness", "status-tracks-generation", "status-reports-version",
		"backup-api", "operand-pdb", "operand-liveness-probe", "operator-metrics-endpoint", "emits-custom-events"} {
		c := check(t, o, id)
		if c.Verdict != levels.NotObserved || !c.Stale || check(t, operator(t, before, o.Name), id).Verdict != levels.Proven {
			t.Errorf("%s is %s (stale: %v), want not-observed and stale: %s", id, c.Verdict, c.Stale, c.Because)
		}
	}
	// Somebody scaled it to 0, so nothing is refuted.
	wantVerdicts(t, o, levels.NotObserved, "crd-has-running-controller", "installable-without-manual-input")
	wantVerdicts(t, o, levels.NotApplicable, "leader-election-or-single", "operator-ha")
	wantVerdicts(t, o, levels.Refuted, "cr-without-controller", "latent-finalizer-deadlock")
	wantVerdicts(t, o, levels.Proven, "finalizer-not-stuck", "owner-references-set") // facts, whoever runs
	finding(t, o.Findings, "cr-without-controller")
	if f := finding(t, o.Findings, "latent-finalizer-deadlock"); !strings.Contains(f.Detail, "demo.example.com/directory") {
		t.Errorf("latent deadlock: %s", f.Detail)
	}
}

// promisesOnly checks the operator that has rights and the CRD that has a schema.
func promisesOnly(t *testing.T, sc *levels.Scorecard) {
	t.Helper()
	crds, owner := rows(sc)
	o := operator(t, sc, "gadget-operator")
	if owner[gadgetCRD] != o.Name || o.State != "running" {
		t.Errorf("gadgets are under %q, which is %s", owner[gadgetCRD], o.State)
	}
	nothingProven(t, o)
	if c := crds[gizmoCRD]; owner[gizmoCRD] != "" || c.ControllerState != "absent" || c.Conditions != "schema" {
		t.Errorf("gizmos are under %q: %+v", owner[gizmoCRD], c)
	}
}

func nothingProven(t *testing.T, o *levels.Operator) {
	t.Helper()
	if o.Level != 0 {
		t.Errorf("%s is at level %d, want 0", o.Name, o.Level)
	}
	for _, l := range o.Levels {
		if l.Status == levels.LevelProven {
			t.Errorf("%s: level %d is proven", o.Name, l.Level)
		}
	}
}

func wantLevels(t *testing.T, o *levels.Operator, level int, statuses ...levels.Status) {
	t.Helper()
	if o.Level != level {
		t.Errorf("level %d, want %d", o.Level, level)
	}
	for i, want := range statuses {
		if l := o.Levels[i]; l.Status != want {
			t.Errorf("level %d is %s, want %s; blocked by %v", l.Level, l.Status, want, l.Blocking)
		}
	}
}

func wantVerdicts(t *testing.T, o *levels.Operator, want levels.Verdict, ids ...string) {
	t.Helper()
	for _, id := range ids {
		if c := check(t, o, id); c.Verdict != want {
			t.Errorf("%s %s is %s, want %s: %s", o.Name, id, c.Verdict, want, c.Because)
		}
	}
}

func check(t *testing.T, o *levels.Operator, id string) levels.Check {
	t.Helper()
	for _, c := range o.Checks {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no check %s of %s", id, o.Name)
	return levels.Check{}
}

func finding(t *testing.T, list []levels.Finding, id string) levels.Finding {
	t.Helper()
	for _, f := range list {
		if f.ID == id {
			return f
		}
	}
	t.Fatalf("no finding %s among %+v", id, list)
	return levels.Finding{}
}
