package levels

import (
	"fmt"
	"slices"
	"strings"
)

// Drift is one thing that is not the same on all clusters.
type Drift struct {
	// Operator is whom it is about; "" for a CRD of nobody.
	Operator string `json:"operator,omitempty"`
	CRD      string `json:"crd,omitempty"`
	// What is presence, version, level, controller; of a CRD presence,
	// served-versions, storage-version.
	What string `json:"what"`
	// Certain is false when what was left open on a cluster may account for
	// the difference: a level that is only indicated there, or unknown.
	Certain bool         `json:"certain"`
	Values  []DriftValue `json:"values"`
	// Untold are clusters of which nobody can tell.
	Untold []string `json:"untold"`
}

// DriftValue is one of the values with the clusters that have it.
type DriftValue struct {
	Value    string   `json:"value"`
	Clusters []string `json:"clusters"`
}

// told is a value on one cluster, "" when nobody can tell.
type told struct {
	cluster *FleetCluster
	value   string
}

// newDrift groups values; nil when no two clusters differ. Differences between
// two looks at one cluster are of rights or of time, and no drift.
func newDrift(operator, crd, what string, values []told) *Drift {
	d := Drift{Operator: operator, CRD: crd, What: what, Certain: true, Untold: []string{}}
	differ := false
	for i, v := range values {
		if v.value == "" {
			d.Untold = append(d.Untold, v.cluster.Name)
			continue
		}
		for _, other := range values[:i] {
			differ = differ || other.value != "" && !sameValue(other.value, v.value) && other.cluster.identity() != v.cluster.identity()
		}
		j := slices.IndexFunc(d.Values, func(known DriftValue) bool { return sameValue(known.Value, v.value) })
		if j < 0 {
			d.Values = append(d.Values, DriftValue{Value: v.value})
			j = len(d.Values) - 1
		}
		d.Values[j].Clusters = append(d.Values[j].Clusters, v.cluster.Name)
	}
	if !differ {
		return nil
	}
	return &d
}

// sameValue: a version with and without its v is one version. Which of the two
// is seen depends on what could be read: a label, or the tag of an image.
func sameValue(a, b string) bool { return strings.TrimPrefix(a, "v") == strings.TrimPrefix(b, "v") }

func (f *FleetScorecard) drift() []Drift {
	list := []Drift{}
	add := func(d *Drift) {
		if d != nil {
			list = append(list, *d)
		}
	}
	crds := f.crds()
	for i := range f.Operators {
		op := &f.Operators[i]
		add(f.operatorDrift(op, "presence", func(c *FleetCell) string {
			if c.Presence == FleetUnknown {
				return ""
			}
			return string(c.Presence)
		}))
		add(f.operatorDrift(op, "version", ofStanding(func(s *Standing) string { return s.Version })))
		add(f.levelDrift(op))
		add(f.operatorDrift(op, "controller", ofStanding(func(s *Standing) string { return strings.TrimPrefix(s.State, "unknown") })))
	}
	for _, name := range keysOf(crds, crds) {
		for _, d := range f.crdDrift(name, crds[name]) {
			add(d)
		}
	}
	return list
}

// ofStanding reads an operator that is there; of others nobody can tell.
func ofStanding(value func(*Standing) string) func(*FleetCell) string {
	return func(c *FleetCell) string {
		if c.Standing == nil {
			return ""
		}
		return value(c.Standing)
	}
}

func (f *FleetScorecard) operatorDrift(op *FleetOperator, what string, value func(*FleetCell) string) *Drift {
	var values []told
	for i := range op.Cells {
		// Where it is surely not, its version is no open question.
		if c := &op.Cells[i]; what == "presence" || c.Presence != FleetAbsent {
			values = append(values, told{&f.Clusters[i], value(c)})
		}
	}
	return newDrift(op.Name, "", what, values)
}

// levelDrift compares what is proven. A cluster where what is unknown would
// make up the difference does not tell.
func (f *FleetScorecard) levelDrift(op *FleetOperator) *Drift {
	most := 0
	for i := range op.Cells {
		if s := op.Cells[i].Standing; s != nil {
			most = max(most, s.Level)
		}
	}
	d := f.operatorDrift(op, "level", ofStanding(func(s *Standing) string {
		if max(s.Level, s.LevelIndicated) < most && s.LevelPossible >= most {
			return ""
		}
		return fmt.Sprint(s.Level)
	}))
	if d != nil {
		d.Certain = f.levelsApart(op)
	}
	return d
}

// levelsApart: one cluster could not reach, even with all that is open there,
// what another has proven.
func (f *FleetScorecard) levelsApart(op *FleetOperator) bool {
	for i := range op.Cells {
		for j := range op.Cells {
			low, high := op.Cells[i].Standing, op.Cells[j].Standing
			if low != nil && high != nil && f.Clusters[i].identity() != f.Clusters[j].identity() && max(low.Level, low.LevelIndicated, low.LevelPossible) < high.Level {
				return true
			}
		}
	}
	return false
}

// crds are the CRDs of each cluster that was read, by name; a cluster that
// does not have one has a row without a CRD.
func (f *FleetScorecard) crds() map[string][]ownedRow {
	all := map[string][]ownedRow{}
	for i := range f.Clusters {
		if f.Clusters[i].Scorecard == nil {
			continue
		}
		for name, row := range crdsOf(f.Clusters[i].Scorecard) {
			if all[name] == nil {
				all[name] = make([]ownedRow, len(f.Clusters))
			}
			all[name][i] = row
		}
	}
	return all
}

func (f *FleetScorecard) crdDrift(name string, rows []ownedRow) []*Drift {
	owner := ""
	for _, r := range rows {
		if r.CRD != nil {
			owner = or(owner, r.owner)
		}
	}
	var presence, served, stored []told
	for i, r := range rows {
		c := &f.Clusters[i]
		if r.CRD == nil {
			there := f.absence(c, owner)
			if there == "elsewhere" {
				continue
			}
			presence = append(presence, told{c, there})
			if there == "" {
				served, stored = append(served, told{c, ""}), append(stored, told{c, ""})
			}
			continue
		}
		presence = append(presence, told{c, string(FleetPresent)})
		served = append(served, told{c, servedVersions(c.Scorecard, r.CRD)})
		stored = append(stored, told{c, r.StorageVersion})
	}
	return []*Drift{newDrift(owner, name, "presence", presence), newDrift(owner, name, "served-versions", served), newDrift(owner, name, "storage-version", stored)}
}

// servedVersions are those of a CRD in one order, "" when nobody can tell. A CRD
// known from discovery has no stored version, and may lack versions that
// discovery could not tell about.
func servedVersions(sc *Scorecard, crd *CRD) string {
	if crd.StorageVersion == "" {
		_, group, _ := strings.Cut(crd.Name, ".")
		if _, failed := sc.access(group, "*"); failed {
			return ""
		}
		return strings.Join(slices.Sorted(slices.Values(crd.Versions)), ", ")
	}
	return or(strings.Join(slices.Sorted(slices.Values(crd.Versions)), ", "), "none")
}

// absence is what a missing CRD says: absent, "" when it may be there, and
// elsewhere when its operator is not on the cluster, which says it already.
func (f *FleetScorecard) absence(c *FleetCluster, owner string) string {
	switch {
	case c.Scorecard == nil || !c.Scorecard.crdsWhole():
		return ""
	case owner != "" && slices.ContainsFunc(f.Operators, func(op FleetOperator) bool { return op.Name == owner }) && byName(c.Scorecard.Operators)[owner] == nil:
		return "elsewhere"
	}
	return string(FleetAbsent)
}
