package facts

import (
	"fmt"
	"strings"
	"time"
)

// Health is what the status of a custom resource says of its readiness. The
// zero value is Unknown.
type Health string

const (
	// Ready and NotReady: the status says so.
	Ready    Health = "ready"
	NotReady Health = "not-ready"
	// Unknown: the status speaks of readiness but cannot be understood, or is
	// of an older generation.
	Unknown Health = "unknown"
	// Pending: no status yet, and too young to expect one.
	Pending Health = "pending"
	// NeverReconciled: no status although the CRD has one and the object is
	// old. neglect.go takes it back for kinds whose status nobody writes.
	NeverReconciled Health = "never-reconciled"
	// NotExpressed: the status, if any, does not speak of readiness.
	NotExpressed Health = "not-expressed"
)

const (
	// grace is how long an object without status may be waiting its turn, and
	// neglected is the age from which nobody seems to come.
	grace     = 2 * time.Minute
	neglected = time.Hour
)

// Input is what Read judges.
type Input struct {
	Status     any
	Generation int64
	// Age by the snapshot's clock; negative if unknown.
	Age time.Duration
	// NoStatus: the CRD has neither a status subresource nor one in its schema.
	NoStatus bool
	// NoSubresource: writing status raises the generation too, so that an
	// observed generation behind it means nothing.
	NoSubresource bool
}

// Reading is what one status says.
type Reading struct {
	Health Health
	Why    string
	// Conditions are all that were found, those of parents, listeners and the
	// like with their path.
	Conditions []Condition
	// Phase is the word of the phase-like field at PhasePath.
	Phase     string
	PhasePath string
	// Observed is the observed generation: of the deciding condition, else of
	// the status; 0 is unknown.
	Observed int64
	// Behind: Observed is known and older than the generation.
	Behind bool
	// Malformed are departures from the API conventions, in words.
	Malformed []string
}

// Read tells the readiness that a status expresses. It is a pure function;
// field-cases.md F1 to F14 are its test cases.
func Read(in Input) Reading {
	var r Reading
	status, isMap := in.Status.(map[string]any)
	switch {
	case in.Status == nil || isMap && empty(status):
		r.Health, r.Why = absent(in)
		return r
	case !isMap:
		r.scalar(in.Status)
		return r
	}
	groups := r.conditions(status)
	root, hasRoot := integer(status["observedGeneration"])
	r.Observed = root
	r.judgeAll(groups, in, root)
	r.phase(status)
	if r.Health == "" {
		r.fallback(in, status, hasRoot)
	} else if ready, ok := status["ready"].(bool); ok && ready != (r.Health == Ready) && (r.Health == Ready || r.Health == NotReady) {
		r.Malformed = append(r.Malformed, fmt.Sprintf("status.ready is %t but %s", ready, r.Why))
	}
	r.Behind = behind(r.Observed, in)
	return r
}

// absent judges an object without status by its age.
func absent(in Input) (Health, string) {
	age := span(in.Age)
	switch {
	case in.NoStatus:
		return NotExpressed, "the CRD has no status"
	case in.Age < 0:
		return Unknown, "no status, and its age is unknown"
	case in.Age < grace:
		return Pending, fmt.Sprintf("no status yet, %s old", age)
	case in.Age < neglected:
		return Unknown, fmt.Sprintf("no status after %s", age)
	}
	return NeverReconciled, fmt.Sprintf("no status after %s", age)
}

// scalar judges a status that is no object.
func (r *Reading) scalar(status any) {
	r.Malformed = append(r.Malformed, fmt.Sprintf("status is a %T, not an object", status))
	switch v := status.(type) {
	case bool:
		r.Health, r.Why = ofBool(v), fmt.Sprintf("status is %t", v)
	case string:
		r.Phase, r.PhasePath = clean(v), "status"
		r.Health, r.Why = ofPhase(v), "status is "+clean(v)
	default:
		r.Malformed[0] = "status is not an object"
		r.Health, r.Why = Unknown, "status is not an object"
	}
}

// judgeAll takes the worst of all groups of conditions: those of the object
// itself and those for each parent, listener or ancestor.
func (r *Reading) judgeAll(groups []group, in Input, root int64) {
	worst := 0
	for i := range groups {
		health, why, decisive := groups[i].judge(in, root)
		if n := badness[health]; n > worst {
			worst = n
			r.Health, r.Why = health, why
			if decisive != nil && decisive.ObservedGeneration > 0 {
				r.Observed = decisive.ObservedGeneration
			}
		}
	}
}

var badness = map[Health]int{Ready: 1, Unknown: 2, NotReady: 3}

// fallback judges a status whose conditions do not tell: by its phase, by a
// boolean, or not at all.
func (r *Reading) fallback(in Input, status map[string]any, observed bool) {
	switch {
	case r.Phase != "":
		r.Health, r.Why = ofPhase(r.Phase), r.PhasePath+" is "+r.Phase
		if r.Health == Unknown {
			r.Why += ", a word not known to mean ready or not"
		}
		if r.Health != Unknown && behind(r.Observed, in) {
			r.Health, r.Why = Unknown, fmt.Sprintf("%s, but of generation %d of %d", r.Why, r.Observed, in.Generation)
		}
	case boolReady(status) != nil:
		ready := boolReady(status)
		r.Health, r.Why = ofBool(ready.value), fmt.Sprintf("status.%s is %t", ready.key, ready.value)
	case observed && len(status) == 1:
		r.Health, r.Why = NotExpressed, "reconciled, but status holds an observedGeneration alone"
	case len(r.Conditions) > 0:
		r.Health, r.Why = NotExpressed, "no condition tells readiness: "+strings.Join(typesOf(r.Conditions), ", ")
	default:
		r.Health, r.Why = NotExpressed, "status does not speak of readiness"
	}
}

func ofBool(ready bool) Health {
	if ready {
		return Ready
	}
	return NotReady
}

// behind tells whether an observed generation is older than the object's. 0 is
// unknown, never behind.
func behind(observed int64, in Input) bool {
	return observed > 0 && in.Generation > 0 && !in.NoSubresource && observed < in.Generation
}
