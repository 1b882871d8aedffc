package review

import (
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// Record is a decision record: data only, and the JSON output.
type Record struct {
	APIVersion string `json:"apiVersion"` // operator-maturity/v1
	Kind       string `json:"kind"`       // ReviewRecord
	Topic      Topic  `json:"topic"`
	// Date is the day of the review; Taken is when the evidence was taken.
	Date   string           `json:"date"`
	Taken  time.Time        `json:"taken"`
	Source inventory.Source `json:"source"`
	// Unread are the lists of the cluster that could not be read whole, and why.
	Unread []string `json:"unread"`
	// Answers is the file of answers, as given; "" when there was none.
	Answers    string   `json:"answers,omitempty"`
	Candidates []string `json:"candidates"`

	Verdict string `json:"verdict"`
	// Rule is the id of the rule that decided.
	Rule    string   `json:"rule"`
	Reasons []string `json:"reasons"`
	// Chosen are the operators that the verdict speaks of.
	Chosen        []string    `json:"chosen"`
	Conditions    []Condition `json:"conditions"`
	OpenQuestions []Question  `json:"openQuestions"`
	RedFlags      []Flag      `json:"redFlags"`
	Decides       string      `json:"decides"`
	ReviewAgain   string      `json:"reviewAgain"`
	Next          []string    `json:"next"`

	Matches Matches  `json:"matches"`
	Need    []Check  `json:"need"`
	Options []Option `json:"options"`

	// Checklist and Warnings are there when the verdict is write.
	Checklist []ChecklistLevel `json:"checklist,omitempty"`
	Warnings  []Warning        `json:"warnings,omitempty"`
}

// Option is an operator under consideration.
type Option struct {
	// Name is unique in the record: a candidate that is here too has the word
	// candidate behind its name.
	Name string `json:"name"`
	// Outcome is adopt, adopt with conditions, trial or hold.
	Outcome string  `json:"outcome"`
	Because string  `json:"because"`
	Rule    string  `json:"rule"`
	Match   *Match  `json:"match,omitempty"` // nil: a candidate that the topic is not near to
	Facts   Subject `json:"facts"`
	Checks  []Check `json:"checks"`
}

// Condition is what has to be done before adopting.
type Condition struct {
	Option    string `json:"option"`
	Criterion string `json:"criterion"`
	Text      string `json:"text"`
	Because   string `json:"because"`
	// Accepted: a person took the risk.
	Accepted bool `json:"accepted,omitempty"`
}

// Question is what nobody could answer yet. Options are the operators that it
// is open for; none: it is about the need.
type Question struct {
	Criterion string `json:"criterion"`
	Priority  string `json:"priority,omitempty"`
	// Decides: the verdict may change with the answer.
	Decides bool     `json:"decides"`
	Text    string   `json:"text"`
	Options []string `json:"options"`
	Because []string `json:"because"`
}

// Flag is a red flag: something that a person must have looked at.
type Flag struct {
	Option    string `json:"option"`
	Criterion string `json:"criterion"`
	Text      string `json:"text"`
	// Priority of the criterion: a flag on a must decides, another does not.
	Priority string `json:"priority"`
	// Accepted: a person took the risk.
	Accepted bool `json:"accepted,omitempty"`
}
