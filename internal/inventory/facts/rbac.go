package facts

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// grants are the rules of the ServiceAccounts of some controllers, each once.
func (op *operator) grants(refs []string) []inventory.Grant {
	var list []inventory.Grant
	var seen []string
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		account := w.Namespace + "/" + w.ServiceAccount()
		if len(refs) > 0 && !slices.Contains(refs, w.Ref()) || slices.Contains(seen, account) {
			continue
		}
		seen = append(seen, account)
		list = append(list, op.o.rights.Of(w.Namespace, w.ServiceAccount())...)
	}
	return list
}

func (op *operator) ofRBAC() *sight { return op.ofWorkloads().on(rbac...) }

func (op *operator) rbac() {
	f := &op.facts.RBAC
	grants := op.grants(nil)
	election := map[string]bool{} // Roles that are about leader election
	for i := range grants {
		if slices.Contains(grants[i].Resources, "leases") && slices.Contains(grants[i].APIGroups, "coordination.k8s.io") {
			election[grants[i].Role] = true
		}
	}
	var writes, all, wild, escalates, secrets []string
	for i := range grants {
		g := grant{&grants[i]}
		f.Found = true
		f.ClusterScoped = f.ClusterScoped || g.Namespace == ""
		star := g.stars()
		switch {
		case star == 3 && g.Namespace == "":
			all = append(all, g.Role)
			fallthrough
		case star > 0:
			wild = append(wild, g.String())
		}
		for _, verb := range []string{"escalate", "bind", "impersonate"} {
			if slices.Contains(g.Verbs, verb) {
				escalates = append(escalates, verb+" "+strings.Join(g.Resources, ",")+" by "+g.Role)
			}
		}
		if g.Namespace == "" && len(g.ResourceNames) == 0 && slices.ContainsFunc(dataVerbs, func(v string) bool { ok, _ := g.Covers("", "secrets", v); return ok }) {
			secrets = append(secrets, g.String())
		}
		if star == 0 {
			writes = append(writes, g.writes()...)
			clusterRole := strings.HasPrefix(g.Role, "ClusterRole/")
			if g.grants("", "events", "create", "patch") || g.grants("events.k8s.io", "events", "create", "patch") {
				f.EventsOutsideElection = f.EventsOutsideElection || clusterRole || !election[g.Role]
			}
		}
	}
	f.All, f.AllFrom, f.Wildcards = len(all) > 0, sorted(all), prose(wild)
	f.Escalates, f.SecretsClusterWide = prose(escalates), prose(secrets)
	f.Writes = bounded(writes, maxWrites)
	f.Makes = slices.DeleteFunc(slices.Clone(f.Writes), func(r string) bool { return housekeeping[r] })
	f.byPurpose()
	op.missingResources(grants)
	unseen(op.facts.Unseen, "ownRights", op.ofRBAC().on(definitions))
	op.facts.Seen.Writes, op.facts.Seen.EventsOutsideElection = f.Writes, f.EventsOutsideElection
	unseen(op.facts.Unseen, "rbac", op.ofRBAC())
}

// maxWrites bounds the resources an operator may write: umbrella operators
// have a few hundred, and rules look for names in the list.
const maxWrites = 300

var dataVerbs = []string{"get", "list", "watch", "create", "update", "patch", "delete"}

func (f *RBAC) byPurpose() {
	may := func(resources ...string) bool {
		return slices.ContainsFunc(resources, func(r string) bool { return slices.Contains(f.Writes, r) })
	}
	f.CreatesCRDs = may("customresourcedefinitions.apiextensions.k8s.io")
	f.WritesWorkloads = may("deployments.apps", "statefulsets.apps", "daemonsets.apps", "replicasets.apps", "pods")
	f.WritesSecrets = may("secrets")
	f.WritesPDBs = may("poddisruptionbudgets.policy")
	f.WritesAutoscalers = may("horizontalpodautoscalers.autoscaling", "verticalpodautoscalers.autoscaling.k8s.io", "scaledobjects.keda.sh")
	f.WritesMonitors = may("servicemonitors.monitoring.coreos.com", "podmonitors.monitoring.coreos.com", "vmservicescrapes.operator.victoriametrics.com",
		"vmpodscrapes.operator.victoriametrics.com", "podmonitorings.monitoring.googleapis.com")
	f.WritesRules = may("prometheusrules.monitoring.coreos.com", "vmrules.operator.victoriametrics.com", "rules.monitoring.googleapis.com")
	f.WritesJobs = may("jobs.batch", "cronjobs.batch")
	f.WritesSnapshots = may("volumesnapshots.snapshot.storage.k8s.io")
}

// housekeeping are resources that an operator writes for its own sake: leader
// election, Events, its CRDs and webhooks.
var housekeeping = words("leases.coordination.k8s.io events events.events.k8s.io customresourcedefinitions.apiextensions.k8s.io " +
	"apiservices.apiregistration.k8s.io mutatingwebhookconfigurations.admissionregistration.k8s.io " +
	"validatingwebhookconfigurations.admissionregistration.k8s.io tokenreviews.authentication.k8s.io " +
	"subjectaccessreviews.authorization.k8s.io selfsubjectaccessreviews.authorization.k8s.io")

// missingResources are resources of the operator's own API groups that a rule
// names and no CRD has: a plural guessed wrong makes a rule void (field-cases
// A3). What an extension API server serves in a group is not known.
func (op *operator) missingResources(grants []inventory.Grant) {
	f := &op.facts.OwnRights
	own := map[string]bool{}
	for _, k := range op.kinds {
		own[k.crd.Group] = !op.o.served[k.crd.Group]
	}
	for i := range grants {
		if !slices.ContainsFunc(dataVerbs, func(v string) bool { return slices.Contains(grants[i].Verbs, v) }) {
			continue // a verb of its own on a resource that need not exist, such as approve on signers
		}
		for _, group := range grants[i].APIGroups {
			if !own[group] {
				continue
			}
			for _, r := range grants[i].Resources {
				plural, _, _ := strings.Cut(r, "/")
				if plural != "*" && op.o.crds[plural+"."+group] == nil {
					f.Missing, f.From = append(f.Missing, plural+"."+group), append(f.From, grants[i].Role)
				}
			}
		}
	}
	f.Missing, f.From = sorted(f.Missing), sorted(f.From)
}

func (k *kind) rights() {
	f := &k.facts.Controller
	grants := k.op.grants(k.at.Controllers)
	var from []string
	granted, named := false, false
	try := func(resource string, verbs ...string) bool {
		found := false
		for i := range grants {
			for _, verb := range verbs {
				covers, names := grants[i].Covers(k.crd.Group, resource, verb)
				granted = granted || covers
				if covers && names {
					found, named = true, true
					from = append(from, grants[i].Role)
				}
			}
		}
		return found
	}
	plural := k.crd.Names.Plural
	f.Watch = try(plural, "list", "watch")
	f.Write = try(plural, "create", "update", "patch", "delete")
	f.Status = try(plural+"/status", "update", "patch")
	f.Finalizers = try(plural+"/finalizers", "update", "patch")
	f.ByWildcard = granted && !named
	f.From = sorted(from)
	unseen(k.facts.Unseen, "rights", k.op.ofRBAC())
}

// grant is a rule with questions of its own.
type grant struct{ *inventory.Grant }

func (g grant) all(list []string) bool { return slices.Contains(list, "*") }

// stars counts in how many of groups, resources and verbs the rule says "*".
func (g grant) stars() int {
	n := 0
	for _, list := range [][]string{g.APIGroups, g.Resources, g.Verbs} {
		if g.all(list) {
			n++
		}
	}
	return n
}

// grants tells whether the rule names a resource with any of the verbs.
func (g grant) grants(group, resource string, verbs ...string) bool {
	return len(g.ResourceNames) == 0 && slices.Contains(g.APIGroups, group) && slices.Contains(g.Resources, resource) &&
		slices.ContainsFunc(verbs, func(v string) bool { return slices.Contains(g.Verbs, v) })
}

// writes lists the resources that the rule lets be made or changed.
func (g grant) writes() []string {
	if len(g.ResourceNames) > 0 || !slices.ContainsFunc(g.Verbs, func(v string) bool { return v == "create" || v == "update" || v == "patch" }) {
		return nil
	}
	var list []string
	for _, group := range g.APIGroups {
		for _, r := range g.Resources {
			switch {
			case strings.Contains(r, "/"):
			case group == "":
				list = append(list, r)
			default:
				list = append(list, r+"."+group)
			}
		}
	}
	return list
}

// String says in words what the rule grants.
func (g grant) String() string {
	groups := make([]string, len(g.APIGroups))
	for i, group := range g.APIGroups {
		groups[i] = cmpOr(group, "core")
	}
	what := strings.Join(g.Verbs, ",") + " on " + strings.Join(g.Resources, ",") + " of " + strings.Join(groups, ",")
	if len(g.NonResourceURLs) > 0 {
		what = strings.Join(g.Verbs, ",") + " on " + strings.Join(g.NonResourceURLs, ",")
	}
	if len(what) > 200 {
		what = what[:200] + "…"
	}
	return g.Role + ": " + what
}
