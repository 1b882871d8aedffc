package levels

import (
	"cmp"
	"slices"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/facts"
)

// crds are the rows of the crds command, by name.
func (sc *scoring) crds(list []attribution.CRD) []CRD {
	rows := make([]CRD, 0, len(list))
	for i := range list {
		rows = append(rows, sc.crd(&list[i]))
	}
	slices.SortFunc(rows, func(a, b CRD) int { return cmp.Compare(a.Name, b.Name) })
	return rows
}

func (sc *scoring) crd(a *attribution.CRD) CRD {
	row := CRD{
		Name: a.Name, Versions: []string{}, Finalizers: []string{}, Conditions: "unknown",
		Controllers: append([]string{}, a.Controllers...), ControllerState: string(a.State), ControllerWhy: a.Why,
		Confidence: string(a.Confidence), Candidates: a.Candidates, DataOnly: a.DataOnly, Orphaned: a.Orphaned,
		StatusManager: a.StatusManager,
	}
	if len(a.Signals) > 0 {
		row.Signals = signals(a.Signals)
	}
	if !a.LastStatusWrite.IsZero() {
		row.LastStatusWrite = a.LastStatusWrite.UTC().Format(time.RFC3339)
	}
	definition := sc.crdByName[a.Name]
	if definition != nil {
		row.define(definition)
	}
	if f := sc.crdFacts[a.Name]; f != nil {
		row.observe(f)
	} else if definition != nil {
		row.count(sc.snapshot, definition, sc.instances()[a.Name])
	} else {
		row.InstancesUnseen = "the definition was not read"
	}
	return row
}

// define takes over what the definition says.
func (row *CRD) define(crd *inventory.CRD) {
	row.Kind, row.Scope = crd.Names.Kind, string(crd.Scope)
	for i := range crd.Versions {
		v := &crd.Versions[i]
		if v.Served {
			row.Versions = append(row.Versions, v.Name)
		}
		if v.Deprecated {
			row.Deprecated = append(row.Deprecated, v.Name)
		}
	}
	if v := crd.StorageVersion(); v != nil {
		row.StorageVersion, row.StatusSubresource = v.Name, v.StatusSubresource
	}
}

// observe takes over what was observed on the instances and their children.
func (row *CRD) observe(f *facts.CRD) {
	row.Kind = or(row.Kind, f.Kind)
	row.InstancesUnseen = f.Unseen["instances"]
	if row.InstancesUnseen != "" {
		row.Instances, row.Ready = f.Seen.Instances, f.Seen.Ready
		row.ReadinessUnknown = max(0, row.Instances-row.Ready)
	} else {
		in := &f.Instances
		row.Instances, row.InstancesComplete = in.Count+in.Declared, in.Complete
		row.Ready, row.NotReady, row.ReadinessUnknown = in.Ready, in.NotReady, in.Unknown+in.Pending+in.Declared
		row.Deleting = in.Deleting
		row.Finalizers = append(row.Finalizers, in.Finalizers...)
		row.ConditionTypes = in.ConditionTypes
	}
	row.Conditions = conditions(f)
	row.Children = f.Seen.Children
	if _, unseen := f.Unseen["children"]; !unseen {
		c := &f.Children
		row.Children = c.Total
		row.OwnerReferences = &OwnerReferences{
			Children: c.Total, Valid: c.Valid, Dangling: len(c.Dangling), CrossNamespace: len(c.CrossNamespace),
		}
	}
}

// conditions says where conditions were found: on instances, in the schema
// only, or nowhere, which is sure if the schema allows none or if no instance
// has one.
func conditions(f *facts.CRD) string {
	_, noInstances := f.Unseen["instances"]
	_, noSchema := f.Unseen["schema"]
	silent := noSchema || !f.Schema.Present || f.Schema.Opaque || f.Schema.StatusOpaque
	switch {
	case f.Seen.Conditions > 0, !noInstances && f.Instances.WithConditions > 0:
		return "observed"
	case !noSchema && f.Schema.HasConditions:
		return "schema"
	case !silent, !noInstances && f.Instances.Complete && f.Instances.WithStatus > 0:
		return "none"
	}
	return "unknown"
}

// instancesOf sorts custom resources by the name of their CRD.
func instancesOf(s *inventory.Snapshot) map[string][]*inventory.Object {
	names := make(map[groupKind]string, len(s.CRDs))
	for i := range s.CRDs {
		names[groupKind{s.CRDs[i].Group, s.CRDs[i].Names.Kind}] = s.CRDs[i].Name
	}
	instances := map[string][]*inventory.Object{}
	for i := range s.CustomResources {
		o := &s.CustomResources[i]
		if name := names[groupKind{o.Group(), o.Kind}]; name != "" {
			instances[name] = append(instances[name], o)
		}
	}
	return instances
}

// count fills a row of which there are no facts: how many instances there are,
// without a judgement on their readiness.
func (row *CRD) count(s *inventory.Snapshot, crd *inventory.CRD, instances []*inventory.Object) {
	sight := s.Seen(crd.Group, crd.Names.Plural)
	row.Instances, row.ReadinessUnknown = len(instances), len(instances)
	row.InstancesComplete = sight.Whole
	if !sight.Whole && !sight.Some {
		row.InstancesUnseen = sight.Why
	}
	for _, o := range instances {
		row.Finalizers = append(row.Finalizers, o.Finalizers...)
		if o.DeletionTimestamp != nil {
			row.Deleting++
		}
		if list, _ := o.Status.At("conditions").([]any); len(list) > 0 {
			row.Conditions = "observed"
		}
	}
	slices.Sort(row.Finalizers)
	row.Finalizers = slices.Compact(row.Finalizers)
	v := crd.StorageVersion()
	switch {
	case v == nil || row.Conditions == "observed":
	case v.Schema.Conditions != nil:
		row.Conditions = "schema"
	case v.Schema.Present && !v.Schema.Opaque && !v.Schema.StatusOpaque:
		row.Conditions = "none"
	}
}
