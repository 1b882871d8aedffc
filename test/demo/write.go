package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"

	"kubectl-operator-maturity/test/testcluster"
)

// writer writes items as those would who wrote them in the story.
type writer struct {
	config   *rest.Config
	client   dynamic.Interface
	mapper   meta.RESTMapper
	uids     map[key]types.UID
	noStatus map[key]bool // group and kind of custom resources without a status subresource
}

func newWriter(config *rest.Config) (*writer, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1                           // the server is our own
	config.WarningHandler = rest.NoWarnings{} // operators name finalizers as they do
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	return &writer{config: config, client: client, uids: map[key]types.UID{}, noStatus: map[key]bool{}}, nil
}

// write writes everything: kinds first, then objects in their order, then what the server would call for every
// later write, and last the deletions.
func (w *writer) write(ctx context.Context, items []*item) error {
	if err := w.writeCRDs(ctx, items); err != nil {
		return err
	}
	resources, err := discovery.NewDiscoveryClientForConfig(w.config)
	if err != nil {
		return err
	}
	w.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(resources))
	ordered := slices.Clone(items)
	slices.SortStableFunc(ordered, func(a, b *item) int { return rank(a) - rank(b) })
	for _, i := range ordered {
		if i.object.GetKind() == "CustomResourceDefinition" {
			continue
		}
		if err := w.writeItem(ctx, i); err != nil {
			return fmt.Errorf("writing %s: %w", i.key(), err)
		}
	}
	return nil
}

func rank(i *item) int {
	switch i.object.GetKind() {
	case "Namespace":
		return 0
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "APIService":
		return 2
	}
	return 1
}

func (w *writer) writeCRDs(ctx context.Context, items []*item) error {
	byManager := map[string][]*unstructured.Unstructured{}
	for _, i := range items {
		if i.object.GetKind() == "CustomResourceDefinition" {
			byManager[i.manager] = append(byManager[i.manager], i.object)
			w.noteStatus(i.object)
		}
	}
	for manager, crds := range byManager {
		applier, err := testcluster.NewApplier(w.config, manager)
		if err != nil {
			return err
		}
		if err := applier.Apply(ctx, crds...); err != nil {
			return err
		}
	}
	for _, i := range items {
		if len(i.storedVersions) == 0 {
			continue
		}
		if err := w.setStoredVersions(ctx, i); err != nil {
			return fmt.Errorf("setting the stored versions of %s: %w", i.key(), err)
		}
	}
	return nil
}

func (w *writer) noteStatus(crd *unstructured.Unstructured) {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, v := range versions {
		if _, found, _ := unstructured.NestedMap(v.(map[string]any), "subresources", "status"); !found {
			w.noStatus[key{group: group, kind: kind}] = true
		}
	}
}

func (w *writer) setStoredVersions(ctx context.Context, i *item) error {
	resource := w.client.Resource(crdResource)
	crd, err := resource.Get(ctx, i.object.GetName(), metav1.GetOptions{})
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedStringSlice(crd.Object, i.storedVersions, "status", "storedVersions"); err != nil {
		return err
	}
	_, err = resource.UpdateStatus(ctx, crd, metav1.UpdateOptions{FieldManager: "kube-apiserver"})
	return err
}

func (w *writer) resource(o *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	gvk := o.GroupVersionKind()
	mapping, err := w.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		return w.client.Resource(mapping.Resource).Namespace(o.GetNamespace()), nil
	}
	return w.client.Resource(mapping.Resource), nil
}

// writeItem makes an object, then adds what its controller does: finalizers and status. A deletion comes last.
func (w *writer) writeItem(ctx context.Context, i *item) error {
	resource, err := w.resource(i.object)
	if err != nil {
		return err
	}
	o := i.object.DeepCopy()
	w.fillUIDs(i, o)
	status, hasStatus := o.Object["status"]
	delete(o.Object, "status")
	finalizers := o.GetFinalizers()
	o.SetFinalizers(nil)
	stored, err := resource.Create(ctx, o, metav1.CreateOptions{FieldManager: i.manager})
	if err != nil {
		return err
	}
	w.uids[i.key()] = stored.GetUID()
	asController := metav1.UpdateOptions{FieldManager: i.statusManager}
	if len(finalizers) > 0 {
		stored.SetFinalizers(finalizers)
		if stored, err = resource.Update(ctx, stored, asController); err != nil {
			return fmt.Errorf("adding finalizers: %w", err)
		}
	}
	if hasStatus {
		stored.Object["status"] = status
		if w.noStatus[key{group: i.key().group, kind: i.key().kind}] {
			_, err = resource.Update(ctx, stored, asController)
		} else {
			_, err = resource.UpdateStatus(ctx, stored, asController)
		}
		if err != nil {
			return fmt.Errorf("writing its status: %w", err)
		}
	}
	if i.deleted > 0 {
		return resource.Delete(ctx, i.object.GetName(), metav1.DeleteOptions{})
	}
	return nil
}

// fillUIDs gives references to objects that were written before their uids.
func (w *writer) fillUIDs(i *item, o *unstructured.Unstructured) {
	if owner := i.owner; owner != nil {
		yes := true
		o.SetOwnerReferences([]metav1.OwnerReference{{
			APIVersion: owner.object.GetAPIVersion(), Kind: owner.object.GetKind(), Name: owner.object.GetName(),
			UID: w.uids[owner.key()], Controller: &yes, BlockOwnerDeletion: &yes,
		}})
	}
	if regarding, ok := o.Object["involvedObject"].(map[string]any); ok {
		w.fillUID(regarding)
	}
	endpoints, _ := o.Object["endpoints"].([]any)
	for _, e := range endpoints {
		if target, ok := e.(map[string]any)["targetRef"].(map[string]any); ok {
			w.fillUID(target)
		}
	}
}

func (w *writer) fillUID(reference map[string]any) {
	target := &unstructured.Unstructured{Object: map[string]any{"apiVersion": reference["apiVersion"], "kind": reference["kind"]}}
	if reference["apiVersion"] == nil {
		target.SetAPIVersion("v1")
	}
	name, _ := reference["name"].(string)
	namespace, _ := reference["namespace"].(string)
	k := key{target.GroupVersionKind().Group, target.GetKind(), namespace, name}
	if uid := w.uids[k]; uid != "" {
		reference["uid"] = string(uid)
	}
}

// waitForAPIServices waits until the server has tried the aggregated APIs of the manifests.
func (w *writer) waitForAPIServices(ctx context.Context, items []*item) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for _, i := range items {
		if i.object.GetKind() != "APIService" {
			continue
		}
		resource, err := w.resource(i.object)
		if err != nil {
			return err
		}
		for {
			service, err := resource.Get(ctx, i.object.GetName(), metav1.GetOptions{})
			if err != nil {
				return fmt.Errorf("waiting for %s: %w", i.key(), err)
			}
			if conditions, _, _ := unstructured.NestedSlice(service.Object, "status", "conditions"); len(conditions) > 0 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
	}
	return nil
}
