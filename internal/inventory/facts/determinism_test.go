package facts

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// crowded is a world with a bit of everything.
func crowded() *world {
	w := metricsWorld("metrics")
	w.define("PrometheusRule.monitoring.coreos.com")
	w.grant("role", rule("example.io", "widgets,gadgets", "*"), rule("apps", "statefulsets", "create,update"), rule("", "secrets", "get"))
	for i := range 30 {
		name := fmt.Sprintf("w%02d", i)
		cr := w.cr(widget, name, conditions("Ready", []string{"True", "False"}[i%2], "Upgrading", "True"), writtenBy("widget-op/status", "other/status"))
		cr.Finalizers = []string{"example.io/x"}
		with(&cr.Status, "versions", map[string]any{"aVersion": "1." + name, "bVersion": "2." + name})
		ref := owner(cr)
		set := w.statefulSet(name, ref)
		w.pod(name+"-0", owner(set), map[string]string{"role": "primary", "x/role": "replica"})
		w.metadata("ConfigMap", "shop", name, owned(ref))
		w.budget("shop", name, name, "widget-op")
		w.monitor("PodMonitor", "shop", name, name, "metrics", owned(ref))
		w.event("example.io/v1", "Widget", "widget-controller", "Reason"+name, "Normal")
	}
	w.rules("shop", "r", alertRule("A", "widget_x > 1", "critical", ""))
	return w
}

func shuffled[T any](list []T) []T {
	list = append([]T(nil), list...)
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// TestDeterminism: the order of the objects in a snapshot changes nothing, and
// neither do the facts change the snapshot.
func TestDeterminism(t *testing.T) {
	w := crowded()
	encode := func() string {
		all := ObserveAll(w.s, w.result())
		raw, err := json.MarshalIndent([]any{all.Operators, all.Operators[0].CRDs, all.Operators[0].Unseen}, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	before, err := json.Marshal(w.s)
	if err != nil {
		t.Fatal(err)
	}
	want := encode()
	if after, _ := json.Marshal(w.s); string(after) != string(before) {
		t.Error("the snapshot was changed")
	}
	for range 5 {
		s := w.s
		s.CustomResources, s.StatefulSets, s.Pods = shuffled(s.CustomResources), shuffled(s.StatefulSets), shuffled(s.Pods)
		s.Others, s.PodDisruptionBudgets, s.Events = shuffled(s.Others), shuffled(s.PodDisruptionBudgets), shuffled(s.Events)
		s.Services, s.ClusterRoles, s.CRDs = shuffled(s.Services), shuffled(s.ClusterRoles), shuffled(s.CRDs)
		if diff := cmp.Diff(want, encode()); diff != "" {
			t.Fatalf("order matters:\n%s", diff)
		}
	}
}

func TestBounds(t *testing.T) {
	c := crowded().first()
	for what, list := range map[string][]string{"PDBs": c.Disruption.ByOperator, "versions": c.Instances.ReportedVersions, "reasons": c.Events.Reasons,
		"why": c.Instances.NotReadyWhy, "without": c.Operand.WithoutLiveness} {
		if len(list) > maxList+1 {
			t.Errorf("%s: %d entries", what, len(list))
		}
	}
	is(t, "guarding counts all", c.Disruption.Guarding, 30)
}

// large is a cluster of 100,000 custom resources, 20,000 of which own a pod.
func large() *world {
	w := newWorld()
	w.crd(widget)
	for i := range 100 {
		w.crd(fmt.Sprintf("K%d.example.io", i))
	}
	w.s.CustomResources = make([]inventory.Object, 0, 100_000)
	yes := true
	for i := range 100_000 {
		cr := w.cr(widget, fmt.Sprintf("w%06d", i), conditions("Ready", "True", "Synced", "True"), writtenBy("kubectl-client-side-apply", "widget-op/status"))
		cr.ManagedFields[0].FieldsV1 = metav1.NewFieldsV1(`{"f:metadata":{"f:labels":{}},"f:spec":{"f:size":{},"f:image":{}}}`)
		cr.ManagedFields[1].FieldsV1 = metav1.NewFieldsV1(`{"f:status":{"f:conditions":{},"f:phase":{}}}`)
		cr.SpecPaths = []string{"image", "replicas", "resources.limits.cpu", "storage.class", "storage.size", "version"}
		with(&cr.Status, "endpoint", "w.shop.svc")
		if i%5 == 0 {
			p := inventory.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: cr.Name, UID: types.UID("pod-" + cr.Name), CreationTimestamp: ago(0),
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "example.io/v1", Kind: "Widget", Name: cr.Name, UID: cr.UID, Controller: &yes}}}}
			p.Spec = &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "widget:1.0"}}}
			w.s.Pods = append(w.s.Pods, p)
		}
	}
	return w
}

func BenchmarkObserve(b *testing.B) {
	w := large()
	a := w.result()
	for b.Loop() {
		Observe(w.s, a)
	}
}

// Operators are observed at the same time, and what they look things up in is
// there before: one that is begun early sees no less than the others.
func TestOperatorsObservedSideBySideSeeAllAutoscalers(t *testing.T) {
	w, result := newWorld(), &attribution.Result{}
	for i := range 40 {
		set := fmt.Sprintf("set-%02d", i)
		kind := fmt.Sprintf("Kind%02d.example.io", i)
		name := w.define(kind)
		w.statefulSet(set, owner(w.cr(kind, "a", ready)))
		w.hpa(set, "StatefulSet", set, "shop", autoscalingv2.ResourceMetricSourceType, "helm")
		result.Operators = append(result.Operators, attribution.Operator{Name: set, CRDs: []attribution.CRD{{Name: name, State: attribution.Running}}})
	}
	for i := range 3000 {
		w.hpa(fmt.Sprintf("other-%04d", i), "Deployment", "web", "shop", autoscalingv2.ResourceMetricSourceType, "helm")
	}
	for range 20 {
		for _, op := range ObserveAll(w.s, result).Operators {
			equal(t, op.Name, op.CRDs[0].Autoscalers.ByOthers, "HorizontalPodAutoscaler/shop/"+op.Name)
		}
	}
}
