package facts

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
)

// loose is an object that has no owner, or whose owner is not in the snapshot.
type loose struct {
	kind string
	obj  inventory.TypedObject
}

// indexObjects walks all objects that can be children once: those without an
// owner, and those whose owner is not there, by the owner's kind.
func (o *observer) indexObjects() {
	o.dangling, o.unowned = map[schema.GroupKind][]*loose{}, map[string][]*loose{}
	visit := func(kind string, obj inventory.TypedObject) {
		refs := obj.GetOwnerReferences()
		if len(refs) == 0 {
			u := &loose{kind, obj}
			for i, f := range obj.GetManagedFields() {
				if f.Subresource == "" && !slices.ContainsFunc(obj.GetManagedFields()[:i], func(e metav1.ManagedFieldsEntry) bool {
					return e.Manager == f.Manager && e.Subresource == ""
				}) {
					o.unowned[f.Manager] = append(o.unowned[f.Manager], u)
				}
			}
			return
		}
		for i := range refs {
			if _, found := o.owners.Get(refs[i].UID); found || obj.GetDeletionTimestamp() != nil {
				continue
			}
			gk := schema.FromAPIVersionAndKind(refs[i].APIVersion, refs[i].Kind).GroupKind()
			if o.kinds[gk] != nil {
				o.dangling[gk] = append(o.dangling[gk], &loose{kind, obj})
			}
		}
	}
	kinds := inventory.Kinds()
	for i := range kinds {
		if k := &kinds[i]; k.Child() {
			k.Each(o.s, func(obj inventory.TypedObject) { visit(k.Kind, obj) })
		}
	}
	for i := range o.s.CustomResources {
		visit(o.s.CustomResources[i].Kind, &o.s.CustomResources[i])
	}
	o.sortOut()
	o.ownedCRDs = map[types.UID][]string{}
	for i := range o.s.CRDs {
		for _, owner := range o.s.CRDs[i].OwnerReferences {
			o.ownedCRDs[owner.UID] = append(o.ownedCRDs[owner.UID], "CustomResourceDefinition/"+o.s.CRDs[i].Name)
		}
	}
	o.events = map[schema.GroupKind][]*corev1.Event{}
	for i := range o.s.Events {
		e := &o.s.Events[i]
		gk := schema.FromAPIVersionAndKind(e.InvolvedObject.APIVersion, e.InvolvedObject.Kind).GroupKind()
		if o.kinds[gk] != nil {
			o.events[gk] = append(o.events[gk], e)
		}
	}
}

// sortOut puts aside the objects that every operator looks through, so that
// they are looked for once.
func (o *observer) sortOut() {
	for i := range o.s.CustomResources {
		c := &o.s.CustomResources[i]
		switch {
		case c.Group() == csvs.group:
			o.olm = append(o.olm, c)
		case c.Kind == "GrafanaDashboard":
			o.dashboards = append(o.dashboards, c)
		}
	}
	for i := range o.s.Others {
		c := &o.s.Others[i]
		switch c.Kind {
		case "ServiceAccount":
			o.accounts = append(o.accounts, c)
		case "ConfigMap":
			if _, ok := c.Labels["grafana_dashboard"]; ok {
				o.dashboards = append(o.dashboards, c)
			}
			if c.Annotations[legacyAnnotation] != "" {
				o.locks = append(o.locks, c)
			}
		}
	}
}
