package testcluster_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/test/testcluster"
)

func TestObjectIsDeletedAfterItsOwner(t *testing.T) {
	c := testcluster.Start(t, testcluster.WithControllerManager())
	maps := client(t, c.Admin()).CoreV1().ConfigMaps("default")
	owner, err := maps.Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "owner"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for name, owners := range map[string][]metav1.OwnerReference{
		"owned": {{APIVersion: "v1", Kind: "ConfigMap", Name: owner.Name, UID: owner.UID}},
		"free":  nil,
	} {
		object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, OwnerReferences: owners}}
		if _, err := maps.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if err := maps.Delete(t.Context(), owner.Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	eventually(t, time.Minute, "the owned object is gone", func(ctx context.Context) (bool, error) {
		_, err := maps.Get(ctx, "owned", metav1.GetOptions{})
		return apierrors.IsNotFound(err), nil
	})
	if _, err := maps.Get(t.Context(), "free", metav1.GetOptions{}); err != nil {
		t.Errorf("getting the object without owner: %v", err)
	}
}
