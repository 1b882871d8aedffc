package inventory

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Pod is what is kept of a pod. A cluster has tens of thousands, and
// Kubernetes' own type takes 1,240 bytes before anything is in it.
type Pod struct {
	metav1.ObjectMeta
	// Spec may be that of many pods: it must not be changed. The node's name
	// stands in NodeName.
	Spec     *corev1.PodSpec
	NodeName string
	Phase    corev1.PodPhase
	Started  *metav1.Time // status.startTime
	// Ready and Changed are status and lastTransitionTime of the condition
	// Ready; "" without one.
	Ready      corev1.ConditionStatus
	Changed    metav1.Time
	Init, Main []ContainerState
}

// ContainerState is what is kept of the status of a pod's container.
type ContainerState struct {
	Name     string
	Restarts int32
	Waiting  string // the reason why it does not run yet; "" if it does
}

// podOf keeps of a pruned pod what is looked at.
func (s *Shared) podOf(p *corev1.Pod) Pod {
	kept := Pod{ObjectMeta: p.ObjectMeta, NodeName: s.str(p.Spec.NodeName), Phase: corev1.PodPhase(s.str(string(p.Status.Phase))), Started: p.Status.StartTime}
	p.Spec.NodeName, p.Spec.Hostname = "", ""
	kept.Spec = s.podSpec(&p.Spec)
	for _, c := range p.Status.Conditions {
		if c.Type == corev1.PodReady && kept.Ready == "" {
			kept.Ready, kept.Changed = corev1.ConditionStatus(s.str(string(c.Status))), c.LastTransitionTime
		}
	}
	kept.Init, kept.Main = s.states(p.Status.InitContainerStatuses), s.states(p.Status.ContainerStatuses)
	return kept
}

func (s *Shared) states(of []corev1.ContainerStatus) []ContainerState {
	if len(of) == 0 {
		return nil
	}
	states := make([]ContainerState, len(of))
	for i := range of {
		states[i] = ContainerState{Name: s.str(of[i].Name), Restarts: of[i].RestartCount}
		if wait := of[i].State.Waiting; wait != nil {
			states[i].Waiting = s.str(wait.Reason)
		}
	}
	return states
}

// Finished tells whether all its containers ended and it is not run again.
func (p *Pod) Finished() bool { return p.Phase == corev1.PodSucceeded || p.Phase == corev1.PodFailed }

// DeepCopyObject is the pod as Kubernetes' own type, with what was kept.
func (p *Pod) DeepCopyObject() runtime.Object {
	full := &corev1.Pod{ObjectMeta: *p.ObjectMeta.DeepCopy()}
	if p.Spec != nil {
		full.Spec = *p.Spec.DeepCopy()
	}
	full.Spec.NodeName = p.NodeName
	full.Status = corev1.PodStatus{Phase: p.Phase, StartTime: p.Started.DeepCopy(), InitContainerStatuses: fullStates(p.Init), ContainerStatuses: fullStates(p.Main)}
	if p.Ready != "" {
		full.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: p.Ready, LastTransitionTime: p.Changed}}
	}
	return full
}

func fullStates(of []ContainerState) []corev1.ContainerStatus {
	var list []corev1.ContainerStatus
	for _, state := range of {
		c := corev1.ContainerStatus{Name: state.Name, RestartCount: state.Restarts}
		if state.Waiting != "" {
			c.State.Waiting = &corev1.ContainerStateWaiting{Reason: state.Waiting}
		}
		list = append(list, c)
	}
	return list
}

// GetObjectKind implements runtime.Object.
func (p *Pod) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }

// ReplicaSet is what is kept of a ReplicaSet: of each Deployment there are
// several.
type ReplicaSet struct {
	metav1.ObjectMeta
	// PodLabels and Spec are those of its pods: they must not be changed.
	PodLabels map[string]string
	Spec      *corev1.PodSpec
	// Desired and Ready count pods.
	Desired, Ready int32
}

// replicaSetOf keeps of a pruned ReplicaSet what is looked at.
func (s *Shared) replicaSetOf(r *appsv1.ReplicaSet) ReplicaSet {
	template := &r.Spec.Template
	return ReplicaSet{ObjectMeta: r.ObjectMeta, PodLabels: template.Labels, Spec: s.podSpec(&template.Spec),
		Desired: replicas(r.Spec.Replicas), Ready: r.Status.ReadyReplicas}
}

// DeepCopyObject is the ReplicaSet as Kubernetes' own type, with what was kept.
func (r *ReplicaSet) DeepCopyObject() runtime.Object {
	full := &appsv1.ReplicaSet{ObjectMeta: *r.ObjectMeta.DeepCopy()}
	full.Spec.Replicas, full.Status.ReadyReplicas = &r.Desired, r.Ready
	full.Spec.Template.Labels = r.PodLabels
	if r.Spec != nil {
		full.Spec.Template.Spec = *r.Spec.DeepCopy()
	}
	return full
}

// GetObjectKind implements runtime.Object.
func (r *ReplicaSet) GetObjectKind() schema.ObjectKind { return schema.EmptyObjectKind }
