package review

import (
	"slices"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/levels"
)

// Scene is a snapshot with all that was worked out from it: the cluster, or
// the files of one candidate.
type Scene struct {
	// Path is the candidate's, as given; "" for the cluster.
	Path       string
	Snapshot   *inventory.Snapshot
	Attributed *attribution.Result
	Facts      facts.All
	Card       *levels.Scorecard

	rights *inventory.Rights
	crds   map[string]*inventory.CRD
}

// NewScene attributes, observes and scores a snapshot.
func NewScene(path string, s *inventory.Snapshot, cat *catalogue.Catalogue, rules *levels.Rules) *Scene {
	attributed := attribution.Attribute(s, cat)
	seen := facts.ObserveAll(s, attributed)
	return &Scene{
		Path: path, Snapshot: s, Attributed: attributed, Facts: seen,
		Card:   levels.Score(s, attributed, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), rules),
		rights: inventory.NewRights(s),
		crds:   crdsByName(s),
	}
}

// operator is the attribution, the facts and the score of one operator.
type operator struct {
	scene *Scene
	at    *attribution.Operator
	facts *facts.Operator
	card  *levels.Operator
}

// operators are those of the scene, by name.
func (s *Scene) operators() []operator {
	var list []operator
	for i := range s.Attributed.Operators {
		op := operator{scene: s, at: &s.Attributed.Operators[i]}
		for j := range s.Facts.Operators {
			if s.Facts.Operators[j].Name == op.at.Name {
				op.facts = &s.Facts.Operators[j]
			}
		}
		for j := range s.Card.Operators {
			if s.Card.Operators[j].Name == op.at.Name {
				op.card = &s.Card.Operators[j]
			}
		}
		if op.facts != nil && op.card != nil {
			list = append(list, op)
		}
	}
	return list
}

// ownerOf names the operator that a CRD of the scene belongs to; "" if nobody.
func (s *Scene) ownerOf(crd string) string {
	for i := range s.Attributed.Operators {
		for j := range s.Attributed.Operators[i].CRDs {
			if s.Attributed.Operators[i].CRDs[j].Name == crd {
				return s.Attributed.Operators[i].Name
			}
		}
	}
	for i := range s.Attributed.SharedAPIs {
		for j := range s.Attributed.SharedAPIs[i].CRDs {
			if s.Attributed.SharedAPIs[i].CRDs[j].Name == crd {
				return s.Attributed.SharedAPIs[i].Name
			}
		}
	}
	return ""
}
