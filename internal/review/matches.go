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
	// Mentions have the words in a description or an API group alone.
	Mentions []string `json:"mentions"`
	// LeftOutHere and LeftOut have too few of the topic's words: on the cluster,
	// and in the catalogue.
	LeftOutHere []string `json:"leftOutHere"`
	LeftOut     []string `json:"leftOut"`
	// Unseen says why the CRDs of the cluster are not all known; "" if they are.
	Unseen string `json:"unseen,omitempty"`
}

// FindMatches looks for the topic on the cluster and in the catalogue.
// candidates are names of operators that were given as such.
func FindMatches(t Topic, here *Scene, cat *catalogue.Catalogue, candidates []string) Matches {
	all := matchScene(t, here, cat)
	taken := slices.Clone(candidates)
	for _, m := range all {
		taken = append(taken, m.m.Name)
	}
	all = append(all, matchCatalogue(t, cat, taken)...)
	exact := slices.ContainsFunc(all, func(m *matching) bool { return m.m.Whole })
	found := Matches{Here: []Match{}, Known: []Match{}, Mentions: []string{}, LeftOutHere: []string{}, LeftOut: []string{}, Unseen: unseenDefinitions(here)}
	for _, m := range all {
		to := &found.Here
		leftOut := &found.LeftOutHere
		if m.m.Where == "catalogue" {
			to, leftOut = &found.Known, &found.LeftOut
		}
		switch {
		case len(m.m.Words) == 0:
		case !m.near(exact):
			*leftOut = append(*leftOut, m.m.Name)
		case m.mentioned():
			found.Mentions = append(found.Mentions, m.m.Name)
		default:
			*to = append(*to, m.done())
		}
	}
	sortMatches(found.Here)
	sortMatches(found.Known)
	for _, names := range [][]string{found.Mentions, found.LeftOutHere, found.LeftOut} {
		slices.Sort(names)
	}
	return found
}

// matchScene compares what is on the cluster with the topic.
func matchScene(t Topic, here *Scene, cat *catalogue.Catalogue) []*matching {
	var all []*matching
	for i := range here.Attributed.Operators {
		all = append(all, matchOperator(t, &here.Attributed.Operators[i], "cluster", here.crds))
	}
	for i := range here.Attributed.SharedAPIs {
		api := &here.Attributed.SharedAPIs[i]
		m := newMatching(t, api.Name, "shared")
		m.entry(cat.ByName(api.Name))
		m.crds(api.CRDs, here.crds)
		all = append(all, m)
	}
	for i := range here.Attributed.Unattributed {
		m := newMatching(t, here.Attributed.Unattributed[i].Name, "nobody")
		m.crds(here.Attributed.Unattributed[i:i+1], here.crds)
		m.m.Note = noteOn(here, m.m.Name)
		all = append(all, m)
	}
	return all
}

func matchOperator(t Topic, op *attribution.Operator, where string, crds map[string]*inventory.CRD) *matching {
	m := newMatching(t, op.Name, where)
	m.entry(op.Entry)
	if op.Entry == nil {
		m.name(op.Name)
	}
	m.crds(op.CRDs, crds)
	return m
}

// matchCatalogue compares what is not here with the topic.
func matchCatalogue(t Topic, cat *catalogue.Catalogue, taken []string) []*matching {
	if cat == nil {
		return nil
	}
	var all []*matching
	for _, e := range cat.Operators {
		if !slices.Contains(taken, e.Name) {
			m := newMatching(t, e.Name, "catalogue")
			m.entry(e)
			all = append(all, m)
		}
	}
	return all
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
