package testcluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
)

// establishTimeout is how long a CRD may take to be served.
const establishTimeout = 30 * time.Second

// Applier writes objects with server-side apply, as one field manager, and takes fields that another one
// owns. Several appliers stand for several writers: kubectl, an operator, a kubelet.
type Applier struct {
	manager string
	client  dynamic.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

// NewApplier makes an applier that writes with the rights of cfg.
func NewApplier(cfg *rest.Config, manager string) (*Applier, error) {
	cfg = rest.CopyConfig(cfg)
	cfg.QPS = -1 // the server is our own
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("connecting as field manager %s: %w", manager, err)
	}
	resources, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("connecting as field manager %s: %w", manager, err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(resources))
	return &Applier{manager: manager, client: client, mapper: mapper}, nil
}

// Apply reads objects from files and folders, as ReadObjects does, and applies them as the field manager.
func Apply(ctx context.Context, cfg *rest.Config, manager string, paths ...string) error {
	objects, err := ReadObjects(paths...)
	if err != nil {
		return err
	}
	applier, err := NewApplier(cfg, manager)
	if err != nil {
		return err
	}
	return applier.Apply(ctx, objects...)
}

// Apply writes objects in an order that can work: namespaces, CRDs, which it waits for, the rest as given,
// and last what the server would call for every later write. What the server refuses does not stop the
// others; the errors are joined. The objects are not changed: metadata that only a server sets is left out of
// what is sent, so that objects read from another cluster can be applied. The server ignores their status
// where it has a subresource of its own (see ApplyStatus).
func (a *Applier) Apply(ctx context.Context, objects ...*unstructured.Unstructured) error {
	a.mapper.Reset() // other writers may have brought kinds
	ordered := slices.Clone(objects)
	slices.SortStableFunc(ordered, func(x, y *unstructured.Unstructured) int { return rank(x) - rank(y) })
	var errs []error
	var crds []*unstructured.Unstructured
	for _, object := range ordered {
		if len(crds) > 0 && rank(object) > rankCRD {
			errs = append(errs, a.establish(ctx, crds))
			crds = nil
		}
		err := a.apply(ctx, object)
		errs = append(errs, err)
		if err == nil && rank(object) == rankCRD {
			crds = append(crds, object)
		}
	}
	return errors.Join(append(errs, a.establish(ctx, crds))...)
}

const (
	rankNamespace = iota
	rankCRD
	rankOther
	rankCalled
)

func rank(object *unstructured.Unstructured) int {
	switch object.GroupVersionKind().GroupKind() {
	case schema.GroupKind{Kind: "Namespace"}:
		return rankNamespace
	case crdKind.GroupKind():
		return rankCRD
	case schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"},
		schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"},
		schema.GroupKind{Group: "apiregistration.k8s.io", Kind: "APIService"}:
		return rankCalled
	}
	return rankOther
}

func (a *Applier) apply(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := a.resource(object)
	if err != nil {
		return fmt.Errorf("applying %s: %w", title(object), err)
	}
	if _, err := resource.Apply(ctx, object.GetName(), sendable(object), a.options()); err != nil {
		return fmt.Errorf("applying %s: %w", title(object), err)
	}
	return nil
}

// ApplyStatus writes the status of an object that exists, as its controller would, and nothing else of it.
func (a *Applier) ApplyStatus(ctx context.Context, object *unstructured.Unstructured) error {
	resource, err := a.resource(object)
	if err != nil {
		return fmt.Errorf("applying status of %s: %w", title(object), err)
	}
	sent := &unstructured.Unstructured{Object: map[string]any{"status": object.Object["status"]}}
	sent.SetGroupVersionKind(object.GroupVersionKind())
	sent.SetName(object.GetName())
	sent.SetNamespace(object.GetNamespace())
	if _, err := resource.ApplyStatus(ctx, object.GetName(), sent, a.options()); err != nil {
		return fmt.Errorf("applying status of %s: %w", title(object), err)
	}
	return nil
}

func (a *Applier) options() metav1.ApplyOptions {
	return metav1.ApplyOptions{FieldManager: a.manager, Force: true}
}

// resource is where objects of this kind are written. An object without a namespace goes to "default".
func (a *Applier) resource(object *unstructured.Unstructured) (dynamic.ResourceInterface, error) {
	kind := object.GroupVersionKind()
	mapping, err := a.mapper.RESTMapping(kind.GroupKind(), kind.Version)
	if err != nil {
		return nil, err
	}
	if mapping.Scope.Name() != meta.RESTScopeNameNamespace {
		return a.client.Resource(mapping.Resource), nil
	}
	namespace := object.GetNamespace()
	if namespace == "" {
		namespace = metav1.NamespaceDefault
	}
	return a.client.Resource(mapping.Resource).Namespace(namespace), nil
}

// sendable is a copy without the metadata that only a server sets.
func sendable(object *unstructured.Unstructured) *unstructured.Unstructured {
	sent := object.DeepCopy()
	for _, field := range []string{"managedFields", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "selfLink"} {
		unstructured.RemoveNestedField(sent.Object, "metadata", field)
	}
	return sent
}

func title(object *unstructured.Unstructured) string {
	name := object.GetName()
	if namespace := object.GetNamespace(); namespace != "" {
		name = namespace + "/" + name
	}
	return object.GetKind() + " " + name
}
