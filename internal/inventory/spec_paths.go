package inventory

import "slices"

// keyPaths lists the key paths of a value, list items folded into one: the
// shape of a spec without its values. Sorted, bounded.
func keyPaths(spec map[string]any) []string {
	seen := map[string]bool{}
	var walk func(prefix string, v any, depth int)
	walk = func(prefix string, v any, depth int) {
		if len(seen) >= maxSpecPaths || depth > 8 {
			return
		}
		switch v := v.(type) {
		case map[string]any:
			keys := make([]string, 0, len(v))
			for key := range v {
				keys = append(keys, key)
			}
			slices.Sort(keys)
			for _, key := range keys {
				if !isFieldName(key) {
					continue // a map keyed by data, such as labels or parameters
				}
				path := key
				if prefix != "" {
					path = prefix + "." + key
				}
				walk(path, v[key], depth+1)
			}
			if len(v) == 0 && prefix != "" {
				seen[prefix] = true
			}
		case []any:
			for _, item := range v {
				if m, ok := item.(map[string]any); ok {
					walk(prefix, m, depth+1)
				}
			}
			seen[prefix] = true
		default:
			seen[prefix] = true
		}
	}
	walk("", spec, 0)
	paths := make([]string, 0, len(seen))
	for path := range seen {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	if len(paths) > maxSpecPaths {
		paths = paths[:maxSpecPaths]
	}
	return paths
}
