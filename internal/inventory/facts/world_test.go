package facts

import (
	"fmt"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) metav1.Time { return metav1.NewTime(now.Add(-d)) }

// world builds small snapshots: a cluster that was read whole, with one
// operator, "widget-operator" in namespace ops, of group example.io, unless a
// test says otherwise.
type world struct {
	s     *inventory.Snapshot
	op    attribution.Operator
	other []attribution.Operator
	uid   int
}

func newWorld() *world {
	w := &world{s: &inventory.Snapshot{Taken: now, Source: inventory.Source{Type: "cluster"}}}
	w.op.Name = "widget-operator"
	for _, k := range inventory.Kinds() {
		w.access(k.Group, k.Resource, inventory.Listed)
	}
	w.access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Listed)
	w.s.Deployments = append(w.s.Deployments, appsv1.Deployment{
		ObjectMeta: w.meta("ops", "widget-operator"),
		Spec: appsv1.DeploymentSpec{Template: corev1.PodTemplateSpec{
			ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "widget-operator"}},
			Spec: corev1.PodSpec{ServiceAccountName: "widget-operator", Containers: []corev1.Container{{
				Name: "manager", Image: "example.io/widget-operator:v1.2.3", Command: []string{"/manager"}}}}}},
		Status: appsv1.DeploymentStatus{ReadyReplicas: 1},
	})
	return w
}

func (w *world) access(group, resource string, state inventory.AccessState) {
	for i := range w.s.Access {
		if a := &w.s.Access[i]; a.Group == group && a.Resource == resource {
			a.Access = state
			return
		}
	}
	w.s.Access = append(w.s.Access, inventory.Access{Group: group, Version: "v1", Resource: resource, Access: state})
}

func (w *world) meta(namespace, name string) metav1.ObjectMeta {
	w.uid++
	return metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(fmt.Sprintf("uid-%d", w.uid)), CreationTimestamp: ago(2 * time.Hour)}
}

// crd adds a CRD of the operator, kind.group, with status subresource.
func (w *world) crd(of string, change ...func(*inventory.CRD)) {
	w.op.CRDs = append(w.op.CRDs, attribution.CRD{Name: w.define(of, change...), State: attribution.Running, Controllers: []string{"Deployment/ops/widget-operator"}})
}

func (w *world) define(of string, change ...func(*inventory.CRD)) string {
	kind, group, _ := strings.Cut(of, ".")
	plural := strings.ToLower(kind) + "s"
	crd := inventory.CRD{
		ObjectMeta: w.meta("", plural+"."+group), Group: group, Scope: apiextensionsv1.NamespaceScoped,
		Names: apiextensionsv1.CustomResourceDefinitionNames{Kind: kind, Plural: plural},
		Versions: []inventory.CRDVersion{{Name: "v1", Served: true, Storage: true, StatusSubresource: true,
			Schema: inventory.SchemaFacts{Present: true, HasSpec: true, HasStatus: true, Fields: map[inventory.Topic][]string{}}}},
	}
	for _, f := range change {
		f(&crd)
	}
	w.s.CRDs = append(w.s.CRDs, crd)
	w.access(group, plural, inventory.Listed)
	return crd.Name
}

func (w *world) cr(kind, name string, change ...func(*inventory.Object)) *inventory.Object {
	of, group, _ := strings.Cut(kind, ".")
	o := inventory.Object{APIVersion: group + "/v1", Kind: of, ObjectMeta: w.meta("shop", name)}
	o.Generation = 1
	for _, f := range change {
		f(&o)
	}
	w.s.CustomResources = append(w.s.CustomResources, o)
	return &w.s.CustomResources[len(w.s.CustomResources)-1]
}

const widget = "Widget.example.io"

// widgets is a world with the kind Widget and one ready Widget "shop/a".
func widgets() (*world, metav1.OwnerReference) {
	w := newWorld()
	w.crd(widget)
	cr := w.cr(widget, "a", ready)
	return w, owner(cr)
}

func ready(o *inventory.Object) { conditions("Ready", "True")(o) }

func conditions(pairs ...string) func(*inventory.Object) {
	return func(o *inventory.Object) {
		var list []any
		for i := 0; i < len(pairs); i += 2 {
			list = append(list, map[string]any{"type": pairs[i], "status": pairs[i+1], "reason": "R", "lastTransitionTime": stamp(now.Add(-time.Minute))})
		}
		o.Status = inventory.Pack(map[string]any{"conditions": list})
	}
}

func status(m map[string]any) func(*inventory.Object) {
	return func(o *inventory.Object) { o.Status = inventory.Pack(m) }
}

func spec(m map[string]any, paths ...string) func(*inventory.Object) {
	return func(o *inventory.Object) { o.Spec, o.SpecPaths = inventory.Pack(m), paths }
}

// with sets a field of a spec or status.
func with(of *inventory.Packed, field string, value any) {
	m := of.Map()
	m[field] = value
	*of = inventory.Pack(m)
}

// by adds managedFields entries: a manager, or manager/status.
func by(managers ...string) []metav1.ManagedFieldsEntry {
	var list []metav1.ManagedFieldsEntry
	for _, m := range managers {
		manager, sub, _ := strings.Cut(m, "/")
		at := ago(time.Minute)
		list = append(list, metav1.ManagedFieldsEntry{Manager: manager, Subresource: sub, Operation: "Update", Time: &at})
	}
	return list
}

func writtenBy(managers ...string) func(*inventory.Object) {
	return func(o *inventory.Object) { o.ManagedFields = by(managers...) }
}

func owned(refs ...metav1.OwnerReference) func(*inventory.Object) {
	return func(o *inventory.Object) { o.OwnerReferences = refs }
}

func owner(o metav1.Object) metav1.OwnerReference {
	yes := true
	r := metav1.OwnerReference{Name: o.GetName(), UID: o.GetUID(), Controller: &yes}
	switch o := o.(type) {
	case *inventory.Object:
		r.APIVersion, r.Kind = o.APIVersion, o.Kind
	case *appsv1.StatefulSet:
		r.APIVersion, r.Kind = "apps/v1", "StatefulSet"
	case *appsv1.Deployment:
		r.APIVersion, r.Kind = "apps/v1", "Deployment"
	}
	return r
}

// other adds an object of a kind known by its metadata.
func (w *world) metadata(kind, namespace, name string, change ...func(*inventory.Object)) {
	o := inventory.Object{APIVersion: "v1", Kind: kind, ObjectMeta: w.meta(namespace, name)}
	for _, f := range change {
		f(&o)
	}
	w.s.Others = append(w.s.Others, o)
}

func (w *world) statefulSet(name string, owner metav1.OwnerReference, containers ...corev1.Container) *appsv1.StatefulSet {
	two := int32(2)
	if len(containers) == 0 {
		containers = []corev1.Container{{Name: "main", Image: "widget:1.0"}}
	}
	set := appsv1.StatefulSet{ObjectMeta: w.meta("shop", name)}
	set.OwnerReferences = []metav1.OwnerReference{owner}
	set.Spec.Replicas, set.Status.ReadyReplicas = &two, 2
	set.Spec.UpdateStrategy.Type = appsv1.RollingUpdateStatefulSetStrategyType
	set.Spec.Template.Labels = map[string]string{"app": name}
	set.Spec.Template.Spec.Containers = containers
	w.s.StatefulSets = append(w.s.StatefulSets, set)
	return &w.s.StatefulSets[len(w.s.StatefulSets)-1]
}

func (w *world) pod(name string, owner metav1.OwnerReference, labels map[string]string) *inventory.Pod {
	p := inventory.Pod{ObjectMeta: w.meta("shop", name)}
	p.OwnerReferences, p.Labels = []metav1.OwnerReference{owner}, labels
	p.Spec = &corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "widget:1.0"}}}
	p.Ready = corev1.ConditionTrue
	w.s.Pods = append(w.s.Pods, p)
	return &w.s.Pods[len(w.s.Pods)-1]
}

func (w *world) service(namespace, name string, selector, labels map[string]string, ports ...corev1.ServicePort) {
	svc := corev1.Service{ObjectMeta: w.meta(namespace, name)}
	svc.Labels = labels
	svc.Spec.Selector, svc.Spec.Ports = selector, ports
	w.s.Services = append(w.s.Services, svc)
}

// grant gives the operator a ClusterRole by a ClusterRoleBinding.
func (w *world) grant(role string, rules ...rbacv1.PolicyRule) {
	w.s.ClusterRoles = append(w.s.ClusterRoles, rbacv1.ClusterRole{ObjectMeta: w.meta("", role), Rules: rules})
	w.s.ClusterRoleBindings = append(w.s.ClusterRoleBindings, rbacv1.ClusterRoleBinding{ObjectMeta: w.meta("", role),
		RoleRef:  rbacv1.RoleRef{Kind: "ClusterRole", Name: role},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "ops", Name: "widget-operator"}}})
}

func rule(groups, resources, verbs string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: strings.Split(groups, ","), Resources: strings.Split(resources, ","), Verbs: strings.Split(verbs, ",")}
}

// result is the attribution by hand.
func (w *world) result() *attribution.Result {
	op := w.op
	for _, work := range w.s.Workloads() {
		if work.Ref() == "Deployment/ops/widget-operator" {
			state := attribution.Running
			if work.Ready == 0 {
				state = attribution.Down
			}
			op.Controllers = append(op.Controllers, attribution.Controller{Workload: work, State: state})
		}
	}
	return &attribution.Result{Operators: append([]attribution.Operator{op}, w.other...)}
}

func (w *world) observe() Operator { return Observe(w.s, w.result())[0] }

// first is the facts of the first CRD.
func (w *world) first() CRD { return w.observe().CRDs[0] }

func (w *world) catalogue(entry catalogue.Operator) { w.op.Entry = &entry }

func podSecurity(nonRoot *bool) *corev1.PodSecurityContext {
	return &corev1.PodSecurityContext{RunAsNonRoot: nonRoot}
}
