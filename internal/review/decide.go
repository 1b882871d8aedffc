package review

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/types"
)

// decideOption finds the outcome of one operator: the first rule that holds.
func (r *Rules) decideOption(o *Option, topic *TopicSeen) error {
	e, err := newEvidence(map[string]any{
		"it": &o.Facts, "topic": topic,
		"must": tally(o.Checks, "must"), "should": tally(o.Checks, "should"), "could": tally(o.Checks, "could"),
	}, subjectUnseen(&o.Facts, nil))
	if err != nil {
		return err
	}
	d, because := first(r.outcomes, e)
	o.Outcome, o.Because, o.Rule = Hold, "no rule of outcomes holds", ""
	if d != nil {
		o.Outcome, o.Because, o.Rule = d.verdict, because, d.id
	}
	// Whatever the rules say, also those of a user.
	if open := tally(o.Checks, "must").Unknown; len(open) > 0 && adopts(o.Outcome) {
		o.Because = fmt.Sprintf("the rule %s says %s, but a must that is unknown (%s) keeps it a trial", o.Rule, o.Outcome, few(open))
		o.Outcome = Trial
	}
	return nil
}

// decide finds the verdict of the review.
func (r *Rules) decide(rec *Record, topic *TopicSeen, unseen map[string]string) (*decision, error) {
	var speaking []string
	need := map[string]string{}
	for i := range rec.Need {
		k := &rec.Need[i]
		need[k.ID] = needWord(k.State)
		if k.Group == groupReason && k.State == met {
			speaking = append(speaking, k.ID)
		}
	}
	if speaking == nil {
		speaking = []string{}
	}
	e, err := newEvidence(map[string]any{
		"topic": topic, "need": need, "must": tally(rec.Need, "must"), "reasons": speaking, "options": outcomesOf(rec.Options),
	}, unseen)
	if err != nil {
		return nil, err
	}
	d, because := first(r.verdicts, e)
	if d == nil {
		d, because = &decision{verdict: Hold, decides: "the platform team", months: 1}, "No rule of verdicts holds."
	}
	rec.Verdict, rec.Rule, rec.Reasons = d.verdict, d.id, []string{because}
	for i := range rec.Options {
		if adopts(rec.Verdict) && rec.Options[i].Outcome == rec.Verdict || rec.Verdict == Trial && rec.Options[i].Outcome == Trial {
			rec.Chosen = append(rec.Chosen, rec.Options[i].Name)
		}
	}
	if open := tally(rec.Need, "must").Unknown; adopts(rec.Verdict) && (len(open) > 0 || len(rec.Chosen) == 0) {
		rec.Verdict = Trial
		rec.Reasons = append(rec.Reasons, "A rule says "+d.verdict+", but what that rests on is not known: it stays a trial.")
	}
	return d, nil
}

func adopts(verdict string) bool { return verdict == Adopt || verdict == Conditions }

// first is the first rule that holds. One that rests on something unseen ends
// the search on hold: no later rule speaks in its place.
func first(rules []*decision, e *evidence) (*decision, string) {
	for _, d := range rules {
		v, why := e.eval(d.when)
		switch {
		case v == types.True:
			return d, e.text(d.because)
		case v == nil:
			return &decision{id: d.id, verdict: Hold, decides: d.decides, months: 1}, "Rule " + d.id + " cannot be decided: " + why + "."
		}
	}
	return nil, ""
}

// needWord is the state of a criterion about the need as an answer.
func needWord(state string) string {
	switch state {
	case met:
		return yes
	case failed:
		return no
	}
	return state
}

// tally sorts the criteria of one priority by what came of them.
func tally(checks []Check, priority string) *Tally {
	t := &Tally{Met: []string{}, Failed: []string{}, Unknown: []string{}, Accepted: []string{}}
	for i := range checks {
		if checks[i].Priority != priority {
			continue
		}
		switch id := checks[i].ID; checks[i].State {
		case met:
			t.Met = append(t.Met, id)
		case failed:
			t.Failed = append(t.Failed, id)
		case accepted:
			t.Accepted = append(t.Accepted, id)
		case unknown:
			t.Unknown = append(t.Unknown, id)
		}
	}
	return t
}

func outcomesOf(options []Option) *Outcomes {
	o := &Outcomes{Adopt: []string{}, Conditions: []string{}, Trial: []string{}, Hold: []string{}}
	for i := range options {
		name := options[i].Name
		switch options[i].Outcome {
		case Adopt:
			o.Adopt = append(o.Adopt, name)
		case Conditions:
			o.Conditions = append(o.Conditions, name)
		case Trial:
			o.Trial = append(o.Trial, name)
		default:
			o.Hold = append(o.Hold, name)
		}
	}
	return o
}

// subjectUnseen are the unknown facets of a subject and of the topic.
func subjectUnseen(s *Subject, topic map[string]string) map[string]string {
	unseen := map[string]string{}
	for facet, why := range s.Unseen {
		unseen["it."+facet] = why
	}
	for facet, why := range topic {
		unseen[facet] = why
	}
	return unseen
}

// names of options in their order, each once.
func namesOf(options []Option) []string {
	var names []string
	for i := range options {
		if !slices.Contains(names, options[i].Name) {
			names = append(names, options[i].Name)
		}
	}
	return names
}
