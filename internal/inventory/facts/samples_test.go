package facts

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/exposition"
)

// families reads an exposition.
func families(t *testing.T, text string) []inventory.MetricFamily {
	t.Helper()
	list, err := exposition.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// served says that a pod of the operator answered with a text.
func (w *world) served(t *testing.T, pod, text string) {
	t.Helper()
	w.exposed(inventory.Exposition{Pod: pod, Outcome: inventory.Served, Families: families(t, text)})
}

func (w *world) exposed(e inventory.Exposition) {
	if e.Operator == "" {
		e.Workload = "Deployment/ops/widget-operator"
	}
	if e.Via == "" {
		e.Via = inventory.ViaPodProxy
	}
	w.s.Expositions = append(w.s.Expositions, e)
}

// TestLoops: each framework's own names, and suffixes of others.
func TestLoops(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		counted       bool
		loops, failed float64
	}{
		"controller-runtime": {"controller_runtime_reconcile_total{controller=\"a\",result=\"success\"} 5\ncontroller_runtime_reconcile_total{controller=\"a\",result=\"error\"} 2\n" +
			"controller_runtime_reconcile_errors_total 2\n# TYPE controller_runtime_reconcile_time_seconds histogram\ncontroller_runtime_reconcile_time_seconds_count 7\nwidget_reconcile_total 70\n", true, 7, 2},
		"controller-runtime without its error counter": {"controller_runtime_reconcile_total{result=\"success\"} 5\ncontroller_runtime_reconcile_total{result=\"error\"} 2\n", true, 7, 2},
		"made in advance":           {"controller_runtime_reconcile_total{result=\"success\"} 0\ncontroller_runtime_reconcile_errors_total 0\n", true, 0, 0},
		"Java Operator SDK, V2":     {"reconciliations_started_total{controller_name=\"a\"} 9\nreconciliations_success_total 8\nreconciliations_failure_total 1\nreconciliations_retries_total 1\n", true, 9, 1},
		"Java Operator SDK, V1":     {"operator_sdk_reconciliations_started_total 4\noperator_sdk_reconciliations_success_total 3\noperator_sdk_reconciliations_failed_total 1\n", true, 4, 1},
		"Strimzi":                   {"strimzi_reconciliations_total{kind=\"Kafka\"} 12\nstrimzi_reconciliations_successful_total 11\nstrimzi_reconciliations_failed_total 1\n", true, 12, 1},
		"cert-manager":              {"certmanager_controller_sync_call_count 448\ncertmanager_controller_sync_error_count 2\n", true, 448, 2},
		"prometheus-operator":       {"prometheus_operator_reconcile_operations_total 3\nprometheus_operator_reconcile_errors_total 1\nprometheus_operator_reconcile_sts_delete_create_total 8\n", true, 3, 1},
		"ExternalDNS":               {"external_dns_controller_last_sync_timestamp_seconds 1.7e9\nexternal_dns_source_errors_total 1\nexternal_dns_registry_errors_total 1\nexternal_dns_controller_no_op_runs_total 5\n", true, 6, 2},
		"ExternalDNS, never synced": {"external_dns_controller_last_sync_timestamp_seconds 0\n", true, 0, 0},
		"any counter":               {"widget_reconcile_total 6\nwidget_reconcile_errors_total 1\nwidget_sync_total 100\nother_errors_total 50\n", true, 6, 1},
		"any histogram":             {"# TYPE rollout_reconcile histogram\nrollout_reconcile_count 27\nrollout_reconcile_sum 1\n", true, 27, 0},
		"any sync":                  {"acme_sync_count 4\nacme_config_error_count 1\n", true, 4, 1},
		"a language's own":          {"go_sync_mutex_wait_total_seconds_total 3\nprocess_cpu_seconds_total 1\n", false, 0, 0},
		"kopf, which has none":      {"python_info 1\nprocess_cpu_seconds_total 1\n", false, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.served(t, "p", c.text)
			op := w.observe()
			is(t, "unseen", op.Unseen["samples"], "")
			is(t, "counted", op.Samples.HasReconcile, c.counted)
			is(t, "loops", op.Samples.Reconciles, c.loops)
			is(t, "failed", op.Samples.ReconcileErrors, c.failed)
			is(t, "lower bound", op.Seen.Reconciles, c.loops)
		})
	}
}

func TestSampleNumbers(t *testing.T) {
	w := newWorld()
	w.crd("ClusterQueue.example.io")
	w.crd(widget)
	w.served(t, "p", `workqueue_depth{name="a"} 3
x_workqueue_depth{name="a"} 4
workqueue_longest_running_processor_seconds{name="a"} 12
workqueue_longest_running_processor_seconds{name="b"} 9
controller_runtime_reconcile_panics_total 1
controller_runtime_webhook_panics_total 1
rest_client_requests_total{code="429",host="h"} 7
rest_client_requests_total{code="403",host="h"} 2
controller_runtime_webhook_requests_total{code="403"} 5
widget_info{name="a",namespace="shop"} 1
widgets_zero{name="a",namespace="shop"} 0
queue_length{cluster_queue="a"} 4
kube_requests{name="a",namespace="shop",verb="GET",code="200"} 4
x_pods_state{name="a",namespace="shop"} 1
widget_ready{name="cluster-scoped"} 1
widget_operator_widget_feature_gate{name="Alpha"} 1
widget_operator_build_info 1
leader_election_master_status{name="lock"} 1
`)
	s := w.observe().Samples
	is(t, "queue", s.QueueDepth, 7)
	is(t, "longest", s.LongestRunning, 12)
	is(t, "panics", s.Panics, 2)
	is(t, "throttled, forbidden", [2]float64{s.Throttled, s.Forbidden}, [2]float64{7, 2})
	is(t, "has", s.HasPanics && s.HasQueue && s.HasCalls && !s.HasReconcile, true)
	same(t, "resources", s.ResourceFamilies, "queue_length", "widget_info", "widget_ready")
	is(t, "own, with those at 0", s.OwnFamilies, len(s.CustomFamilies)+1)
	is(t, "at 0", slices.Contains(s.CustomFamilies, "widgets_zero"), false)
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// TestProtectedIsUnknown: an endpoint that asks for credentials is served, and
// nothing else is known of it (field-cases I3).
func TestProtectedIsUnknown(t *testing.T) {
	w := newWorld()
	w.exposed(inventory.Exposition{Pod: "p", Endpoint: "port 8080", Outcome: inventory.Refused, Detail: "nothing listens there: connection refused"})
	w.exposed(inventory.Exposition{Pod: "p", Endpoint: "port 8443", Outcome: inventory.Protected, Detail: "protected: it asks for credentials (401)"})
	op := w.observe()
	is(t, "served, not refused", op.Seen.MetricsServed && !op.Seen.MetricsRefused, true)
	is(t, "unseen", op.Unseen["samples"], "protected: it asks for credentials (401) (Deployment/ops/widget-operator pod p port 8443)")
	is(t, "samples", op.Samples.Served, false)
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct {
		ready bool
		other inventory.ExpositionOutcome
		want  bool
	}{"ready pods": {true, inventory.Refused, true}, "a pod that is not ready": {false, inventory.Refused, false}, "one timed out": {true, inventory.Unread, false}} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			for i, outcome := range []inventory.ExpositionOutcome{inventory.Refused, c.other} {
				p := w.operatorPod("p"+string(rune('0'+i)), corev1.PodRunning)
				if c.ready {
					p.Ready = corev1.ConditionTrue
				}
				w.exposed(inventory.Exposition{Pod: "p" + string(rune('0'+i)), Outcome: outcome, Detail: "x"})
			}
			op := w.observe()
			is(t, "refused", op.Seen.MetricsRefused, c.want)
			is(t, "unknown", op.Unseen["samples"] != "", true)
		})
	}
}

// TestOneReplicaOfTwo: the pod that was read may be the one that does nothing.
// What it shows counts, and what it lacks is unknown.
func TestOneReplicaOfTwo(t *testing.T) {
	w := newWorld()
	w.served(t, "p1", "controller_runtime_reconcile_total 0\nwidget_failovers_total 2\n")
	w.exposed(inventory.Exposition{Pod: "p2", Outcome: inventory.Unread, Detail: "no whole answer within 10s"})
	op := w.observe()
	is(t, "unseen", op.Unseen["samples"], "no whole answer within 10s (Deployment/ops/widget-operator pod p2)")
	is(t, "loops", op.Seen.Reconciles, 0)
	same(t, "families", op.Seen.CustomFamilies, "widget_failovers_total")

	// Both were read: sums, and the standby adds nothing.
	w.s.Expositions = w.s.Expositions[:1]
	w.served(t, "p2", "controller_runtime_reconcile_total 8\n")
	op = w.observe()
	is(t, "unseen", op.Unseen["samples"], "")
	is(t, "loops", op.Samples.Reconciles, 8)
}

// TestOneSourceCounts: two sources tell of the same loops.
func TestOneSourceCounts(t *testing.T) {
	w := newWorld()
	w.exposed(inventory.Exposition{Pod: "p", Outcome: inventory.Protected, Detail: "protected: (401)"})
	w.exposed(inventory.Exposition{Operator: "widget-operator", Via: inventory.ViaFile, Outcome: inventory.Served, Families: families(t, "controller_runtime_reconcile_total 5\n")})
	w.exposed(inventory.Exposition{Via: inventory.ViaPrometheus, Outcome: inventory.Served, Families: families(t, "controller_runtime_reconcile_total 4\n")})
	op := w.observe()
	is(t, "loops of the Prometheus, read before the file", op.Samples.Reconciles, 4)
	is(t, "protected", op.Samples.Protected, true)
}

func TestNothingRead(t *testing.T) {
	row := func(resource string, state inventory.AccessState, detail string) inventory.Access {
		return inventory.Access{Resource: resource, Access: state, Detail: detail}
	}
	for name, c := range map[string]struct {
		row  inventory.Access
		want string
	}{
		"not asked":            {row("nodes", inventory.Listed, ""), "not asked for: --metrics"},
		"no port":              {row(inventory.PodProxyResource, inventory.Listed, ""), "no metrics endpoint of its pods is known"},
		"no Prometheus":        {row(inventory.PrometheusResource, inventory.Failed, "Prometheus could not be asked: refused"), "Prometheus could not be asked: refused"},
		"no file of that name": {row(inventory.ExpositionsResource, inventory.Listed, ""), "no saved metrics have its name: widget-operator.prom"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.s.Access = append(w.s.Access, c.row)
			is(t, "unseen", w.observe().Unseen["samples"], c.want)
		})
	}
}

// TestRealSamples: what the files of real operators come to.
func TestRealSamples(t *testing.T) {
	fsys := os.DirFS(filepath.Join(corpustest.Dir(t), "metrics"))
	for name, c := range map[string]struct {
		kinds         []string
		loops, failed float64
		custom        bool
		resources     []string
	}{
		"cert-manager":              {[]string{"Certificate.cert-manager.io", "ClusterIssuer.cert-manager.io"}, 448, 2, true, []string{"certmanager_certificate_ready_status", "certmanager_clusterissuer_ready_status"}},
		"karpenter":                 {[]string{"NodePool.karpenter.sh", "NodeClaim.karpenter.sh"}, 3034, 0, true, []string{"karpenter_nodepools_limit", "operator_status_condition_count"}},
		"kueue":                     {[]string{"ClusterQueue.kueue.x-k8s.io", "LocalQueue.kueue.x-k8s.io"}, 130, 0, true, []string{"kueue_cluster_queue_status", "kueue_local_queue_status"}},
		"argo-rollouts":             {[]string{"Rollout.argoproj.io"}, 27, 0, true, []string{"rollout_info", "rollout_phase"}},
		"prometheus-operator":       {[]string{"Prometheus.monitoring.coreos.com"}, 0, 0, true, nil},
		"rabbitmq-cluster-operator": {[]string{"RabbitmqCluster.rabbitmq.com"}, 49, 26, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld()
			w.op.Name = name
			for _, k := range c.kinds {
				w.crd(k)
			}
			list, row := exposition.ReadFolder(fsys, []string{name})
			w.s.Expositions, w.s.Access = list, append(w.s.Access, row)
			op := w.observe()
			is(t, "unseen", op.Unseen["samples"], "")
			is(t, "counted", op.Samples.HasReconcile, true)
			is(t, "loops", op.Samples.Reconciles, c.loops)
			is(t, "failed", op.Samples.ReconcileErrors, c.failed)
			is(t, "custom", len(op.Samples.CustomFamilies) > 0, c.custom)
			is(t, "resources", len(op.Samples.ResourceFamilies) > 0, c.resources != nil)
			for _, want := range c.resources {
				if !slices.Contains(op.Samples.ResourceFamilies, want) {
					t.Errorf("%s is not among %q", want, op.Samples.ResourceFamilies)
				}
			}
			for _, f := range op.Samples.ResourceFamilies {
				if strings.Contains(f, "workqueue") || strings.Contains(f, "pods") || strings.Contains(f, "request") {
					t.Errorf("%s does not name custom resources", f)
				}
			}
		})
	}
}
