package facts

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

var (
	csvs          = resource{"operators.coreos.com", "clusterserviceversions"}
	subscriptions = resource{"operators.coreos.com", "subscriptions"}
	operatorConds = resource{"operators.coreos.com", "operatorconditions"}
	grafanas      = resource{"grafana.integreatly.org", "grafanadashboards"}
)

// packaging tells how the operator was installed, and what its package claims.
func (op *operator) packaging() {
	f := &op.facts.Packaging
	f.Version = op.at.Version
	if r := op.at.Release; r != nil {
		f.Tool, f.Package = r.Tool, cmpOr(r.Package, r.Name)
	}
	for _, k := range op.kinds {
		helm := k.crd.Annotations["meta.helm.sh/release-name"] != "" || strings.EqualFold(k.crd.Labels["app.kubernetes.io/managed-by"], "Helm")
		kept := k.crd.Annotations["helm.sh/resource-policy"] == "keep"
		if helm {
			f.CRDsInRelease++
		}
		if helm && kept {
			f.CRDsKept++
		}
	}
	if csv := op.csv(); csv != nil {
		op.facts.OLM = true
		op.olm(csv)
	}
	op.claim()
	v := op.o.on()
	if f.Tool == "" {
		v.and(op.ofControllers()) // they would say how they were installed
	}
	if op.o.s.Source.Type != "files" || op.o.s.Source.Complete || op.facts.OLM {
		v.onCustom(csvs, subscriptions, operatorConds)
	}
	unseen(op.facts.Unseen, "packaging", v)
}

// csv is the ClusterServiceVersion that owns CRDs of the operator: a copy that
// OLM made for another namespace does not count, and of several the newest
// that succeeded is taken.
func (op *operator) csv() *inventory.Object {
	var best *inventory.Object
	for _, c := range op.o.olm {
		if c.Kind != "ClusterServiceVersion" || c.Labels["olm.copiedFrom"] != "" || str(c.Status.At("reason")) == "Copied" || !op.ownedBy(c) {
			continue
		}
		if best == nil || betterCSV(c, best) {
			best = c
		}
	}
	return best
}

func betterCSV(a, b *inventory.Object) bool {
	succeeded := func(c *inventory.Object) bool { return str(c.Status.At("phase")) == "Succeeded" }
	if succeeded(a) != succeeded(b) {
		return succeeded(a)
	}
	return a.CreationTimestamp.After(b.CreationTimestamp.Time) || a.CreationTimestamp.Equal(&b.CreationTimestamp) && a.Name > b.Name
}

func (op *operator) ownedBy(csv *inventory.Object) bool {
	for _, owned := range objectsIn(csv.Spec.At("customresourcedefinitions", "owned")) {
		if slices.ContainsFunc(op.kinds, func(k *kind) bool { return k.crd.Name == str(owned["name"]) }) {
			return true
		}
	}
	return len(op.kinds) == 0 && slices.ContainsFunc(op.at.Controllers, func(c controller) bool {
		return c.Workload.Meta != nil && c.Workload.Meta.Labels["olm.owner"] == csv.Name
	})
}

func (op *operator) olm(csv *inventory.Object) {
	f := &op.facts.Packaging
	f.CSV, f.CSVPhase = csv.Name, text(csv.Status.At("phase"))
	f.Tool = cmpOr(f.Tool, "olm")
	f.Replaces = str(csv.Spec.At("replaces")) != "" || len(stringsIn(csv.Spec.At("skips"))) > 0
	listed := map[string]bool{}
	for _, image := range objectsIn(csv.Spec.At("relatedImages")) {
		listed[str(image["image"])] = true
	}
	f.RelatedImages = len(listed)
	f.ImagesCovered = len(listed) > 0 && len(op.facts.Pod.Images) > 0
	for _, image := range op.facts.Pod.Images {
		f.ImagesCovered = f.ImagesCovered && listed[image]
	}
	for _, c := range op.o.olm {
		switch {
		case c.Kind == "Subscription" && str(c.Status.At("installedCSV")) == csv.Name && c.Namespace == csv.Namespace:
			f.Subscription = nameOf(c)
		case c.Kind == "OperatorCondition" && c.Name == csv.Name && c.Namespace == csv.Namespace:
			f.Upgradeable = cmpOr(upgradeable(c.Status.Value()), upgradeable(c.Spec.Value()))
		}
	}
}

func upgradeable(of any) string {
	for _, c := range objectsIn(dig(of, "conditions")) {
		if str(c["type"]) == "Upgradeable" {
			return text(c["status"])
		}
	}
	return ""
}

// levelNames are the five words of the capability levels, squashed.
var levelNames = map[string]int{"basicinstall": 1, "seamlessupgrades": 2, "fulllifecycle": 3, "deepinsights": 4, "autopilot": 5}

// claim finds the level that the package says of itself, else what the
// catalogue heard said. It is never evidence.
func (op *operator) claim() {
	f := &op.facts.Packaging
	if csv := op.csv(); csv != nil {
		if level := levelNames[inventory.Squash(csv.Annotations["capabilities"])]; level > 0 {
			f.ClaimedLevel, f.ClaimedSource = level, "csv "+csv.Name
			return
		}
	}
	for i := range op.at.Controllers {
		if m := op.at.Controllers[i].Workload.Meta; m != nil {
			if level := levelNames[inventory.Squash(m.Annotations["artifacthub.io/operatorCapabilities"])]; level > 0 {
				f.ClaimedLevel, f.ClaimedSource = level, "chart annotation on "+op.at.Controllers[i].Workload.Ref()
				return
			}
		}
	}
	if e := op.at.Entry; e != nil && e.Claimed != nil {
		f.ClaimedLevel, f.ClaimedSource = e.Claimed.Level, "catalogue: "+e.Claimed.Source
	}
}

// dashboards finds Grafana dashboards of the operator: ConfigMaps with the
// label that Grafana's sidecar looks for, and GrafanaDashboards.
func (op *operator) dashboards() {
	f := &op.facts.Dashboards
	for _, c := range op.o.dashboards {
		if (op.ofRelease(c) || op.wrote(c)) && !op.isProduct(c.Kind+"."+c.Group()) {
			f.Names = append(f.Names, ref(c.Kind, c))
		}
	}
	op.facts.Seen.Dashboards = len(f.Names)
	f.Names = sorted(f.Names)
	unseen(op.facts.Unseen, "dashboards", op.ofControllers().on(configmaps).onCustom(grafanas))
}
