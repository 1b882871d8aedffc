package facts

import (
	"cmp"
	"slices"
	"strings"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
)

var (
	vpas          = resource{"autoscaling.k8s.io", "verticalpodautoscalers"}
	scaledObjects = resource{"keda.sh", "scaledobjects"}
)

// autoscaler is an HPA, VPA or ScaledObject in one shape.
type autoscaler struct {
	ref     string
	obj     inventory.TypedObject
	target  string // Kind/namespace/name
	group   string // of the target; "" if not told
	metric  bool   // scales on something else than CPU and memory
	scaled  bool
	failing string
	vpaAuto bool
}

// autoscalers finds what scales the operand: its target is an instance or a
// workload below one. An autoscaler of the operator's own Deployment, or the
// workloads of others that KEDA scales, are none. Only what the operator made
// counts as its capability: what a user adds does not.
func (k *kind) autoscalers() {
	f := &k.facts.Autoscalers
	all := k.op.o.scalers
	for i := range all {
		a := &all[i]
		if len(k.objects) == 0 || !k.scales(a) {
			continue
		}
		_, child := k.family.uids[a.obj.GetUID()]
		if !child && !k.op.wrote(a.obj) {
			f.ByOthers = append(f.ByOthers, a.ref)
			continue
		}
		f.ByOperator = append(f.ByOperator, a.ref)
		k.see("ownedAutoscalers", &k.facts.Seen.OwnedAutoscalers, a.ref)
		if a.metric {
			f.OnMetric = append(f.OnMetric, a.ref)
		} else {
			f.OnResource = append(f.OnResource, a.ref)
		}
		if a.scaled {
			f.Scaled = append(f.Scaled, a.ref)
		}
		if a.failing != "" {
			f.Failing = append(f.Failing, a.ref+": "+a.failing)
		}
		if a.vpaAuto {
			f.VPAAuto = append(f.VPAAuto, a.ref)
		}
	}
	for _, list := range []*[]string{&f.ByOperator, &f.ByOthers, &f.OnResource, &f.OnMetric, &f.Scaled, &f.Failing, &f.VPAAuto} {
		*list = sorted(*list)
	}
	v := k.ofOperand()
	if !k.noInstances() {
		v.on(autoscalers).onCustom(vpas, scaledObjects)
	}
	unseen(k.facts.Unseen, "autoscalers", v)
}

func (k *kind) scales(a *autoscaler) bool {
	if _, ok := k.family.byRef[a.target]; ok {
		return true
	}
	kind, name, _ := strings.Cut(a.target, "/")
	if kind != k.crd.Names.Kind || a.group != "" && a.group != k.crd.Group {
		return false
	}
	namespace, name, _ := strings.Cut(name, "/")
	_, found := k.find(namespace, name)
	return found
}

// find looks up an instance by name: they are sorted so.
func (k *kind) find(namespace, name string) (int, bool) {
	return slices.BinarySearchFunc(k.objects, name, func(o *inventory.Object, name string) int {
		return cmp.Or(cmp.Compare(o.Namespace, namespace), cmp.Compare(o.Name, name))
	})
}

// readAutoscalers reads all autoscalers of the snapshot.
func (o *observer) readAutoscalers() []autoscaler {
	var list []autoscaler
	for i := range o.s.HorizontalAutoscalers {
		list = append(list, ofHPA(&o.s.HorizontalAutoscalers[i]))
	}
	for i := range o.s.CustomResources {
		c := &o.s.CustomResources[i]
		switch {
		case c.Kind == "VerticalPodAutoscaler" && c.Group() == vpas.group:
			list = append(list, ofVPA(c))
		case c.Kind == "ScaledObject" && c.Group() == scaledObjects.group:
			list = append(list, ofScaledObject(c))
		}
	}
	return list
}

func ofHPA(h *autoscalingv2.HorizontalPodAutoscaler) autoscaler {
	a := autoscaler{ref: ref("HorizontalPodAutoscaler", h), obj: h, scaled: h.Status.LastScaleTime != nil,
		target: h.Spec.ScaleTargetRef.Kind + "/" + h.Namespace + "/" + h.Spec.ScaleTargetRef.Name,
		group:  groupOf(h.Spec.ScaleTargetRef.APIVersion)}
	for i := range h.Spec.Metrics {
		switch h.Spec.Metrics[i].Type {
		case autoscalingv2.ResourceMetricSourceType, autoscalingv2.ContainerResourceMetricSourceType:
		default:
			a.metric = true
		}
	}
	for i := range h.Status.Conditions {
		c := &h.Status.Conditions[i]
		if c.Status == corev1.ConditionFalse && c.Reason != "ScalingDisabled" && c.Type != autoscalingv2.ScalingLimited {
			a.failing = string(c.Type) + "=False (" + c.Reason + ")"
		}
	}
	return a
}

func ofVPA(c *inventory.Object) autoscaler {
	a := autoscaler{ref: ref(c.Kind, c), obj: c, target: targetOf(c, "targetRef"), group: groupOf(str(c.Spec.At("targetRef", "apiVersion")))}
	switch mode := str(c.Spec.At("updatePolicy", "updateMode")); mode {
	case "", "Auto", "Recreate", "InPlaceOrRecreate":
		a.vpaAuto = true // Auto is the default
	}
	return a
}

func ofScaledObject(c *inventory.Object) autoscaler {
	a := autoscaler{ref: ref(c.Kind, c), obj: c, target: targetOf(c, "scaleTargetRef"), scaled: str(c.Status.At("lastActiveTime")) != "",
		group: groupOf(str(c.Spec.At("scaleTargetRef", "apiVersion")))}
	for _, t := range objectsIn(c.Spec.At("triggers")) {
		if kind := str(t["type"]); kind != "cpu" && kind != "memory" {
			a.metric = true
		}
	}
	return a
}

func groupOf(apiVersion string) string {
	group, _, found := strings.Cut(apiVersion, "/")
	if !found {
		return ""
	}
	return group
}

func targetOf(c *inventory.Object, field string) string {
	target := c.Spec.At(field)
	kind := str(dig(target, "kind"))
	if kind == "" {
		kind = "Deployment"
	}
	return kind + "/" + c.Namespace + "/" + str(dig(target, "name"))
}
