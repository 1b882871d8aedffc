package review

import (
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// check holds the file against the rules, the operators of the review and the
// time.
func (a *Answers) check(r *Rules, topic Topic, options []string, now time.Time) {
	if a.file.Place.Node() == nil {
		return
	}
	if t := a.file.Topic; t.Node() != nil && !strings.EqualFold(oneLine(t.Value()), topic.Text) {
		a.doc.Report(t.Node(), "these are answers about %q, and the review is about %q", t.Value(), topic.Text)
	}
	if n := a.file.ReviewAgain.Node(); n != nil && n.Value != "" {
		if day, ok := a.date(n); ok && !day.After(now) {
			a.doc.Report(n, "reviewAgain %s is not in the future", n.Value)
		}
	}
	a.need = a.checkList(r, aboutNeed, a.file.Need, now)
	a.contradictions(r)
	for i := range a.file.Options {
		o := &a.file.Options[i]
		name := o.Name.Value()
		switch {
		case o.Place.Node() == nil:
			continue
		case name == "":
			a.doc.Report(o.Place.Node(), "the answers about an operator need its name")
		case !slices.Contains(options, name):
			a.doc.Report(o.Name.Node(), "no operator %q in this review: %s", name, oneOfThese(options))
		case a.options[name] != nil:
			a.doc.Report(o.Name.Node(), "operator %q is answered for twice: put the answers together", name)
		}
		checked := a.checkList(r, aboutOption, o.Answers, now)
		if a.options[name] == nil {
			a.options[name] = checked
		}
	}
}

func oneOfThese(names []string) string {
	if len(names) == 0 {
		return "it looks at none"
	}
	return "it looks at " + strings.Join(names, ", ")
}

// checkList checks the answers about one subject.
func (a *Answers) checkList(r *Rules, about string, written []writtenAnswer, now time.Time) map[string]*writtenAnswer {
	checked := map[string]*writtenAnswer{}
	for i := range written {
		w := &written[i]
		if w.Place.Node() == nil {
			continue
		}
		id := w.ID.Value()
		c := r.byID(id)
		switch {
		case id == "":
			a.doc.Report(w.Place.Node(), "an answer needs the id of its criterion")
			continue
		case c == nil:
			a.doc.Report(w.ID.Node(), "no criterion has the id %q%s", id, alikeIDs(r, id))
			continue
		case c.About != about:
			a.doc.Report(w.ID.Node(), "%s is about %s: it belongs below %s", id, aboutWords[c.About], belongs[c.About])
			continue
		}
		a.checkAnswer(c, w, now)
		if before := checked[id]; before != nil {
			word := "also"
			if before.value() != w.value() {
				word = "in contradiction,"
			}
			a.doc.Report(w.ID.Node(), "%s is answered %q here and, %s %q in line %d", id, w.value(), word, before.value(), before.ID.Node().Line)
			continue
		}
		checked[id] = w
	}
	return checked
}

var (
	aboutWords = map[string]string{aboutNeed: "the need", aboutOption: "one operator"}
	belongs    = map[string]string{aboutNeed: "need:", aboutOption: "an operator of options:"}
)

// value is the answer's word; unknown when none was written.
func (w *writtenAnswer) value() string {
	if n := w.Answer.Node(); n != nil && n.Value != "" && n.Tag != "!!null" {
		return n.Value
	}
	return unanswered
}

func (w *writtenAnswer) answer() *Answer {
	date := ""
	if n := w.Date.Node(); n != nil {
		date = n.Value
	}
	return &Answer{w.ID.Value(), w.value(), w.Evidence.Value(), w.By.Value(), date, oneLine(w.Note.Value())}
}

// checkAnswer checks one answer by itself.
func (a *Answers) checkAnswer(c *criterion, w *writtenAnswer, now time.Time) {
	value := w.value()
	for _, n := range []*yaml.Node{w.Answer.Node(), w.Date.Node()} {
		if n != nil && n.Kind != yaml.ScalarNode {
			a.doc.Report(n, "expected a single value")
			return
		}
	}
	if !slices.Contains(answerWords, value) {
		a.doc.Report(w.Answer.Node(), "answer %q: use one of %s", value, strings.Join(answerWords, ", "))
		return
	}
	if n := w.Date.Node(); n != nil && n.Value != "" {
		if day, ok := a.date(n); ok && day.After(now) {
			a.doc.Report(n, "date %s is in the future: the review is of %s", n.Value, now.UTC().Format(time.DateOnly))
		}
	}
	if value == unanswered || w.By.Value() == toolAuthor {
		return
	}
	var missing []string
	if w.By.Value() == "" {
		missing = append(missing, "by (a role)")
	}
	if n := w.Date.Node(); n == nil || n.Value == "" {
		missing = append(missing, "date")
	}
	if c.Priority == "must" && value == yes && w.Evidence.Value() == "" {
		missing = append(missing, "evidence (a link), since it is a must")
	}
	if (value == accepted || value == notApplicable) && w.Note.Value() == "" {
		missing = append(missing, "note (why)")
	}
	if value == accepted && c.About == aboutNeed {
		a.doc.Report(w.Answer.Node(), "%s is about the need: answer yes or no", c.ID)
	}
	if len(missing) > 0 {
		a.doc.Report(w.Place.Node(), "%s: the answer %q needs %s", c.ID, value, strings.Join(missing, ", "))
	}
}

func (a *Answers) date(n *yaml.Node) (time.Time, bool) {
	day, err := time.Parse(time.DateOnly, n.Value)
	if err != nil {
		a.doc.Report(n, "%q is no date: write it as 2026-01-31", n.Value)
	}
	return day, err == nil
}

// contradictions are answers that cannot hold together, by the rules.
func (a *Answers) contradictions(r *Rules) {
	for _, c := range r.criteria {
		mine := a.need[c.ID]
		if mine == nil || mine.value() != yes {
			continue
		}
		for _, id := range c.Contradicts {
			if other := a.need[id]; other != nil && other.value() == yes {
				a.doc.Report(mine.ID.Node(), "%s and %s (line %d) contradict each other: both are answered yes", c.ID, id, other.ID.Node().Line)
			}
		}
	}
}

// alikeIDs names ids that a mistyped one may mean.
func alikeIDs(r *Rules, id string) string {
	var found []string
	for _, c := range r.criteria {
		if strings.Contains(c.ID, id) || strings.Contains(id, c.ID) || len(id) > 5 && strings.HasPrefix(c.ID, id[:5]) {
			found = append(found, c.ID)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return " (did you mean " + strings.Join(found, " or ") + "?)"
}
