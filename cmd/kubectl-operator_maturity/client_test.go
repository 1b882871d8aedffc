package main

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/levels"
)

// apiServer is one without CRDs that refuses all other lists, warns in every
// answer, and remembers who asked.
type apiServer struct {
	*httptest.Server
	mu    sync.Mutex
	asked []*http.Request
}

func newAPIServer(t *testing.T) *apiServer {
	s := &apiServer{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked = append(s.asked, r)
	s.mu.Unlock()
	w.Header().Set("Warning", `299 - "this API is old"`)
	w.Header().Set("Content-Type", "application/json")
	switch {
	case r.URL.Path == "/version":
		_, _ = w.Write([]byte(`{"gitVersion":"v1.37.0"}`))
	case strings.HasSuffix(r.URL.Path, "/customresourcedefinitions"):
		_, _ = w.Write([]byte(`{"kind":"CustomResourceDefinitionList","apiVersion":"apiextensions.k8s.io/v1","metadata":{"resourceVersion":"1"},"items":[]}`))
	default:
		answering(http.StatusForbidden, "Forbidden").ServeHTTP(w, r)
	}
}

// requests are those so far.
func (s *apiServer) requests() []*http.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

// program runs the plugin with a kubeconfig and gives back the scorecard it
// wrote, if any, what it said, and its exit code.
func program(t *testing.T, kubeconfig string, env []string, args ...string) (*levels.Scorecard, string, int) {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "kubectl-operator_maturity", append([]string{"scan", "-o", "json"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(append(os.Environ(), "KUBECONFIG="+file, "HOME="+dir), env...)
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if stdout.Len() == 0 {
		return nil, stderr.String(), cmd.ProcessState.ExitCode()
	}
	var sc levels.Scorecard
	if err := json.Unmarshal([]byte(stdout.String()), &sc); err != nil {
		t.Fatalf("stdout is no scorecard: %v\n%s", err, stdout.String())
	}
	return &sc, stderr.String(), cmd.ProcessState.ExitCode()
}

// kubeconfigOf has a context for each server, the first being current.
func kubeconfigOf(servers map[string]string, current, extra string) string {
	var b strings.Builder
	b.WriteString("apiVersion: v1\nkind: Config\nusers: [{name: me, user: {token: t}}]\nclusters:\n")
	for name, server := range servers {
		b.WriteString("- {name: '" + name + "', cluster: {server: '" + server + "'" + extra + "}}\n")
	}
	b.WriteString("contexts:\n")
	for name := range servers {
		b.WriteString("- {name: '" + name + "', context: {cluster: '" + name + "', user: me}}\n")
	}
	return b.String() + "current-context: '" + current + "'\n"
}

// Only the context that was asked for is contacted, and the report says which
// it was: names with spaces and of clouds too. (Field case K4; J4: warnings of
// the server do not get into the data.)
func TestOnlyTheContextAskedForIsContacted(t *testing.T) {
	a, b := newAPIServer(t), newAPIServer(t)
	const spaced, arn = "a b", "arn:aws:eks:x:1:cluster/y"
	config := kubeconfigOf(map[string]string{spaced: a.URL, arn: b.URL}, spaced, "")
	sc, said, exit := program(t, config, nil, "--context", arn)
	if sc == nil || exit != exitOK {
		t.Fatalf("exit code %d: %s", exit, said)
	}
	if len(a.requests()) != 0 || len(b.requests()) == 0 || sc.Source.Context != arn || sc.Source.Server != b.URL || sc.Source.Version != "v1.37.0" {
		t.Errorf("%d requests to the other cluster, source %+v", len(a.requests()), sc.Source)
	}
	if sc, _, _ = program(t, config, []string{"KUBERNETES_SERVICE_HOST=192.0.2.1", "KUBERNETES_SERVICE_PORT=443"}); sc == nil || sc.Source.Context != spaced {
		t.Errorf("a kubeconfig that is there comes before the cluster that a pod runs in (K6): %+v", sc)
	}
}

// Every request is made as who --as names, and the report says so. (K5)
func TestEveryRequestImpersonates(t *testing.T) {
	server := newAPIServer(t)
	sc, said, exit := program(t, kubeconfigOf(map[string]string{"c": server.URL}, "c", ""), nil, "--as", "alice", "--as-group", "auditors")
	if sc == nil || exit != exitOK {
		t.Fatalf("exit code %d: %s", exit, said)
	}
	for _, r := range server.requests() {
		if r.Header.Get("Impersonate-User") != "alice" || r.Header.Get("Impersonate-Group") != "auditors" {
			t.Errorf("%s %s is not made as alice: %v", r.Method, r.URL, r.Header)
		}
		if r.Method != http.MethodGet {
			t.Errorf("%s %s is no GET", r.Method, r.URL)
		}
	}
	if !strings.Contains(sc.Source.Identity, "alice") {
		t.Errorf("the report says that %q asked", sc.Source.Identity)
	}
}

// The proxy of a cluster's entry is used. (K3)
func TestTheProxyOfAClusterIsUsed(t *testing.T) {
	proxy := newAPIServer(t)
	config := kubeconfigOf(map[string]string{"c": "http://cluster.invalid"}, "c", ", proxy-url: '"+proxy.URL+"'")
	sc, said, exit := program(t, config, nil)
	if sc == nil || exit != exitOK {
		t.Fatalf("exit code %d: %s", exit, said)
	}
	for _, r := range proxy.requests() {
		if r.Host != "cluster.invalid" {
			t.Errorf("the proxy was asked for %s", r.Host)
		}
	}
}

// A credential plug-in that is not installed is named, with its hint, before
// anybody is asked; client-go uses plug-ins over TLS alone. (K1)
func TestAMissingCredentialPluginIsNamed(t *testing.T) {
	exec := "users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: does-not-exist, installHint: 'get it from the vendor', interactiveMode: Never}}}]"
	config := strings.Replace(kubeconfigOf(map[string]string{"c": "https://127.0.0.1:1"}, "c", ""), "users: [{name: me, user: {token: t}}]", exec, 1)
	_, said, exit := program(t, config, nil)
	if exit == exitOK || !strings.Contains(said, "does-not-exist") || !strings.Contains(said, "get it from the vendor") {
		t.Errorf("exit code %d: %s", exit, said)
	}
}

// A slip in a file of rules is told at once, not after a cluster was read.
func TestRulesThatCannotBeUsedStopTheReading(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer server.Close()
	rules := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(rules, []byte("criteria:\n- id: [\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, said, code := program(t, kubeconfigOf(map[string]string{"c": server.URL}, "c", ""), nil, "--rules", rules)
		if code != 1 || !strings.Contains(said, "mine.yaml:") {
			t.Errorf("exit code %d, said:\n%s", code, said)
		}
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second): // one request alone may take 30 s
		t.Error("waited for the server")
		server.CloseClientConnections()
		<-ended
	}
}
