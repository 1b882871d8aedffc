package main

import (
	"cmp"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// collection is what a list call is about: the objects of one resource, in the
// order of their keys in etcd.
type collection struct {
	resource   schema.GroupVersionResource
	kind       string
	namespaced bool
	// jsonOnly: objects of a type that the server keeps without its Go type.
	jsonOnly bool
	// columns are those of a table beside the name.
	columns []column
	objects objects
}

// objects are those of a collection.
type objects interface {
	len() int
	sort()
	at(i int) metav1.Object
	// list is the list that holds some of the objects.
	list(gvk schema.GroupVersionKind, from, to int, m metav1.ListMeta) runtime.Object
}

func (c *collection) sort() { c.objects.sort() }

func (c *collection) gvk() schema.GroupVersionKind {
	return c.resource.GroupVersion().WithKind(c.kind)
}

func byKey(a, b metav1.Object) int {
	return cmp.Or(cmp.Compare(a.GetNamespace(), b.GetNamespace()), cmp.Compare(a.GetName(), b.GetName()))
}

// typed are objects of one of Kubernetes' types, L being that of their list.
type typed[T, L any, P interface {
	*T
	metav1.Object
}, Q interface {
	*L
	runtime.Object
	metav1.ListMetaAccessor
}] struct {
	items []T
	into  func(*L, []T)
}

func (t *typed[T, L, P, Q]) len() int               { return len(t.items) }
func (t *typed[T, L, P, Q]) at(i int) metav1.Object { return P(&t.items[i]) }
func (t *typed[T, L, P, Q]) sort() {
	slices.SortFunc(t.items, func(a, b T) int { return byKey(P(&a), P(&b)) })
}

func (t *typed[T, L, P, Q]) list(gvk schema.GroupVersionKind, from, to int, m metav1.ListMeta) runtime.Object {
	var list L
	Q(&list).GetObjectKind().SetGroupVersionKind(listOf(gvk))
	accessor := Q(&list).GetListMeta()
	accessor.SetContinue(m.Continue)
	accessor.SetResourceVersion(m.ResourceVersion)
	accessor.SetRemainingItemCount(m.RemainingItemCount)
	t.into(&list, t.items[from:to:to])
	return Q(&list)
}

func listOf(gvk schema.GroupVersionKind) schema.GroupVersionKind {
	gvk.Kind += "List"
	return gvk
}

// untyped are objects kept as maps, as the API server keeps custom resources.
type untyped []*unstructured.Unstructured

func (u untyped) len() int               { return len(u) }
func (u untyped) at(i int) metav1.Object { return u[i] }
func (u untyped) sort() {
	slices.SortFunc(u, func(a, b *unstructured.Unstructured) int { return byKey(a, b) })
}

func (u untyped) list(gvk schema.GroupVersionKind, from, to int, m metav1.ListMeta) runtime.Object {
	list := &unstructured.UnstructuredList{Object: map[string]any{}}
	list.SetGroupVersionKind(listOf(gvk))
	list.SetResourceVersion(m.ResourceVersion)
	list.SetContinue(m.Continue)
	list.SetRemainingItemCount(m.RemainingItemCount)
	for _, o := range u[from:to] {
		list.Items = append(list.Items, *o)
	}
	return list
}

// partialList is a list reduced to the metadata of its objects.
func partialList(o objects, from, to int, m metav1.ListMeta) runtime.Object {
	list := &metav1.PartialObjectMetadataList{ListMeta: m}
	list.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadataList"))
	for i := from; i < to; i++ {
		partial := meta.AsPartialObjectMetadata(o.at(i))
		partial.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
		list.Items = append(list.Items, *partial)
	}
	return list
}

func crdCollection(crds []apiextensionsv1.CustomResourceDefinition) *collection {
	return &collection{
		resource: apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions"), kind: "CustomResourceDefinition",
		objects: &typed[apiextensionsv1.CustomResourceDefinition, apiextensionsv1.CustomResourceDefinitionList, *apiextensionsv1.CustomResourceDefinition, *apiextensionsv1.CustomResourceDefinitionList]{
			items: slices.Clone(crds), into: func(l *apiextensionsv1.CustomResourceDefinitionList, items []apiextensionsv1.CustomResourceDefinition) {
				l.Items = items
			}},
	}
}

func customCollection(crd *apiextensionsv1.CustomResourceDefinition, customs []*unstructured.Unstructured) *collection {
	return &collection{
		resource: schema.GroupVersionResource{Group: crd.Spec.Group, Version: "v1", Resource: crd.Spec.Names.Plural}, kind: crd.Spec.Names.Kind,
		namespaced: crd.Spec.Scope == apiextensionsv1.NamespaceScoped, jsonOnly: true, objects: untyped(customs),
		columns: printerColumns(crd.Spec.Versions[0].AdditionalPrinterColumns),
	}
}

func singular(plural string) string { return strings.TrimSuffix(plural, "s") }
