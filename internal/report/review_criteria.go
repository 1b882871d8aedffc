package report

import (
	"fmt"
	"io"

	"kubectl-operator-maturity/internal/review"
)

// WriteReviewCriteria writes the list of the criteria of the adoption review:
// what `rules list --review` shows.
func WriteReviewCriteria(w io.Writer, format string, criteria []review.Criterion, o Options) error {
	var d document
	t := table{head: []column{{title: "About"}, {title: "Priority"}, {title: "Criterion"}, {title: "Answered by"}, {title: "Question", elastic: true}, {title: "Source", spare: 1}}}
	for i := range criteria {
		c := &criteria[i]
		priority := c.Priority
		if priority == "" {
			priority = c.Group
		}
		t.rows = append(t.rows, []text{plain(c.About), plain(priority), code(c.ID), plain(c.Type), plain(c.Question), plain(c.Source)})
	}
	d.table(t)
	d.paragraph(plain(fmt.Sprintf("%d criteria.", len(criteria))))
	return writeExplained(w, format, criteria, d, o)
}
