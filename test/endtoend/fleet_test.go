package endtoend

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/test/testcluster"
)

// TestFleet scans five contexts of two real control planes: two users of the
// one, two of whom one is unknown to it of the other, and one that nobody
// listens for.
func TestFleet(t *testing.T) {
	eu, us := testcluster.Start(t), testcluster.Start(t)
	objects, err := testcluster.ReadObjects(filepath.Join("testdata", "unknown.yaml"), filepath.Join("testdata", "limited.yaml"), filepath.Join("testdata", "widgets.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	installOn(t, eu, objects)
	installOn(t, us, newer(t, objects))
	program := builtProgram(t)
	config := kubeconfigFile(t, eu, us)
	scan := func(exit int, args ...string) (string, string) {
		t.Helper()
		return runProgram(t, program, exit, append([]string{"scan", "--kubeconfig", config}, args...)...)
	}

	out, said := scan(3, "--contexts", "all", "-o", "json")
	var f levels.FleetScorecard
	if err := json.Unmarshal([]byte(out), &f); err != nil {
		t.Fatal(err)
	}
	t.Run("every cluster is stamped with what was asked", func(t *testing.T) {
		for name, c := range map[string]*testcluster.Cluster{"eu": eu, "eu-limited": eu, "us": us} {
			got := f.Cluster(name)
			if got == nil || got.Outcome != levels.Read || got.Source.Server != c.URL || got.Source.ClusterUID != uidOf(t, c) {
				t.Errorf("%s: %+v; want %s with uid %s", name, got.Source, c.URL, uidOf(t, c))
			}
		}
		if a, b := f.Cluster("eu").SameAs, f.Cluster("eu-limited").SameAs; a != "" || b != "eu" {
			t.Errorf("eu is the same as %q, eu-limited as %q", a, b)
		}
		for name, why := range map[string]string{"dead": "connection refused", "stranger": "does not know the credentials"} {
			if c := f.Cluster(name); c.Outcome != levels.NotRead || c.Scorecard != nil || !strings.Contains(c.Why, why) || !strings.Contains(said, name+": could not be read") {
				t.Errorf("%s: %s, %q; stderr %s", name, c.Outcome, c.Why, said)
			}
		}
	})
	t.Run("what could not be looked at is unknown, not absent", func(t *testing.T) {
		want := map[string]map[string]levels.FleetPresence{
			// The limited user sees the CRD and may not read the role behind it.
			"ledger-keeper": {"eu": levels.FleetPresent, "eu-limited": levels.FleetUnknown, "us": levels.FleetPresent, "dead": levels.FleetUnknown, "stranger": levels.FleetUnknown},
			"us-only":       {"eu": levels.FleetAbsent, "eu-limited": levels.FleetUnknown, "us": levels.FleetPresent, "dead": levels.FleetUnknown, "stranger": levels.FleetUnknown},
		}
		for _, op := range f.Operators {
			for _, c := range op.Cells {
				if w := want[op.Name][c.Cluster]; c.Presence != w {
					t.Errorf("%s on %s is %s (%s), want %s", op.Name, c.Cluster, c.Presence, c.Why, w)
				}
			}
			delete(want, op.Name)
		}
		if len(want) > 0 {
			t.Errorf("no row for %v", want)
		}
	})
	t.Run("what differs is told, and what rights hide is not", func(t *testing.T) {
		var got []string
		for _, d := range f.Drift {
			line := strings.TrimSpace(d.Operator+" "+d.CRD) + " " + d.What
			for _, v := range d.Values {
				line += " [" + v.Value + ": " + strings.Join(v.Clusters, " ") + "]"
			}
			got = append(got, line)
		}
		for _, want := range []string{
			"ledger-keeper version [3: eu] [4: us]",
			"us-only presence [present: us] [absent: eu]",
			"ledger-keeper ledgers.books.acme.example served-versions [v1, v2: us] [v1: eu eu-limited]",
		} {
			if !slices.ContainsFunc(got, func(line string) bool { return sameDrift(line, want) }) {
				t.Errorf("nothing says %q:\n%s", want, strings.Join(got, "\n"))
			}
		}
		if len(got) != 3 {
			t.Errorf("%d differences:\n%s", len(got), strings.Join(got, "\n"))
		}
	})
	t.Run("the columns of clusters that were not read say so", func(t *testing.T) {
		table, _ := scan(3, "--contexts", "all")
		matrix, _, _ := strings.Cut(table, "WHAT DIFFERS")
		i := strings.Index(matrix, "\nus-only ")
		if row, _, _ := strings.Cut(matrix[i+1:], "\n"); i < 0 || strings.Count(row, "?") != 3 {
			t.Errorf("three clusters could not be looked at, the row is %q", row)
		}
		if !strings.Contains(table, "could not be read: cannot reach the API server") || !strings.Contains(table, "is the same cluster as eu") {
			t.Errorf("the table does not say why:\n%s", table)
		}
	})
	t.Run("gates", func(t *testing.T) {
		if _, said := scan(2, "--contexts", "eu,us", "--min-level", "us-only=0"); !strings.Contains(said, "eu: operator us-only is not on this cluster") {
			t.Error(said)
		}
		if _, said := scan(2, "--contexts", "eu-limited,us", "--min-level", "us-only=0"); !strings.Contains(said, "eu-limited: operator us-only was not found, and may be there all the same") {
			t.Error(said)
		}
		if _, said := scan(3, "--contexts", "eu,eu-limited", "--strict"); !strings.Contains(said, "eu-limited: not everything could be read") || strings.Contains(said, "eu: not everything") {
			t.Error(said)
		}
		baseline := filepath.Join(t.TempDir(), "fleet.json")
		scan(0, "--contexts", "eu,us", "-o", "json="+baseline)
		scan(0, "--contexts", "us,eu", "--baseline", baseline, "--min-level", "5")
		runProgram(t, program, 0, "fleet", baseline)
		runProgram(t, program, 1, "diff", baseline, baseline)
	})
	t.Run("only reads were ever sent", func(t *testing.T) {
		for _, c := range []*testcluster.Cluster{eu, us} {
			requests, err := c.Requests("admin")
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range requests {
				if strings.HasPrefix(r.UserAgent, "kubectl-operator-maturity") && (r.Verb != "get" && r.Verb != "list" || r.Resource == "secrets") {
					t.Errorf("%s %s was sent", r.Verb, r.URI)
				}
			}
		}
	})
}

// sameDrift compares without the order of the values.
func sameDrift(a, b string) bool {
	words := func(s string) []string { return slices.Sorted(slices.Values(strings.Split(s, " ["))) }
	sorted := func(s string) string { return strings.ReplaceAll(strings.Join(words(s), " "), "]", "") }
	return sorted(a) == sorted(b)
}

func installOn(t *testing.T, c *testcluster.Cluster, objects []*unstructured.Unstructured) {
	t.Helper()
	applier, err := testcluster.NewApplier(c.Admin(), "kubectl")
	if err != nil {
		t.Fatal(err)
	}
	if err := applier.Apply(t.Context(), namespacesFirst(objects)...); err != nil {
		t.Fatal(err)
	}
}

// newer is the same install one release later: another image, a second served
// version of its CRD, and a second operator like it.
func newer(t *testing.T, objects []*unstructured.Unstructured) []*unstructured.Unstructured {
	t.Helper()
	var list []*unstructured.Unstructured
	for _, o := range objects {
		raw, err := o.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		add := func(raw []byte) {
			changed := &unstructured.Unstructured{}
			if err := changed.UnmarshalJSON(raw); err != nil {
				t.Fatal(err)
			}
			list = append(list, changed)
		}
		text := string(raw)
		if strings.Contains(text, "ledger") {
			add([]byte(strings.NewReplacer("ledger-keeper", "us-only", "books.acme.example", "us.acme.example").Replace(text)))
		}
		raw = []byte(strings.ReplaceAll(text, "keeper:3", "keeper:4"))
		if o.GetKind() == "CustomResourceDefinition" && strings.Contains(text, "ledgers.books") {
			raw = withSecondVersion(t, raw)
		}
		add(raw)
	}
	return list
}

func withSecondVersion(t *testing.T, raw []byte) []byte {
	t.Helper()
	crd := &unstructured.Unstructured{}
	if err := crd.UnmarshalJSON(raw); err != nil {
		t.Fatal(err)
	}
	versions, _, err := unstructured.NestedSlice(crd.Object, "spec", "versions")
	if err != nil || len(versions) != 1 {
		t.Fatalf("%d versions: %v", len(versions), err)
	}
	second := (&unstructured.Unstructured{Object: versions[0].(map[string]any)}).DeepCopy().Object
	second["name"], second["storage"] = "v2", false
	if err := unstructured.SetNestedSlice(crd.Object, append(versions, second), "spec", "versions"); err != nil {
		t.Fatal(err)
	}
	raw, err = crd.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func uidOf(t *testing.T, c *testcluster.Cluster) string {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		t.Fatal(err)
	}
	ns, err := client.CoreV1().Namespaces().Get(t.Context(), metav1.NamespaceSystem, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		t.Fatal("no kube-system yet")
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(ns.UID)
}

// kubeconfigFile has a context for each of five ways to ask.
func kubeconfigFile(t *testing.T, eu, us *testcluster.Cluster) string {
	t.Helper()
	all := clientcmdapi.NewConfig()
	add := func(name string, c *testcluster.Cluster, user string) {
		one, err := clientcmd.LoadFromFile(c.Kubeconfig(user))
		if err != nil {
			t.Fatal(err)
		}
		from := one.Contexts[one.CurrentContext]
		all.Clusters[name], all.AuthInfos[name] = one.Clusters[from.Cluster], one.AuthInfos[from.AuthInfo]
		all.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	}
	add("eu", eu, "admin")
	add("eu-limited", eu, "limited")
	add("us", us, "admin")
	add("stranger", us, "admin")
	all.AuthInfos["stranger"] = &clientcmdapi.AuthInfo{Token: "of-nobody"}
	add("dead", us, "admin")
	all.Clusters["dead"] = &clientcmdapi.Cluster{Server: "https://127.0.0.1:1"}
	file := filepath.Join(t.TempDir(), "config")
	if err := clientcmd.WriteToFile(*all, file); err != nil {
		t.Fatal(err)
	}
	return file
}

func builtProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "kubectl-operator_maturity")
	if out, err := exec.Command("go", "build", "-o", program, "kubectl-operator-maturity/cmd/kubectl-operator_maturity").CombinedOutput(); err != nil {
		t.Fatalf("building the program: %v\n%s", err, out)
	}
	return program
}

// runProgram runs the plugin and wants an exit code.
func runProgram(t *testing.T, program string, exit int, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, said bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = t.TempDir(), &out, &said
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	err := cmd.Run()
	if failed := (*exec.ExitError)(nil); err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != exit {
		t.Errorf("%v: exit code %d, want %d: %s", args, got, exit, said.String())
	}
	return out.String(), said.String()
}
