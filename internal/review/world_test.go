package review

import (
	"io/fs"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/rules"
)

var today = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func folder(t testing.TB, name string) fs.FS {
	t.Helper()
	sub, err := fs.Sub(rules.FS, name)
	if err != nil {
		t.Fatal(err)
	}
	return sub
}

// builtinRules are the program's own, with layers of a user on top.
func builtinRules(t testing.TB, layers ...string) *Rules {
	t.Helper()
	all := []levels.Layer{{Name: levels.Builtin, FS: folder(t, "review")}}
	for _, text := range layers {
		all = append(all, levels.Layer{Name: "mine", FS: fstest.MapFS{"rules.yaml": {Data: []byte(text)}}})
	}
	loaded, err := Load(all...)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// loadedLevels are loaded once: that takes longer than a review.
var loadedLevels = sync.OnceValues(func() (*levels.Rules, error) {
	sub, err := fs.Sub(rules.FS, "levels")
	if err != nil {
		return nil, err
	}
	return levels.Load(levels.Layer{Name: levels.Builtin, FS: sub})
})

func levelRules(t testing.TB) *levels.Rules {
	t.Helper()
	loaded, err := loadedLevels()
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// gadgets is an operator as files: one CRD, a Deployment, its rights.
func gadgets() *inventory.Snapshot {
	no := false
	return &inventory.Snapshot{
		Taken: today, Source: inventory.Source{Type: "files", Complete: true},
		CRDs: []inventory.CRD{{
			ObjectMeta: metav1.ObjectMeta{Name: "gadgets.example.org"}, Group: "example.org", Scope: apiextensionsv1.NamespaceScoped, Bytes: 1000,
			Names:    apiextensionsv1.CustomResourceDefinitionNames{Kind: "Gadget", Plural: "gadgets", Singular: "gadget", ShortNames: []string{"gg"}, Categories: []string{"things"}},
			Versions: []inventory.CRDVersion{{Name: "v1", Served: true, Storage: true, StatusSubresource: true, Schema: inventory.SchemaFacts{Present: true, HasSpec: true, HasStatus: true}}},
		}},
		Deployments: []appsv1.Deployment{{
			ObjectMeta: metav1.ObjectMeta{Namespace: "gadgets", Name: "gadget-operator"},
			Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
				ServiceAccountName: "gadget-operator",
				Containers:         []corev1.Container{{Name: "manager", Image: "example.org/gadget-operator:1.2.3", SecurityContext: &corev1.SecurityContext{AllowPrivilegeEscalation: &no}}},
			}}},
		}},
		ClusterRoles: []rbacv1.ClusterRole{{
			ObjectMeta: metav1.ObjectMeta{Name: "gadget-operator"},
			Rules: []rbacv1.PolicyRule{
				{APIGroups: []string{"example.org"}, Resources: []string{"gadgets", "gadgets/status"}, Verbs: []string{"get", "list", "watch", "update", "patch"}},
				{APIGroups: []string{"cert-manager.io"}, Resources: []string{"certificates"}, Verbs: []string{"create"}},
			},
		}},
		ClusterRoleBindings: []rbacv1.ClusterRoleBinding{{
			ObjectMeta: metav1.ObjectMeta{Name: "gadget-operator"},
			RoleRef:    rbacv1.RoleRef{Kind: "ClusterRole", Name: "gadget-operator"},
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "gadgets", Name: "gadget-operator"}},
		}},
	}
}

// nothingHere is a cluster that was not looked at.
func nothingHere() *inventory.Snapshot {
	return &inventory.Snapshot{Source: inventory.Source{Type: "files"}}
}

// input is a review of a topic with the gadget operator as a candidate.
func input(t testing.TB, topic string, r *Rules, here *inventory.Snapshot, answers string) Input {
	t.Helper()
	known := levelRules(t)
	cat := catalogue.New(nil)
	in := Input{
		Topic: topic, Here: NewScene("", here, cat, known), Candidates: []*Scene{NewScene("gadgets.yaml", gadgets(), cat, known)},
		Catalogue: cat, Rules: r, Criteria: known.Criteria(), Now: today,
	}
	if answers != "" {
		in.Answers, in.AnswersFile = ParseAnswers("answers.yaml", []byte(answers)), "answers.yaml"
	}
	return in
}

func mustReview(t testing.TB, in Input) *Record {
	t.Helper()
	rec, err := Review(in)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

func checkOf(t testing.TB, checks []Check, id string) Check {
	t.Helper()
	for _, k := range checks {
		if k.ID == id {
			return k
		}
	}
	t.Fatalf("no criterion %s", id)
	return Check{}
}
