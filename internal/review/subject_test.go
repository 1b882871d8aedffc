package review

import (
	"strings"
	"testing"

	rbacv1 "k8s.io/api/rbac/v1"
)

// candidate reviews the gadget operator as files that were changed.
func candidate(t *testing.T, change func(*Scene)) Option {
	t.Helper()
	in := input(t, "Gadget", builtinRules(t), nothingHere(), "")
	files := gadgets()
	change(&Scene{Snapshot: files})
	in.Candidates = []*Scene{NewScene("gadgets.yaml", files, in.Catalogue, levelRules(t))}
	return mustReview(t, in).Options[0]
}

func TestNamesOfKubernetesAreTaken(t *testing.T) {
	o := candidate(t, func(s *Scene) { s.Snapshot.CRDs[0].Names.ShortNames = []string{"svc"} })
	if len(o.Facts.Conflicts.Names) != 1 || o.Facts.Conflicts.Names[0] != "svc of gadgets.example.org also means Service of Kubernetes" {
		t.Errorf("names %q", o.Facts.Conflicts.Names)
	}
}

// TestARoleThatIsNotAmongTheFilesMakesRightsUnknown, but for those of
// Kubernetes that only read.
func TestARoleThatIsNotAmongTheFilesMakesRightsUnknown(t *testing.T) {
	for role, want := range map[string]string{"elsewhere": unknown, "edit": unknown, "view": met, "system:auth-delegator": met, "cluster-admin": failed} {
		o := candidate(t, func(s *Scene) {
			binding := s.Snapshot.ClusterRoleBindings[0]
			binding.Name, binding.RoleRef = "more", rbacv1.RoleRef{Kind: "ClusterRole", Name: role}
			s.Snapshot.ClusterRoleBindings = append(s.Snapshot.ClusterRoleBindings, binding)
		})
		if k := checkOf(t, o.Checks, "no-right-to-everything"); k.State != want {
			t.Errorf("%s: %s (%s), want %s", role, k.State, k.Because, want)
		}
	}
}

func TestWhatKeepsCRDsAtAnUninstall(t *testing.T) {
	for name, c := range map[string]struct {
		labels, annotations map[string]string
		state, because      string
	}{
		"plain manifests":   {nil, nil, unknown, "nothing keeps 1 CRD"},
		"of a Helm release": {map[string]string{"app.kubernetes.io/managed-by": "Helm"}, nil, failed, "helm uninstall deletes gadgets.example.org"},
		"kept":              {nil, map[string]string{"helm.sh/resource-policy": "keep"}, met, "1 CRD kept by policy"},
	} {
		o := candidate(t, func(s *Scene) { s.Snapshot.CRDs[0].Labels, s.Snapshot.CRDs[0].Annotations = c.labels, c.annotations })
		if k := checkOf(t, o.Checks, "uninstall-keeps-data"); k.State != c.state || !strings.Contains(k.Because, c.because) {
			t.Errorf("%s: %s (%s), want %s (%s)", name, k.State, k.Because, c.state, c.because)
		}
	}
}
