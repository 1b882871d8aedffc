package endtoend

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/test/testcluster"
	"kubectl-operator-maturity/test/testprometheus"
)

// TestOperatorMetrics reads metrics as a user does, with the program: through
// a real API server's pod proxy, and from a real Prometheus. What listens
// behind the pods serves the expositions of cert-manager, in the open, and of
// kueue, behind TLS and credentials.
func TestOperatorMetrics(t *testing.T) {
	open := endpoint(t, "cert-manager.prom", false)
	closed := endpoint(t, "kueue.prom.gz", true)
	c := testcluster.Start(t, testcluster.WithUser("reader"))
	install(t, c, "cert-manager", "9402", open)
	install(t, c, "kueue", "8443", closed)
	pods := podsOf(t, c, map[string]string{"cert-manager": "cert-manager", "kueue-system": "kueue-controller-manager"}, hostAddress(t))
	program := filepath.Join(t.TempDir(), "kubectl-operator_maturity")
	if out, err := exec.Command("go", "build", "-o", program, "kubectl-operator-maturity/cmd/kubectl-operator_maturity").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	run := func(user string, args ...string) []byte {
		t.Helper()
		cmd := exec.Command(program, append(args, "--kubeconfig", c.Kubeconfig(user))...)
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, stderr.String())
		}
		return out
	}
	scan := func(user string, args ...string) *levels.Scorecard {
		t.Helper()
		var sc levels.Scorecard
		if err := json.Unmarshal(run(user, append([]string{"scan", "-o", "json"}, args...)...), &sc); err != nil {
			t.Fatal(err)
		}
		return &sc
	}
	const counted = "reconciliations counted: 448, of which failed: 2"

	t.Run("not asked for", func(t *testing.T) {
		sc := scan("admin")
		wantCheck(t, sc, "cert-manager", "operator-reconcile-metrics", levels.Unknown, "not asked for: --metrics")
		wantCheck(t, sc, "kueue", "operator-metrics-endpoint", levels.Proven, "declared")
		if !sc.Coverage.Complete {
			t.Errorf("what nobody asked for is no gap: %+v", sc.Coverage)
		}
		requests, err := c.Requests("admin")
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range requests {
			if strings.Contains(r.URI, "/proxy") {
				t.Errorf("a scan that was not asked for metrics sent %s", r.URI)
			}
		}
	})
	t.Run("pod proxy", func(t *testing.T) {
		sc := scan("admin", "--metrics")
		wantCheck(t, sc, "cert-manager", "operator-reconcile-metrics", levels.Proven, counted)
		wantCheck(t, sc, "cert-manager", "cr-metrics", levels.Proven, "certmanager_certificate_")
		wantCheck(t, sc, "kueue", "operator-metrics-endpoint", levels.Proven, "asked for credentials")
		for _, id := range []string{"operator-reconcile-metrics", "operator-custom-metrics", "cr-state-metrics"} {
			wantCheck(t, sc, "kueue", id, levels.Unknown, "protected: it asks for credentials (401)")
		}
		row := coverageOf(t, sc, inventory.PodProxyResource)
		if row.Access != inventory.Partial || row.Count != 1 || !strings.Contains(row.Detail, "protected") {
			t.Errorf("row %+v", row)
		}
	})
	t.Run("no right to ask pods", func(t *testing.T) {
		sc := scan("reader", "--metrics")
		wantCheck(t, sc, "cert-manager", "operator-reconcile-metrics", levels.Unknown, "needs the right to get pods/proxy")
		if row := coverageOf(t, sc, inventory.PodProxyResource); row.Access != inventory.Forbidden {
			t.Errorf("row %+v", row)
		}
	})
	t.Run("saved in a snapshot", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "shop.json.gz")
		run("admin", "snapshot", file, "--metrics")
		sc := scan("admin", "--from", file)
		wantCheck(t, sc, "cert-manager", "operator-reconcile-metrics", levels.Proven, counted)
		wantCheck(t, sc, "kueue", "operator-reconcile-metrics", levels.Unknown, "protected: ")
	})
	t.Run("prometheus", func(t *testing.T) {
		url := testprometheus.Start(t, testprometheus.Target{Job: "cert-manager", URL: "http://" + open,
			Labels: map[string]string{"namespace": "cert-manager", "pod": pods["cert-manager"]}})
		sc := scan("admin", "--prometheus-url", url)
		wantCheck(t, sc, "cert-manager", "operator-reconcile-metrics", levels.Proven, counted)
		wantCheck(t, sc, "cert-manager", "cr-metrics", levels.Proven, "certmanager_certificate_")
		wantCheck(t, sc, "kueue", "operator-reconcile-metrics", levels.Unknown, "Prometheus has no target for it")
		// What the pods do not tell, another source may.
		saved := filepath.Join(corpustest.Dir(t), "metrics")
		sc = scan("admin", "--metrics", "--prometheus-url", url, "--metrics-from", saved)
		wantCheck(t, sc, "cert-manager", "operator-reconcile-metrics", levels.Proven, counted)
		wantCheck(t, sc, "kueue", "operator-reconcile-metrics", levels.Proven, "reconciliations counted: 130, of which failed: 0")
	})
}

func wantCheck(t *testing.T, sc *levels.Scorecard, name, id string, want levels.Verdict, because string) {
	t.Helper()
	if c := check(t, operator(t, sc, name), id); c.Verdict != want || !strings.Contains(c.Because, because) {
		t.Errorf("%s %s is %s (%s), want %s with %q", name, id, c.Verdict, c.Because, want, because)
	}
}

func coverageOf(t *testing.T, sc *levels.Scorecard, resource string) levels.Resource {
	t.Helper()
	for _, r := range sc.Coverage.Resources {
		if r.Resource == resource {
			return r
		}
	}
	t.Fatalf("no row %s", resource)
	return levels.Resource{}
}

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
	text := exposition(t, file)
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

func exposition(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(corpustest.Dir(t), "metrics", file))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
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
	objects, err := testcluster.ReadObjects(paths...)
	if err != nil {
		t.Fatal(err)
	}
	applier, err := testcluster.NewApplier(c.Admin(), "helm")
	if err != nil {
		t.Fatal(err)
	}
	if err := applier.Apply(t.Context(), namespacesFirst(objects)...); err != nil {
		t.Logf("not applied:\n%v", err)
	}
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
