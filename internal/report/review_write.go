package report

import (
	"fmt"

	"kubectl-operator-maturity/internal/review"
)

// reviewChecklist is what a new operator must have from day one.
func reviewChecklist(rec *review.Record) document {
	var d document
	if len(rec.Checklist) > 0 {
		d.heading(2, plain("What it must have from day one"))
		d.paragraph(plain("These are the criteria that a scan will judge it by; "), code("explain CRITERION"), plain(" tells more of each."))
	}
	for _, l := range rec.Checklist {
		title := l.Name
		if l.Level > 0 {
			title = fmt.Sprintf("Level %d, %s", l.Level, l.Name)
		}
		d.heading(3, plain(title))
		d.paragraph(plain(capital(l.When) + "."))
		var items []text
		for _, i := range l.Items {
			item := join(plain("☐ "+i.Title+" "), code(i.ID))
			if i.Group != "" {
				item = join(item, plain(" (group "+i.Group+")"))
			}
			if i.IfData {
				item = join(item, plain(" (where it holds data)"))
			}
			if i.How != "" {
				item = join(item, plain(": "+i.How))
			}
			items = append(items, item)
		}
		d.list(items...)
	}
	if len(rec.Warnings) > 0 {
		d.heading(2, plain("What to stay away from"))
		var items []text
		for _, w := range rec.Warnings {
			items = append(items, join(strong(w.Title), plain(". "+w.Text)))
		}
		d.list(items...)
	}
	return d
}
