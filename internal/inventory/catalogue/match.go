package catalogue

import (
	"slices"
	"strings"
)

// Match is the answer to "whose CRD is this?".
type Match struct {
	Operator *Operator
	// By is what matched: crd, group, suffix, generated.
	By string
	// Others claim the same group.
	Others []*Operator
}

// ForCRD finds the operator of a CRD by its name or API group; nil if none.
func (c *Catalogue) ForCRD(name, group string) *Match {
	if c == nil {
		return nil
	}
	if o := c.byCRD[name]; o != nil {
		return &Match{Operator: o, By: "crd"}
	}
	if claimants := c.byGroup[group]; len(claimants) > 0 {
		return &Match{Operator: claimants[0], By: "group", Others: claimants[1:]}
	}
	for _, s := range c.suffixes {
		if group == s.text || strings.HasSuffix(group, "."+s.text) {
			by := "suffix"
			if s.generated {
				by = "generated"
			}
			return &Match{Operator: s.operator, By: by}
		}
	}
	return nil
}

// ByName finds an operator by its name or one of its aliases; nil if none.
func (c *Catalogue) ByName(name string) *Operator {
	if c == nil {
		return nil
	}
	return c.byName[name]
}

// ForImage finds the operator whose images name a container image; nil if
// none. Registry, tag and digest do not matter.
func (c *Catalogue) ForImage(image string) *Operator {
	if c == nil {
		return nil
	}
	best := len(c.Operators)
	for name, more := Repository(image), true; more; _, name, more = strings.Cut(name, "/") {
		if at, known := c.byImage[name]; known {
			best = min(best, at)
		}
	}
	if best == len(c.Operators) {
		return nil
	}
	return c.Operators[best]
}

// Repository is an image without tag and digest.
func Repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndex(image, ":"); i > strings.LastIndex(image, "/") {
		image = image[:i]
	}
	return image
}

// Search finds the operators that have every one of the words in their name,
// aliases, groups, domain, keywords or description, whatever the case.
func (c *Catalogue) Search(words []string) []*Operator {
	var found []*Operator
	for _, o := range c.Operators {
		text := strings.ToLower(strings.Join(slices.Concat([]string{o.Name, o.Title, o.Domain, o.Description}, o.Aliases, o.Groups, o.CRDs, o.Keywords, o.Products), " "))
		all := len(words) > 0
		for _, word := range words {
			all = all && strings.Contains(text, strings.ToLower(word))
		}
		if all {
			found = append(found, o)
		}
	}
	return found
}
