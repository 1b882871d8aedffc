package facts

import (
	"cmp"
	"runtime"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// indexInstances sorts the custom resources to their CRDs and reads their
// status.
func (o *observer) indexInstances() {
	for i := range o.s.CustomResources {
		obj := &o.s.CustomResources[i]
		k := o.kinds[schema.GroupKind{Group: obj.Group(), Kind: obj.Kind}]
		switch {
		case k == nil:
		case obj.UID == "":
			k.declared++ // never on a server: nothing about it was observed
		default:
			k.instances = append(k.instances, instance{obj: obj})
		}
	}
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for _, op := range o.operators {
		for _, k := range op.kinds {
			work.Go(func() error {
				k.readInstances()
				return nil
			})
		}
	}
	_ = work.Wait()
}

// readInstances reads the status of each, and puts them in order.
func (k *kind) readInstances() {
	for i := range k.instances {
		in := &k.instances[i]
		in.reading = Read(k.op.o.input(k, in.obj))
	}
	slices.SortFunc(k.instances, func(a, b instance) int {
		return cmp.Or(cmp.Compare(a.obj.Namespace, b.obj.Namespace), cmp.Compare(a.obj.Name, b.obj.Name), cmp.Compare(a.obj.UID, b.obj.UID))
	})
}

func (o *observer) input(k *kind, obj *inventory.Object) Input {
	in := Input{Status: obj.Status, Generation: obj.Generation, Age: o.age(obj.CreationTimestamp.Time)}
	if v := k.storage(); v != nil && !k.crd.DiscoveryOnly {
		in.NoStatus = !v.StatusSubresource && !v.Schema.HasStatus && v.Schema.Present && !v.Schema.Opaque
		in.NoSubresource = !v.StatusSubresource
	}
	return in
}

// age is how old something is; negative if it cannot be told.
func (o *observer) age(created time.Time) time.Duration {
	if created.IsZero() || o.now.IsZero() {
		return -1
	}
	return max(0, o.now.Sub(created))
}

// storage is the version whose schema speaks for the CRD.
func (k *kind) storage() *inventory.CRDVersion {
	if v := k.crd.StorageVersion(); v != nil {
		return v
	}
	if len(k.crd.Versions) > 0 {
		return &k.crd.Versions[0]
	}
	return nil
}

// of names the kind as the catalogue does: Kind.group.
func (k *kind) of() string { return k.crd.Names.Kind + "." + k.crd.Group }
