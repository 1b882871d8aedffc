package endtoend

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/test/testcluster"
)

// widgetOperator is the binary of test/widgetoperator, found as testcluster
// finds the control plane.
func widgetOperator(t *testing.T) string {
	t.Helper()
	path := os.Getenv("OPERATOR_MATURITY_WIDGET")
	if path == "" {
		path = newestWidgetOperator()
	}
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
		return path
	}
	const missing = "no Widget operator found: run `make widgetoperator`"
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// newestWidgetOperator is what `make widgetoperator` has left last; "" if there is none.
func newestWidgetOperator() string {
	cache := os.Getenv("XDG_CACHE_HOME")
	if cache == "" {
		home, _ := os.UserHomeDir() // without one nothing is found
		cache = filepath.Join(home, ".cache")
	}
	files, _ := filepath.Glob(filepath.Join(cache, "kubectl-operator-maturity", "widgetoperator-*", "widget-operator"))
	newest, at := "", time.Time{}
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && info.ModTime().After(at) {
			newest, at = file, info.ModTime()
		}
	}
	return newest
}

// stage is a control plane with what the test does to it.
type stage struct {
	t       *testing.T
	cluster *testcluster.Cluster
	client  *kubernetes.Clientset
	widgets dynamic.ResourceInterface
}

func newStage(t *testing.T) *stage {
	t.Helper()
	c := testcluster.Start(t, testcluster.WithControllerManager())
	config := rest.CopyConfig(c.Admin())
	config.QPS = -1
	config.UserAgent = "kubelet/v1.37.2" // the name in managedFields, for what this client writes
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	dyn, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	resource := schema.GroupVersionResource{Group: "demo.example.com", Version: "v1", Resource: "widgets"}
	return &stage{t: t, cluster: c, client: client, widgets: dyn.Resource(resource).Namespace("shop")}
}

func (s *stage) apply(paths ...string) {
	s.t.Helper()
	if err := testcluster.Apply(s.t.Context(), s.cluster.Admin(), "kubectl", paths...); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) scan() *levels.Scorecard {
	s.t.Helper()
	return score(s.t, collect(s.t, s.cluster.Admin()))
}

// until waits for something that the cluster's controllers bring about.
func (s *stage) until(what string, holds func() (bool, error)) {
	s.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for {
		ok, err := holds()
		if ok {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("waiting until %s: %v", what, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}

func (s *stage) waitDeployment(namespace, name string, ready int32) {
	s.t.Helper()
	s.until(fmt.Sprintf("%s has %d ready replicas", name, ready), func() (bool, error) {
		d, err := s.client.AppsV1().Deployments(namespace).Get(s.t.Context(), name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		return d.Status.ObservedGeneration == d.Generation && d.Status.ReadyReplicas == ready && d.Status.Replicas == ready, nil
	})
}

// waitPod waits for the pods of a namespace and names one.
func (s *stage) waitPod(namespace string) string {
	s.t.Helper()
	name := ""
	s.until("there is a pod in "+namespace, func() (bool, error) {
		pods, err := s.client.CoreV1().Pods(namespace).List(s.t.Context(), metav1.ListOptions{})
		if err != nil || len(pods.Items) == 0 {
			return false, err
		}
		name = pods.Items[0].Name
		return true, nil
	})
	return name
}

func (s *stage) waitWidgets(what string, holds func(*unstructured.Unstructured) bool) {
	s.t.Helper()
	s.until("each Widget has "+what, func() (bool, error) {
		list, err := s.widgets.List(s.t.Context(), metav1.ListOptions{})
		if err != nil {
			return false, err
		}
		for i := range list.Items {
			if !holds(&list.Items[i]) {
				return false, fmt.Errorf("%s has status %v", list.Items[i].GetName(), list.Items[i].Object["status"])
			}
		}
		return len(list.Items) > 0, nil
	})
}

// waitEvents waits for Events with a reason: they are written behind the back
// of what reports them.
func (s *stage) waitEvents(namespace, reason string, count int) {
	s.t.Helper()
	s.until(fmt.Sprintf("there are %d Events %s", count, reason), func() (bool, error) {
		list, err := s.client.CoreV1().Events(namespace).List(s.t.Context(), metav1.ListOptions{FieldSelector: "reason=" + reason})
		if err != nil {
			return false, err
		}
		return len(list.Items) >= count, nil
	})
}

func conditionOf(o *unstructured.Unstructured, kind string) string {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == kind {
			return fmt.Sprint(c["status"])
		}
	}
	return ""
}

func (s *stage) scale(namespace, name string, replicas int32) {
	s.t.Helper()
	patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, replicas)
	_, err := s.client.AppsV1().Deployments(namespace).Patch(s.t.Context(), name, "application/merge-patch+json", patch, metav1.PatchOptions{FieldManager: "kubectl"})
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) deleteWidget(name string) {
	s.t.Helper()
	if err := s.widgets.Delete(s.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) deleteLease(namespace, name string) {
	s.t.Helper()
	if err := s.client.CoordinationV1().Leases(namespace).Delete(s.t.Context(), name, metav1.DeleteOptions{}); err != nil {
		s.t.Fatal(err)
	}
}

// runPods stands in for the nodes from now on: every pod of a namespace runs
// and is ready.
func (s *stage) runPods(namespace string) {
	pods := s.client.CoreV1().Pods(namespace)
	ctx := s.t.Context()
	go func() {
		for ctx.Err() == nil {
			list, err := pods.List(ctx, metav1.ListOptions{})
			if err == nil {
				for i := range list.Items {
					if p := &list.Items[i]; p.Status.Phase == corev1.PodPending {
						pods.UpdateStatus(ctx, running(p), metav1.UpdateOptions{}) // tried again where it fails
					}
				}
			}
			time.Sleep(100 * time.Millisecond)
		}
	}()
}

// running gives a pod the status that a kubelet would.
func running(p *corev1.Pod) *corev1.Pod {
	now := metav1.Now()
	p.Status.Phase, p.Status.StartTime = corev1.PodRunning, &now
	p.Status.PodIP = "10.1.0.1"
	p.Status.PodIPs = []corev1.PodIP{{IP: p.Status.PodIP}}
	p.Status.Conditions = nil
	for _, kind := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Status: corev1.ConditionTrue, LastTransitionTime: now})
	}
	for _, c := range p.Spec.Containers {
		yes := true
		p.Status.ContainerStatuses = append(p.Status.ContainerStatuses, corev1.ContainerStatus{Name: c.Name, Image: c.Image, Ready: true, Started: &yes,
			State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: now}}})
	}
	return p
}

// process is the operator as it runs.
type process struct {
	t       *testing.T
	cmd     *exec.Cmd
	address string // of its metrics
}

// start runs the operator as its ServiceAccount and under the name of a pod.
func (s *stage) start(program, namespace, account, pod string) *process {
	s.t.Helper()
	dir := s.t.TempDir()
	request, err := s.client.CoreV1().ServiceAccounts(namespace).CreateToken(s.t.Context(), account, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		s.t.Fatal(err)
	}
	kubeconfig := filepath.Join(dir, "kubeconfig")
	config := clientcmdapi.NewConfig()
	config.Clusters["stage"] = &clientcmdapi.Cluster{Server: s.cluster.URL, CertificateAuthorityData: s.cluster.Admin().CAData}
	config.AuthInfos["operator"] = &clientcmdapi.AuthInfo{Token: request.Status.Token}
	config.Contexts["stage"] = &clientcmdapi.Context{Cluster: "stage", AuthInfo: "operator"}
	config.CurrentContext = "stage"
	if err := clientcmd.WriteToFile(*config, kubeconfig); err != nil {
		s.t.Fatal(err)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		s.t.Fatal(err)
	}
	defer log.Close() // the operator has its own
	p := &process{t: s.t, address: freeAddress(s.t)}
	p.cmd = exec.Command(program, "--leader-elect", "--metrics-bind-address="+p.address, "--health-probe-bind-address=127.0.0.1:0")
	p.cmd.Env = append(os.Environ(), "KUBECONFIG="+kubeconfig, "POD_NAMESPACE="+namespace, "POD_NAME="+pod)
	p.cmd.Stdout, p.cmd.Stderr = log, log
	if err := p.cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() {
		p.kill()
		if said, err := os.ReadFile(log.Name()); s.t.Failed() && err == nil {
			s.t.Logf("the operator said:\n%s", said)
		}
	})
	return p
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// kill ends the operator without letting it tidy up.
func (p *process) kill() {
	p.cmd.Process.Kill() // it fails when the operator has ended
	p.cmd.Wait()         // how it ended does not matter
}

func (p *process) metrics() string {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 10*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.address+"/metrics", nil)
	if err != nil {
		p.t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(body)
}
