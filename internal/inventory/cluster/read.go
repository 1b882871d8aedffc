package cluster

import (
	"context"
	"fmt"
	"reflect"
	"strconv"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
)

// ask is one request of a list call.
type ask struct {
	namespace string
	token     string
	limit     int64
}

// page is what one request of a list call brought, beside its objects.
type page struct {
	items     int
	next      string
	remaining int64
}

// reader reads one page and puts its objects, pruned, into a snapshot. After
// an error none of the page is in it.
type reader func(ctx context.Context, a ask, into *inventory.Snapshot) (page, error)

func pageOf(items int, m metav1.ListInterface) page {
	p := page{items: items, next: m.GetContinue()}
	if n := m.GetRemainingItemCount(); n != nil {
		p.remaining = *n
	}
	return p
}

// request is a GET of one page. The limit is always set: a list without one
// can bring down a server (field-cases C5).
func (c *clients) request(r schema.GroupVersionResource, a ask) *rest.Request {
	get := c.objects.Get().AbsPath(collectionPath(r, a.namespace)...).Param("limit", strconv.FormatInt(a.limit, 10))
	if a.token != "" {
		get = get.Param("continue", a.token)
	}
	return get
}

// typed reads a kind of Kubernetes' own types, as protobuf where the server
// can.
func (c *clients) typed(k *inventory.Kind) reader {
	want := reflect.TypeOf(k.New())
	return func(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
		return c.each(ctx, c.request(resourceOf(k), a), func(item runtime.Object) error {
			if reflect.TypeOf(item) != want {
				return fmt.Errorf("the server sent %T in a list of %s", item, k.Resource)
			}
			k.Add(into, item.(inventory.TypedObject))
			return nil
		})
	}
}

// crdReader reads CustomResourceDefinitions and reduces each at once. Their
// size as JSON is not known where they come as protobuf.
func (c *clients) crdReader(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
	answer := c.request(crdResource, a).Do(ctx)
	if err := answer.Error(); err != nil { // the server's Status, which Raw leaves out
		return page{}, err
	}
	var contentType string
	if answer.ContentType(&contentType); contentType == runtime.ContentTypeProtobuf {
		raw, err := answer.Raw()
		if err != nil {
			return page{}, err
		}
		shared := c.shared.Get().(*inventory.Shared)
		defer c.shared.Put(shared)
		listMeta, n, err := into.AddCRDs(raw, shared)
		return pageOf(n, &listMeta), err
	}
	var reduced []inventory.CRD
	p, err := eachOf(answer, func(item runtime.Object) error {
		crd, ok := item.(*apiextensionsv1.CustomResourceDefinition)
		if !ok {
			return fmt.Errorf("the server sent %T in a list of CRDs", item)
		}
		reduced = append(reduced, inventory.ReduceCRD(crd, 0))
		return nil
	})
	if err != nil {
		return page{}, err
	}
	into.CRDs = append(into.CRDs, reduced...)
	return p, nil
}

// each decodes a page of a typed list and calls item for its objects.
func (c *clients) each(ctx context.Context, get *rest.Request, item func(runtime.Object) error) (page, error) {
	return eachOf(get.Do(ctx), item)
}

func eachOf(answer rest.Result, item func(runtime.Object) error) (page, error) {
	// Get, not Into: it insists on the answer naming its kind, so that an
	// answer such as {} is no empty list.
	list, err := answer.Get()
	if err != nil {
		return page{}, err
	}
	listMeta, err := meta.ListAccessor(list)
	if err != nil {
		return page{}, fmt.Errorf("the answer is a %T, no list", list)
	}
	n := 0
	err = meta.EachListItem(list, func(o runtime.Object) error {
		n++
		return item(o)
	})
	if err != nil {
		return page{}, err
	}
	return pageOf(n, listMeta), nil
}

// partial reads a kind by its metadata alone.
func (c *clients) partial(k *inventory.Kind) reader {
	r := resourceOf(k)
	return func(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
		get := c.request(r, a).SetHeader("Accept", partialAs("PartialObjectMetadataList"))
		return c.each(ctx, get, func(item runtime.Object) error {
			sent, ok := item.(*metav1.PartialObjectMetadata)
			if !ok {
				return fmt.Errorf("the server sent %T in a list of metadata", item)
			}
			k.Add(into, &inventory.Object{APIVersion: r.GroupVersion().String(), Kind: k.Kind, ObjectMeta: sent.ObjectMeta})
			return nil
		})
	}
}

// builtin is how a row of the kinds table is read.
func (c *clients) builtin(k *inventory.Kind) reader {
	switch k.New().(type) {
	case *inventory.Object:
		if k.MetadataOnly {
			return c.partial(k)
		}
		// Objects of a type that we do not link, such as APIServices.
		return c.json(resourceOf(k), builtinItem(k))
	default:
		return c.typed(k)
	}
}

func resourceOf(k *inventory.Kind) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: k.Group, Version: k.Version, Resource: k.Resource}
}

var crdResource = apiextensionsv1.SchemeGroupVersion.WithResource("customresourcedefinitions")
