package demo

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Base is the time at which the demo's cluster is looked at.
var Base = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

// clusterAge is the age of what no manifest speaks of: the server's own objects.
const clusterAge = 420 * 24 * time.Hour

var relative = regexp.MustCompile(`^(ago|in) ([0-9dhms]+)$`)

// parseAge reads durations that may have days: 40d, 1d4h, 90s.
func parseAge(s string) (time.Duration, error) {
	var days time.Duration
	if number, rest, ok := strings.Cut(s, "d"); ok {
		n, err := strconv.Atoi(number)
		if err != nil || n < 0 {
			return 0, fmt.Errorf("parsing age %q: want 40d, 1d4h or 90s", s)
		}
		days, s = time.Duration(n)*24*time.Hour, rest
	}
	if s == "" {
		return days, nil
	}
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("parsing age %q: want 40d, 1d4h or 90s", s)
	}
	return days + d, nil
}

// absolute replaces every text such as "ago 40d" within a value by that time, in the layout given. newest is
// the age of the newest of them that is past, or negative if there is none.
func absolute(value any, layout string) (replaced any, newest time.Duration, err error) {
	newest = -1
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for key := range v {
				v[key] = walk(v[key])
			}
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case string:
			match := relative.FindStringSubmatch(v)
			if match == nil {
				return v
			}
			d, failed := parseAge(match[2])
			if failed != nil {
				err = failed
				return v
			}
			if match[1] == "in" {
				return Base.Add(d).Format(layout)
			}
			if newest < 0 || d < newest {
				newest = d
			}
			return Base.Add(-d).Format(layout)
		}
		return v
	}
	return walk(value), newest, err
}

// layoutOf is how objects of a kind write times.
func layoutOf(kind string) string {
	if kind == "Lease" {
		return metav1.RFC3339Micro
	}
	return time.RFC3339
}

func ago(age time.Duration) string { return Base.Add(-age).Format(time.RFC3339) }
