package inventory

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Workload is a Deployment, StatefulSet, DaemonSet, ReplicaSet or Pod seen
// through one set of fields: a controller or a part of an operand.
type Workload struct {
	Kind      string
	Namespace string
	Name      string
	Meta      *metav1.ObjectMeta
	// Labels and Pod are those of the pods it makes.
	Labels map[string]string
	Pod    *corev1.PodSpec
	// Desired and Ready count pods. Ready is 0 for an object that was never
	// on a server.
	Desired int32
	Ready   int32
	// Live: it has a uid, so a server has stored it.
	Live bool
	// Strategy says how a change is rolled out: RollingUpdate (the default,
	// which a manifest need not name), Recreate, OnDelete, or "" for a kind
	// without a strategy.
	Strategy string
	// VolumeClaims is the number of volume claim templates.
	VolumeClaims int
}

const rollingUpdate = "RollingUpdate"

// Ref names the workload as kubectl users do, with its namespace in between:
// Deployment/cert-manager/cert-manager.
func (w *Workload) Ref() string { return w.Kind + "/" + w.Namespace + "/" + w.Name }

// ServiceAccount is the name of the account its pods run as.
func (w *Workload) ServiceAccount() string {
	if w.Pod == nil || w.Pod.ServiceAccountName == "" {
		return "default"
	}
	return w.Pod.ServiceAccountName
}

// SelectedBy tells whether a label selector selects its pods. An empty
// selector selects none: a Service without one is maintained by hand.
func (w *Workload) SelectedBy(selector map[string]string) bool {
	for key, value := range selector {
		if has, ok := w.Labels[key]; !ok || has != value {
			return false
		}
	}
	return len(selector) > 0
}

// Workloads lists what runs pods and is not itself made by another workload of
// the list: Deployments, StatefulSets, DaemonSets, and ReplicaSets and Pods
// without such an owner. Sorted by namespace and name, then by kind in that order.
func (s *Snapshot) Workloads() []Workload {
	var list []Workload
	for i := range s.Deployments {
		d := &s.Deployments[i]
		list = append(list, Workload{
			Kind: "Deployment", Namespace: d.Namespace, Name: d.Name, Meta: &d.ObjectMeta,
			Labels: d.Spec.Template.Labels, Pod: &d.Spec.Template.Spec,
			Desired: replicas(d.Spec.Replicas), Ready: d.Status.ReadyReplicas, Live: d.UID != "",
			Strategy: or(string(d.Spec.Strategy.Type), rollingUpdate),
		})
	}
	for i := range s.StatefulSets {
		d := &s.StatefulSets[i]
		list = append(list, Workload{
			Kind: "StatefulSet", Namespace: d.Namespace, Name: d.Name, Meta: &d.ObjectMeta,
			Labels: d.Spec.Template.Labels, Pod: &d.Spec.Template.Spec,
			Desired: replicas(d.Spec.Replicas), Ready: d.Status.ReadyReplicas, Live: d.UID != "",
			Strategy: or(string(d.Spec.UpdateStrategy.Type), rollingUpdate), VolumeClaims: len(d.Spec.VolumeClaimTemplates),
		})
	}
	for i := range s.DaemonSets {
		d := &s.DaemonSets[i]
		list = append(list, Workload{
			Kind: "DaemonSet", Namespace: d.Namespace, Name: d.Name, Meta: &d.ObjectMeta,
			Labels: d.Spec.Template.Labels, Pod: &d.Spec.Template.Spec,
			Desired: d.Status.DesiredNumberScheduled, Ready: d.Status.NumberReady, Live: d.UID != "",
			Strategy: or(string(d.Spec.UpdateStrategy.Type), rollingUpdate),
		})
	}
	for i := range s.ReplicaSets {
		d := &s.ReplicaSets[i]
		if madeByWorkload(&d.ObjectMeta) {
			continue
		}
		list = append(list, Workload{
			Kind: "ReplicaSet", Namespace: d.Namespace, Name: d.Name, Meta: &d.ObjectMeta,
			Labels: d.PodLabels, Pod: d.Spec, Desired: d.Desired, Ready: d.Ready, Live: d.UID != "",
		})
	}
	for i := range s.Pods {
		p := &s.Pods[i]
		if madeByWorkload(&p.ObjectMeta) || p.Finished() {
			continue
		}
		w := Workload{
			Kind: "Pod", Namespace: p.Namespace, Name: p.Name, Meta: &p.ObjectMeta,
			Labels: p.Labels, Pod: p.Spec, Desired: 1, Live: p.UID != "",
		}
		if p.Ready == corev1.ConditionTrue {
			w.Ready = 1
		}
		list = append(list, w)
	}
	slices.SortStableFunc(list, func(a, b Workload) int { return compareMeta(a.Meta, b.Meta) })
	return list
}

// madeByWorkload tells whether an object's controller is a built-in workload.
func madeByWorkload(m *metav1.ObjectMeta) bool {
	owner := metav1.GetControllerOfNoCopy(m)
	if owner == nil {
		return false
	}
	switch owner.Kind {
	case "Deployment", "ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ReplicationController":
		return owner.APIVersion == "apps/v1" || owner.APIVersion == "batch/v1" || owner.APIVersion == "v1"
	}
	return false
}

func replicas(n *int32) int32 {
	if n == nil {
		return 1
	}
	return *n
}
