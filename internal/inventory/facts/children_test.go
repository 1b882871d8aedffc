package facts

import (
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

func TestChildren(t *testing.T) {
	w, a := widgets()
	set := w.statefulSet("a", a)
	w.pod("a-0", owner(set), set.Spec.Template.Labels)
	w.metadata("ConfigMap", "shop", "a", owned(a))
	loose := a
	loose.Controller = nil
	w.metadata("ServiceAccount", "shop", "a", owned(loose))
	w.metadata("PersistentVolumeClaim", "shop", "data-a-0", owned(owner(set)))
	c := w.first()
	f := c.Children
	is(t, "total", f.Total, 5)
	is(t, "valid", f.Valid, 5)
	is(t, "without controller", f.WithoutControllerFlag, 1)
	is(t, "stateful", f.Stateful, true)
	is(t, "workloads, api objects", [2]int{f.Workloads, f.APIObjects}, [2]int{1, 2})
	is(t, "kinds", len(f.Kinds), 5)
	is(t, "kind", f.Kinds[4], ChildKind{"apps", "StatefulSet", 1})
	is(t, "seen", c.Seen.Children, 5)
	is(t, "archetype", w.observe().Archetype, "workload")
}

// TestBrokenOwners: field-cases H1 and H3.
func TestBrokenOwners(t *testing.T) {
	w, a := widgets()
	w.metadata("ConfigMap", "elsewhere", "a", owned(a))
	role := rbacv1.ClusterRole{ObjectMeta: w.meta("", "a")}
	role.OwnerReferences = []metav1.OwnerReference{a}
	w.s.ClusterRoles = append(w.s.ClusterRoles, role)
	stale := a
	stale.Name, stale.UID = "gone", "uid-gone"
	w.metadata("ConfigMap", "shop", "stale", owned(stale))
	f := w.first().Children
	equal(t, "cross", f.CrossNamespace, "ClusterRole/a is owned by Widget/shop/a", "ConfigMap/elsewhere/a is owned by Widget/shop/a")
	equal(t, "dangling", f.Dangling, "ConfigMap/shop/stale is owned by a Widget that is gone")
	is(t, "total, valid", [2]int{f.Total, f.Valid}, [2]int{2, 0})

	w.access("example.io", "widgets", inventory.Partial)
	if got := w.first().Children.Dangling; got != nil {
		t.Errorf("a kind not read whole: %q", got)
	}

	cluster := newWorld()
	cluster.crd(widget)
	root := cluster.cr(widget, "a", ready, func(o *inventory.Object) { o.Namespace = "" })
	cluster.metadata("ConfigMap", "shop", "a", owned(owner(root)))
	is(t, "a cluster-scoped owner may own in namespaces", cluster.first().Children.Valid, 1)
}

// TestUnowned: field-cases H4. Without an owner reference an object counts
// only if the operator wrote it in the name of an instance.
func TestUnowned(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.cr(widget, "a", ready, writtenBy("kubectl", "widget-op/status"))
	label := func(key, value string) func(*inventory.Object) {
		return func(o *inventory.Object) { o.Labels = map[string]string{key: value} }
	}
	w.metadata("ConfigMap", "shop", "one", writtenBy("widget-op"), label("example.io/widget", "a"))
	w.metadata("ConfigMap", "shop", "two", writtenBy("helm"), label("example.io/widget", "a"))
	w.metadata("ConfigMap", "shop", "three", writtenBy("widget-op"), label("example.io/widget", "z"))
	w.metadata("PersistentVolumeClaim", "shop", "four", writtenBy("widget-op"), label("example.io/widget", "a"))
	w.metadata("ConfigMap", "other", "five", writtenBy("widget-op"), label("app.kubernetes.io/instance", "a"))
	equal(t, "unowned", w.first().Children.Unowned, "ConfigMap/shop/one is labelled example.io/widget and has no owner reference")
}

func TestForeignChildren(t *testing.T) {
	w, a := widgets()
	other := attribution.Operator{Name: "other", CRDs: []attribution.CRD{{Name: w.define("Thing.other.io")}}}
	w.other = []attribution.Operator{other}
	thing := w.cr("Thing.other.io", "t", owned(a))
	w.metadata("ConfigMap", "shop", "below", owned(owner(thing)))
	f := w.first().Children
	is(t, "the other operator's resource is a child, what it owns is not", f.Total, 1)

	w.crd("Part.example.io")
	part := w.cr("Part.example.io", "p", owned(a))
	w.metadata("ConfigMap", "shop", "deep", owned(owner(part)))
	is(t, "own resources are walked through", w.first().Children.Total, 3)
}

func TestRecreated(t *testing.T) {
	w, a := widgets()
	at := func(d time.Duration) func(*inventory.Object) {
		return func(o *inventory.Object) { o.CreationTimestamp = ago(d) }
	}
	w.metadata("ConfigMap", "shop", "early", owned(a), at(2*time.Hour-time.Second))
	w.metadata("ConfigMap", "shop", "late", owned(a), at(time.Hour))
	contains(t, "recreated", w.first().Children.Recreated, "ConfigMap/shop/late is younger than Widget/shop/a")
	w.s.CustomResources[0].Generation = 2
	is(t, "after a change of spec", len(w.first().Children.Recreated), 0)
}

func TestSecretChildren(t *testing.T) {
	w, a := widgets()
	w.metadata("Secret", "shop", "a", owned(a))
	w.access("", "secrets", inventory.Listed)
	c := w.first()
	is(t, "secrets", c.SecretChildren.Count, 1)
	is(t, "no other facet tells of them", c.Children.Total, 0)
}

func TestOperand(t *testing.T) {
	w, a := widgets()
	probe := &corev1.Probe{}
	full := corev1.Container{Name: "main", Image: "widget:1.0", LivenessProbe: probe, ReadinessProbe: probe,
		Ports: []corev1.ContainerPort{{Name: "metrics", ContainerPort: 9000}}}
	full.Resources.Requests = corev1.ResourceList{corev1.ResourceCPU: resourceQuantity("100m")}
	set := w.statefulSet("a", a, full, corev1.Container{Name: "metrics-exporter"}, corev1.Container{Name: "istio-proxy"})
	for _, name := range []string{"a-0", "a-1"} {
		p := w.pod(name, owner(set), map[string]string{"app": "a", "example.io/role": "replica"})
		p.NodeName = name
	}
	w.pod("bare", a, nil) // owned by the custom resource itself
	done := w.pod("done", a, nil)
	done.Phase = corev1.PodSucceeded
	job := batchv1.Job{ObjectMeta: w.meta("shop", "init")}
	job.OwnerReferences = []metav1.OwnerReference{a}
	w.s.Jobs = append(w.s.Jobs, job)
	yes := true
	w.pod("init-x", metav1.OwnerReference{APIVersion: "batch/v1", Kind: "Job", Name: "init", UID: job.UID, Controller: &yes}, nil)

	f := w.first().Operand
	is(t, "workloads, pods, containers", [3]int{f.Workloads, f.Pods, f.Containers}, [3]int{2, 3, 2})
	is(t, "probes and requests", [3]int{f.WithLiveness, f.WithReadiness, f.WithRequests}, [3]int{1, 1, 1})
	equal(t, "without liveness", f.WithoutLiveness, "Pod/shop/bare/main")
	equal(t, "rolling", f.Rolling, "StatefulSet/shop/a")
	equal(t, "spread", f.Spread)
	equal(t, "on several nodes by chance", f.Scattered, "StatefulSet/shop/a")
	equal(t, "containers by name", f.ContainerNames, "Pod/shop/bare/main", "StatefulSet/shop/a/main")
	equal(t, "several replicas", f.Several, "StatefulSet/shop/a")
	equal(t, "metrics", f.MetricsPorts, "StatefulSet/shop/a:metrics")
	is(t, "multi", f.MultiReplica, 1)
	contains(t, "role", f.RolePods, "Pod/shop/a-0 example.io/role=replica")
	equal(t, "images", f.Images, "widget:1.0")

	w.s.StatefulSets[0].Spec.Template.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{TopologyKey: "zone"}}
	f = w.first().Operand
	equal(t, "spread by a constraint", f.Spread, "StatefulSet/shop/a")
	equal(t, "no chance needed", f.Scattered)
}

func TestOperandImages(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	cr := w.cr(widget, "a", ready, spec(map[string]any{"version": "1.0"}, "version"))
	w.statefulSet("a", owner(cr))
	is(t, "version in the tag", w.first().Operand.ImagesFromSpec, true)
	w.s.CustomResources[0].Spec = inventory.Packed{}
	is(t, "no version", w.first().Operand.ImagesFromSpec, false)
	c := &w.s.Deployments[0].Spec.Template.Spec.Containers[0]
	c.Env = []corev1.EnvVar{{Name: "RELATED_IMAGE_WIDGET", Value: "widget:1.0"}}
	op := w.observe()
	equal(t, "env", op.CRDs[0].Operand.ImageEnvUsed, "RELATED_IMAGE_WIDGET")
	equal(t, "declared", op.Pod.ImageEnv, "RELATED_IMAGE_WIDGET")
}

func TestReadyButChildrenNot(t *testing.T) {
	w, a := widgets()
	set := w.statefulSet("a", a)
	set.Status.ReadyReplicas = 0
	p := w.pod("a-0", owner(set), nil)
	p.Ready, p.Changed = corev1.ConditionFalse, ago(5*time.Minute)
	is(t, "for a while", len(w.first().Instances.ReadyButChildrenNot), 0)
	p.Changed = ago(time.Hour)
	contains(t, "for long", w.first().Instances.ReadyButChildrenNot, "Widget/shop/a is ready but StatefulSet/shop/a is not")
}

func TestQualifiedAndProse(t *testing.T) {
	for finalizer, want := range map[string]bool{"example.io/x": true, "a.b.example.io": true, "uninstall-helm-release": false, "foo/bar": false, "x.y": true} {
		is(t, finalizer, qualifiedFinalizer(finalizer), want)
	}
	if long := prose(strings.Fields("x a b c d e f g h i j k l m n o p q r s t u v")); long[len(long)-1] != "and 3 more" {
		t.Errorf("%q", long)
	}
}
