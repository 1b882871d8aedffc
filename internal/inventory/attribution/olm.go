package attribution

import (
	"regexp"
	"slices"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// csv is a ClusterServiceVersion of the Operator Lifecycle Manager: the one
// document that says whose a CRD is. Copies that OLM puts into watched
// namespaces are dropped; of several versions of a package in one namespace
// the CRDs are counted once.
type csv struct {
	object      string // ClusterServiceVersion/ns/name
	namespace   string
	name        string
	pkg         string
	version     string
	crds        []string
	deployments []string
	entry       *catalogue.Operator
	phase       string
}

var csvVersion = regexp.MustCompile(`[.-]v?\d+(\.\d+)*.*$`)

func readCSVs(s *inventory.Snapshot, cat *catalogue.Catalogue) []csv {
	subscriptions := packagesByCSV(s)
	var list []csv
	for i := range s.CustomResources {
		o := &s.CustomResources[i]
		if o.Kind != "ClusterServiceVersion" || o.Labels["olm.copiedFrom"] != "" || o.Annotations["olm.copiedFrom"] != "" {
			continue
		}
		if o.Status.At("reason") == "Copied" {
			continue
		}
		c := csv{
			object: "ClusterServiceVersion/" + o.Namespace + "/" + o.Name, namespace: o.Namespace, name: o.Name,
			version: textOf(o.Spec.At("version")), phase: textOf(o.Status.At("phase")),
		}
		for _, owned := range items(o.Spec.At("customresourcedefinitions", "owned")) {
			if name := str(owned, "name"); name != "" && !slices.Contains(c.crds, name) {
				c.crds = append(c.crds, name)
			}
		}
		for _, d := range items(o.Spec.At("install", "spec", "deployments")) {
			c.deployments = append(c.deployments, str(d, "name"))
		}
		c.pkg = subscriptions[o.Namespace+"/"+o.Name]
		if c.pkg == "" {
			c.pkg = csvVersion.ReplaceAllString(o.Name, "")
		}
		c.entry = entryOfCSV(&c, cat)
		list = append(list, c)
	}
	return list
}

// packagesByCSV maps installed CSVs to the package their Subscription names.
func packagesByCSV(s *inventory.Snapshot) map[string]string {
	packages := map[string]string{}
	for i := range s.CustomResources {
		o := &s.CustomResources[i]
		if o.Kind != "Subscription" || o.Group() != "operators.coreos.com" {
			continue
		}
		if installed := textOf(o.Status.At("installedCSV")); installed != "" {
			packages[o.Namespace+"/"+installed] = textOf(o.Spec.At("name"))
		}
	}
	return packages
}

// entryOfCSV finds the catalogue's entry for a CSV: the one that lists most of
// its CRDs by name, else by the package's name, else the one that most of its
// groups belong to.
func entryOfCSV(c *csv, cat *catalogue.Catalogue) *catalogue.Operator {
	byName, byGroup := map[*catalogue.Operator]int{}, map[*catalogue.Operator]int{}
	for _, crd := range c.crds {
		m := cat.ForCRD(crd, groupOfCRD(crd))
		if m == nil || m.Operator.Archetype == "shared-api" {
			continue
		}
		byGroup[m.Operator]++
		if m.By == "crd" {
			byName[m.Operator]++
		}
	}
	if entry := majority(byName, len(c.crds)); entry != nil {
		return entry
	}
	if entry := cat.ByName(c.pkg); entry != nil {
		return entry
	}
	return majority(byGroup, len(c.crds))
}

// majority is the entry that has more than half of n; nil if none has.
func majority(count map[*catalogue.Operator]int, n int) *catalogue.Operator {
	for entry, have := range count {
		if 2*have > n {
			return entry
		}
	}
	return nil
}

func (c *csv) owns(crd string) bool { return slices.Contains(c.crds, crd) }

func (c *csv) deploys(w *inventory.Workload) bool {
	if w.Kind != "Deployment" {
		return false
	}
	if owner := w.Meta.Labels["olm.owner"]; owner != "" {
		// A CSV in a file may name no namespace, or a placeholder.
		return owner == c.name
	}
	return (w.Namespace == c.namespace || c.namespace == "") && slices.Contains(c.deployments, w.Name)
}

// byCSV adds the Deployments of the CSVs that own the CRD.
func (a *attributor) byCSV(e *evidence, add func(int, tier, Signal)) {
	for _, c := range e.csvs {
		for i := range a.works {
			if a.works[i].csv == c {
				add(i, byBehaviour, Signal{Signal: "csv", CRD: e.crd.Name, Object: c.object, Detail: c.name + " owns " + e.crd.Name + " and deploys " + a.works[i].Ref()})
			}
		}
	}
}
