package levels

import (
	"cmp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// subjects are an operator and those of its CRDs that are judged, by name.
type subjects struct {
	operator *subject
	crds     []*subject
	rulings  []judged // of the criterion that is being checked
}

func subjectsOf(op *facts.Operator) *subjects {
	all := &subjects{operator: newSubject(op, nil)}
	for i := range op.CRDs {
		if crd := &op.CRDs[i]; !crd.DataOnly {
			all.crds = append(all.crds, newSubject(op, crd))
		}
	}
	slices.SortFunc(all.crds, byCRD)
	return all
}

func byCRD(a, b *subject) int { return strings.Compare(a.crd.Name, b.crd.Name) }

// of are the subjects that a criterion is judged for.
func (all *subjects) of(r *rule) []*subject {
	if r.Scope == PerOperator {
		return []*subject{all.operator}
	}
	return all.crds
}

// judged is a subject with its ruling.
type judged struct {
	*subject
	ruling
}

// judgeAll puts the rulings over those of the criterion before.
func (r *rule) judgeAll(subjects []*subject, over []judged) []judged {
	rulings := over[:0]
	for _, s := range subjects {
		rulings = append(rulings, judged{s, r.judge(s)})
	}
	return rulings
}

// check judges a criterion for every subject and sums up.
func (r *rule) check(all *subjects) (Check, []Finding) {
	check := Check{
		ID: r.ID, Title: r.Title, Level: r.Level, Essential: r.EssentialTo(all.operator.op.Archetype),
		Evidence: []string{}, Why: r.Why, Fix: r.Fix, Docs: r.Docs, Source: r.Source,
	}
	all.rulings = r.judgeAll(all.of(r), all.rulings)
	rulings := all.rulings
	if len(rulings) == 0 {
		check.Verdict, check.Because = NotApplicable, all.withoutCRDs()
		if why, unseen := all.operator.op.Unseen["hasCRDs"]; unseen {
			check.Verdict, check.Unseen, check.Because = Unknown, []string{"op.hasCRDs: " + why}, "could not look at its CRDs: "+why
		}
		return check, nil
	}
	best := rulings[0]
	for _, j := range rulings[1:] {
		if cmp.Or(cmp.Compare(standing(j.ruling), standing(best.ruling)), slices.Compare(substance(j.subject), substance(best.subject))) > 0 {
			best = j
		}
	}
	r.fill(&check, best)
	check.PerCRD = r.differing(best, rulings)
	findings := r.findings(check.Verdict, rulings) // of the CRDs that were seen
	if why, more := all.operator.op.Unseen["moreCRDs"]; more && best.crd != nil && lacks(best.verdict) {
		check.Verdict, check.Grade, check.Stale, check.Evidence = Unknown, "", false, []string{}
		check.Unseen = append(check.Unseen, "op.moreCRDs: "+why)
		check.Because = "its other CRDs could not be looked at: " + why
	}
	return check, findings
}

// lacks tells whether a verdict says that none of an operator's CRDs shows
// something: a CRD that was not seen might.
func lacks(v Verdict) bool { return v == NotApplicable || v == NotObserved || v == Refuted }

// withoutCRDs says why there is nothing to judge.
func (all *subjects) withoutCRDs() string {
	if all.operator.op.HasCRDs || len(all.operator.op.CRDs) > 0 {
		return "its CRDs only hold data: nobody writes a status for them by design"
	}
	return "it has no CRD"
}

// standing orders rulings, the best last: an operator does what it does for
// one of its CRDs. Refuted is below not-observed, so that it needs all of them.
func standing(r ruling) int {
	order := []Verdict{NotApplicable, Refuted, NotObserved, Unknown, Indicated, Proven}
	rank := 2 * slices.Index(order, r.verdict)
	if r.stale || r.grade == Granted {
		rank++ // says more than its equals
	}
	return rank
}

// substance prefers, among equal rulings, the CRD that there is most to say of:
// one with children, then one with instances, then the kind that people install
// the operator for, which without word from the catalogue is the one with the
// largest spec: a KafkaBridge is not what Strimzi is judged on.
func substance(s *subject) []int {
	if s.crd == nil {
		return nil
	}
	return []int{toInt(s.crd.Seen.Children > 0), toInt(s.crd.Seen.Instances > 0), toInt(s.crd.Main), s.crd.Schema.SpecLeaves}
}

func toInt(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// fill takes the ruling over into the check.
func (r *rule) fill(check *Check, best judged) {
	check.Verdict, check.Grade, check.Stale = best.verdict, best.grade, best.stale
	check.Unseen = best.unseen
	check.Because = r.say(best.subject, best.ruling)
	if best.crd != nil {
		check.CRD = best.crd.Name
	}
	if best.verdict != NotApplicable && best.verdict != Unknown {
		check.Evidence = list(r.evidence, best.subject)
	}
}

// differing are the verdicts of the CRDs that are not the operator's.
func (r *rule) differing(best judged, rulings []judged) []CRDVerdict {
	var rows []CRDVerdict
	for _, j := range rulings {
		if j.crd == nil || j.verdict == best.verdict && j.stale == best.stale {
			continue
		}
		rows = append(rows, CRDVerdict{CRD: j.crd.Name, Verdict: j.verdict, Stale: j.stale, Because: r.say(j.subject, j.ruling)})
	}
	return rows
}
