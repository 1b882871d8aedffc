package facts

import (
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

func (w *world) event(apiVersion, kind, reporter, reason, severity string) {
	e := corev1.Event{ObjectMeta: w.meta("shop", "e"+strings.ToLower(reason)+reporter), Reason: reason, Type: severity, ReportingController: reporter}
	e.InvolvedObject = corev1.ObjectReference{APIVersion: apiVersion, Kind: kind, Namespace: "shop", Name: "a"}
	w.s.Events = append(w.s.Events, e)
}

// TestEvents: leader election, Kubernetes itself and other operators do not count.
func TestEvents(t *testing.T) {
	w, _ := widgets()
	w.other = []attribution.Operator{{Name: "policy", Entry: &catalogue.Operator{Managers: []string{"kyverno"}}}}
	const v1 = "example.io/v1"
	w.event("coordination.k8s.io/v1", "Lease", "widget-operator", "LeaderElection", "Normal")
	w.event(v1, "Widget", "widget-controller", "LeaderElection", "Normal")
	w.event(v1, "Widget", "kubelet", "Pulled", "Normal")
	w.event(v1, "Widget", "garbage-collector-controller", "OwnerRefInvalidNamespace", "Warning")
	w.event(v1, "Widget", "kyverno-admission", "PolicyViolation", "Warning")
	w.event("other.io/v1", "Widget", "widget-controller", "Created", "Normal")
	is(t, "none", w.first().Events.Count, 0)
	w.event(v1, "Widget", "widget-controller", "Created", "Normal")
	w.event("example.io/v1beta1", "Widget", "widget-controller", "FailoverCompleted", "Warning")
	w.s.Events[len(w.s.Events)-1].ReportingController, w.s.Events[len(w.s.Events)-1].Source.Component = "", "widget-controller"
	c := w.first()
	f := c.Events
	is(t, "count", [4]int{f.Count, f.Normals, f.Warnings, c.Seen.Events}, [4]int{2, 1, 1, 2})
	equal(t, "reporters", f.Reporters, "widget-controller")
	equal(t, "failover", f.Failover, "FailoverCompleted on Widget/shop/a")
	equal(t, "healing", f.Healing, "FailoverCompleted on Widget/shop/a")
}

func alertRule(name, expr, severity, runbook string) map[string]any {
	return map[string]any{"alert": name, "expr": expr, "labels": map[string]any{"severity": severity},
		"annotations": map[string]any{"summary": "s", "runbook_url": runbook}}
}

func (w *world) rules(namespace, name string, rules ...any) *inventory.Object {
	return w.cr("PrometheusRule.monitoring.coreos.com", name, func(o *inventory.Object) {
		o.Namespace = namespace
		o.Spec = inventory.Pack(map[string]any{"groups": []any{map[string]any{"rules": rules}}})
	})
}

func TestAlerts(t *testing.T) {
	w, a := widgets()
	w.define("PrometheusRule.monitoring.coreos.com")
	down := alertRule("OperatorDown", `absent(up{job="widget-operator"})`, "critical", "")
	w.rules("shop", "owned", alertRule("WidgetDown", `widget_up == 0 and on(namespace) kube_pod_info{pod="x"} > 1`, "critical", "https://x"),
		map[string]any{"record": "a:b", "expr": "1"}).OwnerReferences = []metav1.OwnerReference{a}
	w.rules("ops", "widget-operator-rules", down, alertRule("Slow", `predict_linear(widget_lag[1h], 3600) > 5`, "warning", ""),
		alertRule("Reconciles", `rate(controller_runtime_reconcile_errors_total[5m]) > 0`, "", ""))
	w.rules("monitoring", "cluster", alertRule("Any", `node_load1 > 3`, "critical", ""))
	c := w.first()
	f := c.Alerts
	equal(t, "operator", f.ByOperator, "PrometheusRule/shop/owned")
	equal(t, "release", f.ByRelease, "PrometheusRule/ops/widget-operator-rules")
	is(t, "counts", [6]int{f.Count, f.OperandCount, f.WithSeverity, f.Critical, f.WithRunbook, f.WithSummary}, [6]int{4, 2, 3, 2, 1, 4})
	equal(t, "anomaly", f.Anomaly, "Slow")
	is(t, "seen", c.Seen.OwnedAlerts, 1)

	// An operator whose product is rules: what came with its package is none of its alerts.
	w.catalogue(catalogue.Operator{Products: []string{"PrometheusRule.monitoring.coreos.com"}})
	f = w.first().Alerts
	is(t, "product", len(f.ByOperator)+len(f.ByRelease)+f.Count, 0)
}

func TestMetricsIn(t *testing.T) {
	for expr, want := range map[string]string{
		`up == 0`: "up",
		`sum by (job) (rate(http_total{code="500 x"}[5m])) / on(a) group_left(b) foo:bar > 1e3`: "http_total foo:bar",
		`histogram_quantile(0.9, sum(x_bucket) without (le)) offset 5m unless y`:                "x_bucket y",
	} {
		if got := strings.Join(metricsIn(expr), " "); got != want {
			t.Errorf("%s: %q, want %q", expr, got, want)
		}
	}
}

// changed sets the time of the conditions' last transition.
func changed(age time.Duration) func(*inventory.Object) {
	return func(o *inventory.Object) {
		list := o.Status.At("conditions").([]any)
		for _, c := range list {
			c.(map[string]any)["lastTransitionTime"] = stamp(now.Add(-age))
		}
		with(&o.Status, "conditions", list)
	}
}

func (w *world) replicaSet(name, image string, age time.Duration) {
	rs := inventory.ReplicaSet{ObjectMeta: w.meta("ops", name)}
	rs.CreationTimestamp = ago(age)
	rs.OwnerReferences = []metav1.OwnerReference{owner(&w.s.Deployments[0])}
	rs.Spec = &corev1.PodSpec{Containers: []corev1.Container{{Name: "manager", Image: image}}}
	w.s.ReplicaSets = append(w.s.ReplicaSets, rs)
}

func TestUpgrade(t *testing.T) {
	w, a := widgets()
	set := w.statefulSet("a", a)
	start := ago(90 * time.Minute)
	w.pod("a-0", owner(set), nil).Started = &start
	late := ago(time.Minute)
	w.pod("a-1", owner(set), nil).Started = &late
	bad := w.cr(widget, "bad", conditions("Ready", "False"), changed(50*time.Minute))
	w.cr(widget, "later", conditions("Ready", "False"), changed(5*time.Minute))
	w.cr(widget, "before", conditions("Ready", "False"), changed(90*time.Minute))
	w.pod("bad-0", owner(w.statefulSet("bad", owner(bad))), nil)
	w.replicaSet("one", "x:1", 2*time.Hour)
	op := w.observe()
	is(t, "installed", op.Rollout.AfterInstall || op.CRDs[0].Upgrade.OperatorRolled, false)
	is(t, "survivors", len(op.CRDs[0].Upgrade.Survivors), 0)

	w.replicaSet("two", "x:2", time.Hour)
	op = w.observe()
	is(t, "rollout", op.Rollout, Rollout{Revisions: 2, Images: 2, Newest: stamp(now.Add(-time.Hour)), AfterInstall: true})
	f := op.CRDs[0].Upgrade
	is(t, "rolled", f.OperatorRolled, true)
	equal(t, "survivors", f.Survivors, "Pod/shop/a-0")
	equal(t, "of an instance that is not ready", f.Unjudged, "Pod/shop/bad-0")
	equal(t, "instances", f.CRSurvivors, "Widget/shop/a")
	// What broke long after the rollout, or before it, has another cause.
	equal(t, "broken", f.Broken, "Widget/shop/bad: Ready=False (R)")

	w.op.CRDs[0].State = attribution.Down
	f = w.first().Upgrade
	is(t, "nothing survives under a controller that is down", len(f.Survivors)+len(f.CRSurvivors)+len(f.Broken), 0)
	w.op.CRDs[0].State = attribution.Running
	w.access("apps", "replicasets", inventory.Forbidden)
	contains(t, "unseen", []string{w.first().Unseen["upgrade"]}, "replicasets.apps forbidden")
}

func TestArchetype(t *testing.T) {
	for _, c := range []struct {
		name, want string
		change     func(w *world)
	}{
		{"catalogue", "policy", func(w *world) { w.catalogue(catalogue.Operator{Archetype: "policy"}) }},
		{"data", "data-only", func(w *world) { w.op.CRDs[0].DataOnly = true }},
		{"children", "api-objects", func(w *world) { w.metadata("ConfigMap", "shop", "x", owned(owner(&w.s.CustomResources[0]))) }},
		{"cloud identity", "external", func(w *world) {
			w.metadata("ServiceAccount", "ops", "widget-operator", func(o *inventory.Object) {
				o.Annotations = map[string]string{"eks.amazonaws.com/role-arn": ""}
			})
		}},
		{"external id", "external", func(w *world) { w.s.CustomResources[0].Status = inventory.Pack(map[string]any{"arn": "arn:aws:x"}) }},
		{"rights on workloads", "workload", func(w *world) { w.grant("r", rule("apps", "statefulsets", "create,update")) }},
		{"rights on Secrets", "api-objects", func(w *world) { w.grant("r", rule("", "secrets", "create,update")) }},
		{"rights by stars tell nothing", "workload", func(w *world) { w.grant("r", rule("*", "*", "*")) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, _ := widgets()
			c.change(w)
			op := w.observe()
			is(t, "archetype", op.Archetype, c.want)
			is(t, "a reason", op.ArchetypeWhy != "", true)
		})
	}
}

// TestScaffold: an operator with every right and no behaviour shows nothing.
func TestScaffold(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.grant("everything", rule("*", "*", "*"))
	op := w.observe()
	is(t, "all", op.RBAC.All, true)
	is(t, "writes", len(op.RBAC.Writes)+len(op.Seen.Writes), 0)
	r := op.RBAC
	is(t, "purposes", r.WritesWorkloads || r.WritesPDBs || r.WritesAutoscalers || r.WritesRules || r.EventsOutsideElection || r.CreatesCRDs, false)
	c := op.CRDs[0]
	is(t, "rights", c.Controller.Status || c.Controller.Write, false)
	is(t, "by wildcard", c.Controller.ByWildcard, true)
	seen := c.Seen
	seen.Examples = nil
	if len(c.Seen.Examples) > 0 || slices.Max([]int{seen.Instances, seen.Children, seen.Events, seen.OwnedPDBs}) > 0 {
		t.Errorf("seen: %+v", c.Seen)
	}
}

// TestExternal: field-cases D6. What runs outside the cluster cannot be looked
// into, and is not missing.
func TestExternal(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.s.Deployments = nil
	w.op.External = "EKS Auto Mode"
	w.op.CRDs[0].State, w.op.CRDs[0].Controllers = attribution.External, nil
	w.cr(widget, "a", ready, writtenBy("widget/status"))
	op := w.observe()
	is(t, "state", op.Controllers.State, "external")
	is(t, "known", op.Unseen["controllers"], "")
	for _, facet := range []string{"pod", "metrics", "rbac", "leader", "rollout"} {
		is(t, facet, op.Unseen[facet], "EKS Auto Mode: the controller runs outside the cluster")
	}
	is(t, "gone", op.CRDs[0].Reconciled.Gone, false)
	is(t, "its instances are seen", op.CRDs[0].Instances.Ready, 1)
}

// TestStarWithinTheOwnGroup: "*" among the resources of a group that the rule
// names speaks of that group (Gatekeeper); a "*" group speaks of none.
func TestStarWithinTheOwnGroup(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.grant("own", rule("example.io", "*", "get,list,watch,update"))
	c := w.observe().CRDs[0].Controller
	is(t, "watch, write, status", c.Watch && c.Write && c.Status, true)
	is(t, "by wildcard", c.ByWildcard, false)
}
