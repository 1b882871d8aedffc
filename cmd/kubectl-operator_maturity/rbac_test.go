package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/report"
)

// deploy/ has the role that rbac prints; with UPDATE_GOLDEN=1 it is written
// again.
func TestDeployHasTheRoleThatRBACPrints(t *testing.T) {
	cat, err := (&knowledgeFlags{}).loadCatalogue()
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := report.WriteClusterRole(&want, report.Rights{Groups: groupsOfCatalogue(cat)}); err != nil {
		t.Fatal(err)
	}
	const name = "../../deploy/clusterrole.yaml"
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Equal(got, want.Bytes()) {
		return
	}
	if os.Getenv("UPDATE_GOLDEN") == "" {
		t.Fatalf("%s is not what rbac prints; run: make docs", name)
	}
	if err := os.WriteFile(name, want.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Whatever groups there are, the role only reads, and never Secrets.
func TestTheRoleOnlyReadsAndNeverSecrets(t *testing.T) {
	var b bytes.Buffer
	rights := report.Rights{Groups: []string{"*", "", "apps", "v1", "example.com", "bad group\n- x", "example.com"}, Metrics: true}
	if err := report.WriteClusterRole(&b, rights); err != nil {
		t.Fatal(err)
	}
	var role rbacv1.ClusterRole
	if err := yaml.UnmarshalStrict(b.Bytes(), &role); err != nil {
		t.Fatal(err)
	}
	custom := 0
	for _, rule := range role.Rules {
		for _, verb := range rule.Verbs {
			if verb != "list" && verb != "get" {
				t.Errorf("the role may %s %v", verb, rule.Resources)
			}
		}
		if slices.Contains(rule.APIGroups, "*") || slices.Contains(rule.Resources, "secrets") {
			t.Errorf("the role is too wide: %+v", rule)
		}
		if slices.Contains(rule.Resources, "*") {
			custom++
			if strings.Join(rule.APIGroups, " ") != "example.com" {
				t.Errorf("all resources of %q", rule.APIGroups)
			}
		}
	}
	if custom != 1 || !strings.Contains(b.String(), "pods/proxy") {
		t.Errorf("%d rules for custom resources", custom)
	}
}
