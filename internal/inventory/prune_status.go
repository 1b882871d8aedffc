package inventory

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// pruneStatus bounds a status and scrubs its texts. A status that is no map is
// kept if it is a scalar: field-cases F3.
func pruneStatus(v any) any {
	switch v := v.(type) {
	case nil:
		return nil
	case map[string]any:
		return bounded(v, 0)
	case string:
		return Text(v)
	case bool, int64, float64:
		return number(v)
	default:
		return map[string]any{}
	}
}

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

func bounded(v any, depth int) any {
	switch v := v.(type) {
	case map[string]any:
		kept := make(map[string]any, min(len(v), maxStatusKeys))
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.SortFunc(keys, func(a, b string) int { return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b)) })
		for i, key := range keys {
			if i == maxStatusKeys || depth == maxStatusDepth {
				break
			}
			value := v[key]
			if text, ok := value.(string); ok && text != "" && credentialKey.hasFolded(key) {
				value = "[redacted]"
			}
			kept[cut(Text(key), 120)] = bounded(value, depth+1)
		}
		return kept
	case []any:
		kept := make([]any, 0, min(len(v), maxStatusItems))
		for i, item := range v {
			if i == maxStatusItems || depth == maxStatusDepth {
				break
			}
			kept = append(kept, bounded(item, depth+1))
		}
		return kept
	case string:
		return Text(v)
	default:
		return number(v)
	}
}

// number makes whole numbers int64, whichever decoder read them.
func number(v any) any {
	if f, ok := v.(float64); ok && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return int64(f)
	}
	return v
}
