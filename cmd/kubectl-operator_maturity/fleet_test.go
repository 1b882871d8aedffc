package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/levels"
)

// fleetRun runs the program in a folder of its own with a kubeconfig.
type fleetRun struct {
	t      *testing.T
	dir    string
	out    string
	err    string
	exit   int
	signal <-chan struct{} // Ctrl-C when something is received
}

func newFleetRun(t *testing.T, kubeconfig string) *fleetRun {
	t.Helper()
	r := &fleetRun{t: t, dir: t.TempDir()}
	if err := os.WriteFile(filepath.Join(r.dir, "config"), []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *fleetRun) run(args ...string) *fleetRun {
	r.t.Helper()
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(r.t.Context(), "kubectl-operator_maturity", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(r.dir, "config"), "HOME="+r.dir)
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	if r.signal != nil {
		<-r.signal
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			r.t.Fatal(err)
		}
	}
	_ = cmd.Wait() // what went wrong is the exit code
	r.out, r.err, r.exit = stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
	return r
}

// want checks the exit code and what was said on stderr.
func (r *fleetRun) want(exit int, said ...string) *fleetRun {
	r.t.Helper()
	if r.exit != exit {
		r.t.Errorf("exit code %d, want %d: %s", r.exit, exit, r.err)
	}
	for _, s := range said {
		if !strings.Contains(r.err, s) {
			r.t.Errorf("stderr has no %q: %s", s, r.err)
		}
	}
	return r
}

func (r *fleetRun) fleet() *levels.FleetScorecard {
	r.t.Helper()
	f := &levels.FleetScorecard{}
	if err := json.Unmarshal([]byte(r.out), f); err != nil || f.Kind != "FleetScorecard" {
		r.t.Fatalf("stdout is no scorecard of a fleet: %v\n%s%s", err, r.out, r.err)
	}
	return f
}

// hanging accepts connections and never answers; it tells of each request.
func hanging(t *testing.T) (url string, asked <-chan struct{}) {
	calls := make(chan struct{}, 1000)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		calls <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL, calls
}

func closedPort(t *testing.T) string {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	return server.URL
}

// One dead context among five stops no other, and neither does one that hangs,
// one that refuses the credentials, and one that the kubeconfig has no cluster
// for. Each says why.
func TestADeadContextStopsNoOther(t *testing.T) {
	fine, other := newAPIServer(t), newAPIServer(t)
	refusing := httptest.NewServer(answering(http.StatusUnauthorized, "Unauthorized"))
	t.Cleanup(refusing.Close)
	hangs, _ := hanging(t)
	config := kubeconfigOf(map[string]string{"fine": fine.URL, "dead": closedPort(t), "hangs": hangs, "refuses": refusing.URL, "other": other.URL}, "fine", "")
	config = strings.Replace(config, "contexts:\n", "contexts:\n- {name: broken, context: {cluster: nowhere, user: me}}\n", 1)
	r := newFleetRun(t, config).run("scan", "--contexts", "all", "--timeout", "2s", "-o", "json")
	r.want(exitIncomplete, "the report is partial", "dead: could not be read: cannot reach the API server", "hangs: could not be read", "refuses: could not be read")
	f := r.fleet()
	whys := map[string]string{
		"broken": `the context names the cluster "nowhere", which the kubeconfig does not have`, "dead": "connection refused", "fine": "", "hangs": "cannot reach the API server", "other": "", "refuses": "does not know the credentials",
	}
	if len(f.Clusters) != len(whys) || f.Complete {
		t.Fatalf("%d clusters, complete %v", len(f.Clusters), f.Complete)
	}
	for _, c := range f.Clusters {
		why, known := whys[c.Name]
		read := c.Scorecard != nil && c.Outcome == levels.Read
		if !known || read != (why == "") || !strings.Contains(c.Why, why) || c.Source.Context != c.Name {
			t.Errorf("%s: %s, %q, source %+v", c.Name, c.Outcome, c.Why, c.Source)
		}
	}
	for name, server := range map[string]*apiServer{"fine": fine, "other": other} {
		if c := f.Cluster(name); c.Source.Server != server.URL || c.Scorecard.Source.Server != server.URL || len(server.requests()) == 0 {
			t.Errorf("%s says it is %s, want %s", name, c.Source.Server, server.URL)
		}
	}
	if c := f.Cluster("dead"); c.Source.Server == "" {
		t.Error("a cluster that cannot be reached does not say where it should be")
	}
	r.run("scan", "--contexts", "dead, refuses", "-o", "json").want(exitFailed, "no cluster could be read")
	if f := r.fleet(); len(f.Clusters) != 2 {
		t.Errorf("the report of clusters that were not read has %d", len(f.Clusters))
	}
	r.run("scan", "--contexts", "dead,fine", "--min-level", "nobody=1").want(exitGate, "fine: operator nobody was not found", "note: dead: could not be read")
	r.run("scan", "--contexts", "fine,other", "--strict").want(exitIncomplete, "fine: not everything could be read (--strict)", "other: not everything")
	r.run("scan", "--contexts", "fine,other", "--fail-if-empty").want(exitEmpty, "fine: there is nothing to scan", "other: there is nothing to scan")
	r.run("scan", "--contexts", "fine,other").want(exitOK)
	if !strings.Contains(r.out, "This says nothing about what the clusters have") {
		t.Errorf("clusters that refuse most lists look as if they had no operators:\n%s", r.out)
	}
}

// A password in the URL of a server is in no report and no message, not even
// where the URL is none.
func TestFleetKeepsPasswordsOfURLs(t *testing.T) {
	dead := strings.TrimPrefix(closedPort(t), "http://")
	r := newFleetRun(t, kubeconfigOf(map[string]string{"a": "http://me:hunter2@" + dead, "b": "http://me:hunter2 x@" + dead, "c": "me:hunter2%%@" + dead}, "a", ""))
	for _, format := range []string{"table", "json", "markdown", "html", "csv"} {
		r.run("scan", "--contexts", "all", "-o", format).want(exitFailed, "no cluster could be read")
		if strings.Contains(r.out+r.err, "hunter2") {
			t.Errorf("%s: %s%s", format, r.out, r.err)
		}
	}
}

// Whoever interrupts gets what was there by then.
func TestInterruptedFleetIsReported(t *testing.T) {
	fine := newAPIServer(t)
	url, asked := hanging(t)
	r := newFleetRun(t, kubeconfigOf(map[string]string{"a": fine.URL, "b": url, "c": url}, "a", ""))
	r.signal = asked
	r.run("--contexts", "a,b,c", "--parallel", "1", "-o", "json").want(exitIncomplete, "b: was not read to the end: ", "c: could not be read: not begun: interrupted")
	f := r.fleet()
	if f.Clusters[0].Outcome != levels.Read || f.Clusters[1].Outcome != levels.ReadPartly || f.Clusters[2].Outcome != levels.NotRead {
		t.Errorf("outcomes %s, %s, %s", f.Clusters[0].Outcome, f.Clusters[1].Outcome, f.Clusters[2].Outcome)
	}
}

// Whom to ask is settled before anybody is asked.
func TestContextsAreChosenFirst(t *testing.T) {
	server := newAPIServer(t)
	const arn = "arn:aws:eks:x:1:cluster/prod-a"
	servers := map[string]string{"prod-b": server.URL, arn: server.URL, "all": server.URL, "stage": server.URL}
	r := newFleetRun(t, kubeconfigOf(servers, "stage", ""))
	for _, c := range []struct {
		contexts, want string
	}{
		{"all", "all " + arn + " prod-b stage"},
		{"stage,prod-b,stage", "stage prod-b"},
		{"*prod-*", arn + " prod-b"},
		{"prod-b,*", "prod-b all " + arn + " stage"},
		{" stage ", "stage"},
	} {
		var names []string
		for _, cluster := range r.run("scan", "--contexts", c.contexts, "-o", "json").want(exitOK).fleet().Clusters {
			names = append(names, cluster.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("--contexts %q scans %q, want %q", c.contexts, got, c.want)
		}
	}
	before := len(server.requests())
	for args, said := range map[string]string{
		"--contexts stage,nowhere":                           `no context "nowhere": known are "all", "` + arn + `", "prod-b", "stage"`,
		"--contexts prod-[":                                  `no context "prod-["`,
		"--contexts ,":                                       "--contexts is empty",
		"--contexts stage --context stage":                   "--context is about one cluster",
		"--contexts stage --server http://127.0.0.1:1":       "--server is about one cluster",
		"--contexts stage --token t":                         "--token is about one cluster",
		"--contexts stage --from x":                          "contexts",
		"--contexts stage --parallel 0":                      "--parallel 0",
		"--contexts stage --prometheus-url http://127.0.0.1": "--prometheus-url and --metrics-from are of one cluster",
		"--contexts stage -o junit":                          "the output format junit is of one cluster: several can be written as table, wide, markdown, json, yaml, html, csv, prometheus",
		"--contexts stage -o sheet":                          `unknown output format "sheet": known are table, wide`,
		"--contexts stage --fail-on nothing-of-that-name":    "is no severity",
		"--contexts stage --baseline missing.json":           "reading the baseline",
		"--contexts stage --kubeconfig missing":              "missing",
	} {
		r.run(append([]string{"scan"}, strings.Fields(args)...)...).want(exitFailed, said)
	}
	if after := len(server.requests()); after != before {
		t.Errorf("%d requests were sent for what cannot work", after-before)
	}
	newFleetRun(t, "apiVersion: v1\nkind: Config\n").run("scan", "--contexts", "all").want(exitFailed, "the kubeconfig has no context")
	if err := os.WriteFile(filepath.Join(r.dir, "config"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r.run("scan", "--contexts", "all").want(exitFailed, "the kubeconfig has no context")
}

// Impersonation goes to every cluster.
func TestEveryContextIsAskedAsTheSameUser(t *testing.T) {
	a, b := newAPIServer(t), newAPIServer(t)
	config := kubeconfigOf(map[string]string{"a": a.URL, "b": b.URL}, "a", "")
	newFleetRun(t, config).run("scan", "--contexts", "a,b", "--as", "alice", "-o", "json").want(exitOK)
	for _, server := range []*apiServer{a, b} {
		for _, request := range server.requests() {
			if request.Header.Get("Impersonate-User") != "alice" || request.Method != http.MethodGet {
				t.Fatalf("%s %s as %q", request.Method, request.URL, request.Header.Get("Impersonate-User"))
			}
		}
	}
}

// A plug-in that would ask a person for a password cannot: those of other
// clusters may want to at the same time.
func TestPluginsOfSeveralContextsCannotAsk(t *testing.T) {
	asking := "users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: 'true', interactiveMode: IfAvailable}}}]"
	config := strings.Replace(kubeconfigOf(map[string]string{"c": "https://127.0.0.1:1"}, "c", ""), "users: [{name: me, user: {token: t}}]", asking, 1)
	file := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	kube := genericclioptions.NewConfigFlags(true)
	kube.KubeConfig = &file
	source := &sourceFlags{kube: kube, namespaces: func() []string { return nil }}
	alone, err := source.clusterOptions()
	if err != nil || alone.Config.ExecProvider.StdinUnavailable {
		t.Errorf("alone, the plug-in may not ask: %v", err)
	}
	together, err := source.onContext("c").clusterOptions()
	if err != nil || !together.Config.ExecProvider.StdinUnavailable || together.Context != "c" {
		t.Errorf("with others, the plug-in of context %q may ask: %v", together.Context, err)
	}
}
