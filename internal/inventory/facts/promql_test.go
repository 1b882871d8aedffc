package facts

import (
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

func TestReadExpression(t *testing.T) {
	const week = 7 * 24 * time.Hour
	for _, row := range []struct {
		name, expr         string
		metrics, functions string
		named              []string
		offset             time.Duration
		unusual, text      bool
	}{
		{name: "recording rule", expr: `namespace:widget_errors:rate5m{namespace="shop"} / on (namespace) group_left (tier) namespace:widget_requests:rate5m > 0.05`,
			metrics: "namespace:widget_errors:rate5m namespace:widget_requests:rate5m", named: []string{"shop"}},
		{name: "last week", expr: `sum by (job) (rate(widget_requests_total[5m])) < 0.5 * sum by (job) (rate(widget_requests_total[5m] offset 1w))`,
			metrics: "widget_requests_total widget_requests_total", functions: "rate rate", offset: week, unusual: true},
		{name: "yesterday, in hours", expr: `widget_queue_length > 2 * widget_queue_length offset 24h`,
			metrics: "widget_queue_length widget_queue_length", offset: 24 * time.Hour, unusual: true},
		{name: "an offset of minutes", expr: `widget_queue_length - widget_queue_length offset 5m > 100`,
			metrics: "widget_queue_length widget_queue_length", offset: 5 * time.Minute},
		{name: "subquery", expr: `abs(widget_lag - avg_over_time(widget_lag[1d])) > 3 * stddev_over_time(rate(widget_lag[5m])[1d:5m] offset 1d)`,
			metrics: "widget_lag widget_lag widget_lag", functions: "abs avg_over_time stddev_over_time rate", offset: 24 * time.Hour, unusual: true},
		{name: "disk full", expr: "# soon\npredict_linear(kubelet_volume_stats_available_bytes{persistentvolumeclaim=~\"data-widget-.*\"}[6h], 4 * 3600) < 0",
			metrics: "kubelet_volume_stats_available_bytes", functions: "predict_linear", named: []string{"data-widget-.*"}, unusual: true},
		{name: "behind a feature flag", expr: `double_exponential_smoothing(widget_lag[1h], 0.3, 0.3) > 5`,
			metrics: "widget_lag", functions: "double_exponential_smoothing", unusual: true},
		{name: "names in matchers", expr: `{__name__="widget_up", job="a"} == 0 or {__name__=~"widget_(lag|load)"} > 1 or {__name__=~"gadget_.+", __name__!="gadget_up"} > 1`,
			metrics: "widget_up widget_lag widget_load gadget_", named: []string{"a"}},
		{name: "a name that is quoted", expr: `{"widget.errors", pod=~"widget-[0-9]+"} > 0`,
			metrics: "widget.errors", named: []string{"widget-[0-9]+"}},
		{name: "named for anomalies", expr: `job:widget_latency:anomaly_score > 3`,
			metrics: "job:widget_latency:anomaly_score", unusual: true},
		{name: "words in a label value", expr: `widget_failures{reason="offset 1w predict_linear("} > 0`,
			metrics: "widget_failures", named: []string{"offset 1w predict_linear("}},
		{name: "MetricsQL", expr: `rate(widget_errors_total{job="a"}) keep_metric_names > 2 * (widget_errors_total offset 1w)`,
			metrics: "widget_errors_total keep_metric_names widget_errors_total", unusual: true, text: true},
		{name: "renamed since", expr: `holt_winters(widget_lag[1h], 0.3, 0.3) > 5`,
			metrics: "widget_lag", unusual: true, text: true},
		{name: "nothing", text: true},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := readExpression(row.expr)
			if e.parsed == row.text {
				t.Errorf("parsed: %v", e.parsed)
			}
			if got := strings.Join(e.metrics, " "); got != row.metrics {
				t.Errorf("metrics %q, want %q", got, row.metrics)
			}
			if got := strings.Join(e.functions, " "); got != row.functions {
				t.Errorf("functions %q, want %q", got, row.functions)
			}
			if row.text {
				row.named = []string{row.expr}
			}
			if !slices.Equal(e.named, row.named) {
				t.Errorf("named %q, want %q", e.named, row.named)
			}
			if e.offset != row.offset || e.unusual != row.unusual {
				t.Errorf("offset %v, unusual %v, want %v, %v", e.offset, e.unusual, row.offset, row.unusual)
			}
		})
	}
}

func TestAlertOfOperand(t *testing.T) {
	w, _ := widgets()
	w.define("PrometheusRule.monitoring.coreos.com")
	for expr, want := range map[string]int{
		`{__name__="widget_up"} == 0`:     1,
		`{__name__=~"workqueue_.+"} > 10`: 0,
		`kube_deployment_status_replicas_available{deployment="widget-operator"} == 0`:                               0,
		`kube_pod_status_ready{pod=~"widget-operator-.*"} == 0 or up == 0`:                                           0,
		`kube_statefulset_status_replicas_ready{statefulset="cache"} == 0`:                                           1,
		`rate(workqueue_retries_total[5m]) > 1 and on () job:widget_lag:p99 > 1`:                                     1,
		`(time() - process_start_time_seconds) < 60 and on () absent(up{job="widget-operator", metric="widget_up"})`: 0,
	} {
		w.s.CustomResources = slices.DeleteFunc(w.s.CustomResources, func(o inventory.Object) bool { return o.Name == "widget-operator-rules" })
		w.rules("ops", "widget-operator-rules", alertRule("A", expr, "", ""))
		if f := w.first().Alerts; f.Count != 1 || f.OperandCount != want {
			t.Errorf("%s: %d of %d alerts are about the operand, want %d", expr, f.OperandCount, f.Count, want)
		}
	}
}
