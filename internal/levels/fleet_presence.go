package levels

import (
	"fmt"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// recognised are the lists that operators are recognised by. An operator is
// absent only where all of them were read whole.
var recognised = []struct{ group, resource string }{
	{"apiextensions.k8s.io", "customresourcedefinitions"},
	{"apps", "deployments"}, {"apps", "statefulsets"}, {"apps", "daemonsets"}, {"apps", "replicasets"}, {"", "pods"},
}

// unrecognised says why an operator that was not found may be there all the
// same; "" when nothing stands against its absence.
func (sc *Scorecard) unrecognised() string {
	if sc.Source.Type == "files" && !sc.Source.Complete {
		return "the files may not hold every object of the cluster (--complete says that they do)"
	}
	missing := map[string][]string{}
	var states []string
	note := func(state, list string) {
		if missing[state] == nil {
			states = append(states, state)
		}
		missing[state] = append(missing[state], list)
	}
	for _, r := range recognised {
		if state, ok := sc.access(r.group, r.resource); !ok && !sc.Source.Complete {
			note("not asked for", qualified(r.resource, r.group))
		} else if ok && state != inventory.Listed && state != inventory.Absent {
			note(string(state), qualified(r.resource, r.group))
		}
	}
	for i, state := range states {
		states[i] = strings.Join(missing[state], ", ") + " " + state
	}
	return strings.Join(states, "; ")
}

// access is the worst outcome among the rows of a list.
func (sc *Scorecard) access(group, resource string) (state inventory.AccessState, ok bool) {
	for _, r := range sc.Coverage.Resources {
		if r.Group == group && r.Resource == resource && (!ok || state == inventory.Listed || state == inventory.Absent) {
			state, ok = r.Access, true
		}
	}
	return state, ok
}

// crdsWhole tells whether a CRD that was not seen is surely not there.
func (sc *Scorecard) crdsWhole() bool {
	if sc.Source.Type == "files" && !sc.Source.Complete {
		return false
	}
	state, ok := sc.access("apiextensions.k8s.io", "customresourcedefinitions")
	return ok && (state == inventory.Listed || state == inventory.Absent) || !ok && sc.Source.Complete
}

// cellOn says how an operator stands on a cluster; op is nil when it was not
// found there. crds are those it has on any cluster.
func cellOn(c *FleetCluster, op *Operator, crds []string) FleetCell {
	cell := FleetCell{Cluster: c.Name, Presence: FleetUnknown}
	switch {
	case op != nil:
		cell.Presence = FleetPresent
		cell.Standing = &Standing{Version: op.Version, State: or(op.State, "unknown"), Level: op.Level, LevelIndicated: op.LevelIndicated, LevelPossible: op.LevelPossible}
		return cell
	case c.Scorecard == nil:
		cell.Why = "the cluster was not read: " + or(c.Why, "no reason is recorded")
		return cell
	}
	left, owner := leftover(c.Scorecard, crds)
	why := c.Scorecard.unrecognised()
	switch {
	case owner != "":
		// It may be the same operator under a name that it got from its release.
		cell.Why = fmt.Sprintf("its CRD %s is there and counts as %s's", left, owner)
	case why != "":
		cell.Why = why
	case left != "":
		cell.Presence, cell.Why = FleetAbsent, fmt.Sprintf("its CRD %s is there, and belongs to nobody", left)
	default:
		cell.Presence = FleetAbsent
	}
	return cell
}

// leftover is the first of the CRDs that the cluster has, and whom it counts
// to; one that belongs to somebody comes before those of nobody.
func leftover(sc *Scorecard, crds []string) (name, owner string) {
	rows := crdsOf(sc)
	for _, crd := range crds {
		row, there := rows[crd]
		if there && row.owner != "" {
			return crd, row.owner
		}
		if there && name == "" {
			name = crd
		}
	}
	return name, ""
}

// Differs tells what about an operator and its CRDs differs between clusters.
func (f *FleetScorecard) Differs(operator string) []Drift {
	var list []Drift
	for _, d := range f.Drift {
		if d.Operator == operator {
			list = append(list, d)
		}
	}
	return list
}

// Cluster is the cluster of this name, nil if there is none.
func (f *FleetScorecard) Cluster(name string) *FleetCluster {
	i := slices.IndexFunc(f.Clusters, func(c FleetCluster) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &f.Clusters[i]
}
