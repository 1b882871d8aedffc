package inventory

import (
	"math"
	"strings"
)

// pruneStatus bounds a status and scrubs its texts. A status that is no map is
// kept if it is a scalar: field-cases F3.
func (s *Shared) pruneStatus(v value) any {
	switch v.kind {
	case nullValue:
		return nil
	case objectValue, stringValue:
		return s.bounded(&v, 0)
	case scalarValue:
		switch n := v.number().(type) {
		case bool, int64, float64:
			return n
		}
	}
	return map[string]any{}
}

// ranks is how many ranks there are.
const ranks = 2

// rank puts the keys that say most first, so that a bound never cuts them.
func rank(key string) int {
	switch key {
	case "conditions", "observedGeneration", "phase", "state", "health", "parents", "listeners", "ancestors":
		return 0
	}
	return 1
}

// credentialKey are the keys of a status whose texts are not kept: values that
// are credentials, and whole manifests (InstallPlans have them).
var credentialKey = newKeySet("manifest", nil, strings.Fields(`password passwd token apikey api_key accesskey access_key privatekey private_key
	clientsecret client_secret credential credentials`))

func (s *Shared) bounded(v *value, depth int) any {
	switch v.kind {
	case objectValue:
		return s.boundedFields(v.of, depth)
	case arrayValue:
		kept := make([]any, 0, min(len(v.of), maxStatusItems))
		for i := range v.of {
			if i == maxStatusItems || depth == maxStatusDepth {
				break
			}
			kept = append(kept, s.bounded(&v.of[i], depth+1))
		}
		return kept
	case stringValue:
		return s.boxed(v.text)
	default:
		return v.number()
	}
}

// boundedFields keeps the first fields of an object in the order of their
// ranks and names.
func (s *Shared) boundedFields(fields []value, depth int) map[string]any {
	kept := make(map[string]any, min(len(fields), maxStatusKeys))
	if depth == maxStatusDepth {
		return kept
	}
	left := maxStatusKeys
	for r := range ranks {
		for i := range fields {
			field := &fields[i]
			if left == 0 {
				return kept
			}
			if rank(field.key) != r {
				continue
			}
			left--
			// The name as it is kept decides too: what is not shown hides nothing.
			key := s.str(upTo(s.clean(field.key), 120))
			if field.kind == stringValue && field.text != "" && (credentialKey.hasFolded(field.key) || credentialKey.hasFolded(key)) {
				kept[key] = "[redacted]"
				continue
			}
			kept[key] = s.bounded(field, depth+1)
		}
	}
	return kept
}

// number makes whole numbers int64, whichever decoder read them.
func number(v any) any {
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return v
}
