package facts

import (
	"regexp"
	"strings"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// pathMarks are what a spec path speaks of. The same paths come back in every
// instance, so that they are worked out once.
type pathMarks struct{ version, schedule, restored bool }

var specVersion = regexp.MustCompile(`^(version|imageTag|[a-z]+Version|image|[a-zA-Z]+Image|imageName)$`)

// namesVersion tells whether the value of a field is a version or an image.
func namesVersion(field string) bool {
	return specVersion.MatchString(field) && !notAVersion.MatchString(field)
}

func (o *observer) marks(path string) pathMarks {
	return o.paths.get(path, func(path string) (m pathMarks) {
		last := path[strings.LastIndexByte(path, '.')+1:]
		m.version = namesVersion(last)
		m.restored = restored(path)
		m.schedule = last == "schedule" || strings.HasSuffix(last, "Schedule")
		return m
	})
}

// specMarks are what any of an object's spec paths speaks of.
func (op *operator) specMarks(obj *inventory.Object) (all pathMarks) {
	if len(obj.SpecPaths) == 0 {
		return all
	}
	return op.specs.get(&obj.SpecPaths[0], func(*string) pathMarks {
		for _, path := range obj.SpecPaths {
			m := op.o.marks(path)
			all.version, all.schedule, all.restored = all.version || m.version, all.schedule || m.schedule, all.restored || m.restored
		}
		return all
	})
}

func (t *tally) spec(obj *inventory.Object) {
	f, k := t.f, t.k
	if len(obj.SpecPaths) > 0 || !obj.Spec.IsZero() {
		f.WithSpec++
	}
	all := k.op.specMarks(obj)
	if all.version {
		f.SetsVersion++
	}
	if all.schedule {
		f.Schedules++
	}
	if paused(obj) {
		f.Paused++
	}
	if k.op.createdBy(obj) {
		return // the whole spec of what the operator makes itself is its own
	}
	for i := range obj.ManagedFields {
		e := &obj.ManagedFields[i]
		if e.Subresource == "" && k.op.isOwn(e.Manager) {
			for _, field := range inventory.FieldsWritten(e, "spec") {
				t.writtenBack = append(t.writtenBack, "spec."+field)
			}
		}
	}
}

// createdBy tells whether the operator itself made a custom resource: it has
// an owner, or nobody but the operator wrote to it.
func (op *operator) createdBy(obj *inventory.Object) bool {
	if len(obj.OwnerReferences) > 0 {
		return true
	}
	for i := range obj.ManagedFields {
		if e := &obj.ManagedFields[i]; e.Subresource == "" && !op.isOwn(e.Manager) {
			return false
		}
	}
	return true
}

var pauseAnnotation = regexp.MustCompile(`(?i)(^|[./-])paused?(-reconciliation)?$|(^|[./-])suspend(ed)?$`)

func paused(obj *inventory.Object) bool {
	for _, key := range []string{"paused", "pause", "suspend", "suspended"} {
		if v, _ := obj.Spec.At(key).(bool); v {
			return true
		}
	}
	for key := range obj.Annotations {
		// Hardly any key has one of these words, and there are many keys.
		if l := strings.ToLower(key); (strings.Contains(l, "pause") || strings.Contains(l, "suspend")) && pauseAnnotation.MatchString(key) {
			return true
		}
	}
	return false
}

func parseTime(value string) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339, value)
	return at, err == nil
}
