package facts

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"kubectl-operator-maturity/internal/inventory"
)

// family are the objects below the instances of one kind, by owner references.
// It stops at custom resources of other operators: what lies below them is
// their work.
type family struct {
	// children are distinct, sorted by kind, namespace and name.
	children []child
	// of lists them by the position of the instance.
	of [][]int
	// workloads are the long-running ones among them: Deployments,
	// StatefulSets, DaemonSets, and ReplicaSets and Pods that no built-in
	// workload or Job made.
	workloads []operandWorkload
	// byRef finds workloads by Kind/namespace/name.
	byRef map[string]int
	// pods are those of the workloads, finished ones left out.
	pods []operandPod
	// uids of the children.
	uids map[types.UID]int
}

type child struct {
	inventory.Owned
	// instance is the position of the instance it was found through first.
	instance int
	// owner is the reference to the instance itself; nil for a child's child.
	owner *metav1.OwnerReference
	// parent is the object it was reached through.
	parent metav1.Object
}

type operandWorkload struct {
	*inventory.Workload
	instance int
}

type operandPod struct {
	*inventory.Pod
	workload int
}

func (c *child) ref() string { return ref(c.Kind, c.Object) }

// crossing tells whether the link to the parent leaves its namespace, which
// garbage collection takes for a missing owner.
func (c *child) crossing() bool {
	ns := c.parent.GetNamespace()
	return ns != "" && ns != c.Object.GetNamespace()
}

func (k *kind) newFamily() *family {
	f := &family{of: make([][]int, len(k.instances)), byRef: map[string]int{}}
	seen := map[types.UID]int{}
	for i := range k.instances {
		f.descend(k, i, seen)
	}
	order := make([]int, len(f.children))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return f.children[a].compare(&f.children[b]) })
	f.reorder(order)
	f.uids = seen
	for i := range f.children {
		c := &f.children[i]
		f.uids[c.Object.GetUID()] = i
		w := k.op.o.workloads[c.Object.GetUID()]
		if w == nil {
			continue
		}
		f.byRef[w.Ref()] = len(f.workloads)
		f.workloads = append(f.workloads, operandWorkload{w, c.instance})
		for _, p := range k.op.o.podsOf[w.Meta.UID] {
			if !p.Finished() {
				f.pods = append(f.pods, operandPod{p, len(f.workloads) - 1})
			}
		}
	}
	return f
}

func (c *child) compare(d *child) int {
	return cmp.Or(cmp.Compare(c.Group, d.Group), cmp.Compare(c.Kind, d.Kind),
		cmp.Compare(c.Object.GetNamespace(), d.Object.GetNamespace()), cmp.Compare(c.Object.GetName(), d.Object.GetName()),
		cmp.Compare(c.Object.GetUID(), d.Object.GetUID()))
}

func (f *family) reorder(order []int) {
	place := make([]int, len(order))
	moved := make([]child, len(order))
	for to, from := range order {
		place[from] = to
		moved[to] = f.children[from]
	}
	f.children = moved
	for _, list := range f.of {
		for i := range list {
			list[i] = place[list[i]]
		}
		slices.Sort(list)
	}
}

// descend walks down from one instance, nearest first. seen holds the place of
// each child found so far, through whichever instance.
func (f *family) descend(k *kind, i int, seen map[types.UID]int) {
	root := k.instances[i].obj
	type step struct {
		uid    types.UID
		object metav1.Object
	}
	queue := []step{{root.UID, root}}
	var mine map[types.UID]bool
	for len(queue) > 0 {
		next := queue[0]
		queue = queue[1:]
		for _, owned := range k.op.o.owners.Children(next.uid) {
			uid := owned.Object.GetUID()
			if uid == root.UID || mine[uid] || !canBeChild(&owned) {
				continue
			}
			if mine == nil {
				mine = map[types.UID]bool{}
			}
			mine[uid] = true
			at, known := seen[uid]
			if !known {
				at = len(f.children)
				seen[uid] = at
				c := child{Owned: owned, instance: i, parent: next.object}
				if next.uid == root.UID {
					c.owner = ownerRef(owned.Object, root.UID)
				}
				f.children = append(f.children, c)
			}
			f.of[i] = append(f.of[i], at)
			if !owned.Custom || k.isSibling(owned) {
				queue = append(queue, step{uid, owned.Object})
			}
		}
	}
}

// canBeChild leaves out what Kubernetes itself hangs below other objects:
// EndpointSlices, ControllerRevisions.
func canBeChild(owned *inventory.Owned) bool {
	if owned.Custom {
		return true
	}
	k := inventory.KindFor(owned.Group, owned.Kind)
	return k == nil || k.Child() // nil: a Secret
}

// isSibling tells whether a custom resource is of the same operator.
func (k *kind) isSibling(owned inventory.Owned) bool {
	other := k.op.o.kinds[schema.GroupKind{Group: owned.Group, Kind: owned.Kind}]
	return other != nil && other.op == k.op
}

func ownerRef(m metav1.Object, uid types.UID) *metav1.OwnerReference {
	refs := m.GetOwnerReferences()
	for i := range refs {
		if refs[i].UID == uid {
			return &refs[i]
		}
	}
	return nil
}

// ref names an instance.
func (k *kind) ref(i int) string { return k.instances[i].ref }
