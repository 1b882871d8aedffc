package levels

import (
	"fmt"
	"slices"
	"time"
)

// Exception is a violation that somebody accepted: with a reason, and for a
// time.
type Exception struct {
	Operator string // "" is any
	// Cluster is a context, the name of a recording, or the uid of a cluster;
	// "" is any.
	Cluster string
	ID      string // min-level, controller, level-1 …, or that of a criterion or finding
	Reason  string
	Expires time.Time // the last day on which it holds, UTC

	file string
	line int
}

// expired tells whether the last day is over. Without a time of the scan
// nobody can tell, and the exception does not hold.
func (e *Exception) expired(at time.Time) bool {
	return at.IsZero() || !at.Before(e.Expires.AddDate(0, 0, 1))
}

func (e *Exception) covers(operator, id string) bool {
	return e.ID == id && (e.Operator == "" || e.Operator == operator)
}

// on tells whether the exception is about a cluster.
func (e *Exception) on(c *FleetCluster) bool {
	return e.Cluster == "" || slices.Contains([]string{c.Name, c.Source.Context, c.Source.ClusterUID}, e.Cluster)
}

// couldMatch: there is something with this id.
func (e *Exception) couldMatch(known []string) bool {
	own := []string{minLevelID, "controller", "level-1", "level-2", "level-3", "level-4", "level-5"}
	return slices.Contains(own, e.ID) || slices.Contains(known, e.ID)
}

// Judgement is what a gate makes of a scorecard.
type Judgement struct {
	// Violations fail the job.
	Violations []string
	// Excused are violations under an exception that holds.
	Excused []string
	// Notes tell of exceptions that have expired, or that nothing needs.
	Notes []string
}

// Judge lists what violates the gate. With a baseline it is what got worse
// since, and of the levels and findings that are asked for only what the
// baseline did not have. Exceptions are judged at the time of the scan.
func (g Gate) Judge(sc, baseline *Scorecard) Judgement {
	u := g.newUse()
	j := g.judge(&FleetCluster{Name: sc.Source.Context, Outcome: Read, Source: sc.Source, Scorecard: sc}, baseline, u)
	j.Notes = g.notes(u)
	return j
}

// use is what became of the exceptions of a gate.
type use struct {
	// used: it covers something that was found; asked: a cluster that it is
	// about was judged.
	used, asked []bool
	at          time.Time // of the latest scan
	// blind: a cluster was not read, so what needs an exception may be there.
	blind bool
}

func (g Gate) newUse() *use {
	return &use{used: make([]bool, len(g.exceptions)), asked: make([]bool, len(g.exceptions))}
}

// judge judges one cluster, which has a scorecard.
func (g Gate) judge(c *FleetCluster, baseline *Scorecard, u *use) Judgement {
	sc := c.Scorecard
	list := g.violations(sc)
	if baseline != nil {
		list = g.since(sc, baseline, list)
	}
	if sc.Taken.After(u.at) {
		u.at = sc.Taken
	}
	for i := range g.exceptions {
		u.asked[i] = u.asked[i] || g.exceptions[i].on(c)
	}
	var j Judgement
	for _, v := range list {
		excuse := -1
		for i := range g.exceptions {
			if e := &g.exceptions[i]; e.on(c) && e.covers(v.operator, v.id) {
				u.used[i] = true
				if !e.expired(sc.Taken) {
					excuse = i
				}
			}
		}
		if excuse < 0 {
			j.Violations = append(j.Violations, v.text)
			continue
		}
		e := &g.exceptions[excuse]
		j.Excused = append(j.Excused, fmt.Sprintf("%s: excused until %s: %s", v.text, e.Expires.Format(time.DateOnly), e.Reason))
	}
	return j
}

func (g Gate) notes(u *use) []string {
	var notes []string
	for i := range g.exceptions {
		if !u.asked[i] || u.blind && !u.used[i] {
			continue
		}
		if note := g.exceptions[i].note(u.used[i], u.at); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// note is what the owner of an exception should know.
func (e *Exception) note(used bool, at time.Time) string {
	whose := e.ID
	if e.Operator != "" {
		whose = e.Operator + ", " + e.ID
	}
	if e.Cluster != "" {
		whose += " on " + e.Cluster
	}
	switch place := fmt.Sprintf("%s:%d: the exception for %s", e.file, e.line, whose); {
	case e.expired(at) && used:
		return fmt.Sprintf("%s expired on %s, so what it excused counts again", place, e.Expires.Format(time.DateOnly))
	case e.expired(at):
		return fmt.Sprintf("%s expired on %s, and nothing needs it any more", place, e.Expires.Format(time.DateOnly))
	case !used:
		return place + " excuses nothing: take it out"
	}
	return ""
}

// since keeps what the baseline did not have, and adds what got worse.
func (g Gate) since(sc, baseline *Scorecard, list []violation) []violation {
	before := g.violations(baseline)
	list = slices.DeleteFunc(list, func(v violation) bool {
		return slices.ContainsFunc(before, func(b violation) bool { return !v.worseThan(b) && b.operator == v.operator && b.id == v.id })
	})
	for _, w := range Compare(baseline, sc).Worse {
		told := func(v violation) bool { return v.operator == w.Operator && v.id == w.ID }
		if !slices.ContainsFunc(list, told) {
			list = append(list, violation{operator: w.Operator, id: w.ID, text: w.String() + " (--baseline)"})
		}
	}
	return list
}

// worseThan: the level is lower, or the finding is about further objects.
func (v violation) worseThan(before violation) bool {
	return v.level < before.level || len(without(v.objects, before.objects)) > 0
}
