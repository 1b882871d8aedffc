package facts

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
)

// disruption looks for PodDisruptionBudgets of the operand: below an instance,
// or selecting its pods. One that the operator's own chart brings for the
// controllers selects no operand.
func (k *kind) disruption() {
	f := &k.facts.Disruption
	var mine, others []string
	spaces := k.family.namespaces()
	for _, i := range k.budgetsNear(spaces) {
		b := &k.op.o.s.PodDisruptionBudgets[i]
		_, child := k.family.uids[b.UID]
		child = child && b.UID != ""
		switch {
		case child, len(spaces[b.Namespace]) > 0 && k.guards(i, spaces[b.Namespace]) && k.op.wrote(b):
			mine = append(mine, ref("PodDisruptionBudget", b))
			k.see("ownedPDBs", &k.facts.Seen.OwnedPDBs, ref("PodDisruptionBudget", b))
			if b.Status.ExpectedPods > 0 {
				f.Guarding++
			}
		case len(spaces[b.Namespace]) > 0 && k.guards(i, spaces[b.Namespace]):
			others = append(others, ref("PodDisruptionBudget", b))
		}
	}
	f.ByOperator, f.ByOthers = sorted(mine), sorted(others)
	v := k.ofOperand()
	if !k.noInstances() {
		v.on(budgets)
	}
	unseen(k.facts.Unseen, "disruption", v)
}

// budgetsNear are the budgets that may select pods of the workloads, and those
// among the children.
func (k *kind) budgetsNear(workloads map[string][]int) []int {
	var list []int
	for namespace, places := range workloads {
		list = append(list, k.op.o.budgetsIn[namespace]...)
		for _, i := range places {
			for key, value := range k.family.workloads[i].Labels {
				list = append(list, k.op.o.budgetsBy[podLabel{namespace, key, value}]...)
			}
		}
	}
	for i := range k.family.children {
		if at, ok := k.op.o.budgetAt[k.family.children[i].Object.GetUID()]; ok {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// namespaces lists the workloads by namespace.
func (f *family) namespaces() map[string][]int {
	spaces := map[string][]int{}
	for i := range f.workloads {
		spaces[f.workloads[i].Namespace] = append(spaces[f.workloads[i].Namespace], i)
	}
	return spaces
}

// guards tells whether a budget selects pods of one of the workloads.
func (k *kind) guards(budget int, workloads []int) bool {
	selector := k.op.o.budgets[budget]
	if selector == nil {
		return false
	}
	for _, i := range workloads {
		if selector.Matches(labels.Set(k.family.workloads[i].Labels)) {
			return true
		}
	}
	return false
}

// selectorOf is a label selector ready to match; false for one that is missing
// or wrong.
func selectorOf(s *metav1.LabelSelector) (labels.Selector, bool) {
	if s == nil {
		return nil, false
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	return selector, err == nil
}

// readBudgets makes the selectors of all budgets ready, once for all operators.
func (o *observer) readBudgets() {
	o.budgetsIn, o.budgetsBy, o.budgetAt = map[string][]int{}, map[podLabel][]int{}, map[types.UID]int{}
	for i := range o.s.PodDisruptionBudgets {
		selector, _ := selectorOf(o.s.PodDisruptionBudgets[i].Spec.Selector)
		o.budgets = append(o.budgets, selector)
		b := &o.s.PodDisruptionBudgets[i]
		if b.UID != "" {
			o.budgetAt[b.UID] = i
		}
		switch {
		case selector == nil:
		case len(b.Spec.Selector.MatchLabels) == 0:
			o.budgetsIn[b.Namespace] = append(o.budgetsIn[b.Namespace], i)
		default:
			key := slices.Min(slices.Collect(maps.Keys(b.Spec.Selector.MatchLabels)))
			at := podLabel{b.Namespace, key, b.Spec.Selector.MatchLabels[key]}
			o.budgetsBy[at] = append(o.budgetsBy[at], i)
		}
	}
}

// ownPDB finds budgets for the controllers themselves.
func (op *operator) ownPDB() {
	for i := range op.o.s.PodDisruptionBudgets {
		b := &op.o.s.PodDisruptionBudgets[i]
		selector := op.o.budgets[i]
		if selector == nil {
			continue
		}
		for j := range op.at.Controllers {
			w := &op.at.Controllers[j].Workload
			if w.Namespace == b.Namespace && selector.Matches(labels.Set(w.Labels)) {
				op.facts.OwnPDB.Names = append(op.facts.OwnPDB.Names, ref("PodDisruptionBudget", b))
				break
			}
		}
	}
	op.facts.Seen.OwnPDBs = len(op.facts.OwnPDB.Names)
	op.facts.OwnPDB.Names = sorted(op.facts.OwnPDB.Names)
	unseen(op.facts.Unseen, "ownPDB", op.ofWorkloads().on(budgets))
}
