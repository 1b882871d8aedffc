package review

import (
	"slices"
	"strings"
	"time"
)

// finish adds what follows from the verdict: conditions, open questions, red
// flags, who decides, when to look again, what to do next.
func (rec *Record) finish(in Input, d *decision, a *Answers) {
	rec.Decides, rec.ReviewAgain = d.decides, in.Now.UTC().AddDate(0, max(1, d.months), 0).Format(time.DateOnly)
	if who := a.file.Decides.Value(); who != "" {
		rec.Decides = who
	}
	if n := a.file.ReviewAgain.Node(); n != nil && n.Value != "" {
		rec.ReviewAgain = n.Value
	}
	if d.next != "" {
		rec.Next = append(rec.Next, d.next)
	}
	for i := range rec.Options {
		o := &rec.Options[i]
		rec.Reasons = append(rec.Reasons, sentence(o.Name+": "+o.Outcome+": "+o.Because))
	}
	for i := range rec.Matches.Here {
		if m := &rec.Matches.Here[i]; m.Where == "nobody" {
			rec.Reasons = append(rec.Reasons, sentence(m.Name+" is here, and no controller was found for it: "+m.Note))
		}
	}
	rec.conditions()
	rec.redFlags()
	rec.questions()
	if rec.Verdict == Write {
		rec.Checklist = checklist(in.Criteria, in.Rules.hygiene, rec.Need)
		rec.Warnings = in.Rules.warnings
	}
}

// conditions are what the chosen operators do not meet; without a chosen one
// there is nothing to lay conditions on.
func (rec *Record) conditions() {
	rec.Conditions = []Condition{}
	if !adopts(rec.Verdict) {
		return
	}
	for i := range rec.Options {
		o := &rec.Options[i]
		if !slices.Contains(rec.Chosen, o.Name) {
			continue
		}
		for j := range o.Checks {
			k := &o.Checks[j]
			open := k.State == failed || k.State == unknown && k.Priority != "could"
			if !open && k.State != accepted {
				continue
			}
			text := k.Condition
			switch {
			case k.State == accepted && k.Answer != nil:
				text = "The risk is taken by " + k.Answer.By + " on " + k.Answer.Date + ": " + k.Answer.Note
			case k.State == unknown || text == "":
				text = "Answer: " + k.Question
			}
			rec.Conditions = append(rec.Conditions, Condition{o.Name, k.ID, text, k.Because, k.State == accepted})
		}
	}
}

func (rec *Record) redFlags() {
	rec.RedFlags = []Flag{}
	for i := range rec.Options {
		var flags []Flag
		for j := range rec.Options[i].Checks {
			if k := &rec.Options[i].Checks[j]; k.RedFlag != "" {
				flags = append(flags, Flag{rec.Options[i].Name, k.ID, k.RedFlag, k.Priority, k.State == accepted})
			}
		}
		slices.SortStableFunc(flags, func(a, b Flag) int { return byPriority(a.Priority, b.Priority) })
		rec.RedFlags = append(rec.RedFlags, flags...)
	}
}

// questions gathers what is unknown: about the need first, then about the
// operators, one question for all that it is open for; musts first. While the
// verdict is hold every answer about the need can change it; after that the
// musts alone.
func (rec *Record) questions() {
	rec.OpenQuestions = []Question{}
	for i := range rec.Need {
		if k := &rec.Need[i]; k.State == unknown {
			rec.OpenQuestions = append(rec.OpenQuestions, Question{
				Criterion: k.ID, Priority: k.Priority, Decides: k.Priority == "must" || rec.Verdict == Hold,
				Text: k.Question, Options: []string{}, Because: []string{k.Because},
			})
		}
	}
	open := rec.questionsAboutOptions()
	slices.SortStableFunc(open, func(a, b Question) int { return byPriority(a.Priority, b.Priority) })
	rec.OpenQuestions = append(rec.OpenQuestions, open...)
}

// questionsAboutOptions are what is unknown of the operators, in the order of
// the rules.
func (rec *Record) questionsAboutOptions() []Question {
	var open []Question
	for i := range rec.Options {
		for j := range rec.Options[i].Checks {
			k := &rec.Options[i].Checks[j]
			if k.State != unknown {
				continue
			}
			at := slices.IndexFunc(open, func(q Question) bool { return q.Criterion == k.ID })
			if at < 0 {
				at = len(open)
				open = append(open, Question{
					Criterion: k.ID, Priority: k.Priority, Decides: k.Priority == "must", Text: k.Question, Options: []string{}, Because: []string{},
				})
			}
			open[at].Options = append(open[at].Options, rec.Options[i].Name)
			open[at].Because = append(open[at].Because, k.Because)
		}
	}
	for i := range open {
		open[i].Because = told(open[i].Options, open[i].Because)
	}
	return open
}

// told joins what was said of several operators: once where it is the same for
// all, else with the names before it.
func told(options, because []string) []string {
	joined := []string{}
	for i, why := range because {
		if slices.Index(because, why) < i {
			continue
		}
		var of []string
		for j := range because {
			if because[j] == why {
				of = append(of, options[j])
			}
		}
		if len(of) < len(options) {
			why = strings.Join(of, ", ") + ": " + why
		}
		joined = append(joined, why)
	}
	return joined
}

// sentence ends a text with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" || strings.HasSuffix(s, ".") {
		return s
	}
	return s + "."
}
