package inventory

import (
	"slices"
	"strings"
)

// maxPathDepth is how deep paths of a spec go.
const maxPathDepth = 8

// keyPaths lists the key paths of a value, list items folded into one: the
// shape of a spec without its values. Sorted, bounded. Objects of one kind
// mostly have the same paths: they share one list, which is not made again.
func (s *Shared) keyPaths(spec *value) []string {
	if s == nil {
		return pathsOf(spec)
	}
	s.buf = appendShape(s.buf[:0], spec, 0)
	if paths, ok := s.paths[string(s.buf)]; ok {
		return paths
	}
	return remember(&s.paths, string(s.buf), func(string) []string { return pathsOf(spec) })
}

// pathList is a list of paths that were worked out before, the same one for all
// that say the same.
func (s *Shared) pathList(paths []string) []string {
	if s == nil || len(paths) == 0 {
		return paths
	}
	s.buf = append(s.buf[:0], 0) // no shape begins so
	for _, path := range paths {
		s.buf = append(append(s.buf, path...), 0)
	}
	if known, ok := s.paths[string(s.buf)]; ok {
		return known
	}
	return remember(&s.paths, string(s.buf), func(string) []string { return paths })
}

// appendShape writes what keyPaths depends on, and nothing else.
func appendShape(to []byte, v *value, depth int) []byte {
	if depth > maxPathDepth {
		return append(to, '#')
	}
	switch v.kind {
	case objectValue:
		to = append(to, '{')
		for i := range v.of {
			if field := &v.of[i]; isFieldName(field.key) {
				to = append(to, field.key...)
				to = appendShape(to, field, depth+1)
			}
		}
		if len(v.of) == 0 {
			to = append(to, '-')
		}
		return append(to, '}')
	case arrayValue:
		to = append(to, '[')
		for i := range v.of {
			if item := &v.of[i]; item.kind == objectValue {
				to = appendShape(to, item, depth+1)
			}
		}
		return append(to, ']')
	}
	return append(to, '.')
}

func pathsOf(spec *value) []string {
	seen := map[string]bool{}
	var walk func(prefix string, v *value, depth int)
	walk = func(prefix string, v *value, depth int) {
		if len(seen) >= maxSpecPaths || depth > maxPathDepth {
			return
		}
		switch v.kind {
		case objectValue:
			for i := range v.of {
				field := &v.of[i]
				if !isFieldName(field.key) {
					continue // a map keyed by data, such as labels or parameters
				}
				if prefix == "" {
					walk(field.key, field, depth+1)
				} else {
					walk(prefix+"."+field.key, field, depth+1)
				}
			}
			if len(v.of) == 0 && prefix != "" {
				seen[prefix] = true
			}
		case arrayValue:
			for i := range v.of {
				if item := &v.of[i]; item.kind == objectValue {
					walk(prefix, item, depth+1)
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
		paths = append(paths, strings.Clone(path))
	}
	slices.Sort(paths)
	if len(paths) > maxSpecPaths {
		paths = paths[:maxSpecPaths]
	}
	return paths
}
