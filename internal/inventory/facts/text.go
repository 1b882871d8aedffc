package facts

import (
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxList bounds every list of the facts.
const maxList = 20

// sorted makes a list of names: sorted, without duplicates, bounded.
func sorted(list []string) []string { return bounded(list, maxList) }

func bounded(list []string, limit int) []string {
	slices.Sort(list)
	list = slices.Compact(list)
	if len(list) > limit {
		list = list[:limit:limit]
	}
	return slices.Clip(list)
}

// prose is sorted for lists that people read: the last entry tells what was
// left out.
func prose(list []string) []string {
	slices.Sort(list)
	list = slices.Compact(list)
	if more := len(list) - maxList; more > 0 {
		list = append(list[:maxList:maxList], fmt.Sprintf("and %d more", more))
	}
	return slices.Clip(list)
}

// ref names an object: Deployment/ns/name, ClusterRole/name.
func ref(kind string, m metav1.Object) string {
	if m.GetNamespace() == "" {
		return kind + "/" + m.GetName()
	}
	return kind + "/" + m.GetNamespace() + "/" + m.GetName()
}

func nameOf(m metav1.Object) string {
	if m.GetNamespace() == "" {
		return m.GetName()
	}
	return m.GetNamespace() + "/" + m.GetName()
}

// span is a length of time as people say it: 13 days.
func span(d time.Duration) string {
	const day = 24 * time.Hour
	unit, length := "second", time.Second
	switch {
	case d >= 2*day:
		unit, length = "day", day
	case d >= 2*time.Hour:
		unit, length = "hour", time.Hour
	case d >= 2*time.Minute:
		unit, length = "minute", time.Minute
	}
	n := d / length
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// dig follows keys through maps; nil when one is not there.
func dig(v any, keys ...string) any {
	for _, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

// objectsIn lists the items of an array that are objects.
func objectsIn(v any) []map[string]any {
	list, _ := v.([]any)
	var found []map[string]any
	for _, item := range list {
		if m, ok := item.(map[string]any); ok {
			found = append(found, m)
		}
	}
	return found
}

func str(v any) string {
	s, _ := v.(string)
	return s
}

func stringMap(v any) map[string]string {
	m, _ := v.(map[string]any)
	if m == nil {
		return nil
	}
	found := map[string]string{}
	for key, value := range m {
		if s, ok := value.(string); ok {
			found[key] = s
		}
	}
	return found
}

func stringsIn(v any) []string {
	list, _ := v.([]any)
	var found []string
	for _, item := range list {
		if s, ok := item.(string); ok {
			found = append(found, s)
		}
	}
	return found
}
