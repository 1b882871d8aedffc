package levels

import (
	"cmp"
	"slices"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// assessment is everything that rules say about an operator.
type assessment struct {
	checks   []Check
	findings []Finding
	levels   []Level
	headline
}

// headline is an operator's level, read in four ways.
type headline struct {
	level, indicated, possible, sdk int
}

// assess judges every criterion for an operator. It changes no fact.
func (r *Rules) assess(op *facts.Operator) assessment {
	all := subjectsOf(op)
	var a assessment
	a.checks = make([]Check, len(r.rules))
	a.findings = []Finding{}
	var essential, supporting [len(LevelNames)][]row
	for i, rule := range r.rules {
		check, findings := rule.check(all)
		a.checks[i] = check
		a.findings = append(a.findings, findings...)
		into := &supporting
		if check.Essential {
			into = &essential
		}
		into[rule.Level] = append(into[rule.Level], row{&rule.Criterion, &a.checks[i]})
	}
	for level := 1; level < len(LevelNames); level++ {
		a.levels = append(a.levels, levelOf(level, essential[level], supporting[level]))
	}
	a.findings = sortFindings(a.findings)
	a.headline = headlineOf(a.levels, op.Archetype)
	return a
}

// headlineOf counts from level 1 upwards, for as long as levels are there. A
// level that does not apply ends it like one that is not there.
func headlineOf(levels []Level, archetype string) headline {
	highest := func(counted ...Status) int {
		n := 0
		for n < len(levels) && slices.Contains(counted, levels[n].Status) {
			n++
		}
		return n
	}
	h := headline{
		level:     highest(LevelProven),
		indicated: highest(LevelProven, LevelIndicated),
		possible:  highest(LevelProven, LevelIndicated, LevelUnknown),
	}
	h.sdk = h.level
	if archetype != "workload" {
		h.sdk = min(h.level, 1) // the official text: without a workload an operator remains at level 1
	}
	return h
}

// sortFindings orders findings by gravity and joins those that say the same.
func sortFindings(list []Finding) []Finding {
	slices.SortStableFunc(list, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)),
			cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Detail, b.Detail),
		)
	})
	joined := list[:0]
	for _, f := range list {
		if last := len(joined) - 1; last >= 0 && joined[last].ID == f.ID && joined[last].Detail == f.Detail {
			joined[last].Objects = append(joined[last].Objects, f.Objects...)
			continue
		}
		joined = append(joined, f)
	}
	for i := range joined {
		slices.Sort(joined[i].Objects)
		joined[i].Objects = slices.Compact(joined[i].Objects)
	}
	return joined
}
