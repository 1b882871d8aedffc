package levels

import (
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// subject is what a criterion is judged for: an operator, or one CRD of it.
// It is the activation of the expressions.
type subject struct {
	op  *facts.Operator
	crd *facts.CRD // nil for the operator as a whole
	// partial is the same with the unseen facets marked; nil when all are seen.
	partial cel.PartialActivation
}

func newSubject(op *facts.Operator, crd *facts.CRD) *subject {
	s := &subject{op: op, crd: crd}
	patterns := patternsOf("op", op.Unseen)
	if crd != nil {
		patterns = append(patterns, patternsOf("crd", crd.Unseen)...)
	}
	if len(patterns) > 0 {
		// The error is for bindings that are no activation.
		s.partial, _ = cel.PartialVars(s, patterns...)
	}
	return s
}

func patternsOf(variable string, unseen map[string]string) []*cel.AttributePatternType {
	var patterns []*cel.AttributePatternType
	for facet := range unseen {
		patterns = append(patterns, cel.AttributePattern(variable).QualString(facet))
	}
	return patterns
}

// ResolveName implements cel.Activation.
func (s *subject) ResolveName(name string) (any, bool) {
	switch {
	case name == "op":
		return s.op, true
	case name == "crd" && s.crd != nil:
		return s.crd, true
	}
	return nil, false
}

// Parent implements cel.Activation.
func (s *subject) Parent() cel.Activation { return nil }

// activation is what to evaluate a program with: looking for unseen facets
// takes time, so it is done only where the program reads one.
func (s *subject) activation(p *program) cel.Activation {
	if s.partial == nil || !p.whole && !slices.ContainsFunc(p.facets, s.lacks) {
		return s
	}
	return s.partial
}

// lacks tells whether a facet such as crd.children was not seen.
func (s *subject) lacks(facet string) bool {
	_, unseen := s.reason(facet)
	return unseen
}

// reason says why a facet was not seen.
func (s *subject) reason(facet string) (why string, unseen bool) {
	if name, ok := strings.CutPrefix(facet, "op."); ok {
		why, unseen = s.op.Unseen[name]
	} else if name, ok := strings.CutPrefix(facet, "crd."); ok && s.crd != nil {
		why, unseen = s.crd.Unseen[name]
	}
	return why, unseen
}

// facetNames are the names of the facets of op or crd: the fields that are
// structs, but for those that are always known.
func facetNames(t reflect.Type) []string {
	var list []string
	for i := range t.NumField() {
		f := t.Field(i)
		if name := factName(f); f.Type.Kind() == reflect.Struct && name != "seen" && name != "reconciled" {
			list = append(list, name)
		}
	}
	return list
}

// allUnseen marks every facet as not seen.
func allUnseen[T facts.Operator | facts.CRD](why string) map[string]string {
	unseen := map[string]string{}
	for _, facet := range facetNames(reflect.TypeFor[T]()) {
		unseen[facet] = why
	}
	return unseen
}
