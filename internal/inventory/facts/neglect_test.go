package facts

import (
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// TestNeglect: an old object without a status is neglected only where a status
// is to be expected.
func TestNeglect(t *testing.T) {
	promised := func(c *inventory.CRD) {
		c.Versions[0].Schema.Conditions = &inventory.ConditionsSchema{Path: "status.conditions"}
	}
	nested := func(c *inventory.CRD) { // a ServiceMonitor's status.bindings[].conditions
		c.Versions[0].Schema.Conditions = &inventory.ConditionsSchema{Path: "status.bindings.conditions"}
	}
	plain := func(*inventory.CRD) {}
	aged := func(age time.Duration) func(*inventory.Object) {
		return func(o *inventory.Object) { o.CreationTimestamp = ago(age) }
	}
	days := aged(348 * 24 * time.Hour)
	for _, c := range []struct {
		name              string
		schema            func(*inventory.CRD)
		others            []func(*inventory.Object) // of a second instance; nil for none
		age               func(*inventory.Object)
		state             attribution.State
		never, unanswered string
	}{
		{name: "nobody writes it, the schema promises nothing", schema: plain, age: days},
		{name: "conditions of others promise nothing", schema: nested, age: days},
		{name: "nobody writes it, the schema promises it", schema: promised, age: days,
			unanswered: "Widget/shop/old: no status after 348 days, and none was seen on any Widget"},
		{name: "ten minutes are enough", schema: promised, age: aged(13 * time.Minute), unanswered: "Widget/shop/old: no status after 13 minutes"},
		{name: "too young", schema: promised, age: aged(5 * time.Minute)},
		{name: "others have one", schema: plain, age: days, others: []func(*inventory.Object){ready}, never: "Widget/shop/old: no status after 348 days"},
		{name: "a controller writes it", schema: plain, age: days, others: []func(*inventory.Object){writtenBy("widget-operator/status")}, never: "Widget/shop/old: no status after 348 days"},
		{name: "an empty one of others is none", schema: plain, age: days, others: []func(*inventory.Object){status(map[string]any{"replicas": int64(0)})}},
		{name: "the controller is down", schema: plain, age: days, state: attribution.Down, never: "Widget/shop/old: no status after 348 days"},
		{name: "there is no controller", schema: plain, age: days, state: attribution.Absent, never: "Widget/shop/old: no status after 348 days"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			w.crd(widget, c.schema)
			w.cr(widget, "old", c.age)
			if c.others != nil {
				w.cr(widget, "other", append(c.others, aged(time.Minute))...)
			}
			if c.state != "" {
				w.op.CRDs[0].State = c.state
			}
			f := w.first().Instances
			for what, list := range map[string][2]string{"never": {strings.Join(f.NeverReconciled, "\n"), c.never}, "unanswered": {strings.Join(f.Unanswered, "\n"), c.unanswered}} {
				if list[1] == "" {
					is(t, what, list[0], "")
				} else {
					contains(t, what, []string{list[0]}, list[1])
				}
			}
			if c.others == nil {
				is(t, "with a status", f.WithStatus, 0)
			}
		})
	}
}

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 seconds", time.Second: "1 second", 119 * time.Second: "119 seconds", 13*time.Minute + 12*time.Second: "13 minutes",
		119 * time.Minute: "119 minutes", 2 * time.Hour: "2 hours", 47 * time.Hour: "47 hours", 48 * time.Hour: "2 days", 8352 * time.Hour: "348 days",
	} {
		is(t, d.String(), span(d), want)
	}
}

// TestWriters: who wrote status comes before who only set a finalizer, however
// late, and what was written is told.
func TestWriters(t *testing.T) {
	finalizer := func(o *inventory.Object) {
		at := ago(time.Second)
		o.ManagedFields = append(o.ManagedFields, metav1.ManagedFieldsEntry{Manager: "operator", Operation: "Update", Time: &at,
			FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:finalizers":{}}}`)})
	}
	w := newWorld()
	w.crd(widget)
	w.cr(widget, "a", finalizer)
	r := w.first().Reconciled
	is(t, "finalizer alone", r.StatusManager+" wrote "+r.Wrote, "operator wrote a finalizer")
	w.cr(widget, "b", ready, writtenBy("widget-operator/status"))
	r = w.first().Reconciled
	is(t, "status before finalizer", r.StatusManager+" wrote "+r.Wrote, "widget-operator wrote status")
	is(t, "its time", r.StatusWritten, stamp(now.Add(-time.Minute)))
	equal(t, "writers", r.Writers, "operator", "widget-operator")
}
