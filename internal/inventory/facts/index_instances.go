package facts

import (
	"cmp"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// indexInstances sorts the custom resources to their CRDs.
func (o *observer) indexInstances() {
	for i := range o.s.CustomResources {
		obj := &o.s.CustomResources[i]
		k := o.kinds[schema.GroupKind{Group: obj.Group(), Kind: obj.Kind}]
		switch {
		case k == nil:
		case obj.UID == "":
			k.declared++ // never on a server: nothing about it was observed
		default:
			k.objects = append(k.objects, obj)
		}
	}
	for _, op := range o.operators {
		for _, k := range op.kinds {
			slices.SortFunc(k.objects, func(a, b *inventory.Object) int {
				return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
			})
		}
	}
}

// readInstances reads the status of each.
func (k *kind) readInstances() {
	k.instances = make([]instance, len(k.objects))
	for i, obj := range k.objects {
		in := &k.instances[i]
		in.obj, in.ref, in.status = obj, ref(k.crd.Names.Kind, obj), obj.Status.ValueBut("conditions")
		in.reading = Read(k.op.o.input(k, in))
	}
	k.judgeNeglect()
}

func (o *observer) input(k *kind, of *instance) Input {
	in := Input{Status: of.status, Generation: of.obj.Generation, Age: o.age(of.obj.CreationTimestamp.Time)}
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
