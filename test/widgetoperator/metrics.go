package main

import (
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// ready is the operator's own metric, beside those of controller-runtime.
var ready = prometheus.NewGaugeVec(prometheus.GaugeOpts{
	Name: "widget_ready",
	Help: "Whether all replicas of a Widget are ready (1) or not (0).",
}, []string{"namespace", "name"})

func init() { metrics.Registry.MustRegister(ready) }

func observe(w *Widget) {
	value := 0.0
	if meta.IsStatusConditionTrue(w.Status.Conditions, "Ready") {
		value = 1
	}
	ready.WithLabelValues(w.Namespace, w.Name).Set(value)
}

func forget(name types.NamespacedName) { ready.DeleteLabelValues(name.Namespace, name.Name) }
