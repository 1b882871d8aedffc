package attribution

import (
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// CRDs made at run time belong to their generator: Gatekeeper's constraints by
// their group, Crossplane's composites by their owner.
func TestGeneratedCRDsAreTheirGenerators(t *testing.T) {
	cat := known(
		&catalogue.Operator{Name: "gatekeeper", Groups: []string{"templates.gatekeeper.sh"}, Generates: []string{"constraints.gatekeeper.sh"}},
		&catalogue.Operator{Name: "crossplane", Groups: []string{"apiextensions.crossplane.io"}},
	)
	s := world(t, crd("k8srequiredlabels", "constraints.gatekeeper.sh", "K8sRequiredLabels"), crd("constrainttemplates", "templates.gatekeeper.sh", "ConstraintTemplate"),
		crd("compositeresourcedefinitions", "apiextensions.crossplane.io", "CompositeResourceDefinition"),
		crd("xdatabases", "platform.example.org", "XDatabase", `ownerReferences: [{apiVersion: apiextensions.crossplane.io/v1, kind: CompositeResourceDefinition, name: xdatabases.platform.example.org, uid: xrd, controller: true}]`),
		`apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata: {name: xdatabases.platform.example.org, uid: xrd}`)
	r := Attribute(s, cat)
	for name, want := range map[string]string{"k8srequiredlabels.constraints.gatekeeper.sh": "gatekeeper", "xdatabases.platform.example.org": "crossplane"} {
		if op, c := operatorOf(t, r, name); op == nil || op.Name != want {
			t.Errorf("%s is under %v (%+v), want %s", name, op, c.Signals, want)
		}
	}
}

const helmMarks = `labels: {app.kubernetes.io/managed-by: Helm}
annotations: {meta.helm.sh/release-name: toys, meta.helm.sh/release-namespace: play}`

// field-cases B5: the release is known from annotations; Secrets are not read.
func TestReleaseIsKnownWithoutItsSecret(t *testing.T) {
	s := world(t, crd("toys", "toys.example.com", "Toy", helmMarks), deployment("play", "toy-engine", 1, helmMarks),
		role("play", "toy-engine", `[{apiGroups: [toys.example.com], resources: [toys], verbs: [get, list, watch, update]}]`))
	op, c := operatorOf(t, Attribute(s, nil), "toys.toys.example.com")
	if op == nil || op.Name != "toys" || op.Release == nil || op.Release.Tool != "helm" {
		t.Fatalf("attributed to %+v, want release toys", op)
	}
	if c.Confidence != High {
		t.Errorf("confidence %s: rights and release agree", c.Confidence)
	}
}

// One operator in several workloads: the webhook is no controller.
func TestWebhookOfTheSameReleaseIsACompanion(t *testing.T) {
	s := world(t, crd("toys", "toys.example.com", "Toy", helmMarks), deployment("play", "toy-engine", 1, helmMarks), deployment("play", "toy-webhook", 1, helmMarks),
		role("play", "toy-engine", reconciling("toys.example.com", "toys")))
	op, _ := operatorOf(t, Attribute(s, nil), "toys.toys.example.com")
	if len(op.Controllers) != 1 || op.Controllers[0].Workload.Name != "toy-engine" || len(op.Companions) != 1 || op.Companions[0].Workload.Name != "toy-webhook" {
		t.Errorf("controllers %+v companions %+v", op.Controllers, op.Companions)
	}
}

// The same operator installed twice is one identity with two controllers.
func TestOperatorInstalledTwiceHasTwoControllers(t *testing.T) {
	cat := known(&catalogue.Operator{Name: "toys", Groups: []string{"toys.example.com"}, Images: []string{"team/toy-engine"}})
	rule := reconciling("toys.example.com", "toys")
	second := strings.NewReplacer("name: toy-engine\n", "name: toy-engine-b\n").Replace(role("b", "toy-engine", rule))
	s := world(t, crd("toys", "toys.example.com", "Toy"), deployment("a", "toy-engine", 1), role("a", "toy-engine", rule), deployment("b", "toy-engine", 0),
		strings.Replace(second, "kind: ClusterRoleBinding\nmetadata: {name: toy-engine}", "kind: ClusterRoleBinding\nmetadata: {name: toy-engine-b}", 1))
	op, c := operatorOf(t, Attribute(s, cat), "toys.toys.example.com")
	if op.Name != "toys" || len(op.Controllers) != 2 || c.State != Running {
		t.Errorf("%s with %d controllers, %s", op.Name, len(op.Controllers), c.State)
	}
}

// Operators that work without CRDs are known by their image.
func TestOperatorWithoutCRDsIsRecognised(t *testing.T) {
	cat := known(&catalogue.Operator{Name: "reloader", NoCRDs: true, Images: []string{"team/reloader"}})
	r := Attribute(world(t, deployment("ops", "reloader", 1)), cat)
	if len(r.Operators) != 1 || r.Operators[0].Name != "reloader" || r.Operators[0].Controllers[0].State != Running {
		t.Errorf("operators %+v", r.Operators)
	}
}
