package review

import (
	"strings"

	"gopkg.in/yaml.v3"

	"kubectl-operator-maturity/internal/levels"
)

// ruleFile is a file of review rules as written.
type ruleFile struct {
	Place    levels.Place
	Disable  []levels.Text     `yaml:"disable"`
	Criteria []writtenRule     `yaml:"criteria"`
	Outcomes []writtenDecision `yaml:"outcomes"`
	Verdicts []writtenDecision `yaml:"verdicts"`
	Warnings []writtenWarning  `yaml:"warnings"`
	Hygiene  []levels.Text     `yaml:"hygiene"`
}

// writtenRule is a criterion as written.
type writtenRule struct {
	Place         levels.Place
	ID            levels.Text       `yaml:"id"`
	Override      levels.Boolean    `yaml:"override"`
	Title         levels.Text       `yaml:"title"`
	About         levels.Text       `yaml:"about"`
	Group         levels.Text       `yaml:"group"`
	Priority      levels.Text       `yaml:"priority"`
	Type          levels.Text       `yaml:"type"`
	Question      levels.Text       `yaml:"question"`
	Why           levels.Text       `yaml:"why"`
	Condition     levels.Text       `yaml:"condition"`
	Contradicts   []levels.Text     `yaml:"contradicts"`
	Applies       levels.Expression `yaml:"applies"`
	NotApplicable levels.Text       `yaml:"notApplicable"`
	Met           levels.Expression `yaml:"met"`
	Failed        levels.Expression `yaml:"failed"`
	Because       levels.Expression `yaml:"because"`
	RedFlag       writtenFlag       `yaml:"redFlag"`
}

// writtenFlag is a red flag as written: something that a person must look at,
// whether or not it decides.
type writtenFlag struct {
	Place levels.Place
	When  levels.Expression `yaml:"when"`
	Text  levels.Expression `yaml:"text"`
}

// writtenDecision is a rule of outcomes or verdicts as written.
type writtenDecision struct {
	Place    levels.Place
	ID       levels.Text       `yaml:"id"`
	Override levels.Boolean    `yaml:"override"`
	Verdict  levels.Text       `yaml:"verdict"`
	When     levels.Expression `yaml:"when"`
	Because  levels.Expression `yaml:"because"`
	Again    levels.Number     `yaml:"reviewAgainMonths"`
	Decides  levels.Text       `yaml:"decides"`
	Next     levels.Text       `yaml:"next"`
}

// writtenWarning is an anti-pattern as written.
type writtenWarning struct {
	Place    levels.Place
	ID       levels.Text    `yaml:"id"`
	Override levels.Boolean `yaml:"override"`
	Title    levels.Text    `yaml:"title"`
	Text     levels.Text    `yaml:"text"`
}

// IsRuleFile tells from the top-level keys of a YAML file, and those of its
// first criterion, whether it holds review rules; other files of rules are
// about levels.
func IsRuleFile(content []byte) bool {
	var f struct {
		Outcomes, Verdicts, Warnings, Hygiene yaml.Node
		Criteria                              []map[string]yaml.Node
	}
	// A file that is broken further down still shows its first keys.
	_ = yaml.Unmarshal(content, &f)
	for _, n := range []yaml.Node{f.Outcomes, f.Verdicts, f.Warnings, f.Hygiene} {
		if !n.IsZero() {
			return true
		}
	}
	for _, c := range f.Criteria {
		_, about := c["about"]
		_, question := c["question"]
		if about || question {
			return true
		}
	}
	return false
}

// oneOf reports a word that is missing or none of those allowed.
func oneOf(d *levels.Document, at levels.Place, t levels.Text, what string, allowed []string) {
	if t.Value() == "" {
		d.Report(at.Node(), "%s is missing: use one of %s", what, strings.Join(allowed, ", "))
	}
	d.OneOf(t, what, allowed)
}

// check reports what is wrong with a criterion apart from its expressions.
func (w *writtenRule) check(d *levels.Document) {
	at := w.Place
	d.CheckID(at, w.ID, "a criterion")
	oneOf(d, at, w.About, "about", abouts)
	oneOf(d, at, w.Type, "type", answerTypes)
	for _, t := range []struct {
		text levels.Text
		key  string
	}{{w.Title, "title"}, {w.Question, "question"}} {
		if strings.TrimSpace(t.text.Value()) == "" {
			d.Report(at.Node(), "%s needs a %s", w.ID.Value(), t.key)
		}
	}
	if w.About.Value() == aboutNeed {
		oneOf(d, at, w.Group, "group", needGroups)
		if w.Priority.Value() != "" {
			oneOf(d, at, w.Priority, "priority", priorities)
		}
	} else {
		oneOf(d, at, w.Priority, "priority", priorities)
	}
	decides := w.Met.Source() != "" || w.Failed.Source() != ""
	evidence := w.Type.Value() == "live" || w.Type.Value() == "offline"
	switch {
	case evidence && !decides:
		d.Report(at.Node(), "%s is %s, so it needs met or failed", w.ID.Value(), w.Type.Value())
	case decides && w.Because.Source() == "":
		d.Report(at.Node(), "%s needs a because: what was seen", w.ID.Value())
	}
	if (w.Applies.Source() != "") != (w.NotApplicable.Value() != "") {
		d.Report(at.Node(), "%s: applies and notApplicable belong together", w.ID.Value())
	}
	if f := &w.RedFlag; f.Place.Node() != nil && (f.When.Source() == "" || f.Text.Source() == "") {
		d.Report(f.Place.Node(), "a redFlag needs when and text")
	}
}

func (w *writtenRule) criterion() Criterion {
	c := Criterion{
		ID: w.ID.Value(), Title: w.Title.Value(), About: w.About.Value(), Group: w.Group.Value(), Priority: w.Priority.Value(),
		Type: w.Type.Value(), Question: oneLine(w.Question.Value()), Why: oneLine(w.Why.Value()), Condition: oneLine(w.Condition.Value()),
		Applies: w.Applies.Source(), Met: w.Met.Source(), Failed: w.Failed.Source(), Because: w.Because.Source(), RedFlag: w.RedFlag.When.Source(),
	}
	for i := range w.Contradicts {
		c.Contradicts = append(c.Contradicts, w.Contradicts[i].Value())
	}
	return c
}

// oneLine joins the lines of a text that was broken for its file.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
