package review

import "slices"

// near tells whether it has enough of the topic's words: more than half of
// those that say what it is about, or half where one of them is in its name or
// a kind. Where the topic is the name, a kind or a group of something (exact),
// whatever else is near has all of them.
func (m *matching) near(exact bool) bool {
	have, all := m.topic.about(m.m.Words), len(m.topic.Subject)
	switch {
	case m.m.Whole:
		return true
	case have == 0:
		return false
	case exact:
		return have == all
	}
	return 2*have > all || 2*have == all && m.by(byKindWord, byName)
}

// mentioned: what matches is a word in a description, in an API group, or for
// what is not here in the name of a kind. That says little: many operators
// mention certificates, and hypershift has a group with that word.
func (m *matching) mentioned() bool {
	switch {
	case m.m.Where == "catalogue":
		return !m.by(byName, byKeyword, byDomain)
	case m.m.Whole:
		return false
	case m.described:
		return !m.by(byKindWord, byCategory, byName, byKeyword, byDomain)
	}
	return !m.by(byKindWord, byGroupWord, byCategory, byName)
}

// by tells whether one of the reasons is of these sorts.
func (m *matching) by(sorts ...string) bool {
	return slices.ContainsFunc(m.m.Reasons, func(r Reason) bool { return slices.Contains(sorts, r.By) })
}
