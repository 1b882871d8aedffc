package review

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"kubectl-operator-maturity/internal/levels"
)

// What comes of a criterion.
const (
	met        = "met"
	failed     = "failed"
	unknown    = "unknown"
	skipped    = notApplicable
	byEvidence = "evidence"
	byAnswer   = "answer"
)

// Check is a criterion, judged.
type Check struct {
	ID       string `json:"id"`
	Title    string `json:"title"`
	Group    string `json:"group,omitempty"`
	Priority string `json:"priority,omitempty"`
	Type     string `json:"type"`
	// State: met, failed, accepted, unknown, not-applicable. For the need met
	// is yes, and failed is no.
	State string `json:"state"`
	// By is evidence or answer; "" while nothing tells.
	By        string  `json:"by,omitempty"`
	Because   string  `json:"because"`
	Question  string  `json:"question"`
	Why       string  `json:"why,omitempty"`
	Condition string  `json:"condition,omitempty"`
	Answer    *Answer `json:"answer,omitempty"`
	RedFlag   string  `json:"redFlag,omitempty"`
	Source    string  `json:"source"`
}

// evidence is what expressions are evaluated over, with what of it is unknown.
type evidence struct {
	vars    map[string]any
	unseen  map[string]string // by facet: it.use, topic.here
	partial cel.PartialActivation
}

func newEvidence(vars map[string]any, unseen map[string]string) (*evidence, error) {
	var patterns []*cel.AttributePatternType
	for facet := range unseen {
		variable, field, _ := strings.Cut(facet, ".")
		patterns = append(patterns, cel.AttributePattern(variable).QualString(field))
	}
	partial, err := cel.PartialVars(vars, patterns...)
	if err != nil {
		return nil, fmt.Errorf("the evidence of a review: %w", err)
	}
	return &evidence{vars, unseen, partial}, nil
}

// eval evaluates an expression. Where it rests on something unseen the value
// is nil, and why says what.
func (e *evidence) eval(p cel.Program) (value ref.Val, why string) {
	v, _, err := p.Eval(e.partial)
	if err != nil {
		return nil, "the rule could not be evaluated: " + err.Error()
	}
	if facets := levels.UnseenFacets(v); len(facets) > 0 {
		var reasons []string
		for _, f := range facets {
			if reason := e.unseen[f]; reason != "" && !slices.Contains(reasons, reason) {
				reasons = append(reasons, reason)
			}
		}
		return nil, strings.Join(reasons, "; ")
	}
	return v, ""
}

func (e *evidence) text(p cel.Program) string {
	v, why := e.eval(p)
	if s, ok := v.(types.String); ok {
		return strings.TrimSpace(string(s))
	}
	return why
}

// judge works out one criterion: first what the evidence says, then what was
// answered. An answer that says the opposite of the evidence is a mistake of
// the file, reported where it stands.
func judge(c *criterion, e *evidence, w *writtenAnswer, a *Answers) Check {
	k := Check{
		ID: c.ID, Title: c.Title, Group: c.Group, Priority: c.Priority, Type: c.Type, State: unknown,
		Question: c.Question, Why: c.Why, Condition: c.Condition, Source: c.Source,
	}
	k.observe(c, e)
	if w != nil && w.value() != unanswered && w.By.Value() != toolAuthor {
		k.answer(w, a)
	}
	if k.Because == "" {
		k.Because = "not answered"
	}
	return k
}

// observe judges by evidence. Failed comes first: it is said only of what was
// surely seen.
func (k *Check) observe(c *criterion, e *evidence) {
	if c.applies != nil {
		v, why := e.eval(c.applies)
		switch v {
		case types.False:
			k.State, k.By, k.Because = skipped, byEvidence, c.notApplicable
			return
		case nil:
			k.Because = why
			return
		}
	}
	if c.flag != nil {
		if v, _ := e.eval(c.flag); v == types.True {
			k.RedFlag = e.text(c.flagText)
		}
	}
	if c.met == nil && c.failed == nil {
		return
	}
	if c.failed != nil {
		v, why := e.eval(c.failed)
		if v == types.True {
			k.State, k.By, k.Because = failed, byEvidence, e.text(c.because)
			return
		}
		if v == nil {
			k.Because = why
			return
		}
	}
	if c.met != nil {
		v, why := e.eval(c.met)
		if v == types.True {
			k.State, k.By = met, byEvidence
		}
		if v == nil {
			k.Because = why
			return
		}
	}
	k.Because = e.text(c.because)
}

// answer puts a person's answer to what the evidence says.
func (k *Check) answer(w *writtenAnswer, a *Answers) {
	given := w.answer()
	evident := k.By == byEvidence
	switch {
	case evident && given.Answer == accepted && k.State == failed:
		k.State = accepted
	case evident && given.Answer == accepted:
		a.doc.Report(w.Answer.Node(), "%s is %s, so there is nothing to accept: %s", k.ID, k.State, k.Because)
	case evident && k.State == failed && given.Answer == yes, evident && k.State == met && given.Answer == no:
		a.doc.Report(w.Answer.Node(), "%s is answered %q against the evidence: %s%s", k.ID, given.Answer, k.Because, acceptHint(k.State))
	case evident:
	case given.Answer == yes:
		k.State, k.By = met, byAnswer
	case given.Answer == no:
		k.State, k.By = failed, byAnswer
	case given.Answer == notApplicable:
		k.State, k.By, k.Because = skipped, byAnswer, given.Note
	case given.Answer == accepted:
		k.State, k.By = accepted, byAnswer
	}
	k.Answer = given
	if k.By == byAnswer {
		k.Because = said(given)
	}
}

func acceptHint(state string) string {
	if state == failed {
		return " (to take the risk, answer accepted, with a note)"
	}
	return ""
}

// said is an answer in one line.
func said(a *Answer) string {
	s := "answered " + a.Answer + " by " + a.By + " on " + a.Date
	if a.Note != "" {
		s += ": " + a.Note
	}
	return s
}
