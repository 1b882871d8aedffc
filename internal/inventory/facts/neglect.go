package facts

import (
	"slices"

	"kubectl-operator-maturity/internal/inventory/attribution"
)

// An old object without a status is neglected only if its kind's status is
// written at all: many kinds have one in their schema that their controller
// fills seldom, behind a feature gate or never (ServiceMonitor, AppProject).
// Where a controller is not there, the object waits for it all the same.

// judgeNeglect takes the verdict "never reconciled" back where nobody was seen
// to write the kind's status. It needs the managers of all kinds.
func (k *kind) judgeNeglect() {
	if k.statusWritten() || !k.attended() {
		return
	}
	for i := range k.instances {
		r := &k.instances[i].reading
		if r.Health != NeverReconciled {
			continue
		}
		r.Health = NotExpressed
		if k.promisesStatus() {
			r.Health = Unknown
		}
		r.Why += ", and none was seen on any " + k.crd.Names.Kind
	}
}

// statusWritten tells whether the kind's status was seen to be written: by a
// controller, or since some instance has one.
func (k *kind) statusWritten() bool {
	for _, w := range k.writers {
		if w.status {
			return true
		}
	}
	return slices.ContainsFunc(k.instances, func(in instance) bool { return in.hasStatus() })
}

// attended tells whether the kind's controller is there as far as is known, or
// is not needed.
func (k *kind) attended() bool {
	return k.at.State != attribution.Down && k.at.State != attribution.Absent
}

// promisesStatus tells whether the schema has fields that a controller fills in
// for every object: conditions or a phase of its own, an observed generation.
func (k *kind) promisesStatus() bool {
	v := k.storage()
	if v == nil {
		return false
	}
	s := &v.Schema
	return s.Conditions != nil && s.Conditions.Path == "status.conditions" || s.PhaseField != "" || s.ObservedGeneration
}

// unanswered tells whether the i-th instance has waited long for a status that
// the schema promises and that nobody was seen to write for the kind.
func (k *kind) unanswered(i int) bool {
	in := &k.instances[i]
	return !in.hasStatus() && k.promisesStatus() && !k.statusWritten() && k.op.o.age(in.obj.CreationTimestamp.Time) > lag
}

// hasStatus tells whether an object's status says anything.
func (in *instance) hasStatus() bool {
	if m, ok := in.status.(map[string]any); ok {
		return !empty(m)
	}
	return in.status != nil
}

// fields are those of the status; nil if there is none or it is no object.
func (in *instance) fields() map[string]any {
	m, _ := in.status.(map[string]any)
	return m
}
