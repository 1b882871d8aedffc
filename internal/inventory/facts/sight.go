package facts

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// sight gathers how much of the resources that a facet rests on was seen.
type sight struct {
	o    *observer
	whys []string
}

// on adds resources that the facet rests on.
func (o *observer) on(resources ...resource) *sight { return (&sight{o: o}).on(resources...) }

func (v *sight) on(resources ...resource) *sight {
	for _, r := range resources {
		seen := v.o.seen.get(r, func(r resource) inventory.Sight { return v.o.s.Seen(r.group, r.name) })
		if !seen.Whole {
			v.why(seen.Why)
		}
	}
	return v
}

// and adds what another facet rests on.
func (v *sight) and(other *sight) *sight {
	for _, why := range other.whys {
		v.why(why)
	}
	return v
}

func (v *sight) why(why string) {
	if !slices.Contains(v.whys, why) {
		v.whys = append(v.whys, why)
	}
}

func (v *sight) whole() bool { return len(v.whys) == 0 }

// reason joins at most three of the reasons; those that say the same of
// several resources are one sentence.
func (v *sight) reason() string {
	const most = 3
	whys := v.whys
	more := ""
	if len(whys) > most {
		whys, more = whys[:most], ", and more"
	}
	var said []string
	names := map[string][]string{}
	for _, why := range whys {
		name, rest, _ := strings.Cut(why, ": ")
		if _, ok := names[rest]; !ok {
			said = append(said, rest)
		}
		names[rest] = append(names[rest], name)
	}
	for i, rest := range said {
		sentence := strings.Join(names[rest], ", ")
		if i == len(said)-1 {
			sentence += more
		}
		if rest != "" {
			sentence += ": " + rest
		}
		said[i] = sentence
	}
	return strings.Join(said, "; ")
}

// resource names a resource of the API.
type resource struct{ group, name string }

var (
	deployments  = resource{"apps", "deployments"}
	statefulsets = resource{"apps", "statefulsets"}
	daemonsets   = resource{"apps", "daemonsets"}
	replicasets  = resource{"apps", "replicasets"}
	revisions    = resource{"apps", "controllerrevisions"}
	pods         = resource{"", "pods"}
	jobs         = resource{"batch", "jobs"}
	cronjobs     = resource{"batch", "cronjobs"}
	services     = resource{"", "services"}
	slicesOf     = resource{"discovery.k8s.io", "endpointslices"}
	configmaps   = resource{"", "configmaps"}
	secrets      = resource{"", "secrets"}
	events       = resource{"", "events"}
	leases       = resource{"coordination.k8s.io", "leases"}
	budgets      = resource{"policy", "poddisruptionbudgets"}
	autoscalers  = resource{"autoscaling", "horizontalpodautoscalers"}
	definitions  = resource{"apiextensions.k8s.io", "customresourcedefinitions"}
	rbac         = []resource{
		{"rbac.authorization.k8s.io", "clusterroles"}, {"rbac.authorization.k8s.io", "clusterrolebindings"},
		{"rbac.authorization.k8s.io", "roles"}, {"rbac.authorization.k8s.io", "rolebindings"}}
	webhookConfigs = []resource{
		{"admissionregistration.k8s.io", "mutatingwebhookconfigurations"}, {"admissionregistration.k8s.io", "validatingwebhookconfigurations"}}
)

// onCustom adds custom kinds of other projects (monitors, rules, OLM) that may
// not be installed: not installed is seen whole on a cluster whose CRDs were
// all listed. Files do not tell what else a cluster has.
func (v *sight) onCustom(resources ...resource) *sight {
	for _, r := range resources {
		switch {
		case v.o.hasRow(r) || v.o.installed(r):
			v.on(r)
		case v.o.s.Source.Type == "files" && !v.o.s.Source.Complete:
			v.on(r)
		default:
			v.on(definitions)
		}
	}
	return v
}

func (o *observer) hasRow(r resource) bool { return o.rows[r] }

func (o *observer) installed(r resource) bool { return o.crds[r.name+"."+r.group] != nil }

// ofInstances is what the instances of a kind rest on.
func (k *kind) ofInstances() *sight { return k.op.o.on(resource{k.crd.Group, k.crd.Names.Plural}) }

// noInstances tells whether it is known that there are none, so that nothing
// can belong to them.
func (k *kind) noInstances() bool { return len(k.objects) == 0 && k.ofInstances().whole() }

// ofChildren is what the children of a kind's instances rest on: every
// built-in kind that can be a child, and the operator's own custom resources.
func (k *kind) ofChildren() *sight {
	v := k.ofInstances()
	if k.noInstances() {
		return v
	}
	kinds := inventory.Kinds()
	for i := range kinds {
		if kinds[i].Child() {
			v.on(resource{kinds[i].Group, kinds[i].Resource})
		}
	}
	return v.and(k.ofSiblings())
}

// ofSiblings are the other custom resources of the operator.
func (k *kind) ofSiblings() *sight {
	if k.op.siblings == nil {
		k.op.siblings = k.op.o.on()
		for _, sibling := range k.op.kinds {
			k.op.siblings.and(sibling.ofInstances())
		}
	}
	return k.op.siblings
}

// ofOperand is what workloads and pods below a kind's instances rest on.
func (k *kind) ofOperand() *sight {
	v := k.ofInstances()
	if k.noInstances() {
		return v
	}
	return v.on(deployments, statefulsets, daemonsets, replicasets, pods).and(k.ofSiblings())
}

// ofControllers is what is known of the operator's controllers. On a cluster
// there may be one more in each kind of workload that could not be read; an
// install package is not expected to hold every kind, so what is in it counts.
func (op *operator) ofControllers() *sight {
	v := op.o.on()
	switch {
	case op.at.External != "":
		return v
	case len(op.at.Controllers) == 0:
		return v.on(deployments, statefulsets, daemonsets, pods)
	case op.o.s.Source.Type == "files" && !op.o.s.Source.Complete:
		return v
	}
	if len(op.at.Controllers) > 1 && slices.ContainsFunc(op.at.Controllers, byPackageAlone) {
		v.on(rbac...) // some may be what the controller made, under the same labels
	}
	return v.on(deployments, statefulsets, daemonsets)
}

// byPackageAlone tells that a workload is known as a controller only as a part
// of the operator's package, not by what it may do or did.
func byPackageAlone(c attribution.Controller) bool {
	return !slices.ContainsFunc(c.Signals, func(s attribution.Signal) bool { return s.Signal != "release" })
}

// ofWorkloads is what rests on looking into the controllers: one that runs
// outside the cluster cannot be looked into.
func (op *operator) ofWorkloads() *sight {
	v := op.ofControllers()
	if len(op.at.Controllers) == 0 && op.state(nil, v.whole()) == attribution.External {
		v.why(cmpOr(op.at.External, "an unknown place") + ": the controller runs outside the cluster")
	}
	return v
}

// unseen records why a facet is unknown, and tells whether it is.
func unseen(list map[string]string, facet string, v *sight) bool {
	if v.whole() {
		return false
	}
	list[facet] = v.reason()
	return true
}
