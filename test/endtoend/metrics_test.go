package endtoend

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

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
