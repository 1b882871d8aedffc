package review

import (
	"fmt"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// newSubject puts together what is known of an operator of a scene. here is
// the cluster, to find conflicts and dependencies on; criteria are those that
// the operator was scored by.
func newSubject(op operator, here *Scene, criteria []levels.Criterion) Subject {
	s := Subject{
		Name: op.at.Name, Title: op.card.Title, Source: "cluster", Installed: op.scene == here,
		Archetype: op.facts.Archetype, Version: op.card.Version, Kinds: []string{}, Unseen: map[string]string{},
	}
	if !s.Installed {
		s.Source = op.scene.Path
	}
	for i := range op.facts.CRDs {
		s.Kinds = append(s.Kinds, op.facts.CRDs[i].Kind)
	}
	slices.Sort(s.Kinds)
	s.stateful(op)
	s.levels(op)
	s.findings(op, criteria)
	s.running(op)
	s.use(op)
	s.api(op)
	s.rights(op)
	s.scope(op)
	s.webhooks(op)
	s.deletion(op)
	s.uninstall(op)
	s.pod(op)
	s.metrics(op)
	s.alerts(op)
	s.size(op)
	s.writeBack(op)
	s.dependencies(op, here)
	s.conflicts(op, here)
	s.unreadFiles(op)
	return s
}

// unreadFiles: all files of a candidate are asked for, so what is not seen in
// them is for those that could not be read.
func (s *Subject) unreadFiles(op operator) {
	files := unread(op.scene)
	if s.Installed || len(files) == 0 {
		return
	}
	for facet, why := range s.Unseen {
		if strings.Contains(why, "none in the files") {
			s.Unseen[facet] = "it may be in what could not be read: " + few(files)
		}
	}
}

// stateful is known where volumes show, or where everything that would show
// them was seen: an operator whose schemas say nothing may well hold data.
func (s *Subject) stateful(op operator) {
	why := ""
	for i := range op.facts.CRDs {
		crd := &op.facts.CRDs[i]
		s.Stateful = s.Stateful || crd.Children.Stateful || len(crd.Schema.StorageFields) > 0
		switch {
		case crd.DataOnly:
		case crd.Unseen["schema"] != "":
			why = crd.Unseen["schema"]
		case crd.Unseen["children"] != "":
			why = crd.Unseen["children"]
		case !crd.Schema.Present || crd.Schema.Opaque || crd.Schema.SpecOpaque:
			why = "the schema of " + crd.Name + " does not say whether it holds data"
		}
	}
	if !s.Stateful {
		s.unseen("stateful", why)
	}
}

// unseen marks a facet as unknown; the first reason stays.
func (s *Subject) unseen(facet, why string) {
	if why != "" && s.Unseen[facet] == "" {
		s.Unseen[facet] = why
	}
}

// unseenCRDs marks a facet that rests on one of every CRD.
func (s *Subject) unseenCRDs(facet string, op operator, of string) {
	for i := range op.facts.CRDs {
		s.unseen(facet, op.facts.CRDs[i].Unseen[of])
	}
}

func (s *Subject) levels(op operator) {
	l := LevelsSeen{
		Proven: op.card.Level, Indicated: op.card.LevelIndicated, Possible: op.card.LevelPossible,
		Statuses: []string{}, Critical: []string{},
	}
	if !s.Installed {
		l.Proven = 0 // files prove nothing, whatever they were taken from
	}
	if c := op.card.LevelClaimed; c != nil {
		l.Claimed, l.ClaimSource = c.Level, c.Source
	}
	for i := range op.card.Levels {
		l.Statuses = append(l.Statuses, string(op.card.Levels[i].Status))
	}
	for i := range op.card.Findings {
		if f := &op.card.Findings[i]; f.Severity == "critical" {
			l.Critical = append(l.Critical, f.Detail)
		}
	}
	s.Levels = l
}

// findings are unknown as long as a criterion is that may bring a critical one.
func (s *Subject) findings(op operator, criteria []levels.Criterion) {
	s.Findings.Critical = s.Levels.Critical
	for i := range criteria {
		c := &criteria[i]
		if c.Severity != "critical" && (c.Finding == nil || c.Finding.Severity != "critical") {
			continue
		}
		for j := range op.card.Checks {
			if k := &op.card.Checks[j]; k.ID == c.ID && k.Verdict == levels.Unknown {
				s.unseen("findings", c.ID+" is unknown: "+k.Because)
			}
		}
	}
}

func (s *Subject) running(op operator) {
	c := &op.facts.Controllers
	s.Running = Running{State: c.State, Ready: c.Ready, Desired: c.Desired, Restarts: c.Restarts, Waiting: list(c.Waiting)}
	for i := range op.at.Controllers {
		if string(op.at.Controllers[i].State) == c.State {
			s.Running.Why = op.at.Controllers[i].Why
			break
		}
	}
	s.unseen("running", op.facts.Unseen["controllers"])
	if c.State == "unknown" {
		s.unseen("running", "its controllers could not be told")
	}
}

func (s *Subject) use(op operator) {
	for i := range op.facts.CRDs {
		crd := &op.facts.CRDs[i]
		in := &crd.Instances
		s.Seen.Instances += max(crd.Seen.Instances, in.Count)
		s.Seen.Ready += max(crd.Seen.Ready, in.Ready)
		s.Use.Instances += in.Count
		s.Use.Ready += in.Ready
		s.Use.NotReady += in.NotReady
		s.Use.Unknown += in.Unknown + in.Pending
		if crd.Unseen["instances"] == "" && !in.Complete {
			s.unseen("use", "not every "+crd.Kind+" was read")
		}
	}
	s.unseenCRDs("use", op, "instances")
}

func (s *Subject) deletion(op operator) {
	d := &s.Deletion
	for i := range op.facts.CRDs {
		in := &op.facts.CRDs[i].Instances
		d.Finalizers = append(d.Finalizers, in.Finalizers...)
		d.Stuck = append(d.Stuck, in.Stuck...)
		d.LatentDeadlock += in.LatentDeadlock
	}
	d.Finalizers, d.Stuck = list(d.Finalizers), list(d.Stuck)
	s.Seen.Stuck, s.Seen.LatentDeadlock = d.Stuck, d.LatentDeadlock
	s.unseenCRDs("deletion", op, "instances")
}

func (s *Subject) metrics(op operator) {
	m := &op.facts.Metrics
	s.Metrics = Metrics{Declared: m.Declared, Scraped: m.Scraped, Disabled: m.Disabled, Broken: list(m.Broken), MonitoringInstalled: m.MonitoringInstalled}
	s.unseen("metrics", op.facts.Unseen["metrics"])
}

func (s *Subject) alerts(op operator) {
	for i := range op.facts.CRDs {
		a := &op.facts.CRDs[i].Alerts
		s.Alerts.Count = max(s.Alerts.Count, a.Count)
		s.Alerts.Objects = append(s.Alerts.Objects, slices.Concat(a.ByOperator, a.ByRelease)...)
	}
	s.Alerts.Objects = list(s.Alerts.Objects)
	s.unseenCRDs("alerts", op, "alerts")
}

func (s *Subject) size(op operator) {
	for i := range op.facts.CRDs {
		name := op.facts.CRDs[i].Name
		crd := op.scene.crds[name]
		if crd == nil || crd.Bytes == 0 {
			s.unseen("size", "the size of "+name+" is not known: a live cluster does not tell it, the files of a --candidate do")
			continue
		}
		if crd.Bytes > s.Size.LargestBytes {
			s.Size.Largest, s.Size.LargestBytes = name, crd.Bytes
		}
		if crd.Bytes > ApplyLimit {
			s.Size.OverLimit = append(s.Size.OverLimit, fmt.Sprintf("%s (%d bytes)", name, crd.Bytes))
		}
	}
	s.Size.OverLimit = list(s.Size.OverLimit)
}

func (s *Subject) writeBack(op operator) {
	for i := range op.facts.CRDs {
		crd := &op.facts.CRDs[i]
		for _, field := range crd.Instances.SpecWrittenBack {
			s.WriteBack.Fields = append(s.WriteBack.Fields, crd.Kind+": "+field)
		}
	}
	s.WriteBack.Fields = list(s.WriteBack.Fields)
	s.unseenCRDs("writeBack", op, "instances")
	if !s.Installed {
		s.unseen("writeBack", "it never ran here")
	}
}

// list is sorted, each entry once, and never nil: JSON says [] then.
func list(of []string) []string {
	sorted := append([]string{}, of...)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// workloads are those of the controllers and of the rest of the release.
func (op operator) workloads() []*inventory.Workload {
	var all []*inventory.Workload
	for i := range op.at.Controllers {
		all = append(all, &op.at.Controllers[i].Workload)
	}
	for i := range op.at.Companions {
		all = append(all, &op.at.Companions[i].Workload)
	}
	return all
}
