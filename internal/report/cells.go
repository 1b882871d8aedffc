package report

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"kubectl-operator-maturity/internal/levels"
)

// The cells below, and those of checks.go, sum up one CRD or all of an
// operator's.

// unseenInstances: no instance was seen, and there may be some.
func unseenInstances(c levels.CRD) bool { return c.Instances == 0 && !c.InstancesComplete }

// readyCell is "2/3": ready ones of all. "?" when none could be seen, a "+"
// when there are or may be more, "(1?)" when the readiness of one cannot be
// told, "(stale)" when the controller that told it is gone. Instances of
// data-only CRDs have no readiness and count only when there are no others.
func readyCell(crds []levels.CRD) text {
	var ready, total, unknown, data int
	more, any, stale := false, false, false
	for _, c := range crds {
		stale = stale || staleReadiness(c)
		more = more || !c.InstancesComplete
		any = any || !unseenInstances(c)
		if c.DataOnly {
			data += c.Instances
			continue
		}
		ready, total, unknown = ready+c.Ready, total+c.Instances, unknown+c.ReadinessUnknown
	}
	plus := ""
	if more {
		plus = "+"
	}
	switch {
	case len(crds) == 0:
		return plain(nothing)
	case !any, more && total+data == 0:
		return styled(fairStyle, unseen)
	case total == 0:
		return plainf("%d%s", data, plus)
	}
	t := fmt.Sprintf("%d/%d%s", ready, total, plus)
	switch {
	case stale:
		return styled(fairStyle, t+" (stale)")
	case unknown > 0:
		return plainf("%s (%d?)", t, unknown)
	case ready < total:
		return styled(fairStyle, t)
	}
	return plain(t)
}

// staleReadiness: whoever wrote that instances are ready does not run any more.
func staleReadiness(c levels.CRD) bool {
	return c.Ready > 0 && (c.ControllerState == "down" || c.ControllerState == "absent")
}

// instancesCell spells out the readiness of one CRD's instances.
func instancesCell(c levels.CRD) text {
	if unseenInstances(c) {
		return styled(fairStyle, unseen)
	}
	all := fmt.Sprint(c.Instances)
	if !c.InstancesComplete {
		all += "+"
	}
	if c.Instances == 0 || c.DataOnly {
		return plain(all)
	}
	var parts []text
	if c.Ready > 0 {
		ready := plainf("%d ready", c.Ready)
		if staleReadiness(c) {
			ready = join(ready, styled(fairStyle, " (stale)"))
		}
		parts = append(parts, ready)
	}
	if c.NotReady > 0 {
		parts = append(parts, styled(badStyle, fmt.Sprintf("%d not ready", c.NotReady)))
	}
	if c.ReadinessUnknown > 0 {
		parts = append(parts, plainf("%d unknown", c.ReadinessUnknown))
	}
	if len(parts) == 0 {
		return plain(all)
	}
	return join(plain(all+": "), separated(", ", parts...))
}

// versionsCell lists the served versions, newest as given; the stored one has
// a star.
func versionsCell(c levels.CRD) text {
	names := make([]string, 0, len(c.Versions))
	stored := false
	for _, v := range c.Versions {
		name := v
		if v == c.StorageVersion {
			name, stored = name+"*", true
		}
		if slices.Contains(c.Deprecated, v) {
			name += " (deprecated)"
		}
		names = append(names, name)
	}
	if !stored && c.StorageVersion != "" {
		names = append(names, c.StorageVersion+"* (not served)")
	}
	return plain(orNothing(strings.Join(names, ", ")))
}

// lastWriteCell is the age of the last status write when the scan was taken.
func lastWriteCell(c levels.CRD, taken time.Time) text {
	if c.LastStatusWrite == "" {
		if unseenInstances(c) {
			return styled(fairStyle, unseen)
		}
		return plain(nothing)
	}
	at, err := time.Parse(time.RFC3339, c.LastStatusWrite)
	if err != nil || taken.IsZero() || at.After(taken) {
		return plain(c.LastStatusWrite)
	}
	return plain(duration.HumanDuration(taken.Sub(at)) + " ago")
}
