package main

import (
	"context"
	"errors"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	klabels "k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// report writes the Widget's status, if it has changed, after its children
// were applied or failed to be. The failure is returned, so that it is tried again.
func (r *reconciler) report(ctx context.Context, w *Widget, failure error) error {
	var d appsv1.Deployment
	if err := r.client.Get(ctx, client.ObjectKeyFromObject(w), &d); client.IgnoreNotFound(err) != nil {
		return errors.Join(failure, err)
	}
	before := w.DeepCopy()
	judge(w, &d, failure)
	observe(w)
	if equality.Semantic.DeepEqual(before.Status, w.Status) {
		return failure
	}
	if err := r.client.Status().Patch(ctx, w, client.MergeFrom(before)); err != nil {
		return errors.Join(failure, fmt.Errorf("writing status of Widget %s: %w", w.Name, err))
	}
	r.tell(before, w)
	return failure
}

// judge fills in the status from the Deployment, which may not exist.
func judge(w *Widget, d *appsv1.Deployment, failure error) {
	s := &w.Status
	s.ObservedGeneration = w.Generation
	s.Replicas, s.ReadyReplicas = d.Status.Replicas, d.Status.ReadyReplicas
	s.Selector = klabels.SelectorFromSet(selector(w)).String()
	rolledOut := rolledOut(w, d)
	if rolledOut {
		s.Version = w.Spec.Version
	}
	ready := fmt.Sprintf("%d of %d replicas are ready", s.ReadyReplicas, w.Spec.Replicas)
	switch {
	case failure != nil:
		s.Phase = "Failed"
		set(w, "Ready", metav1.ConditionFalse, "ApplyFailed", failure.Error())
		set(w, "Progressing", metav1.ConditionFalse, "ApplyFailed", "Will be tried again")
	case w.Spec.Paused:
		s.Phase = "Paused"
		set(w, "Ready", status(w.Status.ReadyReplicas >= w.Spec.Replicas), "Paused", ready)
		set(w, "Progressing", metav1.ConditionFalse, "Paused", "Changes are not carried out while the Widget is paused")
	case rolledOut:
		s.Phase = "Running"
		set(w, "Ready", metav1.ConditionTrue, "AllReplicasReady", ready)
		set(w, "Progressing", metav1.ConditionFalse, "RolledOut", "All replicas run version "+w.Spec.Version)
	default:
		s.Phase = "Progressing"
		set(w, "Ready", metav1.ConditionFalse, "WaitingForReplicas", ready)
		set(w, "Progressing", metav1.ConditionTrue, "RollingOut", "Bringing all replicas to version "+w.Spec.Version)
	}
}

// rolledOut tells whether all replicas run what the Widget asks for and are ready.
func rolledOut(w *Widget, d *appsv1.Deployment) bool {
	containers := d.Spec.Template.Spec.Containers
	return len(containers) == 1 && containers[0].Image == image(w) &&
		d.Status.ObservedGeneration == d.Generation &&
		d.Status.UpdatedReplicas == w.Spec.Replicas && d.Status.Replicas == w.Spec.Replicas && d.Status.ReadyReplicas == w.Spec.Replicas
}

func set(w *Widget, kind string, value metav1.ConditionStatus, reason, message string) {
	meta.SetStatusCondition(&w.Status.Conditions, metav1.Condition{
		Type: kind, Status: value, Reason: reason, Message: message, ObservedGeneration: w.Generation})
}

func status(holds bool) metav1.ConditionStatus {
	if holds {
		return metav1.ConditionTrue
	}
	return metav1.ConditionFalse
}

// tell records an Event when the Widget becomes ready, is no longer, or is paused.
func (r *reconciler) tell(before, after *Widget) {
	was, is := meta.IsStatusConditionTrue(before.Status.Conditions, "Ready"), meta.IsStatusConditionTrue(after.Status.Conditions, "Ready")
	switch {
	case after.Status.Phase == "Paused" && before.Status.Phase != "Paused":
		r.events.Eventf(after, nil, corev1.EventTypeNormal, "Paused", "Reconcile", "Changes are not carried out until the Widget goes on")
	case is && !was:
		r.events.Eventf(after, nil, corev1.EventTypeNormal, "Ready", "Reconcile", "All replicas run version %s", after.Status.Version)
	case was && !is:
		r.events.Eventf(after, nil, corev1.EventTypeWarning, "NotReady", "Reconcile", "%d of %d replicas are ready", after.Status.ReadyReplicas, after.Spec.Replicas)
	}
}
