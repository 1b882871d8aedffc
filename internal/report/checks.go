package report

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// The owner's four checks, a cell each: status conditions, finalizers, owner
// references, metrics.

// conditionsCell tells the best that is known: observed on instances, in the
// schema, none. An unseen CRD outranks "none": nobody knows.
func conditionsCell(crds []levels.CRD) text {
	counts, total := map[string]int{}, 0
	for _, c := range crds {
		if !c.DataOnly {
			counts[c.Conditions]++
			total++
		}
	}
	for _, best := range []struct {
		value string
		style style
	}{{"observed", goodStyle}, {"schema", plainStyle}} {
		switch n := counts[best.value]; {
		case n == 0:
		case n < total:
			return styled(best.style, fmt.Sprintf("%s %d/%d", best.value, n, total))
		default:
			return styled(best.style, best.value)
		}
	}
	switch {
	case total == 0:
		return plain(nothing)
	case counts["none"] == total:
		return plain("none")
	}
	return styled(fairStyle, unseen)
}

// stuckFinalizer is the criterion that says so of a deletion.
const stuckFinalizer = "finalizer-not-stuck"

// stuckIn: a deletion of an instance waits for ever. A finding says so, or
// the controller that the finalizer waits for is known to be absent.
func stuckIn(findings []levels.Finding, crds []levels.CRD) bool {
	for _, c := range crds {
		if c.Deleting > 0 && len(c.Finalizers) > 0 && c.ControllerState == "absent" {
			return true
		}
		for _, f := range findings {
			if f.ID == stuckFinalizer && concerns(f, c) {
				return true
			}
		}
	}
	return false
}

// concerns: one of the objects of the finding is the CRD or an instance of it.
// Objects are written Kind/namespace/name or resource/name.
func concerns(f levels.Finding, c levels.CRD) bool {
	return slices.ContainsFunc(f.Objects, func(o string) bool {
		parts := strings.Split(o, "/")
		return slices.Contains(parts, c.Name) || c.Kind != "" && parts[0] == c.Kind
	})
}

// finalizersCell counts the different finalizers and says what is going on.
func finalizersCell(crds []levels.CRD, stuck bool) text {
	var kinds []string
	deleting, more, none := 0, false, true
	for _, c := range crds {
		kinds = append(kinds, c.Finalizers...)
		deleting += c.Deleting
		more = more || !c.InstancesComplete
		none = none && unseenInstances(c)
	}
	slices.Sort(kinds)
	n := len(slices.Compact(kinds))
	var count text
	switch {
	case len(crds) == 0:
		return plain(nothing)
	case n == 0 && (none || more):
		count = styled(fairStyle, unseen)
	case n == 0:
		count = plain("none")
	default:
		count = plain(fmt.Sprint(n))
	}
	switch {
	case stuck && deleting > 0:
		return join(count, styled(badStyle, fmt.Sprintf(" (%d deleting, stuck!)", deleting)))
	case stuck:
		return join(count, styled(badStyle, " (stuck!)"))
	case deleting > 0:
		return join(count, plainf(" (%d deleting)", deleting))
	}
	return count
}

// ownersCell sums up the owner references of the children.
func ownersCell(crds []levels.CRD) text {
	var sum levels.OwnerReferences
	looked := 0
	for _, c := range crds {
		if o := c.OwnerReferences; o != nil {
			looked++
			sum.Children, sum.Valid = sum.Children+o.Children, sum.Valid+o.Valid
			sum.Dangling, sum.CrossNamespace = sum.Dangling+o.Dangling, sum.CrossNamespace+o.CrossNamespace
		}
	}
	switch {
	case len(crds) == 0:
		return plain(nothing)
	case looked == 0, looked < len(crds) && sum.Children == 0:
		return styled(fairStyle, unseen)
	case sum.Children == 0:
		return plain("no children")
	}
	parts := []text{plainf("%d valid", sum.Valid)}
	if sum.Dangling > 0 {
		parts = append(parts, styled(badStyle, fmt.Sprintf("%d dangling", sum.Dangling)))
	}
	if sum.CrossNamespace > 0 {
		parts = append(parts, styled(badStyle, fmt.Sprintf("%d across namespaces", sum.CrossNamespace)))
	}
	if looked < len(crds) {
		parts = append(parts, styled(fairStyle, "rest ?"))
	}
	return separated(", ", parts...)
}

// metricsCriterion is unknown exactly when nobody could look for metrics.
const metricsCriterion = "operator-metrics-endpoint"

// monitorFails finds a reason that begins with the monitor it is about.
var monitorFails = regexp.MustCompile(`^[A-Z][A-Za-z]+/[^ ]+: `)

// metricsOutcome is how far one chain gets: scraped, broken (a monitor tries
// and fails) or declared (nothing tries).
func metricsOutcome(m levels.Metrics) string {
	switch {
	case m.Broken == "" && m.Monitor != "":
		return "scraped"
	case m.Monitor != "", monitorFails.MatchString(m.Broken):
		return "broken"
	}
	return "declared"
}

// metricsCell sums up all chains of an operator.
func metricsCell(op levels.Operator) text {
	counts := map[string]int{}
	for _, m := range op.Metrics {
		counts[metricsOutcome(m)]++
	}
	var parts []text
	for _, o := range []struct {
		name  string
		style style
	}{{"scraped", goodStyle}, {"broken", badStyle}, {"declared", plainStyle}} {
		switch n := counts[o.name]; n {
		case 0:
		case len(op.Metrics):
			return styled(o.style, o.name)
		default:
			parts = append(parts, styled(o.style, fmt.Sprintf("%d %s", n, o.name)))
		}
	}
	if len(parts) > 0 {
		return separated(", ", parts...)
	}
	for _, c := range op.Checks {
		if c.ID == metricsCriterion && c.Verdict != levels.Unknown && c.Verdict != "" {
			return plain("none")
		}
	}
	return styled(fairStyle, unseen)
}
