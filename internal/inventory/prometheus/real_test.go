package prometheus_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/exposition"
	"kubectl-operator-maturity/internal/inventory/prometheus"
	"kubectl-operator-maturity/test/testprometheus"
)

var operators = []string{"argo-rollouts.prom", "cert-manager.prom", "karpenter.prom.gz", "kueue.prom.gz", "prometheus-operator.prom", "rabbitmq-cluster-operator.prom"}

// serve answers with a text as an endpoint does.
func serve(t *testing.T, text string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// relative compares sums that were added up in another order.
var relative = cmp.Options{cmpopts.EquateEmpty(), cmp.Comparer(func(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
})}

func workload(name string, pods ...string) inventory.MetricsTarget {
	return inventory.MetricsTarget{Workload: "Deployment/ops/" + name, Namespace: "ops", Name: name, Pods: pods}
}

func ask(t *testing.T, url string, targets ...inventory.MetricsTarget) ([]inventory.Exposition, inventory.Access) {
	t.Helper()
	list, row, err := prometheus.Ask(context.Background(), prometheus.Options{URL: url}, targets)
	if err != nil {
		t.Fatal(err)
	}
	return list, row
}

// TestSameAsTheEndpoint: a real Prometheus that scraped a real exposition tells
// the same as the exposition itself.
func TestSameAsTheEndpoint(t *testing.T) {
	texts := map[string]string{}
	var scraped []testprometheus.Target
	for _, file := range operators {
		name, _, _ := strings.Cut(file, ".")
		texts[name] = corpustest.Text(t, "metrics", file)
		scraped = append(scraped, testprometheus.Target{Job: "ops/" + name, URL: serve(t, texts[name]),
			Labels: map[string]string{"namespace": "ops", "pod": name + "-1", "container": "manager"}})
	}
	// What others say about the same pods is not the operators' own.
	scraped = append(scraped, testprometheus.Target{Job: "kube-state-metrics", HonorLabels: true,
		URL:    serve(t, "# TYPE kube_pod_info gauge\nkube_pod_info{namespace=\"ops\",pod=\"cert-manager-1\"} 1\n"),
		Labels: map[string]string{"namespace": "monitoring", "pod": "ksm-1"}})
	url := testprometheus.Start(t, scraped...)
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			want, err := exposition.Parse(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			list, row := ask(t, url, workload(name, name+"-1"))
			if len(list) != 1 || list[0].Outcome != inventory.Served || row.Access != inventory.Listed || row.Count != 1 {
				t.Fatalf("%d expositions, row %+v", len(list), row)
			}
			if e := list[0]; e.Endpoint != "job ops/"+name || e.Via != inventory.ViaPrometheus || e.Pod != "" {
				t.Errorf("%+v", e)
			}
			if diff := cmp.Diff(want, list[0].Families, relative); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestTargets: which targets of a Prometheus are a workload's.
func TestTargets(t *testing.T) {
	text := func(n int) string { return fmt.Sprintf("# TYPE a_total counter\na_total %d\n", n) }
	down := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(down.Close)
	twice := serve(t, text(4))
	pod := func(name string) map[string]string { return map[string]string{"namespace": "ops", "pod": name} }
	url := testprometheus.Start(t,
		testprometheus.Target{Job: "two", URL: serve(t, text(1)), Labels: pod("two-1")},
		testprometheus.Target{Job: "two-b", URL: serve(t, text(2)), Labels: pod("two-2")},
		testprometheus.Target{Job: "half", URL: serve(t, text(3)), Labels: pod("half-1")},
		testprometheus.Target{Job: "half-b", URL: down.URL, Labels: pod("half-2")},
		testprometheus.Target{Job: "twice-a", URL: twice, Labels: pod("twice-1")},
		testprometheus.Target{Job: "twice-b", URL: twice, Labels: pod("twice-1")},
		testprometheus.Target{Job: "old", URL: serve(t, text(5)), Labels: map[string]string{"kubernetes_namespace": "ops", "kubernetes_pod_name": "old-1"}},
		testprometheus.Target{Job: "monitoring/by-name", URL: serve(t, text(6))},
		testprometheus.Target{Job: "elsewhere", URL: serve(t, text(7)), Labels: map[string]string{"namespace": "other", "pod": "elsewhere-1"}},
	)
	for name, c := range map[string]struct {
		target inventory.MetricsTarget
		sum    float64
		lacks  string
		access inventory.AccessState
	}{
		"two pods in two jobs":           {workload("two", "two-1", "two-2"), 3, "", inventory.Listed},
		"a pod that can't be scraped":    {workload("half", "half-1", "half-2"), 3, "half-2: Prometheus can't scrape it", inventory.Partial},
		"a pod without a target":         {workload("half", "half-1", "half-3"), 3, "half-3: Prometheus has no target for this pod", inventory.Partial},
		"an endpoint that two jobs read": {workload("twice", "twice-1"), 4, "", inventory.Listed},
		"labels of old examples":         {workload("old", "old-1"), 5, "", inventory.Listed},
		"the name of the job alone":      {workload("by-name", "by-name-1"), 6, "", inventory.Listed},
		"another namespace":              {workload("elsewhere", "elsewhere-1"), 0, "elsewhere-1: Prometheus has no target for it", inventory.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			list, row := ask(t, url, c.target)
			sum, lacks := 0.0, ""
			for _, e := range list {
				if e.Outcome != inventory.Served {
					lacks += e.Pod + ": " + e.Detail
				}
				for _, f := range e.Families {
					sum += f.Sum
				}
			}
			if sum != c.sum || !strings.HasPrefix(lacks, c.lacks) || (lacks == "") != (c.lacks == "") {
				t.Errorf("sum %v, lacks %q; want %v, %q", sum, lacks, c.sum, c.lacks)
			}
			if row.Access != c.access {
				t.Errorf("row %+v, want %s", row, c.access)
			}
		})
	}
}
