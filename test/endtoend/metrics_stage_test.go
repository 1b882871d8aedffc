package endtoend

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/test/testcluster"
)

// hostAddress is an address of this machine that an API server connects to:
// it refuses loopback ones.
func hostAddress(t *testing.T) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if n, ok := a.(*net.IPNet); ok && n.IP.To4() != nil && n.IP.IsGlobalUnicast() {
			return n.IP.String()
		}
	}
	const missing = "this machine has no IPv4 address but loopback, to which an API server does not proxy"
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
		t.Fatal(missing)
	}
	t.Skip(missing)
	return ""
}

// endpoint serves an exposition of the corpus as its operator does, and returns
// its address.
func endpoint(t *testing.T, file string, protected bool) string {
	t.Helper()
	text := corpustest.Text(t, "metrics", file)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path != "/metrics":
			http.NotFound(w, r)
		case protected && r.Header.Get("Authorization") == "":
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
		default:
			w.Header().Set("Content-Type", "text/plain; version=0.0.4")
			_, _ = io.WriteString(w, text)
		}
	}))
	l, err := net.Listen("tcp", net.JoinHostPort(hostAddress(t), "0"))
	if err != nil {
		t.Fatal(err)
	}
	server.Listener.Close()
	server.Listener = l
	if protected {
		server.StartTLS()
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	return l.Addr().String()
}

// install applies an operator of the corpus, with the port of its metrics
// changed to the one that is served.
func install(t *testing.T, c *testcluster.Cluster, slug, port, address string) {
	t.Helper()
	dir := filepath.Join(corpustest.Dir(t), "manifests", slug)
	raw, err := os.ReadFile(filepath.Join(dir, "install.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	_, served, _ := net.SplitHostPort(address)
	changed := filepath.Join(t.TempDir(), "install.yaml")
	if err := os.WriteFile(changed, []byte(strings.ReplaceAll(string(raw), port, served)), 0o600); err != nil {
		t.Fatal(err)
	}
	paths := []string{changed, filepath.Join("testdata", "reader.yaml")}
	for _, crds := range []string{"crds.yaml", "crds.yaml.gz"} {
		if path := filepath.Join(dir, crds); exists(path) {
			paths = append(paths, path)
		}
	}
	applyFiles(t, c, paths...)
}

// podsOf gives Deployments, by namespace, a pod that runs at an address.
func podsOf(t *testing.T, c *testcluster.Cluster, deployments map[string]string, address string) map[string]string {
	t.Helper()
	client, err := kubernetes.NewForConfig(rest.CopyConfig(c.Admin()))
	if err != nil {
		t.Fatal(err)
	}
	pods := map[string]string{}
	yes := true
	for namespace, name := range deployments {
		d, err := client.AppsV1().Deployments(namespace).Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		p := &corev1.Pod{Spec: d.Spec.Template.Spec}
		p.Name, p.Namespace, p.Labels = name+"-7d9c5b8f6-x2x4z", namespace, d.Spec.Template.Labels
		p.Spec.PriorityClassName = ""
		p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: d.Name, UID: d.UID, Controller: &yes}}
		if p, err = client.CoreV1().Pods(namespace).Create(t.Context(), p, metav1.CreateOptions{}); err != nil {
			t.Fatal(err)
		}
		running(p)
		p.Status.PodIP, p.Status.PodIPs = address, []corev1.PodIP{{IP: address}}
		if _, err := client.CoreV1().Pods(namespace).UpdateStatus(t.Context(), p, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		d.Status.Replicas, d.Status.ReadyReplicas, d.Status.ObservedGeneration = 1, 1, d.Generation
		if _, err := client.AppsV1().Deployments(namespace).UpdateStatus(t.Context(), d, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
		pods[name] = p.Name
	}
	return pods
}
