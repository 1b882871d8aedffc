package endtoend

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/test/testcluster"
)

// viaKubectl runs `kubectl operator-maturity` as people type it: a kubectl built
// from its modules finds the plugin on the PATH.
type viaKubectl struct {
	kubectl string
	env     []string
	dir     string
}

func newViaKubectl(t *testing.T, kubeconfig string) *viaKubectl {
	t.Helper()
	kubectl := os.Getenv("OPERATOR_MATURITY_KUBECTL")
	if _, err := os.Stat(kubectl); kubectl == "" || err != nil {
		const missing = "no kubectl: run the tests with `make test`, or set OPERATOR_MATURITY_KUBECTL to what `make kubectl` prints"
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	bin := t.TempDir()
	build := exec.CommandContext(t.Context(), "go", "build", "-trimpath", "-ldflags", "-s -w -X main.release=v1.2.3", "-o", filepath.Join(bin, "kubectl-operator_maturity"), "kubectl-operator-maturity/cmd/kubectl-operator_maturity")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building the plugin: %v\n%s", err, out)
	}
	script, err := os.ReadFile("../../deploy/kubectl_complete-operator_maturity")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "kubectl_complete-operator_maturity"), script, 0o755); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	// Nothing but the plugin is there to be found, and sh for the script.
	env := []string{"PATH=" + bin + string(os.PathListSeparator) + "/bin", "HOME=" + home, "KUBECONFIG=" + kubeconfig}
	return &viaKubectl{kubectl, env, home}
}

// run gives back what was written, and the exit code.
func (k *viaKubectl) run(t *testing.T, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	var out, said strings.Builder
	cmd := exec.CommandContext(t.Context(), k.kubectl, args...)
	cmd.Env, cmd.Dir, cmd.Stdout, cmd.Stderr = k.env, k.dir, &out, &said
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	return out.String(), said.String(), cmd.ProcessState.ExitCode()
}

func TestKubectlRunsThePlugin(t *testing.T) {
	k := newViaKubectl(t, "")
	empty := t.TempDir()
	broken := filepath.Join(t.TempDir(), "broken.yaml")
	if err := os.WriteFile(broken, []byte("a: ["), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args   string
		exit   int
		stdout string
		stderr string
	}{
		{"operator-maturity version", 0, "kubectl operator-maturity v1.2.3 (", ""},
		{"operator-maturity scan --demo", 0, "cert-manager ", ""},
		{"operator-maturity --demo", 0, "cert-manager ", ""},
		{"operator-maturity --demo -o json", 0, `"kind": "Scorecard"`, ""},
		{"operator-maturity explain cert-manager --demo", 0, "cert-manager", ""},
		{"operator-maturity --help", 0, "kubectl operator-maturity scan --demo", ""},
		{"operator-maturity scan --no-such-flag", 1, "", "hint: see kubectl operator-maturity scan --help"},
		{"operator-maturity scan --demo --min-level 2", 2, "cert-manager ", "loyalty-operator has proven level 1, 2 is asked for"},
		{"operator-maturity scan --strict --from " + broken, 3, "", "--strict"},
		{"operator-maturity scan --fail-if-empty --from " + empty, 4, "", "--fail-if-empty"},
	} {
		stdout, stderr, exit := k.run(t, strings.Fields(c.args)...)
		if exit != c.exit || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("kubectl %s: exit code %d, want %d\n%s%s", c.args, exit, c.exit, stdout, stderr)
		}
	}
}

// No warning: it is executable, found once, and hides no command of kubectl.
func TestKubectlListsThePlugin(t *testing.T) {
	k := newViaKubectl(t, "")
	stdout, stderr, exit := k.run(t, "plugin", "list")
	if exit != 0 || stderr != "" || !strings.HasSuffix(strings.TrimSpace(stdout), "/kubectl-operator_maturity") || strings.Count(stdout, "/kubectl-") != 1 {
		t.Errorf("exit code %d\n%s%s", exit, stdout, stderr)
	}
}

func TestKubectlCompletesThePlugin(t *testing.T) {
	k := newViaKubectl(t, "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"operator-m"}, "operator-maturity"},
		{[]string{"operator-maturity", ""}, "explain"},
		{[]string{"operator-maturity", "explain", "--demo", "cert-m"}, "cert-manager"},
		{[]string{"operator-maturity", "scan", "-o", ""}, "sarif"},
		{[]string{"operator-maturity", "--min-level", "cert-manager="}, "cert-manager=3"},
	} {
		stdout, stderr, exit := k.run(t, append([]string{"__complete"}, c.args...)...)
		if exit != 0 || !strings.HasPrefix(stdout, c.want) && !strings.Contains(stdout, "\n"+c.want) {
			t.Errorf("kubectl %q does not complete to %s: exit code %d\n%s%s", c.args, c.want, exit, stdout, stderr)
		}
	}
}

// The plugin scans what kubectl's own settings point to, and completes from it.
func TestKubectlScansTheCluster(t *testing.T) {
	c := testcluster.Start(t)
	k := newViaKubectl(t, c.Kubeconfig("admin"))
	if _, stderr, exit := k.run(t, "create", "namespace", "shop"); exit != 0 {
		t.Fatal(stderr)
	}
	if err := testcluster.Apply(t.Context(), c.Admin(), "kubectl", filepath.Join("testdata", "widgets.yaml")); err != nil {
		t.Fatal(err)
	}
	stdout, stderr, exit := k.run(t, "operator-maturity", "scan", "-o", "json")
	var sc levels.Scorecard
	if err := json.Unmarshal([]byte(stdout), &sc); err != nil || exit != 0 {
		t.Fatalf("exit code %d: %v\n%s", exit, err, stderr)
	}
	if sc.Source.Server != c.Admin().Host || !sc.HasCRD("widgets.myteam.example.com") {
		t.Errorf("source %+v", sc.Source)
	}
	for _, want := range []struct {
		args []string
		line string
	}{
		{[]string{"-n", "sh"}, "shop"},
		{[]string{"--context", ""}, sc.Source.Context},
		{[]string{"explain", "widgets"}, "widgets.myteam.example.com"},
	} {
		stdout, stderr, exit := k.run(t, append([]string{"__complete", "operator-maturity"}, want.args...)...)
		if exit != 0 || !strings.HasPrefix(stdout, want.line) {
			t.Errorf("%q does not complete to %s: exit code %d\n%s%s", want.args, want.line, exit, stdout, stderr)
		}
	}
	if _, stderr, exit = k.run(t, "operator-maturity", "-n", "shpo"); exit != 1 || !strings.Contains(stderr, "there is no such namespace") {
		t.Errorf("a namespace that does not exist: exit code %d\n%s", exit, stderr)
	}
	stdout, _, exit = k.run(t, "operator-maturity", "-n", "shop", "-o", "json")
	if err := json.Unmarshal([]byte(stdout), &sc); err != nil || exit != 0 || len(sc.Source.Namespaces) != 1 {
		t.Errorf("-n shop: exit code %d, %v, source %+v", exit, err, sc.Source)
	}
}
