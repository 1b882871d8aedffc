package report

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// gap is a set of resources that were not read whole, for one reason.
type gap struct {
	outcome   string // forbidden, partial, failed
	resources []string
	why       string
}

// gaps groups what could not be looked at. Refusals go together whatever
// their message: what the reader needs is the list of rights to ask for.
func gaps(sc *levels.Scorecard) []gap {
	var all []gap
	for _, r := range sc.Coverage.Resources {
		if r.Access == inventory.Listed || r.Access == inventory.Absent {
			continue
		}
		g := gap{outcome: string(r.Access), why: gapReason(sc, r)}
		i := slices.IndexFunc(all, func(o gap) bool { return o.outcome == g.outcome && o.why == g.why })
		if i < 0 {
			all, i = append(all, g), len(all)
		}
		all[i].resources = append(all[i].resources, resourceName(r))
	}
	return all
}

func gapReason(sc *levels.Scorecard, r inventory.Access) string {
	switch r.Access {
	case inventory.Forbidden:
		if r.Resource == inventory.PodProxyResource {
			return "needs the right to get them " + listScope(sc)
		}
		return "needs the right to list them " + listScope(sc)
	case inventory.Partial:
		read := fmt.Sprintf("%d read", r.Count)
		if r.Remaining > 0 {
			read += fmt.Sprintf(", about %d more", r.Remaining)
		}
		if r.Detail != "" {
			read += ": " + r.Detail
		}
		return read
	}
	if r.Detail == "" {
		return "the list call did not succeed"
	}
	return r.Detail
}

func listScope(sc *levels.Scorecard) string {
	switch ns := sc.Source.Namespaces; len(ns) {
	case 0:
		return "in all namespaces"
	case 1:
		return "in namespace " + ns[0]
	default:
		return "in namespaces " + strings.Join(ns, ", ")
	}
}

// coverageLines say what could not be looked at, and what that leaves open.
// They say so too when everything was seen.
func coverageLines(sc *levels.Scorecard) document {
	var d document
	found := gaps(sc)
	switch {
	case len(found) > 0:
		d.lead(styled(fairStyle, "Could not be looked at"), plain(" (unknown does not mean absent):"))
		var rows [][]text
		for _, g := range found {
			rows = append(rows, []text{plain(g.outcome), codes(g.resources), plain(g.why)})
		}
		d.table(whole(columns("Outcome", "Resources", "Why"), rows))
	case len(sc.Coverage.Resources) == 0:
		d.paragraph(styled(fairStyle, "Nothing was read: there is no record of any list call."))
	case !sc.Coverage.Complete:
		d.paragraph(styled(fairStyle, "The scan is incomplete: it ended before everything was read."))
	default:
		d.paragraph(plain("Everything that was asked for could be read."))
	}
	d.append(unknownLines(sc))
	return d
}

// unknownLines count the unknown verdicts. Reasons that are no unread list,
// such as a look that nobody asked for, are named here.
func unknownLines(sc *levels.Scorecard) document {
	var d document
	n, ops := unknownChecks(sc)
	if n == 0 {
		return d
	}
	sum := plainf("Verdicts left unknown: %d, about %s", n, counted(ops, "operator"))
	reasons := otherReasons(sc)
	switch {
	case len(reasons) == 0:
		d.paragraph(sum, plain("."))
		return d
	case len(gaps(sc)) > 0:
		d.lead(sum, plain(". Reasons beside the above:"))
	default:
		d.lead(sum, plain(". Reasons:"))
	}
	d.list(reasons...)
	return d
}

// otherReasons are the unseen facets whose reason names no unread list, the
// most frequent first.
func otherReasons(sc *levels.Scorecard) []text {
	const shown = 5
	counts := map[string]int{}
	var unread []*regexp.Regexp
	for _, g := range gaps(sc) {
		for _, r := range g.resources {
			unread = append(unread, naming(r))
		}
	}
	for _, op := range sc.Operators {
		for _, c := range op.Checks {
			if !isUnknown(c.Verdict) {
				continue
			}
			for _, s := range c.Unseen {
				counts[s]++
			}
		}
	}
	maps.DeleteFunc(counts, func(s string, _ int) bool {
		return slices.ContainsFunc(unread, func(r *regexp.Regexp) bool { return r.MatchString(s) })
	})
	order := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
	var reasons []text
	for _, s := range order[:min(shown, len(order))] {
		facet, why := unseenFacet(s)
		reasons = append(reasons, join(code(facet), plainf(" (%s): %s", counted(counts[s], "verdict"), why)))
	}
	if n := len(order) - shown; n > 0 {
		reasons = append(reasons, plainf("%s more", counted(n, "reason")))
	}
	return reasons
}

// naming finds a resource's name as a word of its own. An expression must be
// UTF-8, and the name is whatever a file says.
func naming(resource string) *regexp.Regexp {
	resource = strings.ToValidUTF8(resource, "\uFFFD")
	return regexp.MustCompile(`(^|[^a-zA-Z0-9.-])` + regexp.QuoteMeta(resource) + `($|[^a-zA-Z0-9.-]|\.($|\s))`)
}

// unknownChecks counts the unknown verdicts and the operators that have any.
func unknownChecks(sc *levels.Scorecard) (checks, operators int) {
	for _, op := range sc.Operators {
		n := 0
		for _, c := range op.Checks {
			if isUnknown(c.Verdict) {
				n++
			}
		}
		checks += n
		if n > 0 {
			operators++
		}
	}
	return checks, operators
}

func isUnknown(v levels.Verdict) bool { return v == levels.Unknown || v == "" }

// madeUnknown names the criteria that are unknown because of the resource: the
// unseen facets of a check name it in their reason.
func madeUnknown(sc *levels.Scorecard, resource string) (criteria []string, operators int) {
	named := naming(resource)
	for _, op := range sc.Operators {
		hit := false
		for _, c := range op.Checks {
			if isUnknown(c.Verdict) && slices.ContainsFunc(c.Unseen, named.MatchString) {
				criteria, hit = append(criteria, c.ID), true
			}
		}
		if hit {
			operators++
		}
	}
	slices.Sort(criteria)
	return slices.Compact(criteria), operators
}

// accessTable has one row for each list that was asked for.
func accessTable(resources []levels.Resource) table {
	var rows [][]text
	for _, r := range resources {
		access := plain(string(r.Access))
		if r.Access != inventory.Listed && r.Access != inventory.Absent {
			access = styled(fairStyle, string(r.Access))
		}
		rows = append(rows, []text{code(resourceName(r)), access, plain(fmt.Sprint(r.Count)), plain(r.Detail)})
	}
	return table{head: []column{{title: "Resource", elastic: true, least: 24}, {title: "Outcome"}, {title: "Read"}, {title: "Detail", elastic: true}}, rows: rows}
}

// emptyReason says why there is nothing in the report. No CRD seen and no CRD
// there are different answers.
func emptyReason(sc *levels.Scorecard) text {
	for _, r := range sc.Coverage.Resources {
		if r.Group != "apiextensions.k8s.io" || r.Resource != "customresourcedefinitions" {
			continue
		}
		switch r.Access {
		case inventory.Listed, inventory.Absent:
			return plainf("Nothing to assess: %s no CustomResourceDefinition, and no operator without one was recognised.", holder(sc))
		default:
			return join(styled(badStyle, "Nothing was assessed: "),
				plainf("CustomResourceDefinitions could not be read (%s). This says nothing about what %s.", reasonOf(r), holder(sc)))
		}
	}
	return join(styled(badStyle, "Nothing was assessed: "),
		plainf("no list of CustomResourceDefinitions was read. This says nothing about what %s.", holder(sc)))
}

func holder(sc *levels.Scorecard) string {
	if sc.Source.Type == "files" {
		return "the files hold"
	}
	return "the cluster has"
}

func reasonOf(r inventory.Access) string {
	if r.Detail == "" {
		return string(r.Access)
	}
	return string(r.Access) + ": " + r.Detail
}
