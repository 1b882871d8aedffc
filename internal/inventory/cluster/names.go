package cluster

import (
	"context"
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"kubectl-operator-maturity/internal/inventory"
)

// NamespaceNames lists the namespaces, sorted: what a shell offers for -n. With
// an error, names are those read before it.
func NamespaceNames(ctx context.Context, o Options) ([]string, error) {
	s, err := glance(ctx, o, func(c *collector) *list { return c.builtinList(inventory.KindFor("", "Namespace")) })
	var names []string
	for i := range s.Others {
		names = append(names, s.Others[i].Name)
	}
	slices.Sort(names)
	return names, err
}

// CRDNames reads the CRDs by their metadata alone: name, group, labels and
// annotations. It is enough to offer names to a shell, at a hundredth of the
// cost of reading them whole. The snapshot holds nothing else.
func CRDNames(ctx context.Context, o Options) (*inventory.Snapshot, error) {
	return glance(ctx, o, func(c *collector) *list {
		return &list{resource: crdResource, pageSize: c.options.PageSize, read: c.clients.crdNames}
	})
}

// glance reads one list.
func glance(ctx context.Context, o Options, what func(*collector) *list) (*inventory.Snapshot, error) {
	c, err := newCollector(withDefaults(o))
	if err != nil {
		return &inventory.Snapshot{}, err
	}
	out := c.readList(ctx, what(c))
	out.objects.Source, out.objects.Access = c.source, []inventory.Access{out.access}
	return &out.objects, out.err
}

func (c *clients) crdNames(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
	get := c.request(crdResource, a).SetHeader("Accept", partialAs("PartialObjectMetadataList"))
	return c.whole(ctx, get, into, func(raw []byte, into *inventory.Snapshot, _ *inventory.Shared) (page, error) {
		return c.each(raw, func(item runtime.Object) error {
			sent, ok := item.(*metav1.PartialObjectMetadata)
			if !ok {
				return fmt.Errorf("the server sent %T in a list of metadata", item)
			}
			crd := apiextensionsv1.CustomResourceDefinition{ObjectMeta: sent.ObjectMeta}
			crd.Spec.Names.Plural, crd.Spec.Group, _ = strings.Cut(sent.Name, ".")
			into.CRDs = append(into.CRDs, inventory.ReduceCRD(&crd, 0))
			return nil
		})
	})
}
