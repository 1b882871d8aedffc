package cluster

import (
	"context"
	"fmt"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// customList is the list of a CRD's custom resources. The plural is the CRD's
// own, never guessed; the version is the stored one where it is served, which
// asks least of a conversion webhook.
func (c *collector) customList(crd *inventory.CRD) *list {
	r := schema.GroupVersionResource{Group: crd.Group, Version: crd.ListVersion(), Resource: crd.Names.Plural}
	l := &list{resource: r, namespaced: crd.Namespaced(), pageSize: c.options.PageSize, most: max(c.options.MaxPerKind, 0)}
	if r.Version == "" {
		l.namespaced = false
		l.read = unservedReader
		return l
	}
	l.read = c.clients.json(r, c.clients.customItem(r, crd.Names.Kind))
	l.missing = func(ctx context.Context) outcome { return c.missingCustom(ctx, crd, r) }
	return l
}

// customItem reduces a custom resource as it comes. What many of a kind say
// alike is kept once.
func (c *clients) customItem(r schema.GroupVersionResource, kind string) addItem {
	apiVersion := r.GroupVersion().String()
	return func(into *inventory.Snapshot, item []byte) error {
		shared := c.shared.Get()
		defer c.shared.Put(shared)
		return into.AddCustomJSON(item, apiVersion, kind, shared)
	}
}

// unservedReader stands for a collection that no URL leads to. Objects may be
// stored all the same.
func unservedReader(context.Context, ask, *inventory.Snapshot) (page, error) {
	return page{}, fmt.Errorf("no version of the CRD is served: objects that are stored cannot be read")
}

// missingCustom looks again at a CRD whose collection is not there: it was
// deleted since it was listed, or the server does not serve it.
func (c *collector) missingCustom(ctx context.Context, crd *inventory.CRD, r schema.GroupVersionResource) outcome {
	out := outcome{access: inventory.Access{Group: r.Group, Version: r.Version, Resource: r.Resource}}
	if crd.DiscoveryOnly {
		return out.end(inventory.Failed, "discovery names it, but the server does not serve it (404)")
	}
	_, err := c.clients.meta(ctx, crdResource, crd.Name)
	switch {
	case err == nil:
		return out.end(inventory.Failed, "not served (404), though its CRD exists"+notEstablished(crd))
	case notFound(err, crd.Name):
		out.deleted = true
		return out.end(inventory.Absent, "deleted while scanning")
	}
	out.err = err
	_, detail := c.classify(ctx, err)
	return out.end(inventory.Failed, "not served (404), and its CRD could not be read again: "+detail)
}

// notEstablished gives the reason that a CRD's own conditions have.
func notEstablished(crd *inventory.CRD) string {
	for i := range crd.Conditions {
		cond := &crd.Conditions[i]
		bad := cond.Status == apiextensionsv1.ConditionFalse &&
			(cond.Type == apiextensionsv1.Established || cond.Type == apiextensionsv1.NamesAccepted)
		if bad {
			return inventory.Text(fmt.Sprintf(" (%s is False: %s %s)", cond.Type, cond.Reason, cond.Message))
		}
	}
	return ""
}
