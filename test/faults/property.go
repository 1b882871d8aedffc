package faults

import (
	"fmt"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// Better lists what a scorecard that was made with less to see claims beyond
// one of the same cluster that was made with everything seen: nothing may be
// better, worse or more certain only because it could not be looked at. What
// is left is unknown, or what the remaining evidence proves.
func Better(less, full *levels.Scorecard) []string {
	c := comparison{crds: map[string]levels.CRD{}, nobodys: map[string]bool{}}
	for _, o := range full.Operators {
		c.add(o.CRDs)
	}
	for _, a := range full.SharedAPIs {
		c.add(a.CRDs)
	}
	c.add(full.Unattributed)
	for _, crd := range full.Unattributed {
		c.nobodys[crd.Name] = true
	}
	for i := range less.Operators {
		o := &less.Operators[i]
		j := slices.IndexFunc(full.Operators, func(f levels.Operator) bool { return f.Name == o.Name })
		if j < 0 {
			c.say("operator %s is seen only with less", o.Name)
			continue
		}
		c.operator(o, &full.Operators[j])
	}
	for _, a := range less.SharedAPIs {
		c.all(a.CRDs)
	}
	c.all(less.Unattributed)
	for _, crd := range less.Unattributed {
		if !c.nobodys[crd.Name] && crd.ControllerState != unknown && crd.ControllerState != notNeeded {
			c.say("%s is nobody's with less, and its controller is %s", crd.Name, crd.ControllerState)
		}
	}
	c.findings("no operator", less.Findings, allFindings(full))
	return c.said
}

const (
	unknown   = "unknown"
	notNeeded = "not-needed"
)

type comparison struct {
	said    []string
	crds    map[string]levels.CRD
	nobodys map[string]bool
}

func (c *comparison) say(format string, args ...any) {
	c.said = append(c.said, fmt.Sprintf(format, args...))
}

func (c *comparison) add(crds []levels.CRD) {
	for _, crd := range crds {
		c.crds[crd.Name] = crd
	}
}

func (c *comparison) operator(less, full *levels.Operator) {
	for what, n := range map[string][2]int{
		"level": {less.Level, full.Level}, "indicated level": {less.LevelIndicated, full.LevelIndicated}, "official level": {less.SDKLevel, full.SDKLevel},
	} {
		if n[0] > n[1] {
			c.say("%s: %s %d with less, %d with all", less.Name, what, n[0], n[1])
		}
	}
	if less.LevelPossible < full.Level {
		c.say("%s: level %d is possible with less, and %d is proven", less.Name, less.LevelPossible, full.Level)
	}
	c.state(less.Name, less.State, full.State)
	for i := range less.Controllers {
		w := &less.Controllers[i]
		j := slices.IndexFunc(full.Controllers, func(f levels.Controller) bool {
			return f.Kind == w.Kind && f.Namespace == w.Namespace && f.Name == w.Name
		})
		if j >= 0 {
			c.state(less.Name+" "+w.Kind+"/"+w.Name, w.State, full.Controllers[j].State)
		}
	}
	for i := range less.Levels {
		if !statusMay(less.Levels[i].Status, full.Levels[i].Status) {
			c.say("%s: level %d is %s with less, %s with all", less.Name, i+1, less.Levels[i].Status, full.Levels[i].Status)
		}
	}
	for i := range less.Checks {
		c.check(less.Name, &less.Checks[i], &full.Checks[i])
	}
	c.all(less.CRDs)
	for _, m := range less.Manages {
		if m.Kind == strings.ToLower(m.Kind) {
			continue // its CRD is not seen, so a resource stands for the kind
		}
		j := slices.IndexFunc(full.Manages, func(f levels.Managed) bool { return f.Kind == m.Kind && f.Group == m.Group })
		if j < 0 || m.Observed > full.Manages[j].Observed || m.Granted && !full.Manages[j].Granted {
			c.say("%s: it looks after more %s with less", less.Name, m.Kind)
		}
	}
	c.findings(less.Name, less.Findings, full.Findings)
}

// state: what runs may become unknown, and nothing becomes down or absent.
func (c *comparison) state(what, less, full string) {
	if less != full && less != unknown {
		c.say("%s: controller %s with less, %s with all", what, less, full)
	}
}

// statusMay: an essential criterion that is unknown takes a level off proven
// and indicated; where others are not met it stays below them.
func statusMay(less, full levels.Status) bool {
	switch less {
	case full, levels.LevelUnknown:
		return true
	case levels.LevelIndicated:
		return full == levels.LevelProven
	case levels.LevelPartial:
		return full == levels.LevelRefuted
	case levels.LevelNotShown:
		return full == levels.LevelPartial || full == levels.LevelRefuted
	}
	return false
}

// grades of evidence, the weakest first; a verdict without one comes before.
var grades = []levels.Grade{levels.Declared, levels.API, levels.Granted, levels.Present, levels.Observed}

func (c *comparison) check(operator string, less, full *levels.Check) {
	may := less.Verdict == full.Verdict || less.Verdict == levels.Unknown || less.Verdict == levels.Indicated && full.Verdict == levels.Proven
	if !may {
		c.say("%s %s: %s with less (%s), %s with all (%s)", operator, less.ID, less.Verdict, less.Because, full.Verdict, full.Because)
	}
	if less.Verdict == full.Verdict && slices.Index(grades, less.Grade) > slices.Index(grades, full.Grade) {
		c.say("%s %s: evidence %v with less, %v with all", operator, less.ID, less.Grade, full.Grade)
	}
}

func (c *comparison) all(less []levels.CRD) {
	for i := range less {
		full, ok := c.crds[less[i].Name]
		if !ok {
			c.say("CRD %s is seen only with less", less[i].Name)
			continue
		}
		c.crd(&less[i], &full)
	}
}

func (c *comparison) crd(less, full *levels.CRD) {
	for what, n := range map[string][2]int{
		"instances": {less.Instances, full.Instances}, "ready": {less.Ready, full.Ready}, "not ready": {less.NotReady, full.NotReady},
		"deleting": {less.Deleting, full.Deleting}, "children": {less.Children, full.Children},
	} {
		if n[0] > n[1] {
			c.say("%s: %d %s with less, %d with all", less.Name, n[0], what, n[1])
		}
	}
	if less.InstancesComplete && less.Instances != full.Instances {
		c.say("%s: all of its %d instances are seen with less, and there are %d", less.Name, less.Instances, full.Instances)
	}
	if less.Orphaned && !full.Orphaned {
		c.say("%s: orphaned with less (%s)", less.Name, less.ControllerWhy)
	}
	if o := less.OwnerReferences; o != nil && full.OwnerReferences != nil &&
		(o.Dangling > full.OwnerReferences.Dangling || o.CrossNamespace > full.OwnerReferences.CrossNamespace || o.Valid > full.OwnerReferences.Valid) {
		c.say("%s: owner references %+v with less, %+v with all", less.Name, *o, *full.OwnerReferences)
	}
	// That a CRD only holds data stands in its schema, whoever watches it.
	if less.ControllerState != notNeeded || !less.DataOnly || !full.DataOnly {
		c.state(less.Name, less.ControllerState, full.ControllerState)
	}
	if less.Conditions != full.Conditions && less.Conditions != unknown && full.Conditions != "observed" {
		c.say("%s: conditions %s with less, %s with all", less.Name, less.Conditions, full.Conditions)
	}
}

// findings: nobody is blamed for what could not be looked at. Objects may be
// missing from a finding, none may join it; of whom a CRD is may be unknown,
// and then what is said of it stands elsewhere.
func (c *comparison) findings(of string, less, full []levels.Finding) {
	for _, f := range less {
		said := map[string]bool{}
		known := false
		for _, o := range full {
			if o.ID == f.ID {
				known = true
				for _, object := range o.Objects {
					said[object] = true
				}
			}
		}
		if !known || slices.ContainsFunc(f.Objects, func(object string) bool { return !said[object] }) {
			c.say("%s: finding %s (%s) only with less", of, f.ID, f.Detail)
		}
	}
}

func allFindings(sc *levels.Scorecard) []levels.Finding {
	list := slices.Clone(sc.Findings)
	for i := range sc.Operators {
		list = append(list, sc.Operators[i].Findings...)
	}
	return list
}
