package exposition

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
)

// known are numbers of real operators, added up by hand from the lines of
// their files.
var known = map[string]struct {
	families int
	rows     []inventory.MetricFamily
}{
	"argo-rollouts.prom": {173, []inventory.MetricFamily{
		{Name: "rollout_reconcile", Type: "histogram", Series: 1, Sum: 27, Max: 27, Labels: []string{"name", "namespace"}},
		{Name: "rollout_events_total", Type: "counter", Series: 8, Sum: 13, Max: 3, Labels: []string{"name", "namespace", "reason", "type"}},
		{Name: "controller_clientset_k8s_request_total", Type: "counter", Series: 36, Sum: 79, Max: 13, Labels: []string{"kind", "name", "namespace", "status_code", "verb"}},
		{Name: "workqueue_depth", Type: "gauge", Series: 6, Labels: []string{"name"}},
	}},
	"cert-manager.prom": {50, []inventory.MetricFamily{
		{Name: "certmanager_controller_sync_call_count", Type: "counter", Series: 15, Sum: 448, Max: 55, Labels: []string{"controller"}},
		{Name: "certmanager_controller_sync_error_count", Type: "counter", Series: 1, Sum: 2, Max: 2, Labels: []string{"controller"}},
		{Name: "certmanager_certificate_ready_status", Type: "gauge", Series: 15, Sum: 5, Max: 1, Labels: []string{"condition", "issuer_group", "issuer_kind", "issuer_name", "name", "namespace"}},
	}},
	"karpenter.prom.gz": {201, []inventory.MetricFamily{
		{Name: "controller_runtime_reconcile_total", Type: "counter", Series: 136, Sum: 3034, Max: 1035, Labels: []string{"controller", "result"}, Outcomes: map[string]float64{"error": 0}},
		{Name: "controller_runtime_reconcile_errors_total", Type: "counter", Series: 34, Labels: []string{"controller"}},
		{Name: "controller_runtime_reconcile_time_seconds", Type: "histogram", Series: 23, Sum: 3034, Max: 1036, Labels: []string{"controller"}},
		{Name: "client_go_request_total", Type: "counter", Series: 5, Sum: 45, Max: 22, Labels: []string{"code", "method"}},
		{Name: "workqueue_longest_running_processor_seconds", Type: "gauge", Series: 34, Sum: 0.688751912, Max: 0.688751912, Labels: []string{"controller", "name"}},
	}},
	"kueue.prom.gz": {206, []inventory.MetricFamily{
		{Name: "controller_runtime_reconcile_total", Type: "counter", Series: 72, Sum: 130, Max: 71, Labels: []string{"controller", "result"}, Outcomes: map[string]float64{"error": 0}},
		{Name: "controller_runtime_reconcile_panics_total", Type: "counter", Series: 18, Labels: []string{"controller"}},
		{Name: "workqueue_depth", Type: "gauge", Series: 13, Labels: []string{"controller", "name", "priority"}},
	}},
	"prometheus-operator.prom": {118, []inventory.MetricFamily{
		{Name: "prometheus_operator_reconcile_operations_total", Type: "counter", Series: 4, Labels: []string{"controller"}},
		{Name: "prometheus_operator_kubernetes_client_http_requests_total", Type: "counter", Series: 5, Sum: 79, Max: 38, Labels: []string{"status_code"}, Outcomes: map[string]float64{"429": 7}},
	}},
	"rabbitmq-cluster-operator.prom": {171, []inventory.MetricFamily{
		{Name: "controller_runtime_reconcile_total", Type: "counter", Series: 8, Sum: 49, Max: 26, Labels: []string{"controller", "result"}, Outcomes: map[string]float64{"error": 26}},
		{Name: "controller_runtime_reconcile_errors_total", Type: "counter", Series: 2, Sum: 26, Max: 26, Labels: []string{"controller"}},
		{Name: "rest_client_requests_total", Type: "counter", Series: 5, Sum: 492, Max: 231, Labels: []string{"code", "host", "method"}},
	}},
}

func TestRealExpositions(t *testing.T) {
	fsys := os.DirFS(filepath.Join(corpustest.Dir(t), "metrics"))
	names := make([]string, 0, len(known))
	for file := range known {
		name, _ := operatorOf(file)
		names = append(names, name)
	}
	list, row := ReadFolder(fsys, names)
	if row.Access != inventory.Listed || row.Count != len(known) || len(list) != len(known) {
		t.Fatalf("%d read, row %+v", len(list), row)
	}
	for i := range list {
		e := &list[i]
		want := known[e.Endpoint]
		if e.Outcome != inventory.Served || e.Via != inventory.ViaFile || len(e.Families) != want.families {
			t.Errorf("%s: %s via %s with %d families, want %d", e.Endpoint, e.Outcome, e.Via, len(e.Families), want.families)
		}
		for _, w := range want.rows {
			wantFamily(t, e.Families, w)
		}
	}
}

// TestNoLabelValueIsKept: names of users' objects stand in the file and must
// not stand in a snapshot.
func TestNoLabelValueIsKept(t *testing.T) {
	fsys := os.DirFS(filepath.Join(corpustest.Dir(t), "metrics"))
	list, _ := ReadFolder(fsys, []string{"cert-manager", "karpenter"})
	var out bytes.Buffer
	if err := inventory.Encode(&out, &inventory.Snapshot{Expositions: list}); err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"missing-issuer", "shop-ca", "cluster-operator-serving-cert", "node-0", "AwaitingReconciliation"} {
		if strings.Contains(out.String(), value) {
			t.Errorf("%q was kept", value)
		}
	}
}

func wantFamily(t *testing.T, families []inventory.MetricFamily, want inventory.MetricFamily) {
	t.Helper()
	i := slices.IndexFunc(families, func(f inventory.MetricFamily) bool { return f.Name == want.Name })
	if i < 0 {
		t.Errorf("no family %s", want.Name)
		return
	}
	if diff := diffFamily(families[i], want); diff != "" {
		t.Errorf("%s: %s", want.Name, diff)
	}
}
