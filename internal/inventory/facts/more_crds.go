package facts

import (
	"slices"

	"kubectl-operator-maturity/internal/inventory"
)

// moreCRDs says why an operator may have CRDs beside those that were seen; "" if
// it was seen whole. What none of the seen ones shows, another may then show.
// An operator of which no CRD was seen is told apart by HasCRDs.
func (op *operator) moreCRDs() string {
	s := op.o.s
	if s.Source.Type == "files" || len(op.kinds) == 0 {
		return ""
	}
	if crds := s.Seen(definitions.group, definitions.name); crds.Some {
		return crds.Why
	}
	groups := op.groups()
	for i := range s.Access {
		a := &s.Access[i]
		// A version of a group that discovery, in place of the CRDs, did not tell of.
		if a.Resource == "*" && a.Access == inventory.Failed && slices.Contains(groups, a.Group) {
			return a.Group + "/" + a.Version + ": " + a.Detail
		}
	}
	return ""
}

// groups are the API groups of an operator, as seen and as known.
func (op *operator) groups() []string {
	var groups []string
	for _, k := range op.kinds {
		groups = append(groups, k.crd.Group)
	}
	if op.at.Entry != nil {
		groups = append(groups, op.at.Entry.Groups...)
	}
	return groups
}
