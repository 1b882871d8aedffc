package facts

import (
	"cmp"
	"fmt"
	"strings"
)

// group is an array of conditions with the path of where it stands.
type group struct {
	path       string
	conditions []Condition
}

// judge tells what one group of conditions says, and by which condition; ""
// when none of its types has a known polarity.
func (g *group) judge(in Input, root int64) (Health, string, *Condition) {
	summary := g.has("Ready")
	positives := g.positives()
	worst, health, decisive := 0, Health(""), (*Condition)(nil)
	for i := range g.conditions {
		c := &g.conditions[i]
		h := c.health(summary, positives)
		if h != "" && behind(cmp.Or(c.ObservedGeneration, root), in) {
			h = Unknown
		}
		if n := badness[h]; n > worst {
			worst, health, decisive = n, h, c
		}
	}
	if decisive == nil {
		return "", "", nil
	}
	return health, g.why(decisive, health, in, root), decisive
}

func (g *group) why(c *Condition, h Health, in Input, root int64) string {
	why := c.Type + "=" + c.Status
	if g.path != "" {
		why = g.path + ": " + why
	}
	if c.Reason != "" && h != Ready {
		why += " (" + c.Reason + ")"
	}
	if observed := cmp.Or(c.ObservedGeneration, root); behind(observed, in) {
		why = fmt.Sprintf("%s, but of generation %d of %d", why, observed, in.Generation)
	}
	return why
}

// health is what one condition says alone: "" if it is neutral.
func (c *Condition) health(summary bool, positives int) Health {
	switch p := polarityOf(c.Type); {
	case summary && strings.EqualFold(c.Type, "Ready"), !summary && p == positive && !(soft[c.Type] && positives > 1):
		switch c.Status {
		case "True":
			return Ready
		case "Unknown":
			return Unknown
		case "":
			return "" // a condition without a status says nothing
		}
		return NotReady // False, and home-made values such as Degraded
	case c.Status == "True" && (summary && outright[c.Type] || !summary && p == negative):
		return NotReady
	}
	return ""
}

func (g *group) has(kind string) bool {
	for i := range g.conditions {
		if strings.EqualFold(g.conditions[i].Type, kind) && g.conditions[i].Status != "" {
			return true
		}
	}
	return false
}

func (g *group) positives() int {
	n := 0
	for i := range g.conditions {
		if polarityOf(g.conditions[i].Type) == positive {
			n++
		}
	}
	return n
}
