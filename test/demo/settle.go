package demo

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"kubectl-operator-maturity/internal/inventory"
)

// settle gives a snapshot the times of the story, and takes out of it what differs from one recording to the
// next: uids, resource versions, addresses, what the server makes
// for itself.
func settle(s *inventory.Snapshot, items []*item) {
	t := &settler{items: map[key]*item{}, uids: map[types.UID]types.UID{}}
	for _, i := range items {
		t.items[i.key()] = i
	}
	t.dropServersOwn(s)
	each(s, t.object)
	for i := range s.CRDs {
		t.crd(&s.CRDs[i])
	}
	for i := range s.APIServices {
		t.apiService(&s.APIServices[i])
	}
	each(s, t.references)
	s.Sort()
}

type settler struct {
	items map[key]*item
	uids  map[types.UID]types.UID // by recorded uid
}

// each visits every object of a snapshot but its CRDs' own.
func each(s *inventory.Snapshot, visit func(k key, o inventory.TypedObject)) {
	for _, kind := range inventory.Kinds() {
		kind.Each(s, func(o inventory.TypedObject) {
			visit(key{kind.Group, kind.Kind, o.GetNamespace(), o.GetName()}, o)
		})
	}
	for i := range s.CustomResources {
		o := &s.CustomResources[i]
		visit(key{o.Group(), o.Kind, o.Namespace, o.Name}, o)
	}
}

// object settles what every object has: uid, times, managers.
func (t *settler) object(k key, o inventory.TypedObject) {
	i := t.items[k]
	if i == nil {
		i = &item{age: clusterAge, changed: clusterAge, statusAge: clusterAge}
	}
	uid := types.UID(uidOf(k))
	t.uids[o.GetUID()] = uid
	o.SetUID(uid)
	o.SetResourceVersion("")
	o.SetCreationTimestamp(before(i.age))
	if i.generation > 0 {
		o.SetGeneration(i.generation)
	}
	if o.GetDeletionTimestamp() != nil {
		deleted := before(i.deleted)
		o.SetDeletionTimestamp(&deleted)
	}
	o.SetManagedFields(i.managers(o.GetManagedFields()))
	if service, ok := o.(*corev1.Service); ok {
		settleService(service)
	}
}

// managers gives the entries of managedFields the times at which the story has them written. The server orders
// them by time; those of one second would differ between recordings.
func (i *item) managers(entries []metav1.ManagedFieldsEntry) []metav1.ManagedFieldsEntry {
	for n := range entries {
		entry := &entries[n]
		at := before(i.changed)
		switch {
		case entry.Subresource == "status", i.statusManager != "" && entry.Manager == i.statusManager && inventory.Wrote(entry, "status"):
			at = before(i.statusAge)
		case i.statusManager != "" && entry.Manager == i.statusManager:
			at = before(i.age) // finalizers, when it first saw the object
		}
		entry.Time = &at
	}
	slices.SortFunc(entries, func(a, b metav1.ManagedFieldsEntry) int {
		return cmp.Or(a.Time.Compare(b.Time.Time), cmp.Compare(a.Manager, b.Manager), cmp.Compare(a.Subresource, b.Subresource), cmp.Compare(a.Operation, b.Operation))
	})
	return entries
}

func (t *settler) crd(c *inventory.CRD) {
	k := key{"apiextensions.k8s.io", "CustomResourceDefinition", "", c.Name}
	age := clusterAge
	if i := t.items[k]; i != nil {
		age = i.age
		// The size as read counts digits of resource versions.
		if raw, err := json.Marshal(i.object); err == nil {
			c.Bytes = len(raw)
		}
	}
	uid := types.UID(uidOf(k))
	t.uids[c.UID] = uid
	c.UID, c.ResourceVersion, c.CreationTimestamp = uid, "", before(age)
	c.ManagedFields = (&item{age: age, changed: age, statusAge: age}).managers(c.ManagedFields)
	for i := range c.Conditions {
		c.Conditions[i].LastTransitionTime = before(age)
	}
	slices.SortFunc(c.Conditions, func(a, b apiextensionsv1.CustomResourceDefinitionCondition) int { return cmp.Compare(a.Type, b.Type) })
}

// apiService settles the times in its conditions. Those of CRDs' groups, which the server makes, are as old as
// the oldest CRD of the group.
func (t *settler) apiService(o *inventory.Object) {
	_, group, _ := strings.Cut(o.Name, ".") // v1.cert-manager.io
	var oldest time.Duration
	for k, i := range t.items {
		if k.kind == "CustomResourceDefinition" && strings.HasSuffix(k.name, "."+group) {
			oldest = max(oldest, i.age)
		}
	}
	if oldest > 0 {
		o.CreationTimestamp = before(oldest)
		o.ManagedFields = (&item{age: oldest, changed: oldest, statusAge: oldest}).managers(o.ManagedFields)
	}
	status := o.Status.Map()
	conditions, _ := status["conditions"].([]any)
	for _, c := range conditions {
		if condition, ok := c.(map[string]any); ok {
			condition["lastTransitionTime"] = o.CreationTimestamp.UTC().Format(time.RFC3339)
		}
	}
	if status != nil {
		o.Status = inventory.Pack(status)
	}
}

// references makes every uid by which an object names another the settled one.
func (t *settler) references(_ key, o inventory.TypedObject) {
	owners := o.GetOwnerReferences()
	for i := range owners {
		owners[i].UID = t.uids[owners[i].UID]
	}
	o.SetOwnerReferences(owners)
	if e, ok := o.(*corev1.Event); ok {
		e.InvolvedObject.UID = t.uids[e.InvolvedObject.UID]
		e.InvolvedObject.ResourceVersion = ""
	}
}

// dropServersOwn takes out what the API server makes for itself under names made at random: the Lease of its
// identity, and Events, which come or do not, whatever they are about.
func (t *settler) dropServersOwn(s *inventory.Snapshot) {
	leases := len(s.Leases)
	s.Leases = slices.DeleteFunc(s.Leases, func(l coordinationv1.Lease) bool {
		return l.Labels["apiserver.kubernetes.io/identity"] != ""
	})
	s.Events = slices.DeleteFunc(s.Events, func(e corev1.Event) bool {
		return t.items[key{"", "Event", e.Namespace, e.Name}] == nil
	})
	for i := range s.Access {
		switch a := &s.Access[i]; a.Resource {
		case "leases":
			a.Count -= leases - len(s.Leases)
		case "events":
			a.Count = len(s.Events)
		}
	}
}

// settleService replaces the addresses and ports that were given out at random.
func settleService(s *corev1.Service) {
	if s.Spec.ClusterIP != corev1.ClusterIPNone && s.Spec.ClusterIP != "" && s.Name != "kubernetes" {
		h := fnv.New32a()
		h.Write([]byte(s.Namespace + "/" + s.Name))
		sum := h.Sum32()
		s.Spec.ClusterIP = fmt.Sprintf("10.0.%d.%d", sum>>8&0xff, 1+sum%254)
		s.Spec.ClusterIPs = []string{s.Spec.ClusterIP}
	}
	for i := range s.Spec.Ports {
		s.Spec.Ports[i].NodePort = 0
		if s.Namespace == "default" && s.Name == "kubernetes" {
			s.Spec.Ports[i].TargetPort = intstr.FromInt32(6443) // the control plane listens where there is room
		}
	}
}

func before(age time.Duration) metav1.Time { return metav1.NewTime(Base.Add(-age)) }

// space is the space of names that settled uids are made from.
var space = uuid.NewSHA1(uuid.NameSpaceDNS, []byte("shop.example.com"))

func uidOf(k key) string { return uuid.NewSHA1(space, []byte(k.String())).String() }
