package attribution

import (
	"fmt"
	"slices"

	"kubectl-operator-maturity/internal/inventory"
)

// accountRights are the rules of one ServiceAccount, by the API groups that
// they name, so that a CRD asks only for the rules of its own group.
type accountRights struct {
	groups   map[string][]inventory.Grant
	wildcard []inventory.Grant
}

func account(w *work) string { return w.Namespace + "/" + w.ServiceAccount() }

func (a *attributor) indexAccounts() {
	for i := range a.works {
		name := account(&a.works[i])
		if _, done := a.accounts[name]; done {
			continue
		}
		r := accountRights{groups: map[string][]inventory.Grant{}}
		for _, g := range a.rights.Of(a.works[i].Namespace, a.works[i].ServiceAccount()) {
			for _, group := range g.APIGroups {
				if group == "*" {
					r.wildcard = append(r.wildcard, g)
				} else {
					r.groups[group] = append(r.groups[group], g)
				}
			}
		}
		a.accounts[name] = r
	}
}

// byRights adds the workloads whose ServiceAccount has rights on the CRD's
// resource. Rules for group "*" say nothing about whom a workload is for, so
// they are a tier of their own that counts for the CRD's own operator alone.
func (a *attributor) byRights(e *evidence, add func(int, tier, Signal)) {
	for _, i := range a.granted {
		rights := a.accounts[account(&a.works[i])]
		if t, sig, ok := rightsOn(rights.groups[e.crd.Group], e.crd); ok {
			add(i, t, sig)
			continue
		}
		if _, sig, ok := rightsOn(rights.wildcard, e.crd); ok {
			sig.Signal, sig.Detail = "rbac-wildcard", sig.Detail+` by a rule for every group ("*")`
			add(i, byWildcard, sig)
		}
	}
}

// rightsOn finds the strongest right among rules on a CRD's resource.
func rightsOn(grants []inventory.Grant, crd *inventory.CRD) (tier, Signal, bool) {
	plural := crd.Names.Plural
	can := map[string]*inventory.Grant{}
	for i := range grants {
		g := &grants[i]
		for _, ask := range asks {
			if can[ask.name] != nil {
				continue
			}
			for _, verb := range ask.verbs {
				if ok, _ := g.Covers(crd.Group, plural+ask.subresource, verb); ok {
					can[ask.name] = g
				}
			}
		}
	}
	sig := func(kind string, g *inventory.Grant, what string) Signal {
		return Signal{Signal: kind, CRD: crd.Name, Object: g.Role, Detail: fmt.Sprintf("may %s %s (through %s)", what, crd.Name, g.Binding)}
	}
	watches := can["list"] != nil && can["watch"] != nil
	switch {
	case can["status"] != nil:
		return byBehaviour, sig("rbac-status", can["status"], "write the status of"), true
	case can["write"] != nil && watches:
		return byWrite, sig("rbac", can["write"], "watch and write"), true
	case watches:
		return byWatch, sig("rbac", can["watch"], "list and watch"), true
	case can["finalizers"] != nil:
		return byWatch, sig("rbac", can["finalizers"], "write the finalizers of"), true
	case can["get"] != nil:
		return byRead, sig("rbac", can["get"], "get"), true
	}
	return 0, Signal{}, false
}

var asks = []struct {
	name        string
	subresource string
	verbs       []string
}{
	{"status", "/status", []string{"update", "patch"}},
	{"finalizers", "/finalizers", []string{"update", "patch"}},
	{"write", "", []string{"create", "update", "patch", "delete"}},
	{"list", "", []string{"list"}},
	{"watch", "", []string{"watch"}},
	{"get", "", []string{"get"}},
}

// seenAll tells whether every one of the resources was listed whole, and if
// not, why.
func (a *attributor) seenAll(resources ...[2]string) (bool, string) {
	var why []string
	for _, r := range resources {
		if sight := a.s.Seen(r[0], r[1]); !sight.Whole && !slices.Contains(why, sight.Why) {
			why = append(why, sight.Why)
		}
	}
	if len(why) == 0 {
		return true, ""
	}
	return false, join(why)
}

var (
	workloadResources = [][2]string{{"apps", "deployments"}, {"apps", "statefulsets"}, {"apps", "daemonsets"}, {"", "pods"}}
	rbacResources     = [][2]string{
		{"rbac.authorization.k8s.io", "clusterroles"}, {"rbac.authorization.k8s.io", "clusterrolebindings"},
		{"rbac.authorization.k8s.io", "roles"}, {"rbac.authorization.k8s.io", "rolebindings"},
	}
)
