package report

import (
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// auditNobodys is about the CRDs that were attributed to no operator.
func auditNobodys(sc *levels.Scorecard) document {
	var d document
	if len(sc.Unattributed) == 0 {
		return d
	}
	d.heading(2, plain("CRDs without an operator"))
	d.paragraph(plain("No operator was recognised for them. “Orphaned” means that custom resources wait for a controller that is not there; a CRD that only stores data needs none."))
	var rows []ownedCRD
	for _, c := range sc.Unattributed {
		rows = append(rows, ownedCRD{CRD: c})
	}
	d.table(crdTable(rows, withoutOwner(sc)))
	var items []text
	for _, c := range sc.Unattributed {
		if c.ControllerWhy != "" {
			items = append(items, join(code(c.Name), plain(": "+c.ControllerWhy)))
		}
		for _, s := range c.Signals {
			items = append(items, join(code(c.Name), plain(": "), signalGroup{first: s}.text()))
		}
	}
	if len(items) > 0 {
		d.list(items...)
	}
	return d
}

// withoutOwner are the columns of CRDs whose operator is not in question.
func withoutOwner(sc *levels.Scorecard) []crdColumn {
	var cs []crdColumn
	for _, c := range crdColumns(sc, full) {
		if c.title != "Operator" && c.title != "Confidence" {
			cs = append(cs, c)
		}
	}
	return cs
}

// implementersOf names them, or says that none was seen.
func implementersOf(names []string) text {
	if len(names) == 0 {
		return plain("nobody was seen here")
	}
	return codes(names)
}

// auditShared is about APIs that several operators implement.
func auditShared(sc *levels.Scorecard) document {
	var d document
	if len(sc.SharedAPIs) == 0 {
		return d
	}
	d.heading(2, plain("Shared APIs"))
	d.paragraph(plain("These APIs belong to no single operator: each implementer reconciles its own part. They get no level."))
	for _, api := range sc.SharedAPIs {
		d.heading(3, code(api.Name))
		d.paragraph(plain("Implemented by: "), implementersOf(api.Implementers), plain("."))
		var rows []ownedCRD
		for _, c := range api.CRDs {
			rows = append(rows, ownedCRD{SharedAPI: api.Name, CRD: c})
		}
		d.table(crdTable(rows, withoutOwner(sc)))
		var items []text
		for _, g := range groupSignals(api.Signals) {
			items = append(items, g.text())
		}
		if len(items) > 0 {
			d.list(items...)
		}
	}
	return d
}

// auditAggregated is about APIs that extension API servers serve: the other
// way to extend the API.
func auditAggregated(sc *levels.Scorecard) document {
	var d document
	if len(sc.AggregatedAPIs) > 0 {
		d.heading(2, plain("Aggregated APIs"))
		d.append(aggregatedTable(sc))
	}
	return d
}

// aggregatedTable lists the aggregated APIs with whose they are, whether they
// answer, and what they serve.
func aggregatedTable(sc *levels.Scorecard) document {
	var d document
	var rows [][]text
	for _, a := range sc.AggregatedAPIs {
		available := styled(badStyle, "no")
		if a.Available {
			available = styled(goodStyle, "yes")
		}
		kinds := plain("not known")
		if len(a.Kinds) > 0 {
			kinds = plain(strings.Join(a.Kinds, ", "))
		}
		rows = append(rows, []text{code(a.Name), code(orNothing(a.Service)), available, code(orNothing(a.Operator)), kinds, plain(a.Detail)})
	}
	d.table(whole(columns("API", "Service", "Available", "Operator", "Kinds", "Detail"), rows))
	return d
}
