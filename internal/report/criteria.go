package report

import (
	"fmt"
	"io"

	"kubectl-operator-maturity/internal/levels"
)

// WriteCriteria writes the list of criteria: what `rules list` shows, and as
// markdown the reference docs/criteria.md.
func WriteCriteria(w io.Writer, format string, criteria []levels.Criterion, o Options) error {
	if format == "markdown" {
		return writeAll(w, printMarkdown(criteriaReference(criteria), o))
	}
	return writeExplained(w, format, criteria, criteriaTable(criteria), o)
}

// WriteExplainCriterion writes what a criterion means and how it is decided.
func WriteExplainCriterion(w io.Writer, format string, c *levels.Criterion, o Options) error {
	return writeExplained(w, format, c, criterionDocument(c, 1), o)
}

func criteriaTable(criteria []levels.Criterion) document {
	var d document
	t := table{head: []column{{title: "Level"}, {title: "Criterion"}, {title: "Role"}, {title: "Judged"}, {title: "Title", elastic: true}, {title: "Source", spare: 1}}}
	for i := range criteria {
		c := &criteria[i]
		t.rows = append(t.rows, []text{plain(ruleLevel(c.Level)), code(c.ID), plain(role(c)), plain(judged(c)), plain(c.Title), plain(c.Source)})
	}
	d.table(t)
	d.paragraph(plain(fmt.Sprintf("%d criteria. %s explain CRITERION shows one whole.", len(criteria), Options{}.command())))
	return d
}

func ruleLevel(level int) string {
	if level == 0 {
		return "hygiene"
	}
	return fmt.Sprint(level)
}

// role says how much a criterion decides.
func role(c *levels.Criterion) string {
	switch {
	case c.Level == 0:
		return "hygiene"
	case c.Essential && c.Group != "":
		return "essential, group " + c.Group
	case c.Essential:
		return "essential"
	case len(c.EssentialFor) > 0:
		return "essential for some"
	}
	return "supporting"
}

func judged(c *levels.Criterion) string {
	if c.Scope == levels.PerCRD {
		return "each CRD"
	}
	return "operator"
}

// criteriaReference is the whole reference, a section a criterion.
func criteriaReference(criteria []levels.Criterion) document {
	var d document
	d.heading(1, plain("Criteria"))
	d.paragraph(plain("Made from the rules by make docs. A criterion is essential (it decides its level) or supporting (it adds detail); hygiene decides no level. Its expressions are CEL over the facts op and crd, tried in this order: applies, proven, refuted, indicated; when none holds, the verdict is not-observed, and it is unknown when what it depends on could not be looked at."))
	level := -1
	for i := range criteria {
		c := &criteria[i]
		if c.Level != level {
			level = c.Level
			d.heading(2, plain(sectionTitle(level)))
		}
		d = append(d, criterionDocument(c, 3)...)
	}
	return d
}

func sectionTitle(level int) string {
	if level == 0 {
		return "Hygiene"
	}
	return fmt.Sprintf("Level %d: %s", level, levels.LevelNames[level])
}

func criterionDocument(c *levels.Criterion, level int) document {
	var d document
	d.heading(level, code(c.ID))
	d.paragraph(strong(c.Title))
	var lines []text
	add := func(name string, value text) {
		if len(value) > 0 {
			lines = append(lines, join(plain(name+": "), value))
		}
	}
	add("Level", plain(sectionTitle(c.Level)))
	add("Role", plain(role(c)))
	add("Essential for", codes(c.EssentialFor))
	add("Only for", codes(c.Archetypes))
	add("Judged", plain(judged(c)))
	if c.Witness {
		add("Witness", plain("its proof is something the operator was seen to do"))
	}
	if c.Episodic {
		add("Episodic", plain("it has to happen in time"))
	}
	add("Applies when", expression(c.Applies))
	add("Otherwise", plain(c.NotApplicable))
	add("Proven when", expression(c.Proven))
	add("Refuted when", expression(c.Refuted))
	add("Indicated when", expression(c.Indicated))
	add("Why it counts", plain(c.Why))
	add("What would raise it", plain(c.Fix))
	add("Defined in", plain(c.Docs))
	add("Source", plain(c.Source+" "+c.Position))
	d.list(lines...)
	return d
}
