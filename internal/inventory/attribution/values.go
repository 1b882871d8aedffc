package attribution

import "strings"

// items are the maps of a list.
func items(v any) []map[string]any {
	list, _ := v.([]any)
	var maps []map[string]any
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			maps = append(maps, m)
		}
	}
	return maps
}

func str(m map[string]any, key string) string { return textOf(m[key]) }

// textOf is a text; "" for anything else.
func textOf(v any) string {
	s, _ := v.(string)
	return s
}

// join puts a few texts together: three at most.
func join(list []string) string {
	if len(list) > 3 {
		list = append(list[:3:3], "…")
	}
	return strings.Join(list, "; ")
}

func groupOfCRD(name string) string {
	_, group, _ := strings.Cut(name, ".")
	return group
}
