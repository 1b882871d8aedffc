package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// CRDFilter picks and orders the CRDs to list. The zero value lists all by
// name.
type CRDFilter struct {
	// Operator is the name of an operator or shared API; "none" for the CRDs
	// of nobody.
	Operator string
	// Group is an API group; its subdomains match too.
	Group string
	// Orphans: only CRDs that need a controller and have none.
	Orphans bool
	// Unused: only CRDs that surely have no instance.
	Unused bool
	// Ambiguous: only CRDs that several operators claim about equally.
	Ambiguous bool
	// Sort is name, operator, instances (most first) or group; "" is name.
	Sort string
}

// ownedCRD is a CRD with whom it belongs to.
type ownedCRD struct {
	// Operator is empty for a CRD of nobody and of a shared API.
	Operator  string `json:"operator,omitempty"`
	SharedAPI string `json:"sharedAPI,omitempty"`
	// Implementers are those of the shared API.
	Implementers []string `json:"implementers,omitempty"`
	levels.CRD
}

// crdList is the JSON of the crds command.
type crdList struct {
	APIVersion string           `json:"apiVersion"`
	Kind       string           `json:"kind"`
	Taken      time.Time        `json:"taken"`
	Source     inventory.Source `json:"source"`
	Coverage   levels.Coverage  `json:"coverage"`
	Items      []ownedCRD       `json:"items"`
	// AggregatedAPIs stand beside the CRDs whatever the filter.
	AggregatedAPIs []levels.AggregatedAPI `json:"aggregatedAPIs"`
}

// crdRows are all CRDs of a scorecard: the operators', nobody's, the shared.
func crdRows(sc *levels.Scorecard) []ownedCRD {
	var rows []ownedCRD
	for _, op := range sc.Operators {
		for _, c := range op.CRDs {
			rows = append(rows, ownedCRD{Operator: op.Name, CRD: c})
		}
	}
	for _, c := range sc.Unattributed {
		rows = append(rows, ownedCRD{CRD: c})
	}
	for _, api := range sc.SharedAPIs {
		for _, c := range api.CRDs {
			rows = append(rows, ownedCRD{SharedAPI: api.Name, Implementers: api.Implementers, CRD: c})
		}
	}
	return rows
}

func groupOf(crd string) string {
	_, group, _ := strings.Cut(crd, ".")
	return group
}

func (f CRDFilter) matches(r ownedCRD) bool {
	switch f.Operator {
	case "":
	case "none", "(none)":
		if r.Operator != "" || r.SharedAPI != "" {
			return false
		}
	default:
		if r.Operator != f.Operator && r.SharedAPI != f.Operator {
			return false
		}
	}
	group := groupOf(r.Name)
	return (f.Group == "" || group == f.Group || strings.HasSuffix(group, "."+f.Group)) &&
		(!f.Orphans || r.Orphaned) &&
		(!f.Unused || r.Instances == 0 && r.InstancesComplete) &&
		(!f.Ambiguous || r.Confidence == "ambiguous")
}

// String says the filter in words, for a list that came out empty.
func (f CRDFilter) String() string {
	var parts []string
	for _, p := range []struct {
		set  bool
		text string
	}{
		{f.Operator != "", "operator " + f.Operator}, {f.Group != "", "group " + f.Group},
		{f.Orphans, "orphans"}, {f.Unused, "unused"}, {f.Ambiguous, "ambiguous"},
	} {
		if p.set {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(parts, ", ")
}

// crdOrders are the orders of the list; equal CRDs are ordered by name.
var crdOrders = []struct {
	name    string
	compare func(a, b ownedCRD) int
}{
	{"name", func(a, b ownedCRD) int { return 0 }},
	{"operator", func(a, b ownedCRD) int { return cmp.Compare(ownerKey(a), ownerKey(b)) }},
	{"instances", func(a, b ownedCRD) int { return cmp.Compare(b.Instances, a.Instances) }},
	{"group", func(a, b ownedCRD) int { return cmp.Compare(groupOf(a.Name), groupOf(b.Name)) }},
}

// ownerKey sorts shared APIs after operators, and nobody's CRDs last.
func ownerKey(r ownedCRD) string {
	switch {
	case r.Operator != "":
		return "0" + r.Operator
	case r.SharedAPI != "":
		return "1" + r.SharedAPI
	}
	return "2"
}

// selectCRDs filters and sorts.
func selectCRDs(all []ownedCRD, f CRDFilter) ([]ownedCRD, error) {
	order := f.Sort
	if order == "" {
		order = "name"
	}
	var known []string
	for _, o := range crdOrders {
		if o.name == order {
			picked := slices.DeleteFunc(slices.Clone(all), func(r ownedCRD) bool { return !f.matches(r) })
			slices.SortStableFunc(picked, func(a, b ownedCRD) int {
				return cmp.Or(o.compare(a, b), cmp.Compare(a.Name, b.Name))
			})
			return picked, nil
		}
		known = append(known, o.name)
	}
	return nil, fmt.Errorf("unknown order %q: known are %s", f.Sort, strings.Join(known, ", "))
}

// WriteCRDs writes the list of CRDs that the filter picks.
func WriteCRDs(w io.Writer, format string, sc *levels.Scorecard, filter CRDFilter, o Options) error {
	rows, err := selectCRDs(crdRows(sc), filter)
	if err != nil {
		return err
	}
	list := crdList{"operator-maturity/v1", "CRDList", sc.Taken, sc.Source, sc.Coverage, rows, sc.AggregatedAPIs}
	if list.Items == nil {
		list.Items = []ownedCRD{}
	}
	switch format {
	case "table":
		return writeAll(w, printTerminal(crdDocument(sc, rows, filter, crdColumns(sc, age)), o))
	case "wide":
		return writeAll(w, printTerminal(crdDocument(sc, rows, filter, crdColumns(sc, full)), o))
	case "markdown":
		return writeAll(w, printMarkdown(crdReport(sc, rows, filter), o))
	case "json":
		return writeJSON(w, list)
	case "yaml":
		return writeYAML(w, list)
	case "csv":
		return writeCRDsCSV(w, rows)
	}
	return unknownFormat(format, []string{"table", "wide", "markdown", "json", "yaml", "csv"})
}
