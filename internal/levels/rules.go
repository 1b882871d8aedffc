// Package levels turns rules and facts into a Scorecard: which of the five
// capability levels each operator shows, by which evidence.
//
// Load reads rules, Score applies them. A criterion is judged in judge.go,
// summed up over an operator's CRDs in check.go, and levels follow in
// status.go; nothing else decides.
package levels

import (
	"io/fs"
	"slices"
)

// Layer is a source of rules: the built-in ones, or a folder of a user's own.
type Layer struct {
	// Name is Builtin, or the path that the user gave.
	Name string
	FS   fs.FS
}

// Builtin is the name of the layer of the program's own rules.
const Builtin = "builtin"

// Rules are criteria that have been checked and can be evaluated.
type Rules struct {
	rules []*rule // by level, hygiene last; within a level as in the files
}

// Scope says what a criterion is judged for.
type Scope string

const (
	PerCRD      Scope = "crd"
	PerOperator Scope = "operator"
)

// Criterion is one row of the rules, as written.
type Criterion struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Level int    `json:"level"` // 0: hygiene
	Scope Scope  `json:"scope"`
	// Archetypes that it applies to; empty: all.
	Archetypes []string `json:"archetypes,omitempty"`
	Essential  bool     `json:"essential"`
	// EssentialFor are the archetypes for which it is essential, when it is
	// not for all.
	EssentialFor []string `json:"essentialFor,omitempty"`
	Group        string   `json:"group,omitempty"`
	Witness      bool     `json:"witness,omitempty"`
	Episodic     bool     `json:"episodic,omitempty"`
	// Live: its evidence becomes stale when the controller is gone.
	Live bool `json:"live,omitempty"`

	// Expressions in CEL; "" when there is none.
	Applies       string `json:"applies,omitempty"`
	NotApplicable string `json:"notApplicable,omitempty"`
	Proven        string `json:"proven,omitempty"`
	Refuted       string `json:"refuted,omitempty"`
	Indicated     string `json:"indicated,omitempty"`
	Because       string `json:"because"`
	Evidence      string `json:"evidence,omitempty"`

	Grade          Grade          `json:"grade,omitempty"`
	IndicatedGrade Grade          `json:"indicatedGrade,omitempty"`
	Severity       string         `json:"severity,omitempty"` // hygiene: of the finding when it is refuted
	Finding        *FindingSource `json:"finding,omitempty"`

	Why  string `json:"why,omitempty"`
	Fix  string `json:"fix,omitempty"`
	Docs string `json:"docs,omitempty"`

	// Source is Builtin or the file of a layer; Position is file:line.
	Source   string `json:"source"`
	Position string `json:"position"`
}

// FindingSource is the finding that a criterion may bring, as written.
type FindingSource struct {
	Severity string `json:"severity"`
	When     string `json:"when"`
	Detail   string `json:"detail"`
	Objects  string `json:"objects,omitempty"`
}

// EssentialTo tells whether the criterion decides its level for an archetype.
func (c *Criterion) EssentialTo(archetype string) bool {
	return c.Level > 0 && (c.Essential || slices.Contains(c.EssentialFor, archetype))
}

// Criteria lists all criteria in their order: by level, hygiene last.
func (r *Rules) Criteria() []Criterion {
	list := make([]Criterion, len(r.rules))
	for i, rule := range r.rules {
		list[i] = rule.Criterion
	}
	return list
}

// rule is a criterion with its expressions compiled; those that it does not
// have are nil.
type rule struct {
	Criterion

	applies, proven, refuted, indicated *program
	because, evidence                   *program
	when, detail, objects               *program
}
