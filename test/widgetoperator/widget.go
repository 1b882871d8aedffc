package main

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const group = "demo.example.com"

// Widget is the kind in manifests/crd.yaml.
type Widget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	Spec   WidgetSpec   `json:"spec"`
	Status WidgetStatus `json:"status,omitempty"`
}

// WidgetSpec is what is wanted.
type WidgetSpec struct {
	Size     string  `json:"size,omitempty"`
	Image    string  `json:"image,omitempty"`
	Version  string  `json:"version"`
	Replicas int32   `json:"replicas"`
	Paused   bool    `json:"paused,omitempty"`
	Backup   *Backup `json:"backup,omitempty"`
}

// Backup is when copies are made, and where they are written to.
type Backup struct {
	Schedule    string `json:"schedule"`
	Destination string `json:"destination"`
}

// WidgetStatus is what was seen.
type WidgetStatus struct {
	ObservedGeneration int64              `json:"observedGeneration,omitempty"`
	Phase              string             `json:"phase,omitempty"`
	Version            string             `json:"version,omitempty"` // of the pods, once all run it
	Replicas           int32              `json:"replicas"`
	ReadyReplicas      int32              `json:"readyReplicas"`
	Selector           string             `json:"selector,omitempty"`
	Conditions         []metav1.Condition `json:"conditions,omitempty"`
}

// WidgetList is a list of Widgets.
type WidgetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []Widget `json:"items"`
}

func addToScheme(scheme *runtime.Scheme) error {
	version := schema.GroupVersion{Group: group, Version: "v1"}
	scheme.AddKnownTypes(version, &Widget{}, &WidgetList{})
	metav1.AddToGroupVersion(scheme, version)
	return nil
}

// DeepCopyObject makes Widget a runtime.Object.
func (w *Widget) DeepCopyObject() runtime.Object { return w.DeepCopy() }

// DeepCopy is a copy that shares nothing.
func (w *Widget) DeepCopy() *Widget {
	c := *w
	c.ObjectMeta = *w.ObjectMeta.DeepCopy()
	if w.Spec.Backup != nil {
		backup := *w.Spec.Backup
		c.Spec.Backup = &backup
	}
	c.Status.Conditions = slices.Clone(w.Status.Conditions)
	return &c
}

// DeepCopyObject makes WidgetList a runtime.Object.
func (l *WidgetList) DeepCopyObject() runtime.Object {
	c := *l
	c.ListMeta = *l.ListMeta.DeepCopy()
	c.Items = make([]Widget, len(l.Items))
	for i := range l.Items {
		c.Items[i] = *l.Items[i].DeepCopy()
	}
	return &c
}
