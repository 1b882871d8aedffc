package levels

import (
	"fmt"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// Violations lists criteria that break what every criterion must hold: where
// nothing was found nothing is proven or indicated, and where nothing could be
// seen every verdict is unknown or not-applicable.
func (r *Rules) Violations() []string {
	var list []string
	seen := map[string]bool{}
	try := func(op *facts.Operator, when string, allowed func(Verdict) bool) {
		all := subjectsOf(op)
		for _, rule := range r.rules {
			check, _ := rule.check(all)
			if allowed(check.Verdict) || seen[rule.ID+when] {
				continue
			}
			seen[rule.ID+when] = true
			list = append(list, fmt.Sprintf("%s: %s is %s %s: %s", rule.Position, rule.ID, check.Verdict, when, check.Because))
		}
	}
	for _, archetype := range Archetypes {
		for _, live := range []bool{true, false} {
			empty := facts.Operator{Archetype: archetype, Live: live}
			try(&empty, "although no fact is there", unclaimed)
			empty.HasCRDs, empty.CRDs = true, []facts.CRD{{}}
			try(&empty, "although no fact is there", unclaimed)
			unseen := empty
			unseen.Unseen = allUnseen[facts.Operator]("not seen")
			unseen.CRDs = []facts.CRD{{Unseen: allUnseen[facts.CRD]("not seen")}}
			try(&unseen, "although nothing could be seen", undecided)
		}
	}
	return list
}

func unclaimed(v Verdict) bool { return v != Proven && v != Indicated }
func undecided(v Verdict) bool { return v == Unknown || v == NotApplicable }
