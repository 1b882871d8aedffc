package review

import (
	"cmp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// The reasons of a match, the nearest first. A match of the whole topic comes
// first, then one with more of its words, then the one with more sorts of
// reasons, then the one with the nearest reason, then by name; no reason has a
// weight.
const (
	byKind        = "kind"         // the topic is a kind, plural, singular or short name
	byGroup       = "group"        // the topic is the API group
	byKindWord    = "word of kind" // a kind has a word of it: KafkaTopic
	byGroupWord   = "word of group"
	byCategory    = "category"
	byName        = "name" // of the operator, or an alias
	byKeyword     = "keyword"
	byDomain      = "domain"
	byDescription = "description"
	byKindText    = "description of kind" // a schema has a word of it that nothing nearer has
)

var reasons = []string{byKind, byGroup, byKindWord, byGroupWord, byCategory, byName, byKeyword, byDomain, byDescription, byKindText}

// Match is an operator, or a CRD of nobody, that the topic is near to.
type Match struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// Where is cluster, nobody (a CRD of nobody on the cluster), shared (a
	// shared API there), candidate or catalogue.
	Where       string `json:"where"`
	Description string `json:"description,omitempty"`
	Homepage    string `json:"homepage,omitempty"`
	Domain      string `json:"domain,omitempty"`
	// Note says what is there of a CRD of nobody.
	Note string `json:"note,omitempty"`
	// Words are those of the topic that it has.
	Words   []string `json:"words"`
	Reasons []Reason `json:"reasons"`
	// Whole: the topic is the name, a kind or a group of it.
	Whole bool `json:"whole"`
}

// Reason says why something matches.
type Reason struct {
	By   string `json:"by"`
	What string `json:"what"`
}

// matching gathers the reasons of one match.
type matching struct {
	topic Topic
	// described: the catalogue says what it does.
	described bool
	m         Match
}

func newMatching(t Topic, name, where string) *matching {
	return &matching{topic: t, m: Match{Name: name, Where: where, Words: []string{}, Reasons: []Reason{}}}
}

func (m *matching) add(by, what string, words []string) {
	reason := Reason{by, what}
	if !slices.Contains(m.m.Reasons, reason) {
		m.m.Reasons = append(m.m.Reasons, reason)
	}
	for _, w := range words {
		if !slices.Contains(m.m.Words, w) {
			m.m.Words = append(m.m.Words, w)
		}
	}
}

// crd compares a CRD's names, group and categories with the topic.
func (m *matching) crd(c *inventory.CRD) {
	t, kind := m.topic, false
	for _, name := range append([]string{c.Names.Kind, c.Names.Plural, c.Names.Singular, c.Name}, c.Names.ShortNames...) {
		if t.is(name) {
			m.m.Whole, kind = true, true
			m.add(byKind, c.Names.Kind+" ("+c.Name+")", t.Words)
			break
		}
	}
	if t.is(c.Group) {
		m.m.Whole = true
		m.add(byGroup, c.Group, t.Words)
	}
	if words := t.found(c.Names.Kind); len(words) > 0 && !kind {
		m.add(byKindWord, c.Names.Kind, words)
	}
	if words := t.found(strings.ReplaceAll(c.Group, ".", " ")); len(words) > 0 {
		m.add(byGroupWord, c.Group, words)
	}
	for _, category := range c.Names.Categories {
		if words := t.found(category); len(words) > 0 && category != "all" {
			m.add(byCategory, category, words)
		}
	}
}

// kindText compares what the schemas of a CRD say of themselves with the topic.
// Words that are known from nearer reasons say nothing new: a Backup is about
// backups.
func (m *matching) kindText(c *inventory.CRD, known []string) {
	for i := range c.Versions {
		words := slices.DeleteFunc(m.topic.found(c.Versions[i].Schema.Description), func(w string) bool { return slices.Contains(known, w) })
		if len(words) > 0 {
			m.add(byKindText, c.Names.Kind+": "+strings.Join(words, ", "), words)
		}
	}
}

// entry compares what the catalogue says of an operator with the topic.
func (m *matching) entry(e *catalogue.Operator) {
	if e == nil {
		return
	}
	t := m.topic
	m.described = true
	m.m.Title, m.m.Description, m.m.Homepage, m.m.Domain = e.Title, e.Description, e.Homepage, e.Domain
	m.name(e.Name, e.Title)
	m.aliases(e.Aliases)
	for _, group := range e.Groups {
		if t.is(group) {
			m.m.Whole = true
			m.add(byGroup, group, t.Words)
		}
		if words := t.found(strings.ReplaceAll(group, ".", " ")); len(words) > 0 {
			m.add(byGroupWord, group, words)
		}
	}
	for _, crd := range e.CRDs {
		plural, _, _ := strings.Cut(crd, ".")
		if t.is(crd) || t.is(plural) {
			m.m.Whole = true
			m.add(byKind, crd, t.Words)
		}
	}
	for _, kind := range e.Products {
		name, _, _ := strings.Cut(kind, ".")
		if t.is(name) {
			m.m.Whole = true
			m.add(byKind, kind, t.Words)
		} else if words := t.found(name); len(words) > 0 {
			m.add(byKindWord, name, words)
		}
	}
	for _, keyword := range e.Keywords {
		if words := t.found(keyword); len(words) > 0 {
			m.add(byKeyword, keyword, words)
		}
	}
	if words := t.found(e.Domain); len(words) > 0 {
		m.add(byDomain, e.Domain, words)
	}
	if words := t.found(e.Description); len(words) > 0 {
		m.add(byDescription, strings.Join(words, ", "), words)
	}
}

func (m *matching) name(names ...string) {
	for _, name := range names {
		if words := m.topic.found(name); len(words) > 0 {
			m.m.Whole = m.m.Whole || m.topic.is(name)
			m.add(byName, name, words)
			return
		}
	}
}

// aliases counts those that stand whole in the topic: old names and those of
// packages share words with much else.
func (m *matching) aliases(names []string) {
	for _, name := range names {
		if words := m.topic.whole(name); len(words) > 0 {
			m.m.Whole = m.m.Whole || m.topic.is(name)
			m.add(byName, name, words)
			return
		}
	}
}

// done puts the nearest reason first, and of one sort the shortest name.
func (m *matching) done() Match {
	slices.SortStableFunc(m.m.Reasons, func(a, b Reason) int {
		return cmp.Or(cmp.Compare(rank(a.By), rank(b.By)), cmp.Compare(len(a.What), len(b.What)))
	})
	return m.m
}

func rank(by string) int { return slices.Index(reasons, by) }

func nearest(m *Match) int {
	if len(m.Reasons) == 0 {
		return len(reasons)
	}
	return rank(m.Reasons[0].By)
}

// sorts counts the sorts of reasons.
func sorts(m *Match) int {
	seen := map[string]bool{}
	for _, r := range m.Reasons {
		seen[r.By] = true
	}
	return len(seen)
}

// part is 0 for a match of the whole topic.
func part(m *Match) int {
	if m.Whole {
		return 0
	}
	return 1
}

func sortMatches(list []Match) []Match {
	slices.SortStableFunc(list, func(a, b Match) int {
		return cmp.Or(part(&a)-part(&b), cmp.Compare(len(b.Words), len(a.Words)), cmp.Compare(sorts(&b), sorts(&a)), cmp.Compare(nearest(&a), nearest(&b)), cmp.Compare(a.Name, b.Name))
	})
	return list
}
