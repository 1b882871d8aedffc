package testcluster

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	crdKind     = schema.GroupVersionKind{Group: "apiextensions.k8s.io", Version: "v1", Kind: "CustomResourceDefinition"}
	crdResource = crdKind.GroupVersion().WithResource("customresourcedefinitions")
)

// establish waits until the server serves the kinds of CRDs that were just applied: until it calls them
// established and, a moment later, lists them in discovery.
func (a *Applier) establish(ctx context.Context, crds []*unstructured.Unstructured) error {
	if len(crds) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, establishTimeout)
	defer cancel()
	for _, crd := range crds {
		if err := a.wait(ctx, func() bool { return a.established(ctx, crd.GetName()) }); err != nil {
			return fmt.Errorf("waiting for CRD %s to be established: %w", crd.GetName(), err)
		}
	}
	return a.wait(ctx, func() bool {
		a.mapper.Reset()
		for _, crd := range crds {
			if !a.discovered(crd) {
				return false
			}
		}
		return true
	})
}

func (a *Applier) wait(ctx context.Context, done func() bool) error {
	for !done() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
	return nil
}

func (a *Applier) established(ctx context.Context, name string) bool {
	crd, err := a.client.Resource(crdResource).Get(ctx, name, metav1.GetOptions{})
	if err != nil {
		return false
	}
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		if condition["type"] == "Established" && condition["status"] == "True" {
			return true
		}
	}
	return false
}

// discovered says whether every version the CRD serves is in discovery.
func (a *Applier) discovered(crd *unstructured.Unstructured) bool {
	group, _, _ := unstructured.NestedString(crd.Object, "spec", "group")
	kind, _, _ := unstructured.NestedString(crd.Object, "spec", "names", "kind")
	versions, _, _ := unstructured.NestedSlice(crd.Object, "spec", "versions")
	for _, v := range versions {
		version, _ := v.(map[string]any)
		name, _ := version["name"].(string)
		if served, _ := version["served"].(bool); !served {
			continue
		}
		if _, err := a.mapper.RESTMapping(schema.GroupKind{Group: group, Kind: kind}, name); err != nil {
			return false
		}
	}
	return true
}
