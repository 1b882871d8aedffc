package levels

import (
	"encoding/json"
	"fmt"
	"slices"

	"kubectl-operator-maturity/internal/inventory"
)

// FleetScorecard holds the scorecards of several clusters and what differs
// between them: data only, and the JSON output of a scan of several contexts.
// Its field names are a contract, as those of Scorecard are.
type FleetScorecard struct {
	APIVersion string `json:"apiVersion"` // operator-maturity/v1
	Kind       string `json:"kind"`       // FleetScorecard
	// Complete: every cluster was read, and each of its lists whole.
	Complete bool `json:"complete"`
	// Clusters are in the order they were asked for.
	Clusters []FleetCluster `json:"clusters"`
	// Operators are those of all clusters, by name, with a cell for each
	// cluster in the order of Clusters.
	Operators []FleetOperator `json:"operators"`
	Drift     []Drift         `json:"drift"`
}

// Outcome says how far a cluster was read.
type Outcome string

const (
	// Read: to the end. Single lists may have been refused all the same: that
	// is the coverage of the scorecard.
	Read Outcome = "read"
	// ReadPartly: cut short, by a time limit or by the user.
	ReadPartly Outcome = "partial"
	// NotRead: there is no scorecard, and nothing is known of the cluster.
	NotRead Outcome = "failed"
)

// FleetCluster is one cluster of a fleet.
type FleetCluster struct {
	// Name is the context, or what a recording is called. No two are alike.
	Name    string  `json:"name"`
	Outcome Outcome `json:"outcome"`
	// Why says what went wrong, unless the cluster was read to the end.
	Why string `json:"why,omitempty"`
	// SameAs is the name of an earlier one that is the same cluster, by the uid
	// of namespace kube-system.
	SameAs string           `json:"sameAs,omitempty"`
	Source inventory.Source `json:"source"`
	// Scorecard is nil when the outcome is failed.
	Scorecard *Scorecard `json:"scorecard,omitempty"`
}

// FleetOperator is a row of the matrix.
type FleetOperator struct {
	Name  string      `json:"name"`
	Title string      `json:"title,omitempty"`
	Cells []FleetCell `json:"cells"`
}

// FleetPresence tells whether an operator is on a cluster. The zero value is
// unknown.
type FleetPresence string

const (
	FleetPresent FleetPresence = "present"
	// FleetAbsent: everything that operators are recognised by was read whole, and
	// this one was not there.
	FleetAbsent  FleetPresence = "absent"
	FleetUnknown FleetPresence = "unknown"
)

// FleetCell is an operator on one cluster.
type FleetCell struct {
	Cluster  string        `json:"cluster"`
	Presence FleetPresence `json:"presence"`
	// Why says why the presence is unknown, or what is left of the operator.
	Why string `json:"why,omitempty"`
	// Standing is nil unless the operator is present: a level 0 is another
	// thing than none.
	*Standing
}

// Standing sums up an operator that is there. The fields are those of Operator.
type Standing struct {
	Version        string `json:"version"`
	State          string `json:"state"`
	Level          int    `json:"level"`
	LevelIndicated int    `json:"levelIndicated"`
	LevelPossible  int    `json:"levelPossible"`
}

// NewFleet compares clusters. It sets SameAs and changes nothing else of them.
func NewFleet(clusters []FleetCluster) *FleetScorecard {
	f := &FleetScorecard{
		APIVersion: "operator-maturity/v1", Kind: "FleetScorecard", Complete: len(clusters) > 0,
		Clusters: append([]FleetCluster{}, clusters...), Operators: []FleetOperator{},
	}
	first := map[string]string{}
	for i := range f.Clusters {
		c := &f.Clusters[i]
		if c.Outcome != Read || c.Scorecard == nil || !c.Scorecard.Coverage.Complete {
			f.Complete = false
		}
		c.SameAs = ""
		if uid := c.Source.ClusterUID; uid != "" && first[uid] != "" {
			c.SameAs = first[uid]
		} else if uid != "" {
			first[uid] = c.Name
		}
	}
	f.matrix()
	f.Drift = f.drift()
	return f
}

// identity tells clusters apart: two names of one cluster have the same.
func (c *FleetCluster) identity() string {
	if c.SameAs != "" {
		return c.SameAs
	}
	return c.Name
}

// matrix fills Operators.
func (f *FleetScorecard) matrix() {
	on := make([]map[string]*Operator, len(f.Clusters))
	all := map[string]*Operator{}
	crds := map[string][]string{} // of each operator, on any cluster
	for i := range f.Clusters {
		if f.Clusters[i].Scorecard == nil {
			continue
		}
		on[i] = byName(f.Clusters[i].Scorecard.Operators)
		for name, op := range on[i] {
			if all[name] == nil {
				all[name] = op
			}
			for j := range op.CRDs {
				crds[name] = append(crds[name], op.CRDs[j].Name)
			}
		}
	}
	for _, name := range keysOf(all, all) {
		slices.Sort(crds[name])
		row := FleetOperator{Name: name, Title: all[name].Title}
		for i := range f.Clusters {
			row.Cells = append(row.Cells, cellOn(&f.Clusters[i], on[i][name], slices.Compact(crds[name])))
		}
		f.Operators = append(f.Operators, row)
	}
}

// IsFleet tells whether JSON says of itself that it is a fleet's scorecard.
func IsFleet(raw []byte) bool { return isKind(raw, "FleetScorecard") }

// DecodeFleet reads the JSON output of a scan of several clusters. What is
// derived in it is derived again. It is as lenient as DecodeScorecard.
func DecodeFleet(raw []byte) (*FleetScorecard, error) {
	var f FleetScorecard
	if err := json.Unmarshal(raw, &f); err != nil {
		return nil, fmt.Errorf("reading the scorecard of a fleet: %w", err)
	}
	if f.APIVersion != "operator-maturity/v1" {
		return nil, fmt.Errorf("the scorecard of a fleet has version %q, and this program reads operator-maturity/v1: scan again with -o json, or use a newer program", f.APIVersion)
	}
	for i := range f.Clusters {
		c := &f.Clusters[i]
		if c.Name == "" {
			return nil, fmt.Errorf("the scorecard of a fleet has a cluster without a name, number %d", i+1)
		}
		if c.Scorecard == nil {
			c.Outcome = NotRead
		}
	}
	return NewFleet(f.Clusters), nil
}
