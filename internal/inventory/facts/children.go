package facts

import (
	"cmp"
	"maps"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func (k *kind) children() {
	f, c := k.family, &k.facts.Children
	counts := map[[2]string]int{}
	var crossing, platform []string
	for i := range f.children {
		child := &f.children[i]
		if child.Kind == "Secret" && !child.Custom {
			continue // SecretChildren
		}
		c.Total++
		counts[[2]string{child.Group, child.Kind}]++
		if child.crossing() {
			crossing = append(crossing, child.ref()+" is owned by "+ref(parentKind(child), child.parent))
		} else {
			c.Valid++
			k.see("children", &k.facts.Seen.Children, child.ref())
		}
		if child.owner != nil && (child.owner.Controller == nil || !*child.owner.Controller) {
			c.WithoutControllerFlag++
		}
		switch {
		case child.Custom:
			c.APIObjects++
			if child.Group == "operators.coreos.com" {
				platform = append(platform, child.ref())
			}
		case apiObjects[child.Kind]:
			c.APIObjects++
		case child.Kind == "PersistentVolumeClaim":
			c.Stateful = true
		}
	}
	for i := range f.workloads {
		c.Workloads++
		c.Stateful = c.Stateful || f.workloads[i].VolumeClaims > 0 || mountsClaim(&f.workloads[i])
	}
	for i, list := range f.of {
		platform = append(platform, k.op.o.ownedCRDs[k.instances[i].obj.UID]...)
		if len(list) == 0 {
			c.InstancesWithout++
		}
	}
	c.Kinds = kindsOf(counts)
	c.CrossNamespace, c.CRDsOrSubscriptions = prose(crossing), sorted(platform)
	c.Dangling = prose(k.danglers())
	c.Recreated = prose(k.recreated())
	c.Unowned = prose(k.unowned())
	unseen(k.facts.Unseen, "children", k.ofChildren())
}

// parentKind names the kind of a child's parent as its owner reference does.
func parentKind(c *child) string {
	if r := ownerRef(c.Object, c.parent.GetUID()); r != nil {
		return r.Kind
	}
	return ""
}

// apiObjects are built-in kinds that are a product themselves.
var apiObjects = words("Secret ConfigMap ServiceAccount Role RoleBinding ClusterRole ClusterRoleBinding Ingress NetworkPolicy")

func kindsOf(counts map[[2]string]int) []ChildKind {
	var list []ChildKind
	for of, n := range counts {
		list = append(list, ChildKind{of[0], of[1], n})
	}
	slices.SortFunc(list, func(a, b ChildKind) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind))
	})
	if len(list) > 2*maxList {
		list = list[:2*maxList]
	}
	return list
}

func mountsClaim(w *operandWorkload) bool {
	for _, v := range w.Pod.Volumes {
		if v.PersistentVolumeClaim != nil {
			return true
		}
	}
	return false
}

// danglers are objects that name an instance of this kind as owner which is
// not there. Only a kind that was read whole can be judged so (field-cases H3).
func (k *kind) danglers() []string {
	if !k.ofInstances().whole() {
		return nil
	}
	var list []string
	for _, d := range k.op.o.dangling[schema.GroupKind{Group: k.crd.Group, Kind: k.crd.Names.Kind}] {
		list = append(list, ref(d.kind, d.obj)+" is owned by a "+k.crd.Names.Kind+" that is gone")
	}
	return list
}

// recreatable are kinds that an operator makes once; a Pod, Job or revision is
// made anew as a matter of course.
var recreatable = words("Service ConfigMap Deployment StatefulSet DaemonSet ServiceAccount PodDisruptionBudget Role RoleBinding Ingress NetworkPolicy")

// recreated are children that are much younger than their owner and than their
// siblings, although the owner's spec never changed and the operator was not
// rolled out at that time: somebody deleted them and the operator made them
// again.
func (k *kind) recreated() []string {
	const late = 10 * time.Minute
	var list []string
	for i, children := range k.family.of {
		root := k.instances[i].obj
		if root.Generation != 1 {
			continue
		}
		early := false
		for _, at := range children {
			early = early || k.family.children[at].owner != nil && k.family.children[at].Object.GetCreationTimestamp().Sub(root.CreationTimestamp.Time) < late
		}
		for _, at := range children {
			c := &k.family.children[at]
			made := c.Object.GetCreationTimestamp().Time
			rolled := !k.op.rollout.IsZero() && made.After(k.op.rollout) && made.Sub(k.op.rollout) < late
			if early && !rolled && c.owner != nil && recreatable[c.Kind] && made.Sub(root.CreationTimestamp.Time) > late {
				list = append(list, c.ref()+" is younger than "+k.ref(i))
			}
		}
	}
	return list
}

// instanceLabels are label keys whose value names the instance that an object
// belongs to; any key of the CRD's own group does too.
var instanceLabels = []string{"app.kubernetes.io/instance", "app.kubernetes.io/managed-by-instance"}

// unowned are objects without any owner that the operator wrote and labelled
// with the name of an instance in the same namespace.
func (k *kind) unowned() []string {
	if len(k.instances) == 0 || len(k.op.looseOnes()) == 0 {
		return nil
	}
	names := make(map[string]bool, len(k.instances))
	for i := range k.instances {
		names[k.instances[i].obj.Namespace+"/"+k.instances[i].obj.Name] = true
	}
	var list []string
	for _, u := range k.op.looseOnes() {
		if u.kind == k.crd.Names.Kind || u.kind == "PersistentVolumeClaim" || u.kind == "Lease" {
			continue // by design without an owner (field-cases H4)
		}
		if key := k.labelNaming(u.obj, names); key != "" {
			list = append(list, ref(u.kind, u.obj)+" is labelled "+key+" and has no owner reference")
		}
	}
	return list
}

func (k *kind) labelNaming(m metav1.Object, names map[string]bool) string {
	labels := m.GetLabels()
	for _, key := range instanceLabels {
		if names[m.GetNamespace()+"/"+labels[key]] {
			return key
		}
	}
	best := ""
	for key, value := range labels {
		if related(key, k.crd.Group) && names[m.GetNamespace()+"/"+value] && (best == "" || key < best) {
			best = key
		}
	}
	return best
}

// looseOnes are the objects without an owner that the operator wrote.
func (op *operator) looseOnes() []*loose {
	if op.loose == nil {
		op.loose = []*loose{}
		for _, manager := range slices.Sorted(maps.Keys(op.o.unowned)) {
			if op.isOwn(manager) {
				op.loose = append(op.loose, op.o.unowned[manager]...)
			}
		}
	}
	return op.loose
}

func (k *kind) secretChildren() {
	for i := range k.family.children {
		if c := &k.family.children[i]; c.Kind == "Secret" && c.Group == "" {
			k.facts.SecretChildren.Count++
		}
	}
	v := k.ofInstances()
	if !k.op.o.hasRow(secrets) {
		k.facts.Unseen["secretChildren"] = "Secrets are never read unless asked for"
		return
	}
	unseen(k.facts.Unseen, "secretChildren", v.on(secrets))
}
