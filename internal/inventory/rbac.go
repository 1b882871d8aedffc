package inventory

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Rights resolves (Cluster)RoleBindings and aggregated ClusterRoles to the
// rules that hold for a ServiceAccount.
type Rights struct {
	clusterRoles map[string][]rbacv1.PolicyRule
	roles        map[string][]rbacv1.PolicyRule
	grants       map[string][]Grant
	unresolved   map[string][]string
}

// clusterAdmin is in every cluster, and so in no manifest that binds it.
const clusterAdmin = "cluster-admin"

var everything = []rbacv1.PolicyRule{{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}}}

// Grant is one rule that a ServiceAccount has, with where it comes from.
type Grant struct {
	rbacv1.PolicyRule
	// Namespace is where the rule holds; "" means in the whole cluster.
	Namespace string
	// Role and Binding name the objects: ClusterRole/x, RoleBinding/ns/y.
	Role    string
	Binding string
}

// NewRights resolves the RBAC objects of a snapshot.
func NewRights(s *Snapshot) *Rights {
	r := &Rights{
		clusterRoles: map[string][]rbacv1.PolicyRule{},
		roles:        map[string][]rbacv1.PolicyRule{},
		grants:       map[string][]Grant{},
		unresolved:   map[string][]string{},
	}
	r.clusterRoles[clusterAdmin] = everything
	for i := range s.ClusterRoles {
		c := &s.ClusterRoles[i]
		r.clusterRoles[c.Name] = aggregated(s, c)
	}
	for i := range s.Roles {
		r.roles[s.Roles[i].Namespace+"/"+s.Roles[i].Name] = s.Roles[i].Rules
	}
	for i := range s.ClusterRoleBindings {
		b := &s.ClusterRoleBindings[i]
		r.bind("", "ClusterRoleBinding/"+b.Name, b.RoleRef, b.Subjects)
	}
	for i := range s.RoleBindings {
		b := &s.RoleBindings[i]
		r.bind(b.Namespace, "RoleBinding/"+b.Namespace+"/"+b.Name, b.RoleRef, b.Subjects)
	}
	return r
}

// aggregated is the rules of a ClusterRole, those of the roles it aggregates
// added, which may be aggregated themselves (admin takes edit, edit takes
// view). On a cluster the controller has done that already; in files it has not.
func aggregated(s *Snapshot, c *rbacv1.ClusterRole, within ...string) []rbacv1.PolicyRule {
	if c.AggregationRule == nil || len(c.Rules) > 0 {
		return c.Rules
	}
	within = append(slices.Clip(within), c.Name)
	var rules []rbacv1.PolicyRule
	for i := range s.ClusterRoles {
		other := &s.ClusterRoles[i]
		if !slices.Contains(within, other.Name) && aggregates(c.AggregationRule, other) {
			rules = append(rules, aggregated(s, other, within...)...)
		}
	}
	return rules
}

// aggregates tells whether a rule selects a role. An empty selector selects
// none here: it would give every right there is.
func aggregates(rule *rbacv1.AggregationRule, role *rbacv1.ClusterRole) bool {
	for i := range rule.ClusterRoleSelectors {
		selector, err := metav1.LabelSelectorAsSelector(&rule.ClusterRoleSelectors[i])
		if err == nil && !selector.Empty() && selector.Matches(labels.Set(role.Labels)) {
			return true
		}
	}
	return false
}

func (r *Rights) bind(namespace, binding string, ref rbacv1.RoleRef, subjects []rbacv1.Subject) {
	role := ref.Kind + "/" + ref.Name
	rules, known := r.clusterRoles[ref.Name]
	if ref.Kind == "Role" {
		rules, known = r.roles[namespace+"/"+ref.Name]
		role = "Role/" + namespace + "/" + ref.Name
	}
	for _, subject := range subjects {
		account := ""
		switch {
		case subject.Kind == "ServiceAccount":
			account = or(subject.Namespace, namespace) + "/" + subject.Name
		case subject.Kind == "User" && strings.HasPrefix(subject.Name, "system:serviceaccount:"):
			account = strings.Replace(strings.TrimPrefix(subject.Name, "system:serviceaccount:"), ":", "/", 1)
		default:
			continue
		}
		if !known && !slices.Contains(r.unresolved[account], role) {
			r.unresolved[account] = append(r.unresolved[account], role)
		}
		for _, rule := range rules {
			r.grants[account] = append(r.grants[account], Grant{rule, namespace, role, binding})
		}
	}
}

func or(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// Of lists the rules of a ServiceAccount, in a stable order.
func (r *Rights) Of(namespace, serviceAccount string) []Grant {
	return r.grants[namespace+"/"+serviceAccount]
}

// Unresolved names the roles that a ServiceAccount is bound to and that are not
// in the snapshot. On a cluster such a binding grants nothing; a manifest may
// bind a role that is already there.
func (r *Rights) Unresolved(namespace, serviceAccount string) []string {
	return r.unresolved[namespace+"/"+serviceAccount]
}

// Accounts lists the ServiceAccounts that have any right, as namespace/name.
func (r *Rights) Accounts() []string {
	list := make([]string, 0, len(r.grants))
	for account := range r.grants {
		list = append(list, account)
	}
	slices.Sort(list)
	return list
}

// Covers tells whether a rule grants a verb on a resource, and whether it
// names the API group: a rule for group "*" covers, but says nothing about
// whom the operator is for. resource may carry a subresource: "widgets/status".
// Rules with resourceNames do not count.
func (g *Grant) Covers(group, resource, verb string) (covers, named bool) {
	if len(g.ResourceNames) > 0 || !(slices.Contains(g.Verbs, verb) || slices.Contains(g.Verbs, "*")) {
		return false, false
	}
	if !coversResource(g.Resources, resource) {
		return false, false
	}
	if slices.Contains(g.APIGroups, group) {
		return true, true
	}
	return slices.Contains(g.APIGroups, "*"), false
}

func coversResource(resources []string, resource string) bool {
	for _, r := range resources {
		if r == resource || r == "*" {
			return true
		}
		if _, sub, ok := strings.Cut(resource, "/"); ok && r == "*/"+sub {
			return true
		}
	}
	return false
}
