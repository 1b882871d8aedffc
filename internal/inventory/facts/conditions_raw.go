package facts

import (
	"kubectl-operator-maturity/internal/inventory"
)

// rawCondition holds the fields of a condition that are looked at, as found;
// "" is a field that is not there or no text.
type rawCondition struct {
	kind, status, reason, message, changed string
	// worded and boolean: the status is a text, or a boolean, which holds.
	worded, boolean, holds bool
	reasoned               bool // there is a field "reason"
	observed               int64
}

func rawOf(m map[string]any) (c rawCondition) {
	for key, v := range m {
		if s, ok := v.(string); ok {
			c.text(key, s)
		} else {
			c.other(key, v)
		}
	}
	return c
}

// rawOfPacked is rawOf without a map: most of what a large cluster has to say
// stands in conditions.
func rawOfPacked(p inventory.Packed) (c rawCondition) {
	for key, v := range p.Fields() {
		if s, ok := v.Text(); ok {
			c.text(key, s)
		} else {
			c.other(key, v.Value())
		}
	}
	return c
}

func (c *rawCondition) text(key, v string) {
	switch key {
	case "type":
		c.kind = v
	case "status":
		c.status, c.worded, c.boolean = v, true, false
	case "reason":
		c.reason, c.reasoned = v, true
	case "message":
		c.message = v
	case "lastTransitionTime":
		c.changed = v
	case "observedGeneration":
		c.observed = 0
	}
}

func (c *rawCondition) other(key string, v any) {
	c.text(key, "")
	switch key {
	case "status":
		c.worded = false
		c.holds, c.boolean = v.(bool)
	case "observedGeneration":
		c.observed, _ = integer(v)
	}
}
