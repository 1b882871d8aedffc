package levels

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/google/cel-go/common/types"
)

// ruling is the verdict of one criterion for one subject.
type ruling struct {
	verdict Verdict
	grade   Grade
	stale   bool
	// unseen are the facets, with reasons, that made it unknown or might
	// raise it: "crd.children: pods forbidden".
	unseen []string
	// reason replaces the rule's because when it says more.
	reason string
	// prefix stands before because.
	prefix string
}

// judge decides in this order: applies, proven, refuted, indicated. What an
// unknown answer could still change stays open: refuted needs a proven that is
// surely false, and not-observed needs every answer.
func (r *rule) judge(s *subject) ruling {
	if out, decided := r.applicable(s); decided {
		return out
	}
	var open gap
	proven := ask(r.proven, s, &open)
	if proven.yes() {
		return r.proved(s)
	}
	if ask(r.refuted, s, &open).yes() && !proven.unknown() {
		return ruling{verdict: Refuted}
	}
	if ask(r.indicated, s, &open).yes() {
		return ruling{verdict: Indicated, grade: r.IndicatedGrade, unseen: s.reasons(open)}
	}
	if !open.empty() {
		return s.undecided(open)
	}
	return ruling{verdict: NotObserved}
}

// applicable decides whether the criterion is for this subject at all.
func (r *rule) applicable(s *subject) (out ruling, decided bool) {
	if len(r.Archetypes) > 0 && !slices.Contains(r.Archetypes, s.op.Archetype) {
		why := fmt.Sprintf("for operators of archetype %s; this one is %s", strings.Join(r.Archetypes, " or "), or(s.op.Archetype, "of no known one"))
		return ruling{verdict: NotApplicable, reason: why}, true
	}
	if r.applies == nil {
		return ruling{}, false
	}
	applies := r.applies.eval(s)
	switch {
	case applies.unknown():
		return s.undecided(applies.gap), true
	case !applies.yes():
		return ruling{verdict: NotApplicable, reason: strings.TrimSpace(r.NotApplicable)}, true
	}
	return ruling{}, false
}

// no is the answer of an expression that a rule does not have.
var no = answer{value: types.False}

// ask evaluates an expression and adds what kept it from an answer to open.
func ask(p *program, s *subject, open *gap) answer {
	if p == nil {
		return no
	}
	a := p.eval(s)
	if a.unknown() {
		open.add(a.gap)
	}
	return a
}

// proved is the ruling when proven holds: on a level, only the behaviour of a
// controller that is there, seen on a server, proves.
func (r *rule) proved(s *subject) ruling {
	switch {
	case r.Live && s.gone():
		return ruling{verdict: NotObserved, stale: true, prefix: "left by a controller that is gone: "}
	case r.Level > 0 && !s.op.Live:
		return ruling{verdict: Indicated, grade: Granted, prefix: "declared in manifests: "}
	}
	return ruling{verdict: Proven, grade: r.Grade}
}

// gone tells whether the controller is known not to be there any more.
func (s *subject) gone() bool {
	if s.crd != nil {
		return s.crd.Reconciled.Gone
	}
	state := s.op.Controllers.State
	return (state == "down" || state == "absent") && !s.lacks("op.controllers")
}

// undecided is the ruling when what was needed could not be seen, or an
// expression failed.
func (s *subject) undecided(open gap) ruling {
	out := ruling{verdict: Unknown, unseen: s.reasons(open)}
	out.reason = "could not look: " + strings.Join(out.unseen, "; ")
	if len(open.unseen) == 0 && open.failed != nil {
		out.reason = "could not be evaluated: " + open.failed.Error()
		out.unseen = []string{out.reason}
	}
	return out
}

// reasons says for each facet why it was not seen.
func (s *subject) reasons(open gap) []string {
	facets := slices.Compact(slices.Sorted(slices.Values(open.unseen)))
	for i, facet := range facets {
		if why, _ := s.reason(facet); why != "" {
			facets[i] = facet + ": " + why
		}
	}
	return facets
}

// because is what was seen, in words.
func (r *rule) say(s *subject, of ruling) string {
	if of.reason != "" {
		return of.reason
	}
	said := r.because.eval(s)
	if said.unknown() {
		if of.verdict == Unknown {
			return of.prefix + s.undecided(said.gap).reason
		}
		// The verdict rests on what was surely seen; its text would tell more.
		return of.prefix + "what was seen decides" + s.examples() + "; not all could be looked at: " + strings.TrimPrefix(s.undecided(said.gap).reason, "could not look: ")
	}
	return of.prefix + strings.TrimSpace(string(said.value.(types.String)))
}

// examples name what was surely seen of a CRD: " (Certificate/shop/a)".
func (s *subject) examples() string {
	if s.crd == nil || len(s.crd.Seen.Examples) == 0 {
		return ""
	}
	seen := slices.Sorted(maps.Values(s.crd.Seen.Examples))
	return " (" + names(slices.Compact(seen)) + ")"
}

// list evaluates a list of names; empty when there is no such expression or it
// has no value.
func list(p *program, s *subject) []string {
	if p == nil {
		return []string{}
	}
	said := p.eval(s)
	if said.unknown() {
		return []string{}
	}
	native, err := said.value.ConvertToNative(reflect.TypeFor[[]string]())
	if err != nil {
		return []string{}
	}
	return append([]string{}, native.([]string)...) // a copy: the list may be that of the facts
}
