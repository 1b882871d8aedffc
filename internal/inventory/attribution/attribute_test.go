package attribution

import (
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory/catalogue"
)

func TestUnknownOperatorIsFoundByItsRightsAndSaysWhy(t *testing.T) {
	s := world(t, crd("ledgers", "pay.example.com", "Ledger"),
		deployment("pay", "ledger-operator", 1), role("pay", "ledger-operator", reconciling("pay.example.com", "ledgers")))
	op, c := operatorOf(t, Attribute(s, nil), "ledgers.pay.example.com")
	if op == nil || op.Name != "ledger-operator" {
		t.Fatalf("attributed to %v, want ledger-operator", op)
	}
	if c.State != Running || !slices.Equal(c.Controllers, []string{"Deployment/pay/ledger-operator"}) {
		t.Errorf("controllers %v %s, want the Deployment running", c.Controllers, c.State)
	}
	reason := op.Signals[0]
	if reason.Object != "ClusterRole/ledger-operator" || !strings.Contains(reason.Detail, "may write the status of ledgers.pay.example.com (through ClusterRoleBinding/ledger-operator)") {
		t.Errorf("reason %+v does not name the role and its binding", reason)
	}
	if c.Confidence != Medium {
		t.Errorf("confidence %s: rights alone can be those of one implementer among many", c.Confidence)
	}
}

// field-cases D1
func TestLookAlikeNameWithoutRightsIsNoCandidate(t *testing.T) {
	s := world(t, crd("targetgroupbindings", "elbv2.k8s.aws", "TargetGroupBinding"),
		deployment("kube-system", "aws-load-balancer-controller", 1), deployment("kube-system", "aws-load-balancer-controller-exporter", 1),
		role("kube-system", "aws-load-balancer-controller", reconciling("elbv2.k8s.aws", "targetgroupbindings")))
	_, c := operatorOf(t, Attribute(s, nil), "targetgroupbindings.elbv2.k8s.aws")
	if !slices.Equal(c.Controllers, []string{"Deployment/kube-system/aws-load-balancer-controller"}) {
		t.Errorf("controllers %v", c.Controllers)
	}
}

func TestNameAloneAttributesNothing(t *testing.T) {
	s := world(t, crd("widgets", "widgets.example.com", "Widget"), deployment("widgets", "widgets-operator", 1))
	if op, c := operatorOf(t, Attribute(s, nil), "widgets.widgets.example.com"); op != nil || !c.Orphaned || c.State != Absent {
		t.Errorf("attributed to %v, state %s: only the name is alike", op, c.State)
	}
}

// field-cases D2
func TestDeadOwnerReferenceIsNoEvidence(t *testing.T) {
	s := world(t, crd("buckets", "cloud.example.com", "Bucket", `ownerReferences:
- {apiVersion: pkg.example.com/v1, kind: ProviderRevision, name: gone-1, uid: dead, controller: true}
- {apiVersion: pkg.example.com/v1, kind: ProviderRevision, name: provider-cloud-2, uid: live}`),
		crd("providerrevisions", "pkg.example.com", "ProviderRevision"),
		`apiVersion: pkg.example.com/v1
kind: ProviderRevision
metadata: {name: provider-cloud-2, uid: live}`,
		deployment("platform", "package-manager", 1), role("platform", "package-manager", reconciling("pkg.example.com", "providerrevisions")))
	op, c := operatorOf(t, Attribute(s, nil), "buckets.cloud.example.com")
	if op == nil || op.Name != "provider-cloud" {
		t.Fatalf("attributed to %v, want the package of the live revision", op)
	}
	var dead, live bool
	for _, s := range c.Signals {
		dead = dead || strings.Contains(s.Detail, "gone-1 (uid dead), which is not among the objects seen")
		live = live || strings.Contains(s.Detail, "is owned by ProviderRevision/provider-cloud-2")
	}
	if !dead || !live {
		t.Errorf("signals %+v must show both owners, and which of them is gone", c.Signals)
	}
}

const csvOf = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {namespace: NS, name: NAME, labels: {COPY}}
spec:
  customresourcedefinitions: {owned: [{name: widgets.example.io, version: v1alpha1}, {name: widgets.example.io, version: v1beta1}]}
  install: {spec: {deployments: [{name: DEPLOYMENT}]}}`

func csvYAML(namespace, name, deployment, copied string) string {
	return strings.NewReplacer("NS", namespace, "NAME", name, "DEPLOYMENT", deployment, "COPY", copied).Replace(csvOf)
}

// field-cases D4
func TestCSVWithSeveralVersionsAndCopiesIsOneOwner(t *testing.T) {
	s := world(t, crd("widgets", "example.io", "Widget"), deployment("operators", "widget-operator", 1),
		csvYAML("operators", "widget-operator.v1.0.0", "widget-operator", ""), csvYAML("team-a", "widget-operator.v1.0.0", "widget-operator", "olm.copiedFrom: operators"))
	op, c := operatorOf(t, Attribute(s, nil), "widgets.example.io")
	if op == nil || op.Name != "widget-operator" || c.Confidence != High || len(c.Candidates) > 0 {
		t.Errorf("got %v %s %v, want one sure owner", op, c.Confidence, c.Candidates)
	}
	if len(op.Controllers) != 1 {
		t.Errorf("controllers %v, want the one Deployment of the CSV", op.Controllers)
	}
}

func TestTwoPackagesThatOwnOneCRDAreAmbiguous(t *testing.T) {
	s := world(t, crd("widgets", "example.io", "Widget"),
		csvYAML("a", "widget-operator.v1.0.0", "widget-operator", ""), csvYAML("b", "gadget-operator.v2.0.0", "gadget-operator", ""))
	_, c := operatorOf(t, Attribute(s, nil), "widgets.example.io")
	if c.Confidence != Ambiguous || !slices.Equal(c.Candidates, []string{"widget-operator"}) && !slices.Equal(c.Candidates, []string{"gadget-operator"}) {
		t.Errorf("got %s with candidates %v, want ambiguous with the other package named", c.Confidence, c.Candidates)
	}
}

func TestTwoOperatorsWithEqualRightsAreAmbiguous(t *testing.T) {
	rule := reconciling("example.io", "widgets")
	s := world(t, crd("widgets", "example.io", "Widget"), deployment("a", "widget-operator", 1), role("a", "widget-operator", rule),
		deployment("b", "gadget-operator", 1), role("b", "gadget-operator", rule))
	op, c := operatorOf(t, Attribute(s, nil), "widgets.example.io")
	if c.Confidence != Ambiguous || !slices.Equal(c.Candidates, []string{"gadget-operator", "widget-operator"}) {
		t.Errorf("got %v %s %v, want ambiguous between both", op.Name, c.Confidence, c.Candidates)
	}
}

func TestRightsOnEverythingAreNobodysSignature(t *testing.T) {
	s := world(t, crd("widgets", "example.io", "Widget"), deployment("gitops", "deployer", 1), role("gitops", "deployer", `[{apiGroups: ["*"], resources: ["*"], verbs: ["*"]}]`))
	if op, _ := operatorOf(t, Attribute(s, nil), "widgets.example.io"); op != nil {
		t.Errorf("attributed to %s, which may do anything with anything", op.Name)
	}
}

// field-cases A3: the plural comes from the CRD, a role on a guessed one is void.
func TestRightsOnAGuessedPluralAreVoid(t *testing.T) {
	s := world(t, crd("familys", "example.io", "Family"), deployment("a", "family-operator", 1), role("a", "family-operator", reconciling("example.io", "families")))
	if op, c := operatorOf(t, Attribute(s, nil), "familys.example.io"); op != nil || c.State != Absent {
		t.Errorf("attributed to %v: its role names families, the CRD has familys", op)
	}
}

var karpenter = &catalogue.Operator{Name: "karpenter", Groups: []string{"karpenter.sh"}, Archetype: "external",
	External: []catalogue.Platform{{Platform: "EKS Auto Mode", Groups: []string{"eks.amazonaws.com"}}}}

// field-cases D6
func TestControllerOfAManagedCloudIsExternalNotDown(t *testing.T) {
	s := world(t, crd("nodepools", "karpenter.sh", "NodePool"), crd("nodeclasses", "eks.amazonaws.com", "NodeClass"))
	op, c := operatorOf(t, Attribute(s, known(karpenter)), "nodepools.karpenter.sh")
	if c.State != External || op.External == "" || c.Orphaned {
		t.Errorf("state %s (%s), want external", c.State, c.Why)
	}
}

func TestFreshStatusWrittenByNobodyHereIsExternal(t *testing.T) {
	s := world(t, crd("nodepools", "karpenter.sh", "NodePool"), `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
  managedFields: [{manager: karpenter, operation: Update, subresource: status, time: "2026-06-01T11:50:00Z", fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:phase": {}}}}]
status: {phase: Ready}`)
	if _, c := operatorOf(t, Attribute(s, known(karpenter)), "nodepools.karpenter.sh"); c.State != External {
		t.Errorf("state %s (%s), want external: karpenter wrote 10 minutes ago", c.State, c.Why)
	}
}

func TestOldStatusWithoutControllerIsAbsent(t *testing.T) {
	s := world(t, crd("nodepools", "karpenter.sh", "NodePool"), `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
  managedFields: [{manager: karpenter, operation: Update, subresource: status, time: "2026-05-20T11:50:00Z", fieldsType: FieldsV1, fieldsV1: {"f:status": {"f:phase": {}}}}]
status: {phase: Ready}`)
	if _, c := operatorOf(t, Attribute(s, known(karpenter)), "nodepools.karpenter.sh"); c.State != Absent || !strings.Contains(c.Why, "last written by karpenter") {
		t.Errorf("state %s (%s), want absent and who wrote last", c.State, c.Why)
	}
}

// field-cases D7
func TestSharedAPIHasImplementersAndIsNoOrphan(t *testing.T) {
	shared := &catalogue.Operator{Name: "gateway-api", Groups: []string{"gateway.networking.k8s.io"}, Archetype: "shared-api"}
	rule := reconciling("gateway.networking.k8s.io", "gateways")
	s := world(t, crd("gateways", "gateway.networking.k8s.io", "Gateway"), deployment("a", "acme-gateway", 1), role("a", "acme-gateway", rule),
		deployment("b", "other-gateway", 1), role("b", "other-gateway", rule))
	r := Attribute(s, known(shared))
	if len(r.SharedAPIs) != 1 || len(r.SharedAPIs[0].Implementers) != 2 {
		t.Fatalf("shared APIs %+v, want one with two implementers", r.SharedAPIs)
	}
	if c := r.SharedAPIs[0].CRDs[0]; c.Orphaned || c.State != NotNeeded {
		t.Errorf("state %s orphaned %v", c.State, c.Orphaned)
	}
}

func TestCRDWithoutStatusNeedsNoController(t *testing.T) {
	plain := strings.ReplaceAll(strings.ReplaceAll(crd("settings", "example.io", "Setting"), "    subresources: {status: {}}\n", ""), ", status: {type: object, properties: {phase: {type: string}}}", "")
	_, c := operatorOf(t, Attribute(world(t, plain), nil), "settings.example.io")
	if !c.DataOnly || c.State != NotNeeded || c.Orphaned {
		t.Errorf("data-only %v, state %s, orphaned %v", c.DataOnly, c.State, c.Orphaned)
	}
}

func TestSiblingOfTheSameGroupJoinsItsOperator(t *testing.T) {
	s := world(t, crd("ledgers", "pay.example.com", "Ledger"), crd("rates", "pay.example.com", "Rate"),
		deployment("pay", "ledger-operator", 1), role("pay", "ledger-operator", reconciling("pay.example.com", "ledgers")))
	op, c := operatorOf(t, Attribute(s, nil), "rates.pay.example.com")
	if op == nil || op.Name != "ledger-operator" || c.Confidence != Low || c.State != Absent || !strings.Contains(c.Why, "has no rights on rates.pay.example.com") {
		t.Errorf("got %v %s, %s: %s", op, c.Confidence, c.State, c.Why)
	}
}

func TestUnreadRBACMakesTheControllerUnknownNotAbsent(t *testing.T) {
	s := world(t, crd("widgets", "example.io", "Widget"))
	s.Source.Complete = false
	if _, c := operatorOf(t, Attribute(s, nil), "widgets.example.io"); c.State != Unknown || c.Orphaned || c.Why == "" {
		t.Errorf("state %s (%s): nothing could be looked at", c.State, c.Why)
	}
}
