package facts

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// Condition is a condition as found, its status brought to True, False or
// Unknown where it is one of these in another shape.
type Condition struct {
	// Path says where it stands: "" for status.conditions, else
	// "parents[gateway-a]".
	Path    string
	Type    string
	Status  string
	Reason  string
	Message string
	// ObservedGeneration is 0 if not told.
	ObservedGeneration int64
	// Changed is lastTransitionTime; zero if missing or not a time.
	Changed time.Time
}

// nested are the fields of status that hold conditions for each of several
// parents, and the fields that name the parent.
var nested = []string{"ancestors", "bindings", "listeners", "parents"}

// conditions finds all groups of conditions of a status and notes how they
// depart from the conventions.
func (r *Reading) conditions(status map[string]any) []group {
	var groups []group
	add := func(path string, v any) {
		if found := r.parse(path, v); len(found) > 0 {
			groups = append(groups, group{path, found})
			if r.Conditions == nil {
				r.Conditions = slices.Clip(found) // mostly there is one list
			} else {
				r.Conditions = append(r.Conditions, found...)
			}
		}
	}
	add("", status["conditions"])
	for _, field := range nested {
		list, _ := status[field].([]any)
		for i, item := range list {
			if m, ok := item.(map[string]any); ok {
				add(field+"["+itemName(m, i)+"]", m["conditions"])
			}
		}
	}
	return groups
}

func itemName(item map[string]any, i int) string {
	for _, key := range []string{"parentRef", "ancestorRef", "name"} {
		switch v := item[key].(type) {
		case string:
			return clean(v)
		case map[string]any:
			if name, ok := v["name"].(string); ok {
				return clean(name)
			}
		}
	}
	return strconv.Itoa(i)
}

// parse reads an array of conditions; some controllers write a map keyed by
// type instead.
func (r *Reading) parse(path string, v any) []Condition {
	var found []Condition
	switch v := v.(type) {
	case inventory.Packed:
		if !v.IsArray() {
			return r.parse(path, v.Value())
		}
		found = make([]Condition, 0, v.Len())
		for item := range v.Items() {
			if item.IsObject() {
				found = append(found, r.condition(path, rawOfPacked(item)))
			} else {
				r.note(path, "an entry of conditions is not an object")
			}
		}
	case []any:
		found = make([]Condition, 0, len(v))
		for _, item := range v {
			if m, ok := item.(map[string]any); ok {
				found = append(found, r.condition(path, rawOf(m)))
			} else {
				r.note(path, "an entry of conditions is not an object")
			}
		}
	case map[string]any:
		r.note(path, "conditions is a map, not a list")
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if m, ok := v[key].(map[string]any); ok {
				c := r.condition(path, rawOf(m))
				if c.Type == "" {
					c.Type = clean(key)
				}
				found = append(found, c)
			}
		}
	}
	for i := range found {
		for j := range found[:i] {
			if found[i].Type == found[j].Type {
				r.note(path, "condition type "+found[i].Type+" stands twice")
				break
			}
		}
	}
	return found
}

func (r *Reading) condition(path string, raw rawCondition) Condition {
	c := Condition{Path: path, Type: clean(raw.kind), Reason: clean(raw.reason), Message: clean(raw.message), ObservedGeneration: raw.observed}
	if c.Type == "" {
		r.note(path, "a condition has no type")
	}
	switch {
	case raw.boolean:
		c.Status = "False"
		if raw.holds {
			c.Status = "True"
		}
		r.note(path, c.Type+": status is a boolean")
	case raw.worded:
		c.Status = clean(raw.status)
		for _, known := range []string{"True", "False", "Unknown"} {
			if strings.EqualFold(raw.status, known) {
				c.Status = known
			}
		}
		if !c.wellKnown() || c.Status != raw.status {
			r.note(path, fmt.Sprintf("%s: status is %q, not True, False or Unknown", c.Type, clean(raw.status)))
		}
	default:
		r.note(path, c.Type+": no status")
	}
	// A reason that is there but empty is common and does no harm.
	if !raw.reasoned {
		r.note(path, c.Type+": no reason")
	}
	if at, err := time.Parse(time.RFC3339, clean(raw.changed)); err == nil {
		c.Changed = at
	} else {
		r.note(path, c.Type+": no lastTransitionTime")
	}
	return c
}

// wellKnown tells whether the status is one of the three that there are.
func (c *Condition) wellKnown() bool {
	return c.Status == "True" || c.Status == "False" || c.Status == "Unknown"
}

func (r *Reading) note(path, what string) {
	if path != "" {
		what = path + ": " + what
	}
	r.Malformed = append(r.Malformed, what)
}

func typesOf(conditions []Condition) []string {
	var types []string
	for i := range conditions {
		if !slices.Contains(types, conditions[i].Type) {
			types = append(types, conditions[i].Type)
		}
	}
	slices.Sort(types)
	return types
}

// empty tells whether a status holds nothing but zero values, which is what a
// struct without omitempty leaves before any controller has looked. A boolean
// "ready" that is false is said on purpose.
func empty(status map[string]any) bool {
	for key, v := range status {
		if _, isBool := v.(bool); isBool && (key == "ready" || key == "readyToUse") {
			return false
		}
		if !zero(v, 0) {
			return false
		}
	}
	return true
}

func zero(v any, depth int) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return v == ""
	case bool:
		return !v
	case inventory.Packed:
		return v.IsArray() && v.Len() == 0 || !v.IsArray() && zero(v.Value(), depth)
	case map[string]any:
		for _, below := range v {
			if depth > 5 || !zero(below, depth+1) {
				return false
			}
		}
		return true
	case []any:
		return len(v) == 0
	}
	n, ok := integer(v)
	return ok && n == 0
}

// integer reads a whole number of any decoder.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case float64:
		return int64(v), v == math.Trunc(v)
	case json.Number:
		n, err := v.Int64()
		return n, err == nil
	}
	return 0, false
}

// text is a string, fit to be shown; "" for anything else.
func text(v any) string {
	s, _ := v.(string)
	return clean(s)
}

// clean is inventory.Text for the texts that need it. What a snapshot holds
// was cleaned when it was collected, so that most need no more than this look.
func clean(s string) string {
	if len(s) > 400 {
		return inventory.Text(s)
	}
	for i := range len(s) {
		if s[i] < ' ' || s[i] == 0x7f || s[i] == 0xc2 {
			return inventory.Text(s)
		}
	}
	return s
}
