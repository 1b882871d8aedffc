package facts

import (
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// All are the facts of every CRD of a snapshot.
type All struct {
	// Operators stand in the order of the attribution.
	Operators []Operator
	// SharedAPIs are described as operators of archetype shared-api that have
	// no controllers of their own.
	SharedAPIs []Operator
	// Unattributed are the CRDs of nobody, each with the empty operator that
	// rules can judge it with.
	Unattributed []Operator
}

// Observe works out the facts of every operator. It is a pure function of its
// arguments and changes neither.
func Observe(s *inventory.Snapshot, a *attribution.Result) []Operator {
	return ObserveAll(s, a).Operators
}

// ObserveAll is Observe for shared APIs and the CRDs of nobody too.
func ObserveAll(s *inventory.Snapshot, a *attribution.Result) All {
	o := newObserver(s, a)
	observed := make([]Operator, len(o.operators))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i, op := range o.operators {
		work.Go(func() error {
			observed[i] = op.observe()
			return nil
		})
	}
	_ = work.Wait()
	var all All
	for i, facts := range observed {
		switch {
		case i < len(a.Operators):
			all.Operators = append(all.Operators, facts)
		case i < len(a.Operators)+len(a.SharedAPIs):
			facts.Archetype, facts.ArchetypeWhy = "shared-api", "an API with many implementers"
			all.SharedAPIs = append(all.SharedAPIs, facts)
		default:
			all.Unattributed = append(all.Unattributed, facts)
		}
	}
	return all
}

// observe fills every facet of an operator and of its CRDs, then empties those
// that are unseen.
func (op *operator) observe() Operator {
	op.facts = &Operator{
		Name: op.at.Name, HasCRDs: len(op.at.CRDs) > 0, InCatalogue: op.at.Entry != nil,
		Unseen: map[string]string{},
	}
	f := op.facts
	op.controllers()
	op.pod()
	op.rolledOut()
	op.leader()
	op.rbac()
	op.webhooks()
	op.metrics()
	op.packaging()
	op.ownPDB()
	op.installs()
	op.dashboards()
	op.samples()

	for _, k := range op.kinds {
		k.readInstances()
	}
	crds := make([]CRD, len(op.kinds))
	for i, k := range op.kinds {
		k.facts = &crds[i]
		k.observe()
	}
	f.Live = op.live()
	onlyData := !slices.ContainsFunc(crds, func(c CRD) bool { return !c.DataOnly })
	if len(crds) == 0 || onlyData && op.o.s.Source.Type != "files" {
		unseen(f.Unseen, "hasCRDs", op.o.on(definitions))
	}
	if why := op.moreCRDs(); why != "" {
		f.Unseen["moreCRDs"] = why
	}
	f.CRDs = crds
	op.archetype()
	op.forgetUnseen()
	for _, k := range op.kinds {
		k.forgetUnseen()
		k.family, k.instances = nil, nil
	}
	return *f
}

// live tells whether anything of the operator was on a server.
func (op *operator) live() bool {
	for i := range op.at.Controllers {
		if op.at.Controllers[i].Workload.Live {
			return true
		}
	}
	for _, k := range op.kinds {
		if k.crd.UID != "" || len(k.objects) > 0 {
			return true
		}
	}
	return false
}

// observe fills every facet of a CRD.
func (k *kind) observe() {
	f := k.facts
	f.Name, f.Group, f.Kind, f.Plural = k.crd.Name, k.crd.Group, k.crd.Names.Kind, k.crd.Names.Plural
	f.Namespaced, f.DataOnly, f.Product = k.crd.Namespaced(), k.at.DataOnly, k.product()
	f.Main = k.op.at.Entry != nil && names(k.op.at.Entry.MainKinds, k.of())
	f.Unseen = map[string]string{}
	f.Seen.Examples = map[string]string{}
	k.reconciled()
	k.family = k.newFamily()
	k.schema()
	k.versions()
	k.rights()
	k.observeInstances()
	k.children()
	k.secretChildren()
	k.operand()
	k.disruption()
	k.autoscalers()
	k.events()
	k.monitors()
	k.alerts()
	k.backups()
	k.upgrade()
}

// product tells whether the catalogue names the kind as what the operator is
// for, so that its existence is no capability.
func (k *kind) product() bool { return k.op.isProduct(k.of()) }

func (op *operator) isProduct(kind string) bool {
	return op.at.Entry != nil && names(op.at.Entry.Products, kind)
}

// names tells whether a list of the catalogue has a Kind.group.
func names(kinds []string, kind string) bool {
	return slices.ContainsFunc(kinds, func(k string) bool { return strings.EqualFold(k, kind) })
}

func (k *kind) reconciled() {
	r := &k.facts.Reconciled
	r.State, r.Why = string(k.at.State), k.at.Why
	if r.State == "" {
		r.State = string(attribution.Unknown)
	}
	if r.State == string(attribution.Unknown) {
		// Whether anybody reconciles the kind is not known, so nothing that
		// depends on it is.
		k.facts.Unseen["reconciled"] = r.Why
	}
	r.Controllers = bounded(append([]string(nil), k.at.Controllers...), maxList)
	r.Gone = k.at.State == attribution.Down || k.at.State == attribution.Absent
	r.Writers, r.OtherStatusWriters = k.writerList()
	manager, of := k.lastWriter()
	switch {
	case of.status:
		r.StatusManager, r.StatusWritten, r.Wrote = manager, stamp(of.lastStatus), "status"
	case manager != "":
		r.StatusManager, r.StatusWritten, r.Wrote = manager, stamp(of.last), "a finalizer"
	}
}

// see records a lower bound with an example: the first by its name, so that
// the order of the snapshot does not matter.
func (k *kind) see(what string, count *int, example string) {
	*count++
	if best, ok := k.facts.Seen.Examples[what]; !ok || example < best {
		k.facts.Seen.Examples[what] = example
	}
}

// forgetUnseen gives unseen facets their zero value. Instances stay when they
// were sampled: their Complete field says so.
func (op *operator) forgetUnseen() {
	f := op.facts
	for facet := range f.Unseen {
		switch facet {
		case "controllers":
			f.Controllers = Controllers{}
		case "pod":
			f.Pod = PodTemplate{}
		case "rollout":
			f.Rollout = Rollout{}
		case "leader":
			f.Leader = Leader{}
		case "rbac":
			f.RBAC = RBAC{}
		case "ownRights":
			f.OwnRights = OwnRights{}
		case "webhooks":
			f.Webhooks = Webhooks{}
		case "metrics":
			f.Metrics = Metrics{}
		case "samples":
			f.Samples = Samples{}
		case "packaging":
			f.Packaging = Packaging{}
		case "ownPDB":
			f.OwnPDB = OwnPDB{}
		case "installs":
			f.Installs = Installs{}
		case "dashboards":
			f.Dashboards = Dashboards{}
		}
	}
}

func (k *kind) forgetUnseen() {
	f := k.facts
	for facet := range f.Unseen {
		switch facet {
		case "schema":
			f.Schema = Schema{}
		case "versions":
			f.Versions = Versions{}
		case "rights":
			f.Controller = Rights{}
		case "children":
			f.Children = Children{}
		case "secretChildren":
			f.SecretChildren = SecretChildren{}
		case "operand":
			f.Operand = Operand{}
		case "disruption":
			f.Disruption = Disruption{}
		case "autoscalers":
			f.Autoscalers = Autoscalers{}
		case "events":
			f.Events = Events{}
		case "monitors":
			f.Monitors = Monitors{}
		case "alerts":
			f.Alerts = Alerts{}
		case "backups":
			f.Backups = Backups{}
		case "upgrade":
			f.Upgrade = Upgrade{}
		}
	}
}
