package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// highest is the level that would hold if everything indicated or unknown did.
func highest(op levels.Operator) int { return max(op.Level, op.LevelIndicated, op.LevelPossible) }

// allLevels: every level has this status. An operator without levels was not
// assessed, so all of them are unknown.
func allLevels(op levels.Operator, status levels.Status) bool {
	if len(op.Levels) == 0 {
		return status == levels.LevelUnknown
	}
	for _, l := range op.Levels {
		if l.Status != status && !(status == levels.LevelUnknown && l.Status == "") {
			return false
		}
	}
	return true
}

// levelOf is the outcome of level n, unknown if there is none.
func levelOf(op levels.Operator, n int) levels.Level {
	for _, l := range op.Levels {
		if l.Level == n {
			return l
		}
	}
	return levels.Level{Level: n, Name: levelName(n), Status: levels.LevelUnknown}
}

func levelName(n int) string {
	if n < 1 || n >= len(levels.LevelNames) {
		return ""
	}
	return levels.LevelNames[n]
}

// capped: the official text would keep this operator at level 1, and the
// headline goes or may go beyond it.
func capped(op levels.Operator) bool {
	return op.Archetype != "workload" && op.Archetype != "" && highest(op) > 1
}

// headlineCell is the level, "1–3" when indications or unknowns leave a range,
// "?" when nothing could be assessed. A star says that the official text reads
// differently.
func headlineCell(op levels.Operator) text {
	star := ""
	if capped(op) {
		star = "*"
	}
	switch high := highest(op); {
	case allLevels(op, levels.LevelUnknown):
		return styled(fairStyle, unseen)
	case allLevels(op, levels.LevelNotApplicable):
		return styled(faintStyle, "n/a")
	case high > op.Level:
		return plainf("%d–%d%s", op.Level, high, star)
	}
	return plainf("%d%s", op.Level, star)
}

// headlineSentence says the same in words.
func headlineSentence(op levels.Operator) text {
	switch {
	case allLevels(op, levels.LevelUnknown):
		return plain("Every level is unknown: what decides could not be looked at.")
	case allLevels(op, levels.LevelNotApplicable):
		return plain("No level applies to it.")
	}
	var t text
	switch op.Level {
	case 0:
		t = plain("Level 1 is not proven, and the count begins there.")
	case 1:
		t = plain("Level 1 is proven.")
	default:
		t = plainf("Levels 1 to %d are proven.", op.Level)
	}
	if alone := provenAlone(op); len(alone) > 0 {
		t = join(t, plainf(" By itself, level %s is proven too.", strings.Join(alone, " and ")))
	}
	if op.LevelIndicated > op.Level {
		t = join(t, plainf(" It reaches %d if what is only indicated holds.", op.LevelIndicated))
	}
	if high := max(op.Level, op.LevelIndicated); op.LevelPossible > high {
		t = join(t, plainf(" It could reach %d: some of what decides it could not be looked at.", op.LevelPossible))
	}
	return t
}

// provenAlone are the levels above the headline that are proven by themselves.
func provenAlone(op levels.Operator) []string {
	var alone []string
	for n := op.Level + 1; n <= 5; n++ {
		if levelOf(op, n).Status == levels.LevelProven {
			alone = append(alone, fmt.Sprint(n))
		}
	}
	return alone
}

// officialSentence is the reading of the official text beside ours.
func officialSentence(op levels.Operator) text {
	switch {
	case allLevels(op, levels.LevelUnknown):
		return plain("unknown as well.")
	case op.Archetype == "workload":
		return plainf("level %d, the same: it manages a workload.", op.SDKLevel)
	}
	return plainf("level %d. The Operator Framework text keeps operators that manage no workload of their own at level 1; "+
		"that is no fault of the operator. Here, what does not apply to it is left out of the count.", op.SDKLevel)
}

// claimSentence sets the claim against what was shown. The claim itself never
// counts.
func claimSentence(op levels.Operator) text {
	c := op.LevelClaimed
	if c == nil {
		return plain("nothing was found.")
	}
	t := plain(fmt.Sprintf("level %d, %s (", c.Level, orNothing(c.Name)) + c.Source + "). ")
	switch l := levelOf(op, c.Level); {
	case allLevels(op, levels.LevelUnknown):
		return join(t, plain("Nothing could be assessed to compare it with."))
	case op.Level >= c.Level:
		return join(t, plain("The evidence supports it."))
	case l.Status == levels.LevelProven:
		return join(t, plainf("Level %d is proven on its own, but the levels below it are proven only up to %d.", c.Level, op.Level))
	default:
		return join(t, plainf("Proven without a gap: %s. Level %d by itself: ", upTo(op.Level), c.Level), statusWord(l.Status), plain("."))
	}
}

// upTo names the levels that the headline covers.
func upTo(level int) string {
	switch level {
	case 0:
		return "no level"
	case 1:
		return "level 1"
	}
	return fmt.Sprintf("levels 1 to %d", level)
}

// next is the level after the headline, and whether there is one that applies.
func next(op levels.Operator) (levels.Level, bool) {
	if op.Level >= 5 {
		return levels.Level{}, false
	}
	l := levelOf(op, op.Level+1)
	return l, l.Status != levels.LevelNotApplicable
}
