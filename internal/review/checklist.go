package review

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// ChecklistLevel is what an operator must have from day one to show a level.
type ChecklistLevel struct {
	Level int    `json:"level"` // 0: hygiene
	Name  string `json:"name"`
	// When says by when it is wanted.
	When  string          `json:"when"`
	Items []ChecklistItem `json:"items"`
}

// ChecklistItem is an essential criterion of the level.
type ChecklistItem struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	How   string `json:"how,omitempty"`
	// Group: one whole group of level 5 is enough.
	Group string `json:"group,omitempty"`
	// IfData: it applies only where the operator holds data, which nobody
	// answered.
	IfData bool `json:"ifData,omitempty"`
}

var dueAt = [...]string{
	"before the first release", "in the first release", "before the second release: upgrades have to work from the first one on",
	"designed in from the start, done before it holds data of production", "before anybody is on call for it", "when the levels below hold; one whole group is enough",
}

// checklist picks the essential criteria for the kind of operator that the
// answers speak of, the same that a scan will judge it by, and of hygiene what
// the rules name.
func checklist(criteria []levels.Criterion, hygiene []string, need []Check) []ChecklistLevel {
	archetype, holdsData := archetypeOf(need), needState(need, "stateful")
	if needState(need, "stateless") == met {
		holdsData = failed
	}
	var list []ChecklistLevel
	for level := 1; level <= len(levels.LevelNames); level++ {
		l := ChecklistLevel{Level: level % len(levels.LevelNames), Items: []ChecklistItem{}}
		l.When = dueAt[l.Level]
		l.Name = "Hygiene"
		if l.Level > 0 {
			l.Name = levels.LevelNames[l.Level]
		}
		for i := range criteria {
			c := &criteria[i]
			ofData := strings.Contains(c.Applies, "stateful")
			if c.Level != l.Level || !wanted(c, archetype, hygiene) || ofData && holdsData == failed {
				continue
			}
			item := ChecklistItem{ID: c.ID, Title: c.Title, Group: c.Group, IfData: ofData && holdsData != met}
			if c.Level > 0 {
				item.How = oneLine(c.Fix) // that of hygiene is for what went wrong
			}
			l.Items = append(l.Items, item)
		}
		if len(l.Items) > 0 {
			list = append(list, l)
		}
	}
	return list
}

func wanted(c *levels.Criterion, archetype string, hygiene []string) bool {
	if len(c.Archetypes) > 0 && !slices.Contains(c.Archetypes, archetype) {
		return false
	}
	if c.Level > 0 {
		return c.EssentialTo(archetype)
	}
	return slices.Contains(hygiene, c.ID)
}

// archetypeOf is what kind of operator the answers speak of: what lies outside
// the cluster makes it external, unless it holds state here.
func archetypeOf(need []Check) string {
	if needState(need, "external-resources") == met && needState(need, "stateful") != met {
		return "external"
	}
	return "workload"
}

func needState(need []Check, id string) string {
	for i := range need {
		if need[i].ID == id {
			return need[i].State
		}
	}
	return unknown
}
