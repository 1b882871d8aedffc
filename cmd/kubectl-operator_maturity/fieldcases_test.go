package main

import (
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Colour is for terminals: not for pipes, not against NO_COLOR, not for dumb
// ones; who asks for it gets it. (Field case J3)
func TestColourIsForTerminals(t *testing.T) {
	for _, c := range []struct {
		width         int
		mode          string
		noColor, term string
		want          bool
	}{
		{80, "auto", "", "xterm", true},
		{0, "auto", "", "xterm", false},
		{80, "auto", "1", "xterm", false},
		{80, "auto", "", "dumb", false},
		{0, "always", "1", "dumb", true},
		{80, "never", "", "xterm", false},
	} {
		t.Setenv("NO_COLOR", c.noColor)
		t.Setenv("TERM", c.term)
		if got := (streams{outWidth: c.width}).useColor(c.mode); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// A server that answers 503 to every list gives a report of unknowns: nothing
// is assessed, there is no number, and --strict and --fail-if-empty say so. (J8)
func TestNothingIsScoredFromNothing(t *testing.T) {
	failing := http.NewServeMux()
	failing.HandleFunc("/version", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"gitVersion":"v1.37.0"}`)
	})
	failing.Handle("/", answering(http.StatusServiceUnavailable, "ServiceUnavailable"))
	unavailable := httptest.NewServer(failing)
	t.Cleanup(unavailable.Close)
	empty := newAPIServer(t) // it has no CRDs, and refuses the rest
	for name, c := range map[string]struct {
		url, said string
		args      []string
		exit      int
	}{
		"503":                   {unavailable.URL, "", nil, exitOK},
		"503, strict":           {unavailable.URL, "--strict", []string{"--strict"}, exitIncomplete},
		"503, fail if empty":    {unavailable.URL, "--fail-if-empty", []string{"--fail-if-empty"}, exitEmpty},
		"no CRD":                {empty.URL, "", nil, exitOK},
		"no CRD, fail if empty": {empty.URL, "--fail-if-empty", []string{"--fail-if-empty"}, exitEmpty},
	} {
		sc, said, exit := program(t, kubeconfigOf(map[string]string{"c": c.url}, "c", ""), nil, c.args...)
		if sc == nil || exit != c.exit || !strings.Contains(said, c.said) {
			t.Errorf("%s: exit code %d: %s", name, exit, said)
			continue
		}
		if len(sc.Operators) != 0 || sc.Coverage.Complete {
			t.Errorf("%s: %d operators, complete: %v", name, len(sc.Operators), sc.Coverage.Complete)
		}
	}
}

// overTLS is an API server behind TLS, without which client-go sends no
// credentials, and what the entry of its cluster needs to trust it.
func overTLS(t *testing.T) (api *apiServer, url, trust string) {
	t.Helper()
	api = newAPIServer(t)
	server := httptest.NewUnstartedServer(api)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	return api, server.URL, ", certificate-authority-data: " + base64.StdEncoding.EncodeToString(ca)
}

// The credentials of auth-provider: oidc are linked in. (K1)
func TestAnOIDCTokenIsSent(t *testing.T) {
	api, url, trust := overTLS(t)
	part := func(v any) string {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return base64.RawURLEncoding.EncodeToString(raw)
	}
	// It is not asked for anew before it expires, so no issuer is needed.
	token := part(map[string]string{"alg": "none"}) + "." + part(map[string]any{"exp": time.Now().Add(time.Hour).Unix()}) + "."
	user := fmt.Sprintf("users: [{name: me, user: {auth-provider: {name: oidc, config: {idp-issuer-url: 'https://issuer.invalid', client-id: x, id-token: %s}}}}]", token)
	config := strings.Replace(kubeconfigOf(map[string]string{"c": url}, "c", trust), "users: [{name: me, user: {token: t}}]", user, 1)
	sc, said, exit := program(t, config, nil)
	if sc == nil || exit != exitOK {
		t.Fatalf("exit code %d: %s", exit, said)
	}
	for _, r := range api.requests() {
		if r.Header.Get("Authorization") != "Bearer "+token {
			t.Errorf("%s is asked with %q", r.URL, r.Header.Get("Authorization"))
		}
	}
}

// What a credential plug-in says goes to stderr, and its token is used; what it
// is told about a terminal is what the kubeconfig says. (K2)
func TestACredentialPluginMayTalk(t *testing.T) {
	api, url, trust := overTLS(t)
	plugin := filepath.Join(t.TempDir(), "login")
	script := `#!/bin/sh
echo 'open https://login.invalid in a browser' >&2
case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*) ;; *) echo 'told of a terminal that is not there' >&2; exit 1;; esac
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"from-the-plugin"}}'
`
	if err := os.WriteFile(plugin, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	for mode, works := range map[string]bool{"Never": true, "IfAvailable": true, "Always": false} {
		user := "users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: '" + plugin + "', interactiveMode: " + mode + "}}}]"
		config := strings.Replace(kubeconfigOf(map[string]string{"c": url}, "c", trust), "users: [{name: me, user: {token: t}}]", user, 1)
		sc, said, exit := program(t, config, nil)
		if works && (sc == nil || exit != exitOK || !strings.Contains(said, "open https://login.invalid")) {
			t.Errorf("%s: exit code %d: %s", mode, exit, said)
		}
		if !works && (exit != exitFailed || !strings.Contains(said, "interactive")) {
			t.Errorf("%s without a terminal: exit code %d: %s", mode, exit, said)
		}
	}
	for _, r := range api.requests() {
		if r.Header.Get("Authorization") != "Bearer from-the-plugin" {
			t.Errorf("%s is asked with %q", r.URL, r.Header.Get("Authorization"))
		}
	}
}

// KUBECONFIG may name many files, of which one has the context and another the
// cluster. (K4)
func TestManyKubeconfigFiles(t *testing.T) {
	server := newAPIServer(t)
	dir := t.TempDir()
	files := []string{filepath.Join(dir, "one"), filepath.Join(dir, "two")}
	for i, content := range []string{
		"apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: far, user: me}}]\n",
		"apiVersion: v1\nkind: Config\ncurrent-context: other\nclusters: [{name: far, cluster: {server: '" + server.URL + "'}}]\nusers: [{name: me, user: {token: t}}]\n",
	} {
		if err := os.WriteFile(files[i], []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), "kubectl-operator_maturity", "scan", "-o", "json")
	cmd.Env = append(os.Environ(), "KUBECONFIG="+strings.Join(files, string(os.PathListSeparator)))
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), `"context": "c"`) || len(server.requests()) == 0 {
		t.Errorf("%v, %d requests", err, len(server.requests()))
	}
}

// Without a kubeconfig, and outside a pod, nobody is asked: not localhost:8080,
// and not what the variables of a pod name while its token is missing. (K6)
func TestWithoutAKubeconfigNobodyIsAsked(t *testing.T) {
	for name, env := range map[string][]string{
		"a laptop":                nil,
		"variables of a pod only": {"KUBERNETES_SERVICE_HOST=192.0.2.1", "KUBERNETES_SERVICE_PORT=443"},
	} {
		cmd := exec.CommandContext(t.Context(), "kubectl-operator_maturity", "scan")
		cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
		out, _ := cmd.CombinedOutput()
		if exit := cmd.ProcessState.ExitCode(); exit != exitFailed || !strings.Contains(string(out), "reading the kubeconfig: none was found") || !strings.Contains(string(out), "hint: check with kubectl config get-contexts") {
			t.Errorf("%s: exit code %d: %s", name, exit, out)
		}
	}
}

// A context whose cluster the kubeconfig lacks leads to nobody's server.
func TestAContextThatLeadsNowhereIsRefused(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config")
	config := "apiVersion: v1\nkind: Config\ncurrent-context: shop\ncontexts:\n- name: shop\n  context: {cluster: gone, user: me}\nusers:\n- name: me\n  user: {token: t}\n"
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"scan"}, {"scan", "--context", "shop"}} {
		cmd := exec.CommandContext(t.Context(), "kubectl-operator_maturity", append(args, "--kubeconfig", file)...)
		out, _ := cmd.CombinedOutput()
		if exit := cmd.ProcessState.ExitCode(); exit != exitFailed || strings.Contains(string(out), "localhost") || !strings.Contains(string(out), `"gone"`) {
			t.Errorf("%v: exit code %d: %s", args, exit, out)
		}
	}
}
