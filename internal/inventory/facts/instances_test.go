package facts

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

func TestInstances(t *testing.T) {
	w, _ := widgets()
	w.cr(widget, "b", conditions("Ready", "False", "Progressing", "True"), writtenBy("kubectl-client-side-apply", "widget-manager/status"))
	w.cr(widget, "c", status(map[string]any{"phase": "Upgrading", "version": "1.4.2", "resourceVersion": "77", "endpoint": "db.example.net:5432"}),
		spec(map[string]any{"version": "1.4.2"}, "version", "backup.schedule"))
	w.cr(widget, "d") // no status, two hours old
	w.cr(widget, "e", func(o *inventory.Object) { o.UID = "" })
	c := w.first()
	f := c.Instances
	is(t, "count", f.Count, 4)
	is(t, "declared", f.Declared, 1)
	is(t, "complete", f.Complete, true)
	is(t, "ready, not ready, unknown", [3]int{f.Ready, f.NotReady, f.Unknown}, [3]int{1, 2, 1})
	contains(t, "why", f.NotReadyWhy, "Widget/shop/b: Ready=False (R)")
	contains(t, "never reconciled", f.NeverReconciled, "Widget/shop/d: no status after 2 hours")
	equal(t, "types", f.ConditionTypes, "Progressing", "Ready")
	equal(t, "summary", f.SummaryTypes, "Ready")
	equal(t, "change", f.ChangeTypes, "Progressing", "Upgrading")
	contains(t, "upgrade", f.UpgradeSigns, "phase Upgrading")
	equal(t, "versions", f.ReportedVersions, "1.4.2")
	is(t, "sets version, schedules", [2]int{f.SetsVersion, f.Schedules}, [2]int{1, 1})
	is(t, "external", c.Seen.Examples["externalIDs"], "Widget/shop/c status.endpoint: db.example.net:5432")
	is(t, "seen", c.Seen.Ready, 1)
	is(t, "status manager", c.Reconciled.StatusManager, "widget-manager")
	equal(t, "writers", c.Reconciled.Writers, "widget-manager")
}

func TestUnseen(t *testing.T) {
	t.Run("forbidden", func(t *testing.T) {
		w := newWorld()
		w.crd(widget)
		w.access("example.io", "widgets", inventory.Forbidden)
		c := w.first()
		for _, facet := range []string{"instances", "children", "operand", "disruption", "autoscalers", "monitors", "backups", "upgrade"} {
			if !strings.Contains(c.Unseen[facet], "widgets.example.io forbidden") {
				t.Errorf("%s: %q", facet, c.Unseen[facet])
			}
		}
		for _, facet := range []string{"schema", "versions", "rights", "events"} {
			is(t, facet, c.Unseen[facet], "")
		}
	})
	t.Run("sampled", func(t *testing.T) {
		w, _ := widgets()
		w.access("example.io", "widgets", inventory.Partial)
		c := w.first()
		contains(t, "why", []string{c.Unseen["instances"]}, "in part")
		is(t, "lower bound", c.Seen.Ready, 1)
		is(t, "the sample stays", c.Instances.Count, 1)
		is(t, "complete", c.Instances.Complete, false)
	})
	t.Run("no instances need no children", func(t *testing.T) {
		w := newWorld()
		w.crd(widget)
		w.access("", "configmaps", inventory.Forbidden)
		w.access("", "pods", inventory.Forbidden)
		c := w.first()
		is(t, "children", c.Unseen["children"], "")
		is(t, "operand", c.Unseen["operand"], "")
		w.cr(widget, "a", ready)
		c = w.first()
		contains(t, "children", []string{c.Unseen["children"]}, "configmaps forbidden")
		contains(t, "operand", []string{c.Unseen["operand"]}, "pods forbidden")
	})
	t.Run("always", func(t *testing.T) {
		w, _ := widgets()
		op := w.observe()
		is(t, "samples", op.Unseen["samples"], "not asked for: --metrics")
		is(t, "secrets", op.CRDs[0].Unseen["secretChildren"], "Secrets are never read unless asked for")
	})
	t.Run("a unreadable kind empties its facet alone", func(t *testing.T) {
		w, ref := widgets()
		w.metadata("ConfigMap", "shop", "a", owned(ref))
		w.access("", "events", inventory.Forbidden)
		w.access("policy", "poddisruptionbudgets", inventory.Failed)
		c := w.first()
		is(t, "events", c.Unseen["events"] != "", true)
		is(t, "disruption", c.Unseen["disruption"] != "", true)
		is(t, "autoscalers", c.Unseen["autoscalers"], "")
		is(t, "lower bound of children", c.Seen.Children, 1)
		is(t, "unseen children are zero", c.Children.Total, 0)
	})
	t.Run("discovery only", func(t *testing.T) {
		w := newWorld()
		w.crd(widget, func(c *inventory.CRD) { c.DiscoveryOnly = true })
		c := w.first()
		is(t, "schema", c.Unseen["schema"] != "" && c.Unseen["versions"] != "", true)
	})
	t.Run("files", func(t *testing.T) {
		w, _ := widgets()
		w.s.Source.Type, w.s.Access = "files", nil
		op := w.observe()
		is(t, "events", op.CRDs[0].Unseen["events"] != "" && op.CRDs[0].Unseen["children"] != "", true)
		is(t, "schema", op.CRDs[0].Unseen["schema"], "")
		is(t, "a controller that was found is known", op.Unseen["controllers"]+op.Unseen["pod"], "")
	})
}

// TestFinalizers: field-cases G1, G2, G4.
func TestFinalizers(t *testing.T) {
	gone := func(o *inventory.Object) { at := ago(30 * time.Second); o.DeletionTimestamp = &at }
	long := func(o *inventory.Object) { at := ago(20 * time.Minute); o.DeletionTimestamp = &at }
	with := func(names ...string) func(*inventory.Object) {
		return func(o *inventory.Object) { o.Finalizers = names }
	}
	w, _ := widgets()
	w.cr(widget, "argo", ready, with("resources-finalizer.argocd.argoproj.io"))
	w.cr(widget, "foreground", ready, with("foregroundDeletion", "orphan"), gone)
	w.cr(widget, "helm", ready, with("uninstall-helm-release"))
	w.cr(widget, "long", ready, with("example.io/cleanup"), long)
	w.cr(widget, "dotted", ready, with("deletion.finalizers.widgets.example.io"), gone)
	f := w.first().Instances
	equal(t, "finalizers", f.Finalizers, "deletion.finalizers.widgets.example.io", "example.io/cleanup", "uninstall-helm-release")
	equal(t, "unqualified", f.UnqualifiedFinalizers, "uninstall-helm-release")
	is(t, "deleting", f.Deleting, 3)
	is(t, "with", f.WithOperatorFinalizer, 3)
	equal(t, "stuck", f.Stuck, "Widget/shop/long has been deleting for 20 minutes, waiting for finalizer example.io/cleanup")
	is(t, "deadlock", f.LatentDeadlock, 0)

	w.op.CRDs[0].State = attribution.Absent
	f = w.first().Instances
	is(t, "deadlock without a controller", f.LatentDeadlock, 3)
	contains(t, "stuck at once", f.Stuck, "Widget/shop/dotted waits for finalizer deletion.finalizers.widgets.example.io, whose controller is gone")

	for name, own := range map[string]bool{"resources-finalizer.argocd.argoproj.io": true, "finalizers.fluxcd.io": false, "kubernetes.io/pvc-protection": false} {
		is(t, name, ofOperator(name, "argoproj.io"), own)
	}
}

// TestGone: field-cases E1. Conditions that a controller left behind still
// count as seen; that it is gone stands beside them.
func TestGone(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.s.Deployments[0].Status.ReadyReplicas = 0
	w.op.CRDs[0].State = attribution.Down
	w.cr(widget, "a", func(o *inventory.Object) {
		ready(o)
		o.Generation = 3
		with(&o.Status, "observedGeneration", int64(2))
	})
	op := w.observe()
	is(t, "controller", op.Controllers.State, "down")
	is(t, "gone", op.CRDs[0].Reconciled.Gone, true)
	f := op.CRDs[0].Instances
	is(t, "ready of an old generation", [2]int{f.Ready, f.Unknown}, [2]int{0, 1})
	contains(t, "behind", f.BehindGeneration, "Widget/shop/a")
}

// TestStatusProxy: field-cases F11.
func TestStatusProxy(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.crd("WidgetHealth.example.io")
	w.catalogue(catalogue.Operator{StatusProxies: []catalogue.StatusProxy{{Kind: widget, Proxy: "WidgetHealth.example.io"}}})
	w.cr(widget, "default", status(map[string]any{"mtu": int64(1440)}))
	w.cr("WidgetHealth.example.io", "network", conditions("Available", "False"))
	w.cr("WidgetHealth.example.io", "dns", conditions("Available", "True"))
	f := w.first().Instances
	is(t, "worst of all", f.NotReady, 1)
	contains(t, "why", f.NotReadyWhy, "WidgetHealth/shop/network tells: Available=False")
	w.cr("WidgetHealth.example.io", "default", conditions("Available", "True"))
	is(t, "the one of its name", w.first().Instances.Ready, 1)
}

func TestOtherStatusWriters(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.catalogue(catalogue.Operator{Managers: []string{"widget-"}})
	w.other = []attribution.Operator{{Name: "policy", Entry: &catalogue.Operator{Managers: []string{"policy-engine"}}}}
	w.cr(widget, "a", ready, writtenBy("widget-controller/status", "policy-engine/status", "kubectl-edit/status", "argocd-application-controller"))
	r := w.first().Reconciled
	equal(t, "writers", r.Writers, "policy-engine", "widget-controller")
	equal(t, "others", r.OtherStatusWriters, "policy-engine")
}

func TestSpecWrittenBack(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	fields := func(entry int, raw string) func(*inventory.Object) {
		return func(o *inventory.Object) { o.ManagedFields[entry].FieldsV1 = metav1.NewFieldsV1(raw) }
	}
	w.cr(widget, "a", ready, writtenBy("kubectl-client-side-apply", "widget-op", "widget-op/status"),
		fields(0, `{"f:spec":{"f:size":{}}}`), fields(1, `{"f:spec":{"f:image":{}}}`), fields(2, `{"f:status":{}}`))
	w.cr(widget, "made", ready, writtenBy("widget-op", "widget-op/status"), fields(0, `{"f:spec":{"f:own":{}}}`), fields(1, `{"f:status":{}}`))
	equal(t, "written back", w.first().Instances.SpecWrittenBack, "spec.image")
}
