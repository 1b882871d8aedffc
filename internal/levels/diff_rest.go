package levels

import (
	"cmp"
	"slices"
	"strings"
)

// ownedRow is a CRD with the name of its operator, "" for nobody's.
type ownedRow struct {
	*CRD
	owner string
}

func crdsOf(sc *Scorecard) map[string]ownedRow {
	rows := map[string]ownedRow{}
	add := func(owner string, crds []CRD) {
		for i := range crds {
			rows[crds[i].Name] = ownedRow{&crds[i], owner}
		}
	}
	add("", sc.Unattributed)
	for i := range sc.SharedAPIs {
		add(sc.SharedAPIs[i].Name, sc.SharedAPIs[i].CRDs)
	}
	for i := range sc.Operators {
		add(sc.Operators[i].Name, sc.Operators[i].CRDs)
	}
	return rows
}

func compareCRDs(before, after *Scorecard) []CRDChange {
	list := []CRDChange{}
	was, is := crdsOf(before), crdsOf(after)
	for _, name := range keysOf(was, is) {
		a, b := was[name], is[name]
		c := CRDChange{Name: name}
		switch {
		case a.CRD == nil:
			c.Came, c.Owner = true, &Changed[string]{"", b.owner}
		case b.CRD == nil:
			c.Went, c.Owner = true, &Changed[string]{a.owner, ""}
		default:
			c.Owner, c.State = changed(a.owner, b.owner), changed(a.ControllerState, b.ControllerState)
			if a.InstancesUnseen == "" && b.InstancesUnseen == "" {
				c.Instances, c.Ready, c.NotReady = changed(a.Instances, b.Instances), changed(a.Ready, b.Ready), changed(a.NotReady, b.NotReady)
			}
			if c == (CRDChange{Name: name}) {
				continue
			}
		}
		list = append(list, c)
	}
	return list
}

// compareFindings matches findings by id and severity: their words hold counts
// and ages that change while the matter stays.
func compareFindings(was, is []Finding) []FindingChange {
	type key struct{ id, severity string }
	objects := func(list []Finding) (map[key][]string, map[key]string) {
		found, said := map[key][]string{}, map[key]string{}
		for _, f := range list {
			k := key{f.ID, f.Severity}
			if found[k] == nil {
				said[k] = f.Detail
			}
			found[k] = append(found[k], namesOf(f)...)
		}
		return found, said
	}
	old, oldSaid := objects(was)
	now, nowSaid := objects(is)
	list := []FindingChange{}
	add := func(k key) {
		c := FindingChange{ID: k.id, Severity: k.severity, Detail: or(nowSaid[k], oldSaid[k]), Came: without(now[k], old[k]), Went: without(old[k], now[k])}
		if len(c.Came)+len(c.Went) > 0 {
			list = append(list, c)
		}
	}
	for k := range now {
		add(k)
	}
	for k := range old {
		if now[k] == nil {
			add(k)
		}
	}
	slices.SortFunc(list, func(a, b FindingChange) int {
		return cmp.Or(cmp.Compare(slices.Index(severities, a.Severity), slices.Index(severities, b.Severity)), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// namesOf are the objects of a finding without the remarks behind them; one
// without objects stands for itself.
func namesOf(f Finding) []string {
	names := make([]string, 0, len(f.Objects))
	for _, o := range f.Objects {
		name, _, _ := strings.Cut(o, ": ")
		names = append(names, name)
	}
	if len(names) == 0 {
		return []string{f.ID}
	}
	return names
}

func without(list, other []string) []string {
	var left []string
	for _, s := range list {
		if !slices.Contains(other, s) && !slices.Contains(left, s) {
			left = append(left, s)
		}
	}
	slices.Sort(left)
	return left
}

func compareCoverage(was, is Coverage) []CoverageChange {
	outcomes := func(c Coverage) map[string]string {
		m := map[string]string{}
		for _, r := range c.Resources {
			m[qualified(r.Resource, r.Group)] = string(r.Access)
		}
		return m
	}
	old, now := outcomes(was), outcomes(is)
	list := []CoverageChange{}
	for _, name := range keysOf(old, now) {
		// A resource that came or went with its CRD says nothing of the look.
		if old[name] == now[name] || old[name] == "" && now[name] == "listed" || now[name] == "" && old[name] == "listed" {
			continue
		}
		list = append(list, CoverageChange{Resource: name, Old: old[name], New: now[name]})
	}
	return list
}
