package review

import (
	"fmt"
	"slices"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// Matches are what the topic is near to.
type Matches struct {
	// Here are operators, shared APIs and CRDs of nobody on the cluster.
	Here []Match `json:"here"`
	// Known are operators of the catalogue that are neither here nor candidates.
	Known []Match `json:"known"`
	// Mentions match by words of descriptions alone, their own or their kinds', here or known.
	Mentions []string `json:"mentions"`
	// LeftOut have fewer than half of the topic's words.
	LeftOut []string `json:"leftOut"`
	// Unseen says why the CRDs of the cluster are not all known; "" if they are.
	Unseen string `json:"unseen,omitempty"`
}

// FindMatches looks for the topic on the cluster and in the catalogue.
// candidates are names of operators that were given as such.
func FindMatches(t Topic, here *Scene, cat *catalogue.Catalogue, candidates []string) Matches {
	found := Matches{Here: []Match{}, Known: []Match{}, Mentions: []string{}, LeftOut: []string{}}
	taken := slices.Clone(candidates)
	take := func(m *matching) {
		switch match := m.done(); {
		case m.near() && byDescriptionOnly(&match):
			found.Mentions = append(found.Mentions, m.m.Name)
		case m.near():
			found.Here = append(found.Here, match)
		case len(m.m.Words) > 0:
			found.LeftOut = append(found.LeftOut, m.m.Name)
		}
	}
	crds := crdsByName(here.Snapshot)
	for i := range here.Attributed.Operators {
		op := &here.Attributed.Operators[i]
		taken = append(taken, op.Name)
		take(matchOperator(t, op, crds))
	}
	for i := range here.Attributed.SharedAPIs {
		api := &here.Attributed.SharedAPIs[i]
		m := &matching{topic: t, m: Match{Name: api.Name, Where: "shared", Words: []string{}, Reasons: []Reason{}}}
		m.entry(cat.ByName(api.Name))
		m.crds(api.CRDs, crds)
		taken = append(taken, api.Name)
		take(m)
	}
	for i := range here.Attributed.Unattributed {
		m := &matching{topic: t, m: Match{Name: here.Attributed.Unattributed[i].Name, Where: "nobody", Words: []string{}, Reasons: []Reason{}}}
		m.crds(here.Attributed.Unattributed[i:i+1], crds)
		m.m.Note = noteOn(here, m.m.Name)
		take(m)
	}
	found.known(t, cat, taken)
	sortMatches(found.Here)
	sortMatches(found.Known)
	slices.Sort(found.LeftOut)
	found.Unseen = unseenDefinitions(here)
	return found
}

func matchOperator(t Topic, op *attribution.Operator, crds map[string]*inventory.CRD) *matching {
	m := &matching{topic: t, m: Match{Name: op.Name, Where: "cluster", Words: []string{}, Reasons: []Reason{}}}
	m.entry(op.Entry)
	if op.Entry == nil {
		m.name(op.Name)
	}
	m.crds(op.CRDs, crds)
	return m
}

func (m *matching) crds(list []attribution.CRD, crds map[string]*inventory.CRD) {
	for i := range list {
		if c := crds[list[i].Name]; c != nil {
			m.crd(c)
		}
	}
	known := slices.Clone(m.m.Words)
	for i := range list {
		if c := crds[list[i].Name]; c != nil {
			m.kindText(c, known)
		}
	}
}

// known looks into the catalogue for what is not here.
func (f *Matches) known(t Topic, cat *catalogue.Catalogue, taken []string) {
	if cat == nil {
		return
	}
	for _, e := range cat.Operators {
		if slices.Contains(taken, e.Name) {
			continue
		}
		m := &matching{topic: t, m: Match{Name: e.Name, Where: "catalogue", Words: []string{}, Reasons: []Reason{}}}
		m.entry(e)
		switch {
		case !m.near() && len(m.m.Words) > 0:
			f.LeftOut = append(f.LeftOut, e.Name)
		case !m.near():
		default:
			if match := m.done(); byDescriptionOnly(&match) {
				f.Mentions = append(f.Mentions, e.Name)
			} else {
				f.Known = append(f.Known, match)
			}
		}
	}
	slices.Sort(f.Mentions)
}

func crdsByName(s *inventory.Snapshot) map[string]*inventory.CRD {
	index := make(map[string]*inventory.CRD, len(s.CRDs))
	for i := range s.CRDs {
		index[s.CRDs[i].Name] = &s.CRDs[i]
	}
	return index
}

// noteOn says how many resources of a CRD of nobody there are, and what became
// of them.
func noteOn(here *Scene, crd string) string {
	for i := range here.Card.Unattributed {
		c := &here.Card.Unattributed[i]
		switch {
		case c.Name != crd:
			continue
		case c.InstancesUnseen != "":
			return "its resources could not be seen"
		case c.Instances == 0:
			return "no " + c.Kind + " object"
		}
		note := fmt.Sprintf("%d %s objects", c.Instances, c.Kind)
		if c.Instances == 1 {
			note = "1 " + c.Kind + " object"
		}
		if c.Orphaned {
			note += ", waiting for a controller"
		}
		if c.Deleting > 0 {
			note += fmt.Sprintf(", %d being deleted", c.Deleting)
		}
		return note
	}
	return ""
}
