package manifests

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kubectl-operator-maturity/internal/inventory"
)

const csvGroup, csvKind = "operators.coreos.com", "ClusterServiceVersion"

// bundle is what OLM makes of a ClusterServiceVersion.
type bundle struct {
	object   *inventory.Object
	Strategy struct {
		Deployments []struct {
			Name  string                `json:"name"`
			Label map[string]string     `json:"label"`
			Spec  appsv1.DeploymentSpec `json:"spec"`
		} `json:"deployments"`
		Permissions        []permissions `json:"permissions"`
		ClusterPermissions []permissions `json:"clusterPermissions"`
	}
}

type permissions struct {
	ServiceAccount string              `json:"serviceAccountName"`
	Rules          []rbacv1.PolicyRule `json:"rules"`
}

// bundle notes a ClusterServiceVersion to expand when all files are read.
// Copies that OLM puts into every namespace install nothing.
func (r *reader) bundle(raw []byte, csv *inventory.Object) {
	if csv.Labels["olm.copiedFrom"] != "" {
		return
	}
	if strings.EqualFold(csv.Namespace, "placeholder") {
		csv.Namespace = "" // what the tools write before OLM fills it in
	}
	b := &bundle{object: csv}
	var in struct {
		Spec struct {
			Install struct {
				Spec any `json:"spec"`
			} `json:"install"`
		} `json:"spec"`
	}
	in.Spec.Install.Spec = &b.Strategy
	if err := utiljson.Unmarshal(raw, &in); err != nil {
		r.failures.add(fmt.Sprintf("%s %s: its Deployments and rights were not read: %v", csvKind, csv.Name, err))
		return
	}
	r.bundles[csv.Namespace+"/"+csv.Name] = b
}

// expandBundles adds what OLM would make of the ClusterServiceVersions, unless
// it is among the files.
func (r *reader) expandBundles() error {
	for _, key := range slices.Sorted(maps.Keys(r.bundles)) {
		if b := r.bundles[key]; r.installs(b) {
			for _, e := range b.expand() {
				if _, key, _ := e.meta(); r.store.byName[key] != nil {
					continue
				}
				if err := r.store.add(e); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// installs tells whether a ClusterServiceVersion is to be expanded. Where it
// comes from a cluster, OLM has done that there: the Deployments are either
// among the files or were not exported.
func (r *reader) installs(b *bundle) bool {
	live := b.object.UID != ""
	if live && r.options.Complete {
		return false
	}
	names := map[string]bool{}
	for _, d := range b.Strategy.Deployments {
		names[d.Name] = true
	}
	for _, e := range r.store.entries {
		if e.kind != "Deployment" || e.builtin == nil || e.derived != "" {
			continue
		}
		if live && e.object.GetUID() != "" {
			return false
		}
		if e.object.GetLabels()["olm.owner"] == b.object.Name {
			return false // expanded already, into whichever namespace
		}
		same := b.object.Namespace == "" || b.object.Namespace == e.object.GetNamespace()
		if same && names[e.object.GetName()] {
			return false
		}
	}
	return true
}

func (b *bundle) expand() []*entry {
	var list []*entry
	accounts := map[string]bool{}
	for i := range b.Strategy.Deployments {
		d := &b.Strategy.Deployments[i]
		meta := b.meta(d.Name, true)
		maps.Copy(meta.Labels, d.Label)
		list = append(list, b.entry("apps", "Deployment", &appsv1.Deployment{ObjectMeta: meta, Spec: *d.Spec.DeepCopy()}))
		accounts[d.Spec.Template.Spec.ServiceAccountName] = true
	}
	for i, p := range b.Strategy.Permissions {
		list = append(list, b.grant("", p, fmt.Sprintf("%s-%s-%d", b.object.Name, p.ServiceAccount, i))...)
		accounts[p.ServiceAccount] = true
	}
	for i, p := range b.Strategy.ClusterPermissions {
		list = append(list, b.grant("Cluster", p, fmt.Sprintf("%s-%s-cluster-%d", b.object.Name, p.ServiceAccount, i))...)
		accounts[p.ServiceAccount] = true
	}
	for _, name := range slices.Sorted(maps.Keys(accounts)) {
		if name != "" && name != "default" {
			list = append(list, b.entry("", "ServiceAccount", &inventory.Object{
				APIVersion: "v1", Kind: "ServiceAccount", ObjectMeta: b.meta(name, true)}))
		}
	}
	return list
}

// grant makes a role and its binding; scope is "Cluster" or "".
func (b *bundle) grant(scope string, p permissions, name string) []*entry {
	const group = "rbac.authorization.k8s.io"
	meta := b.meta(name, scope == "")
	ref := rbacv1.RoleRef{APIGroup: group, Kind: scope + "Role", Name: name}
	subjects := []rbacv1.Subject{{Kind: "ServiceAccount", Name: p.ServiceAccount, Namespace: b.object.Namespace}}
	if scope == "" {
		return []*entry{
			b.entry(group, "Role", &rbacv1.Role{ObjectMeta: meta, Rules: p.Rules}),
			b.entry(group, "RoleBinding", &rbacv1.RoleBinding{ObjectMeta: *meta.DeepCopy(), RoleRef: ref, Subjects: subjects}),
		}
	}
	return []*entry{
		b.entry(group, "ClusterRole", &rbacv1.ClusterRole{ObjectMeta: meta, Rules: p.Rules}),
		b.entry(group, "ClusterRoleBinding", &rbacv1.ClusterRoleBinding{ObjectMeta: *meta.DeepCopy(), RoleRef: ref, Subjects: subjects}),
	}
}

// meta is the metadata that OLM gives to what it makes. An owner reference
// needs a uid, and cluster-scoped objects cannot have a namespaced owner.
func (b *bundle) meta(name string, namespaced bool) metav1.ObjectMeta {
	csv := b.object
	m := metav1.ObjectMeta{Name: name, Labels: map[string]string{"olm.owner": csv.Name, "olm.owner.kind": csvKind}}
	if csv.Namespace != "" {
		m.Labels["olm.owner.namespace"] = csv.Namespace
	}
	if !namespaced {
		return m
	}
	m.Namespace = csv.Namespace
	if csv.UID != "" {
		no := false
		m.OwnerReferences = []metav1.OwnerReference{{
			APIVersion: csv.APIVersion, Kind: csvKind, Name: csv.Name, UID: csv.UID, Controller: &no, BlockOwnerDeletion: &no,
		}}
	}
	return m
}

func (b *bundle) entry(group, kind string, object inventory.TypedObject) *entry {
	return &entry{group: group, kind: kind, builtin: inventory.KindFor(group, kind), object: object, derived: b.object.Name}
}
