package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Whatever goes wrong, nothing of what a server, a file or an address holds
// comes to the terminal as an escape or a credential.
func TestErrorsShowNoEscapesAndNoCredentials(t *testing.T) {
	const said = "no \x1b]0;title\x07\x1b[31m\u009b2Jred\u202e Authorization: Bearer hunter2canary password=hunter2canary https://me:hunter2canary@host/"
	refusing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnauthorized)
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Unauthorized", "code": 401, "message": said})
	}))
	defer refusing.Close()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	odd := "x.yaml"
	if runtime.GOOS != "windows" {
		odd = "\x1b[31mx.yaml"
	}
	plain := "users: [{name: me, user: {token: t}}]"
	for name, c := range map[string]struct {
		config string
		args   []string
	}{
		"a server that refuses":           {kubeconfigOf(map[string]string{"c": refusing.URL}, "c", ""), nil},
		"a password in the server's URL":  {kubeconfigOf(map[string]string{"c": "https://me:hunter2canary@127.0.0.1:1"}, "c", ""), nil},
		"a password in the proxy's URL":   {kubeconfigOf(map[string]string{"c": "https://127.0.0.1:1"}, "c", ", proxy-url: 'http://me:hunter2canary@127.0.0.1:1'"), nil},
		"a token that is sent":            {strings.Replace(kubeconfigOf(map[string]string{"c": "http://127.0.0.1:1"}, "c", ""), "token: t", "token: hunter2canary", 1), nil},
		"a plug-in that prints its token": {strings.Replace(kubeconfigOf(map[string]string{"c": "https://127.0.0.1:1"}, "c", ""), plain, "users: [{name: me, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: sh, args: ['-c', 'echo token: hunter2canary; exit 1'], interactiveMode: Never}}}]", 1), nil},
		"a password of Prometheus":        {"", []string{"--from", write("ok.yaml", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n"), "--prometheus-url", "http://me:hunter2canary@127.0.0.1:1"}},
		"a file that is none":             {"", []string{"--from", filepath.Join(dir, "\x1b[31mabsent\u202e")}},
		"a broken snapshot":               {"", []string{"--from", write(odd, `{"apiVersion":"operator-maturity/v9\u001b[31m","kind":"Snapshot"}`)}},
		"a broken config":                 {"", []string{"--demo", "--config", write("c.yaml", "minLevel: \"\\e[31mx\"\n\"\\e[2J\": password=hunter2canary\n")}},
		"broken rules":                    {"", []string{"--demo", "--rules", write("r.yaml", "criteria:\n- id: \"\\e[31mx\"\n  \"\\e[2J\": 1\n  proven: \"'\\e[0m' + \"\n")}},
	} {
		t.Run(name, func(t *testing.T) {
			sc, stderr, exit := program(t, c.config, nil, c.args...)
			out, err := json.Marshal(sc)
			if err != nil {
				t.Fatal(err)
			}
			// A Prometheus that does not answer is a row of the coverage.
			if (exit == exitOK || stderr == "") && name != "a password of Prometheus" {
				t.Errorf("exit code %d, and it said %q", exit, stderr)
			}
			for _, bad := range []string{"\x1b", "\u009b", "\x07", "\u202e", "hunter2canary"} {
				if strings.Contains(stderr, bad) {
					t.Errorf("stderr has %q: %q", bad, stderr)
				}
			}
			if strings.Contains(string(out), "hunter2canary") {
				t.Errorf("the report has the credential: %s", out)
			}
		})
	}
}
