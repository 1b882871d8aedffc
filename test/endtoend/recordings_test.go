package endtoend

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/levels"
)

// groundTruth is recordings/expected.json.
type groundTruth struct {
	CRDOperator map[string]*string  `json:"crdOperator"`
	Controllers map[string][]string `json:"controllers"`
	Instances   map[string]int      `json:"instances"`
}

func recording(t *testing.T, name string) *levels.Scorecard {
	t.Helper()
	large(t)
	return score(t, read(t, time.Time{}, filepath.Join(corpustest.Dir(t), "recordings", name)))
}

func readJSON(t *testing.T, into any, elements ...string) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(append([]string{corpustest.Dir(t)}, elements...)...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func TestRecordingHasEveryCRDUnderItsOperator(t *testing.T) {
	var want groundTruth
	readJSON(t, &want, "recordings", "expected.json")
	sc := recording(t, "shop-cluster.json.gz")
	crds, owner := rows(sc)
	if len(crds) != len(want.CRDOperator) {
		t.Errorf("%d CRDs, want %d", len(crds), len(want.CRDOperator))
	}
	for crd, operator := range want.CRDOperator {
		name := ""
		if operator != nil {
			name = *operator
		}
		if got, ok := owner[crd]; !ok || got != name {
			t.Errorf("%s is under %q, want %q", crd, got, name)
		}
	}
	for crd, row := range crds {
		if row.Instances != want.Instances[crd] || !row.InstancesComplete {
			t.Errorf("%s has %d instances (complete: %v), want %d", crd, row.Instances, row.InstancesComplete, want.Instances[crd])
		}
	}
}

func TestRecordingHasTheControllers(t *testing.T) {
	var want groundTruth
	readJSON(t, &want, "recordings", "expected.json")
	sc := recording(t, "shop-cluster.json.gz")
	for _, o := range sc.Operators {
		refs := []string{}
		for _, c := range o.Controllers {
			refs = append(refs, c.Kind+"/"+c.Namespace+"/"+c.Name)
		}
		expected, ok := want.Controllers[o.Name]
		if !ok {
			t.Errorf("operator %s is not in the ground truth", o.Name)
		}
		if !slices.Equal(slices.Sorted(slices.Values(refs)), slices.Sorted(slices.Values(expected))) {
			t.Errorf("%s: controllers %v, want %v", o.Name, refs, expected)
		}
		delete(want.Controllers, o.Name)
	}
	delete(want.Controllers, "gateway-api") // a shared API has none
	for name := range maps.Keys(want.Controllers) {
		t.Errorf("operator %s was not found", name)
	}
}

// The facts that expected.json lists in words.
func TestRecordingShowsItsFacts(t *testing.T) {
	sc := recording(t, "shop-cluster.json.gz")
	crds, _ := rows(sc)
	if c := crds["certificates.cert-manager.io"]; c.Ready != 4 || c.NotReady != 1 {
		t.Errorf("certificates: %d ready, %d not, want 4 and 1", c.Ready, c.NotReady)
	}
	rabbit := crds["rabbitmqclusters.rabbitmq.com"]
	if !slices.Contains(rabbit.Finalizers, "deletion.finalizers.rabbitmqclusters.rabbitmq.com") {
		t.Errorf("rabbitmqclusters: finalizers %v", rabbit.Finalizers)
	}
	if !slices.Contains(rabbit.ConditionTypes, "AllReplicasReady") || rabbit.Conditions != "observed" {
		t.Errorf("rabbitmqclusters: conditions %s %v", rabbit.Conditions, rabbit.ConditionTypes)
	}
	kinds := map[string]bool{}
	for _, m := range operator(t, sc, "rabbitmq-cluster-operator").Manages {
		kinds[m.Kind] = kinds[m.Kind] || m.Observed > 0
	}
	for _, kind := range []string{"StatefulSet", "Service", "ConfigMap", "ServiceAccount", "Role", "RoleBinding"} {
		if !kinds[kind] {
			t.Errorf("rabbitmq: no child of kind %s observed", kind)
		}
	}
	if c := crds["clusters.postgresql.cnpg.io"]; c.NotReady != 1 || c.Children < 12 {
		t.Errorf("clusters.postgresql.cnpg.io: %d not ready, %d children", c.NotReady, c.Children)
	}
	widgets := crds["widgets.myteam.example.com"]
	if widgets.Deleting != 1 || widgets.ControllerState != "absent" || !widgets.Orphaned {
		t.Errorf("widgets: %d deleting, controller %s, orphaned %v", widgets.Deleting, widgets.ControllerState, widgets.Orphaned)
	}
	if o := operator(t, sc, "velero"); o.State != "running" {
		t.Errorf("velero is %s, although its rights are \"*\"", o.State)
	}
	if o := operator(t, sc, "cert-manager"); o.State != "running" {
		t.Errorf("cert-manager is %s: a Lease held elsewhere is neutral", o.State)
	}
	if len(sc.SharedAPIs) != 1 || !slices.Equal(sc.SharedAPIs[0].Implementers, []string{"aws-load-balancer-controller"}) {
		t.Errorf("shared APIs: %+v", sc.SharedAPIs)
	}
}

func TestRecordingVerdictsAreAsLabelledByHand(t *testing.T) {
	var want struct {
		Labels map[string]struct{ Proven, Never []string }
	}
	readJSON(t, &want, "recordings", "verdicts.json")
	sc := recording(t, "shop-cluster.json.gz")
	_, owner := rows(sc)
	for crd, labels := range want.Labels {
		o := operator(t, sc, owner[crd])
		for _, id := range labels.Proven {
			if got := verdictFor(o, crd, id); got != levels.Proven {
				t.Errorf("%s %s is %q, want proven (%s)", crd, id, got, reason(o, id))
			}
		}
		for _, id := range labels.Never {
			if got := verdictFor(o, crd, id); got == levels.Proven {
				t.Errorf("%s %s is proven and must not be (%s)", crd, id, reason(o, id))
			}
		}
	}
}

func reason(o *levels.Operator, id string) string {
	for _, c := range o.Checks {
		if c.ID == id {
			return c.Because
		}
	}
	return "no such check"
}
