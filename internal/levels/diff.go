package levels

import (
	"cmp"
	"slices"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// Comparison is what changed between two scorecards: data only, and the JSON
// output of diff. What is the same in both is not in it.
type Comparison struct {
	APIVersion string `json:"apiVersion"` // operator-maturity/v1
	Kind       string `json:"kind"`       // Comparison
	Old        Side   `json:"old"`
	New        Side   `json:"new"`
	// OtherCluster: the two were not taken of one cluster, as far as their
	// uids say.
	OtherCluster bool             `json:"otherCluster,omitempty"`
	Came         []Presence       `json:"came"`
	Went         []Presence       `json:"went"`
	Operators    []OperatorChange `json:"operators"`
	CRDs         []CRDChange      `json:"crds"`
	// Findings are those that belong to no operator.
	Findings []FindingChange `json:"findings"`
	// Coverage are lists whose outcome is another one now.
	Coverage []CoverageChange `json:"coverage"`
	// Worse is what got worse; losing sight is not among it.
	Worse []Worsening `json:"worse"`
}

// Worsening is one thing that got worse.
type Worsening struct {
	Operator string `json:"operator"` // "" when it is about no operator
	// ID is "controller", "level-1" to "level-5", or that of a criterion or
	// finding: what an exception names.
	ID     string `json:"id"`
	Detail string `json:"detail"`
}

// String is a line for a person.
func (w Worsening) String() string {
	if w.Operator == "" {
		return w.Detail
	}
	return w.Operator + ": " + w.Detail
}

// Side says what one of the two scorecards is of.
type Side struct {
	Taken    time.Time        `json:"taken"`
	Source   inventory.Source `json:"source"`
	Complete bool             `json:"complete"`
}

// Changed is a value that was one thing and is another.
type Changed[T comparable] struct {
	Old T `json:"old"`
	New T `json:"new"`
}

// changed is nil when both are the same.
func changed[T comparable](before, after T) *Changed[T] {
	if before == after {
		return nil
	}
	return &Changed[T]{before, after}
}

// Presence is an operator that is only in one of the two.
type Presence struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	State   string `json:"state"`
	Level   int    `json:"level"`
}

// Direction says what a change is worth. Unclear: nobody can tell, since one
// of the two could not be looked at or does not apply.
type Direction string

const (
	Better  Direction = "better"
	Worse   Direction = "worse"
	Unclear Direction = "unclear"
)

// OperatorChange is an operator in both, with all that is different.
type OperatorChange struct {
	Name     string           `json:"name"`
	Version  *Changed[string] `json:"version,omitempty"`
	State    *Changed[string] `json:"state,omitempty"`
	Level    *Changed[int]    `json:"level,omitempty"`
	Possible *Changed[int]    `json:"levelPossible,omitempty"`
	Claimed  *Changed[int]    `json:"levelClaimed,omitempty"` // 0: nothing claimed
	Levels   []LevelChange    `json:"levels"`
	Checks   []CheckChange    `json:"checks"`
	Findings []FindingChange  `json:"findings"`
}

// LevelChange is a level whose status is another one.
type LevelChange struct {
	Level     int       `json:"level"`
	Name      string    `json:"name"`
	Old       Status    `json:"old"`
	New       Status    `json:"new"`
	Direction Direction `json:"direction"`
	// Because are the ids of essential criteria whose verdict changed.
	Because []string `json:"because"`
}

// CheckChange is a criterion whose verdict is another one, with what was seen
// then and what is seen now.
type CheckChange struct {
	ID         string    `json:"id"`
	Title      string    `json:"title,omitempty"`
	Level      int       `json:"level"`
	Essential  bool      `json:"essential"`
	Old        Verdict   `json:"old"`
	New        Verdict   `json:"new"`
	OldBecause string    `json:"oldBecause"`
	NewBecause string    `json:"newBecause"`
	Direction  Direction `json:"direction"`
}

// CRDChange is a CRD that came, went or changed.
type CRDChange struct {
	Name      string           `json:"name"`
	Came      bool             `json:"came,omitempty"`
	Went      bool             `json:"went,omitempty"`
	Owner     *Changed[string] `json:"owner,omitempty"` // "" is nobody
	State     *Changed[string] `json:"controllerState,omitempty"`
	Instances *Changed[int]    `json:"instances,omitempty"`
	Ready     *Changed[int]    `json:"ready,omitempty"`
	NotReady  *Changed[int]    `json:"notReady,omitempty"`
}

// FindingChange is a finding that came or went, or is about other objects.
type FindingChange struct {
	ID       string   `json:"id"`
	Severity string   `json:"severity"`
	Detail   string   `json:"detail"`
	Came     []string `json:"came,omitempty"` // objects
	Went     []string `json:"went,omitempty"`
}

// CoverageChange is a list whose outcome is another one.
type CoverageChange struct {
	Resource string `json:"resource"`
	Old      string `json:"old"` // "" when it was not asked for
	New      string `json:"new"`
}

// Compare tells what changed from one scorecard to a later one. It changes
// neither, and does not depend on the order of their operators.
func Compare(before, after *Scorecard) *Comparison {
	c := &Comparison{
		APIVersion: "operator-maturity/v1", Kind: "Comparison",
		Old: sideOf(before), New: sideOf(after),
		Came: []Presence{}, Went: []Presence{}, Operators: []OperatorChange{}, Worse: []Worsening{},
	}
	a, b := before.Source.ClusterUID, after.Source.ClusterUID
	c.OtherCluster = a != "" && b != "" && a != b
	old, now := byName(before.Operators), byName(after.Operators)
	for _, name := range keysOf(old, now) {
		switch was, is := old[name], now[name]; {
		case was == nil:
			c.Came = append(c.Came, presence(is))
		case is == nil:
			c.Went = append(c.Went, presence(was))
		default:
			if change := compareOperators(was, is); change.any() {
				c.Operators = append(c.Operators, change)
			}
		}
	}
	c.CRDs = compareCRDs(before, after)
	c.Findings = compareFindings(before.Findings, after.Findings)
	c.Coverage = compareCoverage(before.Coverage, after.Coverage)
	c.Worse = c.worsened()
	return c
}

func sideOf(sc *Scorecard) Side {
	return Side{Taken: sc.Taken, Source: sc.Source, Complete: sc.Coverage.Complete}
}

func byName(list []Operator) map[string]*Operator {
	names := make(map[string]*Operator, len(list))
	for i := range list {
		names[list[i].Name] = &list[i]
	}
	return names
}

// keysOf are the keys of either map, in order.
func keysOf[K cmp.Ordered, A, B any](a map[K]A, b map[K]B) []K {
	keys := make([]K, 0, len(a)+len(b))
	for k := range a {
		keys = append(keys, k)
	}
	for k := range b {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

func presence(o *Operator) Presence {
	return Presence{Name: o.Name, Version: o.Version, State: o.State, Level: o.Level}
}
