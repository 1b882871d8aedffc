package report

import (
	"fmt"
	"io"
	"strings"

	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// WriteCatalogue writes a list of known operators.
func WriteCatalogue(w io.Writer, format string, operators []*catalogue.Operator, o Options) error {
	var d document
	t := table{head: []column{{title: "Operator"}, {title: "Domain"}, {title: "Archetype", spare: 1}, {title: "Groups", elastic: true}, {title: "Claimed", spare: 2}}}
	for _, op := range operators {
		t.rows = append(t.rows, []text{code(op.Name), plain(op.Domain), plain(op.Archetype), plain(strings.Join(groupsOf(op), ", ")), plain(claimOf(op))})
	}
	d.table(t)
	d.paragraph(plain(counted(len(operators), "operator") + "."))
	if operators == nil {
		operators = []*catalogue.Operator{}
	}
	return writeExplained(w, format, operators, d, o)
}

// WriteCatalogueEntry writes all that is known of one operator in general.
func WriteCatalogueEntry(w io.Writer, format string, op *catalogue.Operator, o Options) error {
	var d document
	d.heading(1, code(op.Name))
	d.paragraph(plain(op.Description))
	var lines []text
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, plain(name+": "+value))
		}
	}
	add("Title", op.Title)
	add("Also called", strings.Join(op.Aliases, ", "))
	add("Homepage", op.Homepage)
	add("Domain", op.Domain)
	add("Keywords", strings.Join(op.Keywords, ", "))
	add("Archetype", op.Archetype)
	add("API groups", strings.Join(groupsOf(op), ", "))
	add("CRDs in shared groups", strings.Join(op.CRDs, ", "))
	add("Makes CRDs at run time in", strings.Join(op.Generates, ", "))
	add("Workloads", strings.Join(op.Workloads, ", "))
	add("Controllers among them", strings.Join(op.Controllers, ", "))
	add("Images", strings.Join(op.Images, ", "))
	add("Writes status as", strings.Join(op.Managers, ", "))
	for _, p := range op.External {
		add("Runs outside the cluster on", p.Platform+" (shown by group "+strings.Join(p.Groups, ", ")+")")
	}
	add("Product, no capability", strings.Join(op.Products, ", "))
	add("Claimed level (no evidence)", claimOf(op))
	add("Described in", op.Source)
	d.list(lines...)
	return writeExplained(w, format, op, d, o)
}

func groupsOf(op *catalogue.Operator) []string {
	groups := append([]string(nil), op.Groups...)
	for _, s := range op.GroupSuffixes {
		groups = append(groups, "*."+s)
	}
	if len(groups) == 0 {
		return op.SharesGroups
	}
	return groups
}

func claimOf(op *catalogue.Operator) string {
	if op.Claimed == nil {
		return ""
	}
	return fmt.Sprintf("%d %s, %s", op.Claimed.Level, op.Claimed.Name, op.Claimed.Source)
}
