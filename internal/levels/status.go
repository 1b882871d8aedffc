package levels

import (
	"cmp"
	"slices"
)

// row is a criterion with its check, as far as a level's status looks at it.
type row struct {
	*Criterion
	*Check
}

func (r row) applies() bool { return r.Verdict != NotApplicable }
func (r row) met() bool     { return r.Verdict == Proven || r.Verdict == Indicated }

// waits tells whether it has to happen in time and has not been seen to: no
// failing, but no proof either.
func (r row) waits() bool { return r.Episodic && r.Verdict == NotObserved }

// status is the outcome of essential rows that decide together: the first in
// the order of the definition that holds. rows must be essential.
func status(rows []row) Status {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return !r.applies() })
	has := func(is func(row) bool) bool { return slices.ContainsFunc(rows, is) }
	all := func(is func(row) bool) bool { return !has(func(r row) bool { return !is(r) }) }

	open := func(r row) bool { return r.Verdict == Unknown }
	switch {
	case len(rows) == 0:
		return LevelNotApplicable
	case has(func(r row) bool { return r.Verdict == Refuted }):
		return LevelRefuted
	case all(row.met) && has(row.witnessed):
		return LevelProven
	case all(func(r row) bool { return r.met() || r.waits() }) && has(row.met):
		return LevelIndicated
	case all(func(r row) bool { return r.met() || r.waits() || open(r) }) && has(open):
		return LevelUnknown
	case has(row.met):
		return LevelPartial
	}
	return LevelNotShown
}

// witnessed tells whether the operator was seen to do it.
func (r row) witnessed() bool { return r.Witness && r.Verdict == Proven }

// blocking are the ids of essential rows that keep a level from proven: those
// that are not met, and when all are met, the witnesses that are not proven.
func blocking(rows []row) []string {
	list := []string{}
	for _, r := range rows {
		if r.applies() && !r.met() {
			list = append(list, r.Criterion.ID)
		}
	}
	if slices.ContainsFunc(rows, row.witnessed) {
		return list
	}
	for _, r := range rows {
		if r.Witness && r.Verdict == Indicated {
			list = append(list, r.Criterion.ID)
		}
	}
	return list
}

// deciding picks the essential rows that decide a level. Those of level 5 come
// in groups, and one whole group is enough: the one with the best status, then
// the one that lacks least.
func deciding(rows []row) []row {
	var groups [][]row
	index := map[string]int{}
	for _, r := range rows {
		i, known := index[r.Group]
		if !known {
			i = len(groups)
			index[r.Group] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], r)
	}
	if len(groups) == 0 {
		return nil
	}
	return slices.MinFunc(groups, func(a, b []row) int {
		return cmp.Or(
			cmp.Compare(placeOf(status(a)), placeOf(status(b))),
			cmp.Compare(len(blocking(a)), len(blocking(b))),
			cmp.Compare(a[0].Group, b[0].Group),
		)
	})
}

// placeOf orders statuses of groups, the best first. A refuted group is worse
// than one that shows nothing: the level is refuted only if all groups are.
func placeOf(s Status) int {
	order := []Status{LevelProven, LevelIndicated, LevelUnknown, LevelPartial, LevelNotShown, LevelRefuted, LevelNotApplicable}
	return slices.Index(order, s)
}

// counts adds up rows, those that do not apply left out.
func counts(rows []row) Counts {
	var c Counts
	for _, r := range rows {
		if !r.applies() {
			continue
		}
		c.Total++
		if r.met() {
			c.Met++
		}
		if r.Verdict == Unknown {
			c.Unknown++
		}
	}
	return c
}

// levelOf sums up one level.
func levelOf(number int, essential, supporting []row) Level {
	decide := deciding(essential)
	l := Level{
		Level: number, Name: LevelNames[number], Status: status(decide),
		Essential: counts(decide), Supporting: counts(supporting), Blocking: []string{},
	}
	switch l.Status {
	case LevelNotApplicable:
		l.Why = whyNotApplicable(essential)
	case LevelProven:
	default:
		l.Blocking = blocking(decide)
	}
	return l
}

// whyNotApplicable is the one reason of all rows, or a general one.
func whyNotApplicable(essential []row) string {
	if len(essential) == 0 {
		return "no essential criterion of this level is for this archetype"
	}
	for _, r := range essential[1:] {
		if r.Check.Because != essential[0].Check.Because {
			return "no essential criterion of this level applies"
		}
	}
	return essential[0].Check.Because
}
