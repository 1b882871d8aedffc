package facts

import (
	"testing"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

func resourceQuantity(s string) apiresource.Quantity { return apiresource.MustParse(s) }

func (w *world) budget(namespace, name, app string, managers ...string) *policyv1.PodDisruptionBudget {
	b := policyv1.PodDisruptionBudget{ObjectMeta: w.meta(namespace, name)}
	b.ManagedFields = by(managers...)
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}
	b.Status.ExpectedPods = 2
	w.s.PodDisruptionBudgets = append(w.s.PodDisruptionBudgets, b)
	return &w.s.PodDisruptionBudgets[len(w.s.PodDisruptionBudgets)-1]
}

// TestDisruption: a PDB of the operator's own chart is no capability, nor is
// one that a user put before the operand.
func TestDisruption(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	a := w.cr(widget, "a", ready, writtenBy("widget-op/status"))
	w.statefulSet("a", owner(a))
	w.budget("ops", "chart", "widget-operator", "helm")
	w.budget("shop", "user", "a", "kubectl-client-side-apply")
	w.budget("shop", "written", "a", "widget-op", "kube-controller-manager/status")
	w.budget("shop", "unrelated", "z", "widget-op")
	w.budget("shop", "owned", "z", "widget-op").OwnerReferences = []metav1.OwnerReference{owner(a)}
	op := w.observe()
	f := op.CRDs[0].Disruption
	equal(t, "operator", f.ByOperator, "PodDisruptionBudget/shop/owned", "PodDisruptionBudget/shop/written")
	equal(t, "others", f.ByOthers, "PodDisruptionBudget/shop/user")
	equal(t, "own", op.OwnPDB.Names, "PodDisruptionBudget/ops/chart")
	is(t, "guarding", f.Guarding, 2)
	is(t, "seen", op.CRDs[0].Seen.OwnedPDBs, 2)
}

func (w *world) hpa(name, kind, target, namespace string, metric autoscalingv2.MetricSourceType, managers ...string) *autoscalingv2.HorizontalPodAutoscaler {
	h := autoscalingv2.HorizontalPodAutoscaler{ObjectMeta: w.meta(namespace, name)}
	h.ManagedFields = by(managers...)
	h.Spec.ScaleTargetRef = autoscalingv2.CrossVersionObjectReference{Kind: kind, Name: target}
	h.Spec.Metrics = []autoscalingv2.MetricSpec{{Type: metric}}
	w.s.HorizontalAutoscalers = append(w.s.HorizontalAutoscalers, h)
	return &w.s.HorizontalAutoscalers[len(w.s.HorizontalAutoscalers)-1]
}

func TestAutoscalers(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	a := w.cr(widget, "a", ready, writtenBy("widget-op/status"))
	w.statefulSet("a", owner(a))
	scaled := ago(0)
	w.hpa("user", "StatefulSet", "a", "shop", autoscalingv2.ResourceMetricSourceType, "kubectl-client-side-apply")
	w.hpa("user-scale", "Widget", "a", "shop", autoscalingv2.ResourceMetricSourceType, "helm")
	w.hpa("chart", "Deployment", "widget-operator", "ops", autoscalingv2.ResourceMetricSourceType, "helm")
	w.hpa("missing", "Deployment", "nothing", "shop", autoscalingv2.ResourceMetricSourceType, "widget-op")
	w.hpa("written", "Widget", "a", "shop", autoscalingv2.ResourceMetricSourceType, "widget-op")
	h := w.hpa("owned", "StatefulSet", "a", "shop", autoscalingv2.PodsMetricSourceType, "widget-op")
	h.OwnerReferences, h.Status.LastScaleTime = []metav1.OwnerReference{owner(a)}, &scaled
	c := w.first()
	f := c.Autoscalers
	equal(t, "operator", f.ByOperator, "HorizontalPodAutoscaler/shop/owned", "HorizontalPodAutoscaler/shop/written")
	equal(t, "others", f.ByOthers, "HorizontalPodAutoscaler/shop/user", "HorizontalPodAutoscaler/shop/user-scale")
	equal(t, "metric", f.OnMetric, "HorizontalPodAutoscaler/shop/owned")
	equal(t, "scaled", f.Scaled, "HorizontalPodAutoscaler/shop/owned")
	is(t, "seen", c.Seen.OwnedAutoscalers, 2)
}

// TestKEDA: what KEDA makes for the workloads of others scales no operand of its own.
func TestKEDA(t *testing.T) {
	w := newWorld()
	w.crd("ScaledObject.keda.sh")
	w.catalogue(catalogue.Operator{Products: []string{"ScaledObject.keda.sh"}, Archetype: "api-objects"})
	so := w.cr("ScaledObject.keda.sh", "web", ready, spec(map[string]any{
		"scaleTargetRef": map[string]any{"name": "web"}, "triggers": []any{map[string]any{"type": "kafka"}}}))
	h := w.hpa("keda-hpa-web", "Deployment", "web", "shop", autoscalingv2.ExternalMetricSourceType, "keda")
	h.OwnerReferences = []metav1.OwnerReference{owner(so)}
	c := w.first()
	is(t, "product", c.Product, true)
	is(t, "autoscalers", len(c.Autoscalers.ByOperator)+c.Seen.OwnedAutoscalers, 0)
	is(t, "the HPA is a child", c.Children.Total, 1)
}

// backupWorld is a database operator with Backup and Restore kinds that refer
// to its Cluster.
func backupWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld()
	refers := func(path string) func(*inventory.CRD) {
		return func(c *inventory.CRD) {
			c.Versions[0].Schema.Fields[inventory.TopicReference] = []string{path}
		}
	}
	w.crd("Cluster.db.example.io")
	w.crd("Backup.db.example.io", refers("spec.cluster"))
	w.crd("BackupLocation.db.example.io", refers("spec.cluster"))
	w.crd("Restore.db.example.io", refers("spec.clusterName"))
	w.crd("Pooler.db.example.io")
	w.cr("Cluster.db.example.io", "orders", ready)
	return w
}

func TestBackups(t *testing.T) {
	w := backupWorld(t)
	of := func(name string) func(*inventory.Object) {
		return spec(map[string]any{"cluster": map[string]any{"name": name}})
	}
	w.cr("Backup.db.example.io", "good", of("orders"), status(map[string]any{"phase": "completed"}))
	w.cr("Backup.db.example.io", "bad", of("orders"), status(map[string]any{"phase": "failed"}))
	w.cr("Backup.db.example.io", "other", of("gone"), status(map[string]any{"phase": "completed"}))
	w.cr("Restore.db.example.io", "back", spec(map[string]any{"clusterName": "orders"}), conditions("Complete", "True"))
	w.cr("Cluster.db.example.io", "copy", ready, spec(nil, "bootstrap.recovery.backup.name"))
	w.cr("Cluster.db.example.io", "told", status(map[string]any{"phase": "Running", "firstRecoverabilityPoint": "2026-11-29T00:00:00Z", "lastFailedBackup": "x"}))
	op := w.observe()
	f := op.CRDs[0].Backups
	equal(t, "kinds", f.Kinds, "Backup")
	equal(t, "restore", f.RestoreKinds, "Restore")
	equal(t, "completed", f.Completed, "Backup/shop/good status.phase: completed")
	equal(t, "failed", f.Failed, "Backup/shop/bad status.phase: failed")
	equal(t, "restored", f.Restored, "Cluster/shop/copy was made from a backup and is ready", "Restore/shop/back Complete=True")
	equal(t, "status", f.StatusReports, "Cluster/shop/told status.firstRecoverabilityPoint")
	is(t, "seen", op.CRDs[0].Seen.CompletedBackups, 2)
	is(t, "a Pooler is not what is backed up", len(op.CRDs[4].Backups.Kinds), 0)
	is(t, "a Backup has no backups", len(op.CRDs[1].Backups.Kinds), 0)

	w.access("db.example.io", "backups", inventory.Forbidden)
	op = w.observe()
	contains(t, "unseen", []string{op.CRDs[0].Unseen["backups"]}, "backups.db.example.io forbidden")
}

// TestVelero: backups are the product, not a capability.
func TestVelero(t *testing.T) {
	w := newWorld()
	w.crd("Schedule.velero.io")
	w.crd("Backup.velero.io", func(c *inventory.CRD) {
		c.Versions[0].Schema.Fields[inventory.TopicReference] = []string{"spec.scheduleRef"}
	})
	w.crd("BackupStorageLocation.velero.io")
	w.catalogue(catalogue.Operator{Products: []string{"Backup.velero.io", "Schedule.velero.io", "BackupStorageLocation.velero.io"}})
	w.cr("Schedule.velero.io", "nightly", ready)
	w.cr("Backup.velero.io", "nightly-1", status(map[string]any{"phase": "Completed"}))
	w.cr("BackupStorageLocation.velero.io", "default", status(map[string]any{"phase": "Available"}))
	for _, c := range w.observe().CRDs {
		is(t, c.Name, len(c.Backups.Kinds)+len(c.Backups.Completed)+c.Seen.CompletedBackups, 0)
		is(t, c.Name, c.Product, true)
	}
}

// TestOneBackupCountsOnce: however many objects and fields tell of it.
func TestOneBackupCountsOnce(t *testing.T) {
	const cluster, backup = "Cluster.db.example.io", "Backup.db.example.io"
	ofOrders := spec(map[string]any{"cluster": map[string]any{"name": "orders"}})
	completed := status(map[string]any{"phase": "completed"})
	succeeded := batchv1.JobStatus{Succeeded: 1}
	told := func(o *inventory.Object) {
		conditions("Ready", "True", "LastBackupSucceeded", "True")(o)
		with(&o.Status, "firstRecoverabilityPoint", stamp(now))
		with(&o.Status, "lastSuccessfulBackup", stamp(now))
	}
	for name, c := range map[string]struct {
		build func(w *world, orders metav1.OwnerReference)
		want  int
	}{
		"two Backups of a Cluster that tells of them": {func(w *world, _ metav1.OwnerReference) {
			w.cr(backup, "a", ofOrders, completed)
			w.cr(backup, "b", ofOrders, completed)
		}, 2},
		"three fields of a status": {func(*world, metav1.OwnerReference) {}, 1},
		"the Job of a Backup": {func(w *world, orders metav1.OwnerReference) {
			b := w.cr(backup, "a", ofOrders, completed, owned(orders))
			w.s.Jobs = append(w.s.Jobs, batchv1.Job{ObjectMeta: w.meta("shop", "backup-a"), Status: succeeded})
			w.s.Jobs[0].OwnerReferences = []metav1.OwnerReference{owner(b)}
		}, 1},
		"a CronJob with two Jobs": {func(w *world, orders metav1.OwnerReference) {
			at := ago(time.Hour)
			cron := batchv1.CronJob{ObjectMeta: w.meta("shop", "backup"), Status: batchv1.CronJobStatus{LastSuccessfulTime: &at}}
			cron.OwnerReferences = []metav1.OwnerReference{orders}
			w.s.CronJobs = append(w.s.CronJobs, cron)
			for _, name := range []string{"backup-1", "backup-2"} {
				j := batchv1.Job{ObjectMeta: w.meta("shop", name), Status: succeeded}
				j.OwnerReferences = []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "CronJob", UID: cron.UID}}
				w.s.Jobs = append(w.s.Jobs, j)
			}
		}, 2},
		"a CronJob whose Jobs were cleared away": {func(w *world, orders metav1.OwnerReference) {
			at := ago(time.Hour)
			cron := batchv1.CronJob{ObjectMeta: w.meta("shop", "backup"), Status: batchv1.CronJobStatus{LastSuccessfulTime: &at}}
			cron.OwnerReferences = []metav1.OwnerReference{orders}
			w.s.CronJobs = append(w.s.CronJobs, cron)
		}, 1},
		"another Cluster tells of its own": {func(w *world, _ metav1.OwnerReference) {
			w.cr(backup, "a", ofOrders, completed)
			w.cr(cluster, "mail", told)
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := backupWorld(t)
			told(&w.s.CustomResources[0])
			c.build(w, owner(&w.s.CustomResources[0]))
			is(t, "finished backups", w.first().Seen.CompletedBackups, c.want)
		})
	}
}
