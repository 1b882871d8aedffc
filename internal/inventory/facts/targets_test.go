package facts

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// operatorPod adds a pod of the operator's Deployment.
func (w *world) operatorPod(name string, phase corev1.PodPhase) *inventory.Pod {
	p := w.pod(name, owner(&w.s.Deployments[0]), operatorLabels)
	p.Namespace, p.Phase, p.Ready = "ops", phase, ""
	return p
}

func TestMetricsTargets(t *testing.T) {
	w := metricsWorld("https-metrics")
	w.container().Ports[0].ContainerPort = 8443
	w.container().Args = []string{"--metrics-bind-address=:8080"}
	w.operatorPod("b", corev1.PodRunning)
	w.operatorPod("a", corev1.PodRunning).Annotations = map[string]string{"prometheus.io/port": "9090", "prometheus.io/path": "/stats"}
	w.operatorPod("done", corev1.PodFailed)
	leaving := w.operatorPod("leaving", corev1.PodRunning)
	at := ago(0)
	leaving.DeletionTimestamp = &at
	want := []inventory.MetricsTarget{{
		Workload: "Deployment/ops/widget-operator", Namespace: "ops", Name: "widget-operator", Pods: []string{"a", "b"},
		Ports: []inventory.MetricsPort{{Number: 9090}, {Number: 8080}, {Number: 8443, HTTPS: true}}, Path: "/stats", Services: []string{"metrics"},
	}}
	if diff := cmp.Diff(want, MetricsTargets(w.s, w.result())); diff != "" {
		t.Error(diff)
	}
}

func TestMetricsTargetsAreFew(t *testing.T) {
	w := newWorld()
	for i := range maxPods + 2 {
		w.operatorPod(fmt.Sprintf("p%02d", i), corev1.PodRunning)
	}
	result := w.result()
	// The same workload under two operators, once as a companion.
	result.Operators = append(result.Operators, attribution.Operator{Name: "z", Companions: result.Operators[0].Controllers})
	list := MetricsTargets(w.s, result)
	if len(list) != 1 || len(list[0].Pods) != maxPods || list[0].More != 2 || list[0].Ports != nil {
		t.Errorf("%+v", list)
	}
}

// TestOddPaths: an annotation is written by whoever makes the pod; it must not
// lead to another path of the API.
func TestOddPaths(t *testing.T) {
	for _, path := range []string{"metrics", "/../../secrets", "/x?y=z", "/%2e%2e/secrets", "/a#b"} {
		w := metricsWorld("metrics")
		w.operatorPod("a", corev1.PodRunning).Annotations = map[string]string{"prometheus.io/path": path}
		if got := MetricsTargets(w.s, w.result())[0].Path; got != "" {
			t.Errorf("%q became path %q", path, got)
		}
	}
}
