package cluster

import (
	"bytes"
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

// typed reads a kind of Kubernetes' own types, or one by its metadata alone, as
// protobuf where the server can.
func (c *clients) typed(k *inventory.Kind) reader {
	return func(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
		get := c.request(resourceOf(k), a)
		if k.MetadataOnly {
			get = get.SetHeader("Accept", partialAs("PartialObjectMetadataList"))
		}
		return c.whole(ctx, get, into, func(raw []byte, into *inventory.Snapshot, shared *inventory.Shared) (page, error) {
			if inventory.IsProtobuf(raw) {
				listMeta, n, err := k.AddList(into, raw, shared)
				return pageOf(n, &listMeta), err
			}
			return c.each(raw, func(item runtime.Object) error { return addDecoded(into, k, item, shared) })
		})
	}
}

// addDecoded puts an item of a list that did not come as protobuf into a
// snapshot.
func addDecoded(into *inventory.Snapshot, k *inventory.Kind, item runtime.Object, shared *inventory.Shared) error {
	if k.MetadataOnly {
		partial, ok := item.(*metav1.PartialObjectMetadata)
		if !ok {
			return fmt.Errorf("the server sent %T in a list of metadata", item)
		}
		k.AddShared(into, &inventory.Object{APIVersion: resourceOf(k).GroupVersion().String(), Kind: k.Kind, ObjectMeta: partial.ObjectMeta}, shared)
		return nil
	}
	if reflect.TypeOf(item) != reflect.TypeOf(k.New()) {
		return fmt.Errorf("the server sent %T in a list of %s", item, k.Resource)
	}
	k.AddShared(into, item.(inventory.TypedObject), shared)
	return nil
}

// crdReader reads CustomResourceDefinitions and reduces each at once. Their
// size as JSON is not known where they come as protobuf.
func (c *clients) crdReader(ctx context.Context, a ask, into *inventory.Snapshot) (page, error) {
	return c.whole(ctx, c.request(crdResource, a), into, func(raw []byte, into *inventory.Snapshot, shared *inventory.Shared) (page, error) {
		if inventory.IsProtobuf(raw) {
			listMeta, n, err := into.AddCRDs(raw, shared)
			return pageOf(n, &listMeta), err
		}
		return c.each(raw, func(item runtime.Object) error {
			crd, ok := item.(*apiextensionsv1.CustomResourceDefinition)
			if !ok {
				return fmt.Errorf("the server sent %T in a list of CRDs", item)
			}
			into.CRDs = append(into.CRDs, inventory.ReduceCRD(crd, 0))
			return nil
		})
	})
}

// decodePage puts the objects of a page into a snapshot of the page's own.
type decodePage func(raw []byte, into *inventory.Snapshot, shared *inventory.Shared) (page, error)

// whole reads an answer to its end and decodes it; the bytes are used again
// after that. The time limit of a request is for all of that. Of a broken page
// nothing is kept.
func (c *clients) whole(ctx context.Context, get *rest.Request, into *inventory.Snapshot, decode decodePage) (page, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	body, err := get.Stream(ctx)
	if err != nil {
		return page{}, err
	}
	defer body.Close()
	buffer := c.buffers.Get().(*bytes.Buffer)
	defer c.buffers.Put(buffer)
	buffer.Reset()
	if _, err := buffer.ReadFrom(body); err != nil {
		return page{}, broken(err)
	}
	shared := c.shared.Get()
	defer c.shared.Put(shared)
	var read inventory.Snapshot
	p, err := decode(buffer.Bytes(), &read, shared)
	if err != nil {
		return page{}, err
	}
	into.Merge(&read)
	return p, nil
}

// each decodes a page that is no protobuf and calls item for its objects.
func (c *clients) each(raw []byte, item func(runtime.Object) error) (page, error) {
	// Without a type to decode into: an answer such as {}, which does not name
	// its kind, is no empty list.
	list, err := runtime.Decode(c.decoder, raw)
	if err != nil {
		return page{}, err
	}
	listMeta, err := meta.ListAccessor(list)
	if err != nil {
		return page{}, fmt.Errorf("the answer is a %T, no list", list)
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return page{}, err
	}
	for _, o := range items {
		if err := item(o); err != nil {
			return page{}, err
		}
	}
	return pageOf(len(items), listMeta), nil
}

// builtin is how a row of the kinds table is read.
func (c *clients) builtin(k *inventory.Kind) reader {
	switch k.New().(type) {
	case *inventory.Object:
		if k.MetadataOnly {
			return c.typed(k)
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
