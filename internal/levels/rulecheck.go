package levels

import (
	"regexp"
	"slices"
	"strings"
)

// Archetypes are the kinds of operators that rules may speak of.
var Archetypes = []string{"workload", "api-objects", "external", "policy", "data-only", "shared-api"}

var (
	scopes          = []string{string(PerCRD), string(PerOperator)}
	provenGrades    = []string{string(Present), string(Observed)}
	indicatedGrades = []string{string(API), string(Granted)}
)

var kebabCase = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// check reports what is wrong with a criterion apart from its expressions.
func (w *writtenRule) check(d *document, level int) {
	here := w.Place.node
	d.CheckID(w.Place, w.ID, "a criterion")
	if strings.TrimSpace(w.Title.value) == "" {
		d.report(here, "%s needs a title", w.ID.value)
	}
	if !w.Because.set() {
		d.report(here, "%s needs a because: what was seen", w.ID.value)
	}
	if !w.Proven.set() && !w.Refuted.set() && !w.Indicated.set() {
		d.report(here, "%s decides nothing: give it proven, refuted or indicated", w.ID.value)
	}
	if w.Applies.set() != (w.NotApplicable.value != "") {
		d.report(here, "%s: applies and notApplicable belong together", w.ID.value)
	}
	w.checkWords(d)
	if level == 0 {
		w.checkHygiene(d)
	} else {
		w.checkLevel(d, level)
	}
}

// checkWords reports values that are none of the words allowed.
func (w *writtenRule) checkWords(d *document) {
	if w.Scope.value == "" {
		d.report(w.Place.node, "%s needs a scope: crd or operator", w.ID.value)
	} else {
		d.oneOf(w.Scope, "scope", scopes)
	}
	for _, a := range slices.Concat(w.Archetypes, w.EssentialFor) {
		d.oneOf(a, "archetype", Archetypes)
	}
	d.oneOf(w.Grade, "grade", provenGrades)
	d.oneOf(w.IndicatedGrade, "indicatedGrade", indicatedGrades)
	d.oneOf(w.Severity, "severity", severities)
	if f := &w.Finding; f.Place.node != nil {
		d.oneOf(f.Severity, "severity", severities)
		if f.Severity.value == "" || !f.When.set() || !f.Detail.set() {
			d.report(f.Place.node, "a finding needs severity, when and detail")
		}
	}
}

// CheckID reports an id that is missing or cannot be typed. at is the mapping
// that it belongs to, what says what that is: "a criterion".
func (d *document) CheckID(at place, id text, what string) {
	switch {
	case id.value == "":
		d.report(at.node, "%s needs an id", what)
	case !kebabCase.MatchString(id.value):
		d.report(id.node, "id %q: use small letters, digits and single hyphens", id.value)
	}
}

// OneOf reports a text that is none of the words allowed; one that was not
// given is fine.
func (d *document) OneOf(t text, what string, allowed []string) { d.oneOf(t, what, allowed) }

func (d *document) oneOf(t text, what string, allowed []string) {
	if t.value != "" && !slices.Contains(allowed, t.value) {
		d.report(t.node, "%s %q: use one of %s", what, t.value, strings.Join(allowed, ", "))
	}
}

// checkLevel reports what a row of a level must not have.
func (w *writtenRule) checkLevel(d *document, level int) {
	essential := w.Essential.value || len(w.EssentialFor) > 0
	if w.Essential.value && len(w.EssentialFor) > 0 {
		d.report(w.EssentialFor[0].node, "%s is essential for all: leave essential or essentialFor out", w.ID.value)
	}
	switch {
	case level == 5 && essential && w.Group.value == "":
		d.report(w.Place.node, "%s: an essential criterion of level 5 needs a group", w.ID.value)
	case level != 5 && w.Group.value != "":
		d.report(w.Group.node, "only level 5 has groups")
	}
	if level == 3 && w.Refuted.set() {
		d.report(w.Refuted.node, "rows of level 3 never refute: what a user left out is a finding")
	}
	if w.Severity.value != "" {
		d.report(w.Severity.node, "severity is for hygiene; give the criterion a finding")
	}
}

// checkHygiene reports what a row of hygiene must not have.
func (w *writtenRule) checkHygiene(d *document) {
	for name, given := range map[string]bool{
		"essentialFor": len(w.EssentialFor) > 0, "group": w.Group.value != "",
		"witness": w.Witness.value, "episodic": w.Episodic.value,
	} {
		if given {
			d.report(w.Place.node, "%s: %s has no meaning for hygiene", w.ID.value, name)
		}
	}
}
