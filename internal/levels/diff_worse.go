package levels

import (
	"fmt"
	"strings"
)

// worsened is what got worse: what --fail-on worse and a
// baseline fail on.
//
// A verdict that fell from proven to not-observed is not among them by itself:
// evidence such as Events ages out. It counts when it costs a level, or when
// the operator was seen to do the opposite.
func (c *Comparison) worsened() []Worsening {
	list := []Worsening{}
	for i := range c.Operators {
		list = append(list, c.Operators[i].worsened()...)
	}
	for _, crd := range c.CRDs {
		if !crd.Came && crd.Owner == nil && crd.State != nil && direction(rankOfState, crd.State.Old, crd.State.New) == Worse && !c.told(crd.State) {
			list = append(list, Worsening{"", "controller", fmt.Sprintf("%s: its controller was %s and is %s", crd.Name, crd.State.Old, crd.State.New)})
		}
	}
	return append(list, newFindings("", c.Findings)...)
}

func (o *OperatorChange) worsened() []Worsening {
	var list []Worsening
	say := func(id, format string, args ...any) {
		list = append(list, Worsening{o.Name, id, fmt.Sprintf(format, args...)})
	}
	if o.State != nil && direction(rankOfState, o.State.Old, o.State.New) == Worse {
		say("controller", "its controller was %s and is %s", o.State.Old, o.State.New)
	}
	for _, l := range o.Levels {
		if l.Direction == Worse {
			say(fmt.Sprintf("level-%d", l.Level), "level %d, %s, was %s and is %s%s", l.Level, l.Name, l.Old, l.New, o.causes(l))
		}
	}
	for _, check := range o.Checks {
		if check.New == Refuted && check.Direction == Worse && check.Level > 0 {
			say(check.ID, "%s was %s and is refuted: %s", check.ID, check.Old, check.NewBecause)
		}
	}
	return append(list, newFindings(o.Name, o.Findings)...)
}

// told: an operator changed in the same way, which says it for its CRDs.
func (c *Comparison) told(state *Changed[string]) bool {
	for i := range c.Operators {
		if s := c.Operators[i].State; s != nil && *s == *state {
			return true
		}
	}
	return false
}

// causes names the essential criteria that got worse on the level.
func (o *OperatorChange) causes(l LevelChange) string {
	var ids []string
	for _, check := range o.Checks {
		if check.Level == l.Level && check.Essential && check.Direction != Better {
			ids = append(ids, check.ID)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return " (" + strings.Join(ids, ", ") + ")"
}

// newFindings are those that ask for an act.
func newFindings(operator string, changes []FindingChange) []Worsening {
	var list []Worsening
	for _, f := range changes {
		if len(f.Came) > 0 && f.Severity != "info" {
			list = append(list, Worsening{operator, f.ID, fmt.Sprintf("new %s %s: %s", f.Severity, f.ID, f.Detail)})
		}
	}
	return list
}
