package endtoend

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// namespacesFirst adds the namespaces that objects stand in: install manifests
// often take them for granted.
func namespacesFirst(objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	seen := map[string]bool{"default": true, "kube-system": true, "kube-public": true, "kube-node-lease": true}
	for _, o := range objects {
		if o.GetKind() == "Namespace" {
			seen[o.GetName()] = true
		}
	}
	var list []*unstructured.Unstructured
	for _, o := range objects {
		if ns := o.GetNamespace(); ns != "" && !seen[ns] {
			seen[ns] = true
			list = append(list, &unstructured.Unstructured{Object: map[string]any{
				"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": ns}}})
		}
		// Webhooks of operators that do not run would refuse what comes later.
		if o.GetKind() == "ValidatingWebhookConfiguration" || o.GetKind() == "MutatingWebhookConfiguration" {
			o = ignoringFailures(o)
		}
		list = append(list, o)
	}
	return list
}

func ignoringFailures(o *unstructured.Unstructured) *unstructured.Unstructured {
	o = o.DeepCopy()
	webhooks, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
	for _, w := range webhooks {
		if m, ok := w.(map[string]any); ok {
			m["failurePolicy"] = "Ignore"
		}
	}
	_ = unstructured.SetNestedSlice(o.Object, webhooks, "webhooks")
	return o
}
