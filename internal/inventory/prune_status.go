package inventory

import (
	"math"
	"strings"
)

// pruneStatus bounds a status and scrubs its texts. A status that is no object
// is kept if it is a scalar: field-cases F3.
func (s *Shared) pruneStatus(v value) Packed {
	to := s.scratch()
	switch v.kind {
	case nullValue:
		return Packed{}
	case objectValue, stringValue:
		return s.packed(s.bounded(to, &v, 0))
	case scalarValue:
		switch n := v.number().(type) {
		case bool, int64, float64:
			return s.packed(appendScalar(to, n))
		}
	}
	return s.packed(append(to, packedObject, packedEnd))
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

func (s *Shared) bounded(to []byte, v *value, depth int) []byte {
	switch v.kind {
	case objectValue:
		return s.boundedFields(to, v.of, depth)
	case arrayValue:
		to = append(to, packedArray)
		for i := range v.of {
			if i == maxStatusItems || depth == maxStatusDepth {
				break
			}
			to = s.bounded(to, &v.of[i], depth+1)
		}
		return append(to, packedEnd)
	case stringValue:
		return appendText(to, s.clean(v.text))
	default:
		return appendScalar(to, v.number())
	}
}

// boundedFields keeps the first fields of an object in the order of their
// ranks and names.
func (s *Shared) boundedFields(to []byte, fields []value, depth int) []byte {
	to = append(to, packedObject)
	left := maxStatusKeys
	if depth == maxStatusDepth {
		left = 0
	}
	for r := range ranks {
		for i := range fields {
			field := &fields[i]
			if left == 0 || rank(field.key) != r {
				continue
			}
			left--
			// The name as it is kept decides too: what is not shown hides nothing.
			key := s.str(upTo(s.clean(field.key), 120))
			to = appendName(to, key)
			if field.kind == stringValue && field.text != "" && (credentialKey.hasFolded(field.key) || credentialKey.hasFolded(key)) {
				to = appendText(to, "[redacted]")
				continue
			}
			to = s.bounded(to, field, depth+1)
		}
	}
	return append(to, packedEnd)
}

// number makes whole numbers int64, whichever decoder read them.
func number(v any) any {
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return v
}
