package testcluster_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"kubectl-operator-maturity/test/testcluster"
)

func client(t *testing.T, cfg *rest.Config) *kubernetes.Clientset {
	t.Helper()
	c, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestControlPlane(t *testing.T) {
	c := testcluster.Start(t, testcluster.WithUser("viewer", "viewers"))

	t.Run("says which Kubernetes it is", func(t *testing.T) {
		version, err := client(t, c.Admin()).Discovery().ServerVersion()
		if err != nil {
			t.Fatal(err)
		}
		if os.Getenv("KUBEBUILDER_ASSETS") == "" && (version.GitVersion != "v1.37.2" || version.Major != "1" || version.Minor != "37") {
			t.Errorf("server says %s (%s.%s), want v1.37.2 (1.37)", version.GitVersion, version.Major, version.Minor)
		}
	})

	t.Run("lets a user do what its roles say", func(t *testing.T) {
		pods := client(t, c.User("limited")).CoreV1().Pods(metav1.NamespaceAll)
		if _, err := pods.List(t.Context(), metav1.ListOptions{}); !apierrors.IsForbidden(err) {
			t.Errorf("listing pods as limited: %v, want 403", err)
		}
		manifest := filepath.Join(t.TempDir(), "binding.json")
		write(t, manifest, `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"viewers"},
			"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"system:aggregate-to-view"},
			"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"Group","name":"viewers"}]}`)
		if err := testcluster.Apply(t.Context(), c.Admin(), "test", manifest); err != nil {
			t.Fatal(err)
		}
		eventually(t, 10*time.Second, "viewer may list pods", func(ctx context.Context) (bool, error) {
			_, err := client(t, c.User("viewer")).CoreV1().Pods(metav1.NamespaceAll).List(ctx, metav1.ListOptions{})
			return err == nil, nil
		})
	})

	t.Run("writes kubeconfig files that work", func(t *testing.T) {
		cfg, err := clientcmd.LoadFromFile(c.Kubeconfig("viewer"))
		if err != nil {
			t.Fatal(err)
		}
		if cfg.CurrentContext != "viewer@testcluster" {
			t.Errorf("current context is %q, want viewer@testcluster", cfg.CurrentContext)
		}
		fromFile, err := clientcmd.BuildConfigFromFlags("", c.Kubeconfig("admin"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client(t, fromFile).CoreV1().Pods(metav1.NamespaceAll).List(t.Context(), metav1.ListOptions{}); err != nil {
			t.Errorf("listing pods with kubeconfig of admin: %v", err)
		}
	})

	t.Run("shows which requests it got", func(t *testing.T) {
		cfg := rest.CopyConfig(c.User("viewer"))
		cfg.UserAgent = "looker/1"
		looker := client(t, cfg)
		looker.CoreV1().Pods("default").List(t.Context(), metav1.ListOptions{Limit: 7})
		looker.CoreV1().ConfigMaps("default").Create(t.Context(), &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "refused"}}, metav1.CreateOptions{})
		watch, err := looker.CoreV1().Services("default").Watch(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		watch.Stop()
		requests, err := c.Requests("viewer")
		if err != nil {
			t.Fatal(err)
		}
		requests = slices.DeleteFunc(requests, func(r testcluster.Request) bool { return r.UserAgent != "looker/1" })
		if len(requests) != 3 {
			t.Fatalf("got %d requests, want 3: %+v", len(requests), requests)
		}
		list, create, watched := requests[0], requests[1], requests[2]
		if list.Verb != "list" || list.Code != 200 || list.Resource != "pods" || list.URI != "/api/v1/namespaces/default/pods?limit=7" {
			t.Errorf("list is shown as %+v", list)
		}
		if create.Verb != "create" || create.Code != 403 || create.Resource != "configmaps" {
			t.Errorf("refused create is shown as %+v", create)
		}
		if watched.Verb != "watch" || watched.Code != 200 {
			t.Errorf("watch is shown as %+v", watched)
		}
	})

	t.Run("applies namespaces and CRDs first and reports what is refused", func(t *testing.T) {
		err := testcluster.Apply(t.Context(), c.Admin(), "test", "testdata")
		if err == nil || !strings.Contains(err.Error(), "applying Widget workshop/second") {
			t.Errorf("applying testdata: %v, want widget second refused", err)
		}
		if joined, ok := err.(interface{ Unwrap() []error }); !ok || len(joined.Unwrap()) != 1 {
			t.Errorf("applying testdata: %v, want one error", err)
		}
		crds := dynamicClient(t, c).Resource(schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"})
		crd, err := crds.Get(t.Context(), "widgets.testcluster.example.com", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if data, _ := crd.MarshalJSON(); !strings.Contains(string(data), `"type":"Established"`) {
			t.Errorf("CRD is not established: %s", data)
		}
		list, err := dynamicClient(t, c).Resource(widgets).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, widget := range list.Items {
			names = append(names, widget.GetName())
		}
		if !slices.Equal(names, []string{"first", "third"}) {
			t.Errorf("widgets are %v, want first and third", names)
		}
	})

	t.Run("takes a status as another field manager", func(t *testing.T) {
		resource := dynamicClient(t, c).Resource(widgets).Namespace("workshop")
		widget, err := resource.Get(t.Context(), "first", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		operator, err := testcluster.NewApplier(c.Admin(), "widget-operator")
		if err != nil {
			t.Fatal(err)
		}
		widget.Object["status"] = map[string]any{"ready": true}
		if err := operator.ApplyStatus(t.Context(), widget); err != nil {
			t.Fatal(err)
		}
		widget, err = resource.Get(t.Context(), "first", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		writers := map[string]string{}
		for _, fields := range widget.GetManagedFields() {
			writers[fields.Subresource] = fields.Manager
		}
		if writers[""] != "test" || writers["status"] != "widget-operator" {
			t.Errorf("written by %v, want test, and widget-operator for the status", writers)
		}
	})
}

var widgets = schema.GroupVersionResource{Group: "testcluster.example.com", Version: "v1", Resource: "widgets"}

func dynamicClient(t *testing.T, c *testcluster.Cluster) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(c.Admin())
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func eventually(t *testing.T, timeout time.Duration, what string, done wait.ConditionWithContextFunc) {
	t.Helper()
	if err := wait.PollUntilContextTimeout(t.Context(), 100*time.Millisecond, timeout, true, done); err != nil {
		t.Fatalf("waiting until %s: %v", what, err)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
