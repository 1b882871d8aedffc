package main

import (
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"
)

// finalizer guards a Widget's entry in the directory, which owner references
// cannot: it is in another namespace.
const finalizer = group + "/directory"

// directory is a ConfigMap beside the operator with the address of each Widget.
const directory = "widget-directory"

type reconciler struct {
	client    client.Client
	events    events.EventRecorder
	namespace string // of the operator
}

func setup(mgr manager.Manager, namespace string) error {
	r := &reconciler{client: mgr.GetClient(), events: mgr.GetEventRecorder(manage), namespace: namespace}
	return ctrl.NewControllerManagedBy(mgr).
		For(&Widget{}).
		Owns(&appsv1.Deployment{}).
		Owns(&corev1.Service{}).
		Owns(&corev1.ConfigMap{}).
		Owns(&policyv1.PodDisruptionBudget{}).
		Owns(&batchv1.CronJob{}).
		Complete(r)
}

// Reconcile brings what a Widget stands for in line with its spec, and its
// status in line with what is there.
func (r *reconciler) Reconcile(ctx context.Context, request ctrl.Request) (ctrl.Result, error) {
	var w Widget
	if err := r.client.Get(ctx, request.NamespacedName, &w); err != nil {
		forget(request.NamespacedName)
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !w.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, r.remove(ctx, &w)
	}
	before := w.DeepCopy()
	if controllerutil.AddFinalizer(&w, finalizer) {
		// The write brings the Widget here again.
		return ctrl.Result{}, r.client.Patch(ctx, &w, client.MergeFrom(before))
	}
	if w.Spec.Paused {
		return ctrl.Result{}, r.report(ctx, &w, nil)
	}
	if err := r.apply(ctx, &w); err != nil {
		r.events.Eventf(&w, nil, corev1.EventTypeWarning, "ApplyFailed", "Reconcile", "%v", err)
		return ctrl.Result{}, r.report(ctx, &w, err)
	}
	return ctrl.Result{}, r.report(ctx, &w, nil)
}

// apply writes the children, and takes away those that are no longer wanted.
func (r *reconciler) apply(ctx context.Context, w *Widget) error {
	var deployment appsv1.Deployment
	first := apierrors.IsNotFound(r.client.Get(ctx, client.ObjectKeyFromObject(w), &deployment))
	for _, child := range children(w) {
		if err := r.client.Apply(ctx, child, client.FieldOwner(manage), client.ForceOwnership); err != nil {
			return fmt.Errorf("applying a child of Widget %s: %w", w.Name, err)
		}
	}
	meta := metav1.ObjectMeta{Namespace: w.Namespace, Name: w.Name}
	if w.Spec.Replicas < 2 {
		if err := r.drop(ctx, w, &policyv1.PodDisruptionBudget{ObjectMeta: meta}); err != nil {
			return err
		}
	}
	if w.Spec.Backup == nil {
		meta.Name += "-backup"
		if err := r.drop(ctx, w, &batchv1.CronJob{ObjectMeta: meta}); err != nil {
			return err
		}
	}
	if err := r.enter(ctx, w, address(w)); err != nil {
		return err
	}
	if first {
		r.events.Eventf(w, nil, corev1.EventTypeNormal, "Created", "Create", "Created Deployment, Service and ConfigMap for version %s", w.Spec.Version)
	}
	return nil
}

// drop deletes a child if it is there and the Widget's own.
func (r *reconciler) drop(ctx context.Context, w *Widget, child client.Object) error {
	err := r.client.Get(ctx, client.ObjectKeyFromObject(child), child)
	if err != nil || !metav1.IsControlledBy(child, w) {
		return client.IgnoreNotFound(err)
	}
	return client.IgnoreNotFound(r.client.Delete(ctx, child))
}

// enter writes the Widget's address into the directory; an empty one takes the
// entry out.
func (r *reconciler) enter(ctx context.Context, w *Widget, address string) error {
	var entry any
	if address != "" {
		entry = address
	}
	patch, err := json.Marshal(map[string]any{"data": map[string]any{w.Namespace + "." + w.Name: entry}})
	if err != nil {
		return fmt.Errorf("encoding directory entry: %w", err)
	}
	target := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: r.namespace, Name: directory}}
	if err := r.client.Patch(ctx, target, client.RawPatch(types.MergePatchType, patch)); err != nil {
		return fmt.Errorf("writing the directory of Widgets: %w", err)
	}
	return nil
}

// remove does what the finalizer is for, and lets the Widget go. The garbage
// collector takes the children.
func (r *reconciler) remove(ctx context.Context, w *Widget) error {
	if !controllerutil.ContainsFinalizer(w, finalizer) {
		return nil
	}
	if err := r.enter(ctx, w, ""); client.IgnoreNotFound(err) != nil {
		return err
	}
	r.events.Eventf(w, nil, corev1.EventTypeNormal, "Released", "Delete", "Took the Widget out of the directory")
	before := w.DeepCopy()
	controllerutil.RemoveFinalizer(w, finalizer)
	return client.IgnoreNotFound(r.client.Patch(ctx, w, client.MergeFrom(before)))
}

// children are the objects that a Widget stands for.
func children(w *Widget) []runtime.ApplyConfiguration {
	list := []runtime.ApplyConfiguration{configMap(w), service(w), deployment(w)}
	if w.Spec.Replicas >= 2 {
		list = append(list, budget(w))
	}
	if w.Spec.Backup != nil {
		list = append(list, backup(w))
	}
	return list
}
