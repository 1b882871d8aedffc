package review

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// rights is the breadth of the RBAC, with the worst rules in words.
func (s *Subject) rights(op operator) {
	f := &op.facts.RBAC
	r := Rights{
		Found: f.Found, ClusterWide: f.ClusterScoped, Everything: list(f.AllFrom), Escalates: list(f.Escalates),
		Secrets: list(f.SecretsClusterWide), Wildcards: list(f.Wildcards), Void: list(op.facts.OwnRights.Missing), Writes: len(f.Writes),
	}
	var everywhere []string
	for _, g := range op.grants() {
		r.Dangerous = append(r.Dangerous, dangers(&g)...)
		if g.Namespace == "" {
			everywhere = append(everywhere, writable(&g)...)
		}
	}
	r.WritesEverywhere = len(list(everywhere))
	r.Dangerous = list(r.Dangerous)
	r.Worst = worstRules(&r)
	s.Rights = r
	s.Seen.Everything = r.Everything
	s.unseen("rights", op.facts.Unseen["rbac"])
	if !s.Installed {
		s.unseen("rights", op.rolesElsewhere())
	}
}

// rolesElsewhere says which roles a candidate binds and does not bring: what
// they grant is not known, but for those of Kubernetes that are known to read
// only, or to serve an API server.
func (op operator) rolesElsewhere() string {
	var roles []string
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		for _, role := range op.scene.rights.Unresolved(w.Namespace, w.ServiceAccount()) {
			if role != "ClusterRole/view" && !strings.HasPrefix(role, "ClusterRole/system:") {
				roles = append(roles, role)
			}
		}
	}
	if len(roles) == 0 {
		return ""
	}
	return "it binds roles that are not among its files: " + few(list(roles))
}

// grants are the rules of its controllers' ServiceAccounts, each account once.
func (op operator) grants() []inventory.Grant {
	var all []inventory.Grant
	var seen []string
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		account := w.Namespace + "/" + w.ServiceAccount()
		if !slices.Contains(seen, account) {
			seen = append(seen, account)
			all = append(all, op.scene.rights.Of(w.Namespace, w.ServiceAccount())...)
		}
	}
	return all
}

// writable are the resources that a rule names and allows to write.
func writable(g *inventory.Grant) []string {
	if len(g.ResourceNames) > 0 || slices.Contains(g.Resources, "*") || slices.Contains(g.APIGroups, "*") || slices.Contains(g.Verbs, "*") ||
		!slices.ContainsFunc([]string{"create", "update", "patch"}, func(verb string) bool { return slices.Contains(g.Verbs, verb) }) {
		return nil
	}
	var names []string
	for _, group := range g.APIGroups {
		for _, r := range g.Resources {
			if !strings.Contains(r, "/") {
				names = append(names, r+"."+group)
			}
		}
	}
	return names
}

// dangers are rights that lead further than they look: a shell in every pod,
// the kubelet of every node, the gate that every request passes.
func dangers(g *inventory.Grant) []string {
	var found []string
	if g.Namespace != "" {
		return nil
	}
	for _, d := range []struct{ group, resource, verb, words string }{
		{"", "pods/exec", "create", "runs commands in every pod"},
		{"", "nodes/proxy", "get", "reaches the kubelet of every node"},
		{"", "nodes/proxy", "create", "reaches the kubelet of every node"},
		{"", "serviceaccounts/token", "create", "makes tokens of every ServiceAccount"},
		{"admissionregistration.k8s.io", "mutatingwebhookconfigurations", "create", "makes admission webhooks"},
		{"admissionregistration.k8s.io", "mutatingwebhookconfigurations", "update", "changes every admission webhook"},
		{"admissionregistration.k8s.io", "mutatingwebhookconfigurations", "patch", "changes every admission webhook"},
	} {
		if covers, named := g.Covers(d.group, d.resource, d.verb); covers && named && !slices.Contains(g.Resources, "*") {
			found = append(found, g.Role+": "+d.words)
		}
	}
	return found
}

// shownRules is how many of the worst rules are named: enough to object to.
const shownRules = 4

// worstRules names the worst rules, by what they allow: everything, more
// rights than its own, every Secret, what is dangerous, then whatever has a *.
func worstRules(r *Rights) []string {
	worst := []string{}
	for _, role := range r.Everything {
		worst = append(worst, role+": everything on everything in the whole cluster")
	}
	worst = append(worst, r.Escalates...)
	for _, rule := range slices.Concat(r.Secrets, r.Dangerous, r.Wildcards) {
		if !slices.Contains(worst, rule) && !slices.ContainsFunc(r.Everything, func(role string) bool { return strings.HasPrefix(rule, role+":") }) {
			worst = append(worst, rule)
		}
	}
	return worst[:min(len(worst), shownRules)]
}

// scope is where it works, and whether that can be restricted.
func (s *Subject) scope(op operator) {
	for i := range op.facts.CRDs {
		if op.facts.CRDs[i].Namespaced {
			s.Scope.NamespacedCRDs++
		} else {
			s.Scope.ClusterCRDs++
		}
	}
	for i := range op.at.Controllers {
		if pod := op.at.Controllers[i].Workload.Pod; pod != nil {
			for j := range pod.Containers {
				s.Scope.Restrictable = append(s.Scope.Restrictable, watchSettings(pod.Containers[j].Env, slices.Concat(pod.Containers[j].Command, pod.Containers[j].Args))...)
			}
		}
	}
	s.Scope.Restrictable = list(s.Scope.Restrictable)
	s.unseen("scope", op.facts.Unseen["controllers"])
}
