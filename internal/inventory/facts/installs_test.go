package facts

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// again installs the operator a second time, in namespace "again".
func (w *world) again(change ...func(*corev1.Container)) {
	d := w.s.Deployments[0].DeepCopy()
	d.ObjectMeta = w.meta("again", "widget-operator-2")
	for _, f := range change {
		f(&d.Spec.Template.Spec.Containers[0])
	}
	w.s.Deployments = append(w.s.Deployments, *d)
}

// grantTo binds a rule on Widgets to the operator's account of a namespace, in
// single namespaces or, without any, in all.
func (w *world) grantTo(account string, namespaces ...string) {
	rules := []rbacv1.PolicyRule{rule("example.io", "widgets,widgets/status", "list,watch,update")}
	subjects := []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: account, Name: "widget-operator"}}
	w.s.ClusterRoles = append(w.s.ClusterRoles, rbacv1.ClusterRole{ObjectMeta: w.meta("", "of-"+account), Rules: rules})
	ref := rbacv1.RoleRef{Kind: "ClusterRole", Name: "of-" + account}
	for _, ns := range namespaces {
		w.s.RoleBindings = append(w.s.RoleBindings, rbacv1.RoleBinding{ObjectMeta: w.meta(ns, "of-"+account), RoleRef: ref, Subjects: subjects})
	}
	if len(namespaces) == 0 {
		w.s.ClusterRoleBindings = append(w.s.ClusterRoleBindings, rbacv1.ClusterRoleBinding{ObjectMeta: w.meta("", "of-"+account), RoleRef: ref, Subjects: subjects})
	}
}

func TestInstalls(t *testing.T) {
	watch := func(value string) func(*corev1.Container) {
		return func(c *corev1.Container) { c.Env = []corev1.EnvVar{{Name: "WATCH_NAMESPACE", Value: value}} }
	}
	const first, second = "Deployment/ops/widget-operator", "Deployment/again/widget-operator-2"
	for _, c := range []struct {
		name    string
		build   func(*world)
		count   int
		overlap string
		told    bool
	}{
		{"one", func(w *world) { w.grantTo("ops") }, 1, "", false},
		{"both reach everything", func(w *world) { w.again(); w.grantTo("ops"); w.grantTo("again") }, 2, second + " and " + first + " both reach all namespaces", false},
		{"one reaches everything", func(w *world) { w.again(); w.grantTo("ops"); w.grantTo("again", "again") }, 2, second + " and " + first + " both reach namespace again", false},
		{"kept apart by rights", func(w *world) { w.again(); w.grantTo("ops", "ops"); w.grantTo("again", "again") }, 2, "", false},
		{"one namespace in common", func(w *world) { w.again(); w.grantTo("ops", "ops", "shop"); w.grantTo("again", "again", "shop") }, 2, second + " and " + first + " both reach namespace shop", false},
		{"each told its own", func(w *world) {
			watch("shop,mail")(&w.s.Deployments[0].Spec.Template.Spec.Containers[0])
			w.again(func(c *corev1.Container) { c.Env, c.Args = nil, []string{"--namespaces=data"} })
			w.grantTo("ops")
			w.grantTo("again")
		}, 2, "", true},
		{"told the same", func(w *world) {
			watch("shop")(&w.s.Deployments[0].Spec.Template.Spec.Containers[0])
			w.again()
		}, 2, second + " and " + first + " both reach namespace shop", false},
		{"another program", func(w *world) { w.again(func(c *corev1.Container) { c.Image = "example.io/gadget-operator:v1" }) }, 1, "", false},
		{"another command of the same image", func(w *world) { w.again(func(c *corev1.Container) { c.Command = []string{"/webhook"} }) }, 1, "", false},
		{"another version and registry", func(w *world) {
			w.again(func(c *corev1.Container) { c.Image = "mirror.corp:5000/example.io/widget-operator@sha256:1" })
		}, 2, "", false},
		{"an operand that runs the operator's image", func(w *world) {
			w.again()
			w.s.Deployments[1].OwnerReferences = []metav1.OwnerReference{{Kind: "Widget", APIVersion: "example.io/v1", UID: "x"}}
		}, 1, "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld()
			w.crd(widget)
			w.s.Deployments[0].Spec.Template.Spec.Containers[0].Image = "registry.io/example.io/widget-operator:v1.2.3"
			c.build(w)
			f := w.observe().Installs
			is(t, "count", f.Count, c.count)
			is(t, "overlap", strings.Join(f.Overlapping, "; "), c.overlap)
			is(t, "told", f.Told, c.told)
		})
	}

	w := newWorld()
	w.crd(widget)
	w.access("rbac.authorization.k8s.io", "clusterroles", inventory.Forbidden)
	is(t, "one install needs no rights", w.observe().Unseen["installs"], "")
	w.again()
	contains(t, "two do", []string{w.observe().Unseen["installs"]}, "clusterroles")
}
