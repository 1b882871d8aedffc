package inventory

import (
	"slices"
	"testing"
)

const aggregates3 = `[
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"top"},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to-top":"yes"}},{"matchLabels":{"to-mid":"yes"}}]},"rules":[]},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"mid","labels":{"to-top":"yes"}},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to-mid":"yes"}}]}},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"low","labels":{"to-mid":"yes"}},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to-low":"yes"}}]}},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"leaf","labels":{"to-low":"yes"}},"rules":[{"apiGroups":["example.io"],"resources":["widgets/status"],"verbs":["update"]}]},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"loop","labels":{"to-low":"yes","to-loop":"yes"}},"aggregationRule":{"clusterRoleSelectors":[{"matchLabels":{"to-loop":"yes"}},{"matchLabels":{"to-mid":"yes"}}]}},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"b"},"roleRef":{"kind":"ClusterRole","name":"top"},"subjects":[{"kind":"ServiceAccount","namespace":"ns","name":"sa"},{"kind":"Group","name":"people"}]},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"Role","metadata":{"namespace":"ns","name":"r"},"rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"RoleBinding","metadata":{"namespace":"ns","name":"b"},"roleRef":{"kind":"Role","name":"r"},"subjects":[{"kind":"ServiceAccount","name":"local"},{"kind":"User","name":"system:serviceaccount:ns:asuser"}]}
]`

func TestRightsOfAggregatedRoles(t *testing.T) {
	r := NewRights(snapshotOf(t, elements(t, aggregates3)...))
	grants := r.Of("ns", "sa")
	if len(grants) == 0 {
		t.Fatal("no grants through three levels of aggregation")
	}
	for _, g := range grants {
		if covers, named := g.Covers("example.io", "widgets/status", "update"); !covers || !named || g.Namespace != "" || g.Role != "ClusterRole/top" {
			t.Errorf("grant %+v", g)
		}
	}
	if got, want := r.Accounts(), []string{"ns/asuser", "ns/local", "ns/sa"}; !slices.Equal(got, want) {
		t.Errorf("accounts %q, want %q", got, want)
	}
}

func TestGroupsByStarAreNotNamed(t *testing.T) {
	r := NewRights(snapshotOf(t, elements(t, aggregates3)...))
	for _, account := range []string{"local", "asuser"} {
		grants := r.Of("ns", account)
		if len(grants) != 1 || grants[0].Namespace != "ns" || grants[0].Role != "Role/ns/r" {
			t.Fatalf("%s: %+v", account, grants)
		}
		if covers, named := grants[0].Covers("example.io", "widgets", "patch"); !covers || named {
			t.Errorf("%s: covers %v, named %v; want true, false", account, covers, named)
		}
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		rule           string
		resource, verb string
		covers         bool
	}{
		{`{"apiGroups":["example.io"],"resources":["widgets"],"verbs":["update"]}`, "widgets", "update", true},
		{`{"apiGroups":["example.io"],"resources":["widgets"],"verbs":["update"]}`, "widgets/status", "update", false},
		{`{"apiGroups":["example.io"],"resources":["*"],"verbs":["update"]}`, "widgets/status", "update", true},
		{`{"apiGroups":["example.io"],"resources":["*/status"],"verbs":["*"]}`, "widgets/status", "update", true},
		{`{"apiGroups":["example.io"],"resources":["*/status"],"verbs":["*"]}`, "widgets", "update", false},
		{`{"apiGroups":["other.io"],"resources":["*"],"verbs":["*"]}`, "widgets", "update", false},
		{`{"apiGroups":["example.io"],"resources":["widgets"],"verbs":["get"]}`, "widgets", "update", false},
		{`{"apiGroups":["example.io"],"resources":["widgets"],"resourceNames":["one"],"verbs":["update"]}`, "widgets", "update", false},
	} {
		s := snapshotOf(t,
			[]byte(`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"r"},"rules":[`+c.rule+`]}`),
			[]byte(`{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"b"},"roleRef":{"kind":"ClusterRole","name":"r"},"subjects":[{"kind":"ServiceAccount","namespace":"ns","name":"sa"}]}`))
		g := NewRights(s).Of("ns", "sa")[0]
		if covers, _ := g.Covers("example.io", c.resource, c.verb); covers != c.covers {
			t.Errorf("%s: %s %s: %v, want %v", c.rule, c.verb, c.resource, covers, c.covers)
		}
	}
}

// TestRolesThatManifestsDoNotBring: cluster-admin is in every cluster; what
// another role would grant cannot be told from the manifests.
func TestRolesThatManifestsDoNotBring(t *testing.T) {
	r := NewRights(snapshotOf(t, elements(t, `[
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"a"},"roleRef":{"kind":"ClusterRole","name":"cluster-admin"},"subjects":[{"kind":"ServiceAccount","namespace":"ns","name":"sa"}]},
 {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"b"},"roleRef":{"kind":"ClusterRole","name":"elsewhere"},"subjects":[{"kind":"ServiceAccount","namespace":"ns","name":"sa"}]}
]`)...))
	grants := r.Of("ns", "sa")
	if len(grants) != 1 || grants[0].Namespace != "" || grants[0].Role != "ClusterRole/cluster-admin" || grants[0].Resources[0] != "*" {
		t.Errorf("grants %+v", grants)
	}
	if got := r.Unresolved("ns", "sa"); !slices.Equal(got, []string{"ClusterRole/elsewhere"}) {
		t.Errorf("unresolved %q", got)
	}
}
