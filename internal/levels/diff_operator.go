package levels

import "slices"

func compareOperators(was, is *Operator) OperatorChange {
	c := OperatorChange{
		Name: is.Name, Version: changed(was.Version, is.Version), State: changed(was.State, is.State),
		Level: changed(was.Level, is.Level), Possible: changed(was.LevelPossible, is.LevelPossible),
		Claimed: changed(claimed(was), claimed(is)),
		Levels:  []LevelChange{}, Checks: compareChecks(was.Checks, is.Checks),
		Findings: compareFindings(was.Findings, is.Findings),
	}
	for i := range is.Levels {
		now := &is.Levels[i]
		j := slices.IndexFunc(was.Levels, func(l Level) bool { return l.Level == now.Level })
		if j < 0 || was.Levels[j].Status == now.Status {
			continue
		}
		l := LevelChange{
			Level: now.Level, Name: now.Name, Old: was.Levels[j].Status, New: now.Status,
			Direction: direction(rankOfStatus, was.Levels[j].Status, now.Status), Because: []string{},
		}
		for _, check := range c.Checks {
			if check.Level == now.Level && check.Essential {
				l.Because = append(l.Because, check.ID)
			}
		}
		c.Levels = append(c.Levels, l)
	}
	return c
}

func claimed(o *Operator) int {
	if o.LevelClaimed == nil {
		return 0
	}
	return o.LevelClaimed.Level
}

// any tells whether there is any change.
func (c *OperatorChange) any() bool {
	return c.Version != nil || c.State != nil || c.Level != nil || c.Possible != nil || c.Claimed != nil ||
		len(c.Levels)+len(c.Checks)+len(c.Findings) > 0
}

func compareChecks(was, is []Check) []CheckChange {
	list := []CheckChange{}
	for i := range is {
		now := &is[i]
		j := slices.IndexFunc(was, func(c Check) bool { return c.ID == now.ID })
		if j < 0 || was[j].Verdict == now.Verdict {
			continue
		}
		list = append(list, CheckChange{
			ID: now.ID, Title: now.Title, Level: now.Level, Essential: now.Essential,
			Old: was[j].Verdict, New: now.Verdict, OldBecause: was[j].Because, NewBecause: now.Because,
			Direction: direction(rankOfVerdict, was[j].Verdict, now.Verdict),
		})
	}
	return list
}

// The ranks of what can be compared, the best last. Unknown and not-applicable
// have none: going there or coming from there is neither better nor worse.
var (
	rankOfVerdict = map[Verdict]int{Refuted: 1, NotObserved: 2, Indicated: 3, Proven: 4}
	rankOfStatus  = map[Status]int{LevelRefuted: 1, LevelNotShown: 2, LevelPartial: 3, LevelIndicated: 4, LevelProven: 5}
	rankOfState   = map[string]int{"absent": 1, "down": 2, "degraded": 3, "running": 4}
)

func direction[K comparable](rank map[K]int, was, is K) Direction {
	switch a, b := rank[was], rank[is]; {
	case a == 0 || b == 0:
		return Unclear
	case b > a:
		return Better
	default:
		return Worse
	}
}
