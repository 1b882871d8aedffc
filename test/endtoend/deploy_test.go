package endtoend

import (
	"path/filepath"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/test/testcluster"
)

// What stands in deploy/ is accepted by a server, and a scan as its
// ServiceAccount is refused nothing but the CRD of a group that nobody knows.
func TestDeployGivesAScanWhatItNeeds(t *testing.T) {
	c := testcluster.Start(t)
	deploy := func(name string) string { return filepath.Join("..", "..", "deploy", name) }
	paths := []string{deploy("namespace.yaml"), deploy("clusterrole.yaml"), deploy("serviceaccount.yaml"), deploy("cronjob.yaml"), filepath.Join("testdata", "widgets.yaml")}
	if err := testcluster.Apply(t.Context(), c.Admin(), "kubectl", paths...); err != nil {
		t.Fatal(err)
	}
	forbidden := map[string]bool{}
	s := collect(t, accountConfig(t, c, "operator-maturity", "operator-maturity"))
	for _, a := range s.Access {
		if a.Access == inventory.Forbidden {
			forbidden[a.Resource+"."+a.Group] = true
		} else if a.Access != inventory.Listed && a.Access != inventory.Absent {
			t.Errorf("%s.%s: %s: %s", a.Resource, a.Group, a.Access, a.Detail)
		}
	}
	if len(forbidden) != 1 || !forbidden["widgets.myteam.example.com"] {
		t.Errorf("forbidden are %v, want only what no catalogue knows", forbidden)
	}
	if s.Source.ClusterUID == "" {
		t.Error("the uid of the cluster could not be read")
	}
	requests, err := c.Requests("system:serviceaccount:operator-maturity:operator-maturity")
	if err != nil || len(requests) == 0 {
		t.Fatalf("%d requests were recorded: %v", len(requests), err)
	}
	for _, r := range requests {
		if r.Resource == "secrets" || r.Verb != "list" && r.Verb != "get" {
			t.Errorf("it asked to %s %s", r.Verb, r.URI)
		}
	}
}

// accountConfig connects as a ServiceAccount.
func accountConfig(t *testing.T, c *testcluster.Cluster, namespace, name string) *rest.Config {
	t.Helper()
	client, err := kubernetes.NewForConfig(c.Admin())
	if err != nil {
		t.Fatal(err)
	}
	token, err := client.CoreV1().ServiceAccounts(namespace).CreateToken(t.Context(), name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	config := rest.AnonymousClientConfig(c.Admin())
	config.BearerToken = token.Status.Token
	return config
}
