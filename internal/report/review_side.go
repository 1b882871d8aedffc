package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/review"
)

// aspect is one row of the side-by-side: what it shows of an operator, and the
// facet of the facts that it rests on.
type aspect struct {
	title string
	facet string // "" is always known
	cell  func(*review.Subject) string
}

// aspects are the rows of the side-by-side, in the order of the questions that
// people ask: does it work, can it be trusted, can it be lived with.
func aspects() []aspect {
	return []aspect{
		{"Source", "", func(s *review.Subject) string { return s.Source }},
		{"Version", "", func(s *review.Subject) string { return orNothing(s.Version) }},
		{"Levels by evidence", "", levelsAspect},
		{"Level claimed", "", claimedAspect},
		{"Controller", "running", runningAspect},
		{"Resources here", "use", useAspect},
		{"API", "api", apiAspect},
		{"Conversion", "api", conversionAspect},
		{"Status", "api", statusAspect},
		{"Rights", "rights", rightsAspect},
		{"Worst rules", "rights", func(s *review.Subject) string { return some(s.Rights.Worst, "none stands out") }},
		{"Scope", "scope", scopeAspect},
		{"Webhooks", "webhooks", webhooksAspect},
		{"Deletion", "deletion", deletionAspect},
		{"Uninstall", "uninstall", uninstallAspect},
		{"Pod security", "pod", podAspect},
		{"Requests and limits", "pod", resourcesAspect},
		{"Images", "pod", imagesAspect},
		{"Metrics", "metrics", metricsAspect},
		{"Alerts", "alerts", func(s *review.Subject) string {
			if s.Alerts.Count == 0 {
				return "none found"
			}
			return counted(s.Alerts.Count, "alert")
		}},
		{"CRD size", "size", sizeAspect},
		{"Writes into spec", "writeBack", writeBackAspect},
		{"Foreign APIs in its rights", "dependencies", dependenciesAspect},
		{"Conflicts here", "conflicts", conflictsAspect},
	}
}

// reviewSideBySide shows the operators beside each other; what could not be
// seen is a question mark, with the reasons below.
func reviewSideBySide(rec *review.Record) document {
	var d document
	if len(rec.Options) == 0 {
		return d
	}
	d.heading(2, plain("Side by side"))
	head := []string{""}
	outcome := []text{plain("Outcome")}
	for i := range rec.Options {
		head = append(head, rec.Options[i].Name)
		outcome = append(outcome, styled(verdictStyle(rec.Options[i].Outcome), rec.Options[i].Outcome))
	}
	near := []text{plain("Matches by")}
	for i := range rec.Options {
		by := "no word of the topic"
		if m := rec.Options[i].Match; m != nil {
			by = reasonsOf(*m)
		}
		near = append(near, plain(by))
	}
	rows := [][]text{outcome, near}
	reasons := &reasonList{}
	for _, a := range aspects() {
		row := []text{plain(a.title)}
		for i := range rec.Options {
			s := &rec.Options[i].Facts
			if !s.Installed && a.facet == "writeBack" {
				row = append(row, plain(nothing))
				continue
			}
			if why, unseen := s.Unseen[a.facet]; unseen {
				reasons.add(a.title, rec.Options[i].Name, why)
				row = append(row, styled(fairStyle, partly(a, s)))
				continue
			}
			row = append(row, plain(a.cell(s)))
		}
		rows = append(rows, row)
	}
	d.table(whole(columns(head...), rows))
	if len(reasons.lines) > 0 {
		d.lead(plain("? could not be seen, or not all of it:"))
		d.list(reasons.texts()...)
	}
	return d
}

// partly is the cell of a facet that is not known whole: what was surely seen
// stands before the question mark.
func partly(a aspect, s *review.Subject) string {
	switch {
	case a.facet == "use" && s.Seen.Instances > 0:
		return fmt.Sprintf("at least %d, %d of them ready ?", s.Seen.Instances, s.Seen.Ready)
	case a.facet == "deletion" && len(s.Seen.Stuck) > 0:
		return "hangs: " + some(s.Seen.Stuck, "") + " ?"
	}
	return unseen
}

// reasonList gathers why cells are unknown: one line a reason.
type reasonList struct{ lines []reasonLine }

type reasonLine struct {
	why     string
	aspects []string
	names   []string
}

func (l *reasonList) add(aspect, name, why string) {
	at := -1
	for i := range l.lines {
		if l.lines[i].why == why {
			at = i
		}
	}
	if at < 0 {
		l.lines = append(l.lines, reasonLine{why: why})
		at = len(l.lines) - 1
	}
	l.lines[at].aspects = once(l.lines[at].aspects, aspect)
	l.lines[at].names = once(l.lines[at].names, name)
}

func once(list []string, s string) []string {
	for _, have := range list {
		if have == s {
			return list
		}
	}
	return append(list, s)
}

func (l *reasonList) texts() []text {
	var list []text
	for _, r := range l.lines {
		list = append(list, join(plain(strings.Join(r.aspects, ", ")+" of "), codes(r.names), plain(": "+r.why)))
	}
	return list
}

// some lists the first three of a list and counts the rest.
func some(names []string, none string) string {
	switch {
	case len(names) == 0:
		return none
	case len(names) <= 3:
		return strings.Join(names, "; ")
	}
	return fmt.Sprintf("%s; and %d more", strings.Join(names[:3], "; "), len(names)-3)
}

// parts joins what is not empty.
func parts(none string, list ...string) string {
	var kept []string
	for _, p := range list {
		if p != "" {
			kept = append(kept, p)
		}
	}
	if len(kept) == 0 {
		return none
	}
	return strings.Join(kept, "; ")
}

// ifAny is a phrase with a list behind it; "" when the list is empty.
func ifAny(names []string, phrase string) string {
	if len(names) == 0 {
		return ""
	}
	return phrase + some(names, "")
}
