package review

import (
	"github.com/google/cel-go/cel"
)

// Rules are the criteria, outcomes, verdicts and warnings of rules/review,
// checked and ready to be applied.
type Rules struct {
	criteria []*criterion
	outcomes []*decision // of one option, the first that holds
	verdicts []*decision // of the review, the first that holds
	warnings []Warning
	hygiene  []string // ids of hygiene criteria that a new operator must meet
}

// What a criterion is about.
const (
	aboutNeed   = "need"   // the need, asked once
	aboutOption = "option" // each operator under consideration
)

// Groups of criteria about the need.
const (
	groupQuestion = "question" // one of the five questions
	groupReason   = "reason"   // a condition that speaks for an operator
	groupAgainst  = "against"  // a condition that speaks against one
)

// Verdicts of a review. An option's outcome is one of the first four.
const (
	Adopt      = "adopt"
	Conditions = "adopt with conditions"
	Trial      = "trial"
	Hold       = "hold"
	UseHelm    = "use Helm or built-ins"
	Write      = "write"
)

var (
	outcomeWords = []string{Adopt, Conditions, Trial, Hold}
	verdictWords = []string{Adopt, Conditions, Trial, Hold, UseHelm, Write}
	priorities   = []string{"must", "should", "could"}
	answerTypes  = []string{"live", "offline", "declared", "outside"}
	abouts       = []string{aboutNeed, aboutOption}
	needGroups   = []string{groupQuestion, groupReason, groupAgainst}
)

// Criterion is one row of rules/review, as written.
type Criterion struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	About string `json:"about"`
	// Group is set for those about the need: question, reason, against.
	Group    string `json:"group,omitempty"`
	Priority string `json:"priority,omitempty"`
	// Type is who can answer it: live (a cluster), offline (files), declared
	// (a person with evidence), outside (nobody here: an open question).
	Type     string `json:"type"`
	Question string `json:"question"`
	Why      string `json:"why,omitempty"`
	// Condition is what must be done before adopting, when it is not met.
	Condition string `json:"condition,omitempty"`
	// Contradicts are criteria that cannot have the answer yes together with it.
	Contradicts []string `json:"contradicts,omitempty"`
	Applies     string   `json:"applies,omitempty"`
	Met         string   `json:"met,omitempty"`
	Failed      string   `json:"failed,omitempty"`
	Because     string   `json:"because,omitempty"`
	RedFlag     string   `json:"redFlag,omitempty"`
	Source      string   `json:"source"`
	Position    string   `json:"position"`
}

// criterion is a Criterion with its expressions compiled.
type criterion struct {
	Criterion
	notApplicable                 string
	applies, met, failed, because cel.Program
	flag, flagText                cel.Program
}

// decision is one rule of outcomes or verdicts.
type decision struct {
	id       string
	verdict  string
	position string
	source   string
	when     cel.Program
	because  cel.Program
	months   int // until the review is to be repeated
	decides  string
	next     string
}

// Warning is an anti-pattern that a "write" verdict warns of.
type Warning struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// Criteria lists the criteria in the order of the files.
func (r *Rules) Criteria() []Criterion {
	list := make([]Criterion, len(r.criteria))
	for i, c := range r.criteria {
		list[i] = c.Criterion
	}
	return list
}

func (r *Rules) byID(id string) *criterion {
	for _, c := range r.criteria {
		if c.ID == id {
			return c
		}
	}
	return nil
}

func (r *Rules) about(what string) []*criterion {
	var found []*criterion
	for _, c := range r.criteria {
		if c.About == what {
			found = append(found, c)
		}
	}
	return found
}
