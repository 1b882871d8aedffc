package endtoend

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/test/testcluster"
)

const canaryFile = "testdata/canary.yaml"

// canaries are the words of the manifest that begin so.
func canaries(t *testing.T, prefix string) []string {
	t.Helper()
	raw, err := os.ReadFile(canaryFile)
	if err != nil {
		t.Fatal(err)
	}
	_, objects, _ := strings.Cut(string(raw), "\napiVersion")
	list := regexp.MustCompile(`\b`+prefix+`-[a-z0-9-]+`).FindAllString(objects, -1)
	slices.Sort(list)
	return slices.Compact(list)
}

// canaryRuns are all ways to let the program write something, by name: live,
// from the snapshot that a run before has written, and from a dump in which
// the Secrets and everything else stand whole.
var canaryRuns = []struct {
	name string
	args []string
}{
	{"snapshot", []string{"snapshot", "snapshot.json"}},
	{"snapshot with Secrets' owners", []string{"snapshot", "--secrets-metadata", "secrets.json"}},
	{"live, every format", every("scan")},
	{"from a dump, every format", append(every("scan"), "--from", "dump.yaml")},
	{"crds", []string{"crds", "--from", "dump.yaml", "-o", "wide", "-o", "json=crds.json", "-o", "yaml=crds.yaml", "-o", "csv=crds.csv", "-o", "markdown=crds.md"}},
	{"explain the CRD", []string{"explain", "vaults.canary.acme.example", "--from", "snapshot.json", "-o", "markdown", "-o", "json=explain.json"}},
	{"explain a kind of a dump", []string{"explain", "vaults.canary.acme.example", "--from", "dump.yaml", "-o", "table", "-o", "yaml=explain.yaml"}},
	{"review", []string{"review", "vault", "--from", "dump.yaml", "-o", "markdown", "-o", "json=review.json", "-o", "html=review.html"}},
	{"diff", []string{"diff", "snapshot.json", "secrets.json", "-o", "markdown", "-o", "json=diff.json"}},
	{"an error about the dump", []string{"scan", "--from", "broken.yaml"}},
}

// every is a scan with every format.
func every(command string) []string {
	args := []string{command}
	for _, format := range []string{"wide", "markdown", "json", "yaml", "html", "csv", "junit", "sarif", "prometheus", "policyreport", "openreports"} {
		args = append(args, "-o", format+"="+format+".out")
	}
	return append(args, "-o", "table")
}

// TestNoCanaryComesOut puts a cluster with a canary in each text onto a control
// plane, lets the program write all that it can, and looks for them.
func TestNoCanaryComesOut(t *testing.T) {
	c := testcluster.Start(t)
	objects, err := testcluster.ReadObjects(canaryFile)
	if err != nil {
		t.Fatal(err)
	}
	applier, err := testcluster.NewApplier(c.Admin(), "keeper")
	if err != nil {
		t.Fatal(err)
	}
	if err := applier.Apply(t.Context(), namespacesFirst(objects)...); err != nil {
		t.Fatal(err)
	}
	for _, o := range objects {
		if o.GetKind() == "Vault" {
			if err := applier.ApplyStatus(t.Context(), o); err != nil {
				t.Fatal(err)
			}
		}
	}
	dir := t.TempDir()
	whole, err := os.ReadFile(canaryFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"dump.yaml": string(whole), "broken.yaml": "kind: Secret\nstringData: {password: leak-secret-data}\ndata: [\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	binary := filepath.Join(t.TempDir(), "kubectl-operator_maturity")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/kubectl-operator_maturity").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	leaks := canaries(t, "leak")
	if len(leaks) < 40 {
		t.Fatalf("only %d canaries: %v", len(leaks), leaks)
	}
	said := map[string]string{} // all output by file; "" is the terminal
	for _, run := range canaryRuns {
		cmd := exec.Command(binary, run.args...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "KUBECONFIG="+c.Kubeconfig("admin"))
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); err != nil && (code != 1 || run.name != "an error about the dump") {
			t.Errorf("%s: %v\n%s", run.name, err, out)
		}
		written := map[string]string{"the terminal": string(out)}
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := filepath.Base(file)
			if name == "dump.yaml" || name == "broken.yaml" {
				continue
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			written[name] = string(raw)
		}
		for name, text := range written {
			for _, leak := range leaks {
				if i := leaked(text, leak); i >= 0 {
					t.Errorf("%s: %s has %s: …%s…", run.name, name, leak, text[max(0, i-80):min(len(text), i+40)])
				}
			}
			said[name] = text
		}
	}
	keptWhereSaid(t, said)
}

// leaked is where a text has a canary, as it is or as a Secret holds it.
func leaked(text, leak string) int {
	if i := strings.Index(text, leak); i >= 0 {
		return i
	}
	return strings.Index(text, base64.StdEncoding.EncodeToString([]byte(leak)))
}

// keptWhereSaid holds what docs/security.md lists as kept against what is
// there: a list that is too long is as untrue as one that is too short.
func keptWhereSaid(t *testing.T, said map[string]string) {
	t.Helper()
	for _, kept := range canaries(t, "kept") {
		switch has := strings.Contains(said["snapshot.json"], kept); {
		case kept == "kept-no-secret-is-asked-for":
			if has || !strings.Contains(said["secrets.json"], kept) {
				t.Errorf("the name of a Secret is in the snapshot: %v; with --secrets-metadata: %v", has, !has)
			}
		case !has:
			t.Errorf("%s is not in the snapshot, though it is said to be kept", kept)
		}
	}
	for name, kept := range map[string]string{
		"markdown.out": "kept-deployment-name", "html.out": "kept-deployment-name", "json.out": "kept-deployment-name", "yaml.out": "kept-deployment-name",
		"csv.out": "canary", "junit.out": "canary", "sarif.out": "canary", "prometheus.out": "canary", "policyreport.out": "canary", "openreports.out": "canary",
		"crds.json": "vaults.canary.acme.example", "explain.json": "vaults.canary.acme.example", "review.json": "vaults.canary.acme.example",
	} {
		if !strings.Contains(said[name], kept) {
			t.Errorf("%s does not have %s: is it a report on the canary cluster?", name, kept)
		}
	}
}
