package endtoend

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/test/faults"
	"kubectl-operator-maturity/test/testcluster"
)

// installed are the operators that the live tests install from their own
// manifests.
var installed = []string{
	"cert-manager", "aws-load-balancer-controller", "external-secrets", "cloudnative-pg", "zalando-postgres-operator",
	"crunchy-pgo", "karpenter-aws", "prometheus-operator", "strimzi", "redis-operator-ot", "external-dns", "gatekeeper",
}

// shop starts a control plane with the operators installed, and a Widget CRD
// of nobody with one instance.
func shop(t *testing.T) *testcluster.Cluster {
	t.Helper()
	c := testcluster.Start(t, testcluster.WithControllerManager())
	installOperators(t, c, installed, "widgets.yaml", "limited.yaml", "unknown.yaml")
	return c
}

// installOperators applies the manifests of operators, and files of testdata.
func installOperators(t *testing.T, c *testcluster.Cluster, slugs []string, testdata ...string) {
	t.Helper()
	dir := filepath.Join(corpustest.Dir(t), "manifests")
	var paths []string
	for _, slug := range slugs {
		for _, file := range []string{"crds.yaml", "crds.yaml.gz", "install.yaml", "install.yaml.gz"} {
			if path := filepath.Join(dir, slug, file); exists(path) {
				paths = append(paths, path)
			}
		}
	}
	for _, file := range testdata {
		paths = append(paths, filepath.Join("testdata", file))
	}
	applyFiles(t, c, paths...)
}

// applyFiles applies manifests as Helm would. Some hold objects that need what
// is not here; they are reported and not needed.
func applyFiles(t *testing.T, c *testcluster.Cluster, paths ...string) {
	t.Helper()
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

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func collect(t *testing.T, config *rest.Config) *inventory.Snapshot {
	t.Helper()
	s, err := cluster.Collect(t.Context(), cluster.Options{Config: config, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestLiveScan(t *testing.T) {
	c := shop(t)
	waitUntilQuiet(t, c)

	t.Run("admin gets every operator and full coverage", func(t *testing.T) {
		sc := score(t, collect(t, c.Admin()))
		for _, r := range sc.Coverage.Resources {
			if r.Access != inventory.Listed && r.Access != inventory.Absent {
				t.Errorf("%s.%s is %s: %s", r.Resource, r.Group, r.Access, r.Detail)
			}
		}
		names := []string{}
		for _, o := range sc.Operators {
			names = append(names, o.Name)
		}
		for _, want := range []string{"cert-manager", "aws-load-balancer-controller", "external-secrets", "cloudnative-pg", "zalando-postgres-operator", "crunchy-pgo", "karpenter", "prometheus-operator", "strimzi", "redis-operator-ot", "external-dns", "gatekeeper"} {
			if !slices.Contains(names, want) {
				t.Errorf("no operator %s among %v", want, names)
			}
		}
		crds, owner := rows(sc)
		if w := crds["widgets.myteam.example.com"]; owner[w.Name] != "" || w.Instances != 1 || !w.Orphaned {
			t.Errorf("widgets: %+v", w)
		}
	})

	t.Run("an operator nobody ever heard of is attributed, with a reason", func(t *testing.T) {
		o := operator(t, score(t, collect(t, c.Admin())), "ledger-keeper")
		if len(o.CRDs) != 1 || o.CRDs[0].Name != "ledgers.books.acme.example" || len(o.Controllers) != 1 || o.Controllers[0].Name != "ledger-keeper" {
			t.Errorf("CRDs %+v, controllers %+v", o.CRDs, o.Controllers)
		}
		reason := o.Identity.Signals[0]
		if reason.Object != "ClusterRole/ledger-keeper" || !strings.Contains(reason.Detail, "may write the status of ledgers.books.acme.example") {
			t.Errorf("the reason is %+v", reason)
		}
	})

	t.Run("limited user gets unknowns where it may not look", func(t *testing.T) {
		sc := score(t, collect(t, c.User("limited")))
		if sc.Coverage.Complete {
			t.Error("coverage says complete for a user who may not read pods and RBAC")
		}
		admin := score(t, collect(t, c.Admin()))
		for _, said := range faults.Better(sc, admin) {
			t.Error(said)
		}
		cm := operator(t, sc, "cert-manager")
		if cm.LevelPossible == 0 {
			t.Errorf("cert-manager: possible level 0, but most was not seen: %+v", cm.Levels)
		}
		crds, _ := rows(sc)
		if c := crds["kafkas.kafka.strimzi.io"]; c.InstancesComplete || c.InstancesUnseen == "" {
			t.Errorf("kafkas may not be listed, but the row says complete: %+v", c)
		}
	})

	t.Run("only reads were ever sent", func(t *testing.T) {
		for _, user := range []string{"admin", "limited"} {
			requests, err := c.Requests(user)
			if err != nil {
				t.Fatal(err)
			}
			seen := 0
			for _, r := range requests {
				if !strings.HasPrefix(r.UserAgent, "kubectl-operator-maturity") {
					continue // the test's own client, that installs
				}
				seen++
				if r.Verb != "get" && r.Verb != "list" || r.Resource == "secrets" {
					t.Errorf("%s sent %s %s", user, r.Verb, r.URI)
				}
			}
			if seen == 0 {
				t.Errorf("no request of %s was recorded", user)
			}
		}
	})

	t.Run("a dump of every kind gives the same scorecard", func(t *testing.T) {
		live := collect(t, c.Admin())
		file := filepath.Join(t.TempDir(), "dump.json")
		dump(t, c.Admin(), file)
		fromFile := score(t, read(t, live.Taken, file))
		fromCluster := score(t, live)
		for _, sc := range []*levels.Scorecard{fromFile, fromCluster} {
			sc.Source, sc.Coverage, sc.Taken = inventory.Source{}, levels.Coverage{}, time.Time{}
		}
		if diff := cmp.Diff(fromCluster, fromFile); diff != "" {
			t.Errorf("live (-) and dump (+) differ:\n%s", diff)
		}
	})
}

// dump writes every listable object but Secrets as one v1 List, as kubectl get
// -o json of all kinds would.
func dump(t *testing.T, config *rest.Config, file string) {
	t.Helper()
	disco, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	lists, err := disco.ServerPreferredResources()
	if err != nil {
		t.Fatal(err)
	}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	items := []any{}
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.APIResources {
			if !slices.Contains(r.Verbs, "list") || r.Name == "secrets" || gv.Group == "events.k8s.io" {
				continue
			}
			got, err := client.Resource(gv.WithResource(r.Name)).List(t.Context(), metav1.ListOptions{})
			if err != nil {
				t.Fatalf("listing %s: %v", r.Name, err)
			}
			for i := range got.Items {
				items = append(items, got.Items[i].Object)
			}
		}
	}
	raw, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// waitUntilQuiet waits until the controllers have made no change for a while:
// a live scan and a dump are compared, which needs a cluster that stands still.
func waitUntilQuiet(t *testing.T, c *testcluster.Cluster) {
	t.Helper()
	config := rest.CopyConfig(c.Admin())
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	version := func() string {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.URL+"/api/v1/namespaces?limit=1", nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		var list metav1.PartialObjectMetadataList
		if err := json.NewDecoder(response.Body).Decode(&list); err != nil {
			t.Fatal(err)
		}
		return list.ResourceVersion
	}
	ctx, cancel := context.WithTimeout(t.Context(), 90*time.Second)
	defer cancel()
	last, since := version(), time.Now()
	for ctx.Err() == nil && time.Since(since) < 3*time.Second {
		time.Sleep(300 * time.Millisecond)
		if now := version(); now != last {
			last, since = now, time.Now()
		}
	}
}
