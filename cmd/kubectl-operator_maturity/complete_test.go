package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// completed asks as a shell does, and gives back what is offered without
// descriptions. All that stands on stderr is cobra's own line, which the
// scripts of shells drop.
func completed(t *testing.T, kubeconfig string, args ...string) []string {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "config")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "kubectl-operator_maturity", append([]string{"__complete"}, args...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &stdout, &stderr
	cmd.Env = append(os.Environ(), "KUBECONFIG="+file, "HOME="+dir)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%s", args, err, stderr.String())
	}
	if said := stderr.String(); !strings.HasPrefix(said, "Completion ended with directive: ") || strings.Count(said, "\n") != 1 {
		t.Errorf("%q: the line of the shell gets\n%s", args, said)
	}
	lines := strings.Split(strings.TrimSuffix(stdout.String(), "\n"), "\n")
	var values []string
	for _, line := range lines[:len(lines)-1] { // the last one is the directive
		value, _, _ := strings.Cut(line, "\t")
		values = append(values, value)
	}
	return values
}

func TestCompletionOfTheDemo(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"explain", "--demo", "cert"}, []string{"cert-manager", "certificaterequests.cert-manager.io", "certificates.cert-manager.io"}},
		{[]string{"explain", "backup-comp"}, []string{"backup-completed"}},
		{[]string{"explain", "--demo", "cert-manager", ""}, nil},
		{[]string{"scan", "--demo", "--min-level", "karp"}, []string{"karpenter="}},
		{[]string{"--demo", "--min-level", "karpenter="}, []string{"karpenter=0", "karpenter=1", "karpenter=2", "karpenter=3", "karpenter=4", "karpenter=5"}},
		{[]string{"scan", "--min-level", ""}, []string{"0", "1", "2", "3", "4", "5"}},
		{[]string{"scan", "--fail-on", "webhook"}, []string{"webhook-healthy", "webhook-target-exists"}},
		{[]string{"scan", "--fail-on", "crit"}, []string{"critical"}},
		{[]string{"diff", "--fail-on", ""}, []string{"worse"}},
		{[]string{"crds", "--demo", "--operator", "ext"}, []string{"external-dns", "external-secrets"}},
		{[]string{"crds", "--demo", "--group", "cert"}, []string{"cert-manager.io"}},
		{[]string{"crds", "--sort", ""}, []string{"name", "operator", "instances", "group"}},
		{[]string{"crds", "-o", ""}, []string{"table", "wide", "markdown", "json", "yaml", "csv"}},
		{[]string{"scan", "--color", ""}, []string{"auto", "always", "never"}},
		{[]string{"review", "--demo", "Certificate"}, []string{"Certificate", "CertificateRequest"}},
		{[]string{"review", "init", "--demo", "acme.cert"}, []string{"acme.cert-manager.io"}},
		{[]string{"catalog", "show", "cert-man"}, []string{"cert-manager"}},
		{[]string{"rules", ""}, []string{"check", "export", "list", "test"}},
		// A dump on stdin cannot be read twice.
		{[]string{"explain", "--from", "-", "cert"}, nil},
		{[]string{"explain", "--from", "no-such-file", "cert"}, nil},
	} {
		if diff := cmp.Diff(c.want, completed(t, "", c.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.args, diff)
		}
	}
}

func TestContextsComeFromTheKubeconfig(t *testing.T) {
	config := kubeconfigOf(map[string]string{"a b": "http://a.invalid", "arn:aws:eks:x:1:cluster/y": "http://b.invalid"}, "a b", "")
	for _, c := range []struct{ args, want []string }{
		{[]string{"--context", ""}, []string{"a b", "arn:aws:eks:x:1:cluster/y"}},
		{[]string{"crds", "--context", "arn"}, []string{"arn:aws:eks:x:1:cluster/y"}},
		{[]string{"scan", "--user", ""}, []string{"me"}},
		{[]string{"explain", "--cluster", "a "}, []string{"a b"}},
	} {
		if diff := cmp.Diff(c.want, completed(t, config, c.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.args, diff)
		}
	}
	if got := completed(t, "clusters: {", "--context", ""); got != nil {
		t.Errorf("a broken kubeconfig offers %q", got)
	}
}

func TestListsAreCompletedItemByItem(t *testing.T) {
	three := func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		return beginningWith(typed, []string{"prod", "preview", "staging"}), noFiles
	}
	for typed, want := range map[string][]string{
		"":           {"preview", "prod", "staging"},
		"prod,":      {"prod,preview", "prod,staging"},
		"prod,p":     {"prod,preview"},
		"prod,x":     {},
		"staging,pr": {"staging,preview", "staging,prod"},
	} {
		got, directive := commaList(three)(nil, nil, typed)
		if diff := cmp.Diff(want, append([]string{}, got...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", typed, diff)
		}
		if directive&cobra.ShellCompDirectiveNoSpace == 0 {
			t.Errorf("%q: a space would end the list", typed)
		}
	}
}

func TestNamesThatWouldBreakTheLineAreNotOffered(t *testing.T) {
	got := beginningWith("", []string{"b\tCRD", "evil\nrm -rf", "evil\x1b[2J", "a"})
	if diff := cmp.Diff([]string{"a", "b\tCRD"}, got); diff != "" {
		t.Error(diff)
	}
}

// A cluster is asked for the metadata of its CRDs, or its namespaces, in one
// GET each.
func TestCompletionOfACluster(t *testing.T) {
	list := func(names ...string) string {
		var items []string
		for _, name := range names {
			items = append(items, `{"metadata":{"name":"`+name+`"}}`)
		}
		return `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/v1","metadata":{},"items":[` + strings.Join(items, ",") + `]}`
	}
	var mu sync.Mutex
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		asked = append(asked, r.Method+" "+r.URL.Path)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		if strings.HasSuffix(r.URL.Path, "/namespaces") {
			_, _ = w.Write([]byte(list("shop", "kube-system", "kube-public")))
			return
		}
		_, _ = w.Write([]byte(list("certificates.cert-manager.io", "widgets.example.com")))
	}))
	t.Cleanup(server.Close)
	config := kubeconfigOf(map[string]string{"c": server.URL}, "c", "")
	const crds, namespaces = "GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions", "GET /api/v1/namespaces"
	for _, c := range []struct {
		args, want []string
		asks       string
	}{
		{[]string{"-n", "kube"}, []string{"kube-public", "kube-system"}, namespaces},
		{[]string{"crds", "--namespace", "s"}, []string{"shop"}, namespaces},
		{[]string{"explain", "cert-manag"}, []string{"cert-manager"}, crds},
		{[]string{"explain", "widgets"}, []string{"widgets.example.com"}, crds},
		{[]string{"--min-level", "cert"}, []string{"cert-manager="}, crds},
		{[]string{"review", "example"}, []string{"example.com"}, crds},
	} {
		mu.Lock()
		asked = nil
		mu.Unlock()
		if diff := cmp.Diff(c.want, completed(t, config, c.args...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.args, diff)
		}
		mu.Lock()
		if !slices.Equal(asked, []string{c.asks}) {
			t.Errorf("%q asks %q", c.args, asked)
		}
		mu.Unlock()
	}
}

// A server that is dead, hangs or refuses offers nothing and says nothing;
// what needs no server is offered all the same.
func TestCompletionWithoutAServer(t *testing.T) {
	dead := httptest.NewServer(nil)
	dead.Close()
	hang := make(chan struct{})
	hanging := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(hanging.Close)
	t.Cleanup(func() { close(hang) }) // before Close, which waits for the handlers
	refusing := httptest.NewServer(answering(http.StatusForbidden, "Forbidden"))
	t.Cleanup(refusing.Close)
	for name, url := range map[string]string{"dead": dead.URL, "hanging": hanging.URL, "refusing": refusing.URL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			config := kubeconfigOf(map[string]string{"c": url}, "c", "")
			if got := completed(t, config, "-n", ""); got != nil {
				t.Errorf("namespaces: %q", got)
			}
			if diff := cmp.Diff([]string{"backup-completed"}, completed(t, config, "explain", "backup-comp")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
