package attribution

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

var clock = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// world builds a snapshot of a whole cluster from YAML documents. Objects get
// a uid, since they stand for objects that a server has stored.
func world(t *testing.T, documents ...string) *inventory.Snapshot {
	t.Helper()
	s := &inventory.Snapshot{Taken: clock, Source: inventory.Source{Type: "files", Complete: true}}
	for _, doc := range strings.Split(strings.Join(documents, "\n---\n"), "\n---\n") {
		raw, err := yaml.YAMLToJSON([]byte(doc))
		if err != nil {
			t.Fatalf("%v in:\n%s", err, doc)
		}
		if string(raw) == "null" {
			continue
		}
		add(t, s, raw)
	}
	s.Sort()
	return s
}

func add(t *testing.T, s *inventory.Snapshot, raw []byte) {
	t.Helper()
	var o inventory.Object
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatalf("%v in %s", err, raw)
	}
	if o.UID == "" {
		o.UID = types.UID("uid-of-" + o.Kind + "-" + o.Namespace + "-" + o.Name)
	}
	if o.Kind == "CustomResourceDefinition" {
		var crd apiextensionsv1.CustomResourceDefinition
		if err := json.Unmarshal(raw, &crd); err != nil {
			t.Fatal(err)
		}
		crd.UID = o.UID
		s.CRDs = append(s.CRDs, inventory.ReduceCRD(&crd, len(raw)))
		return
	}
	if k := inventory.KindFor(o.Group(), o.Kind); k != nil {
		obj := k.New()
		if err := json.Unmarshal(raw, obj); err != nil {
			t.Fatalf("%v in %s", err, raw)
		}
		obj.SetUID(o.UID)
		k.Add(s, obj)
		return
	}
	s.AddCustom(o)
}

// crd is a CRD in one line: its status is in the schema and a subresource.
func crd(plural, group, kind string, more ...string) string {
	return strings.NewReplacer("PLURAL", plural, "GROUP", group, "KIND", kind).Replace(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: PLURAL.GROUP`) + indent(strings.Join(more, "\n"), 2) + strings.NewReplacer("PLURAL", plural, "GROUP", group, "KIND", kind).Replace(`
spec:
  group: GROUP
  names: {plural: PLURAL, kind: KIND}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer}}}, status: {type: object, properties: {phase: {type: string}}}}}}
`)
}

func indent(text string, n int) string {
	if text == "" {
		return ""
	}
	return "\n" + strings.Repeat(" ", n) + strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", n))
}

// deployment runs with an account of its own name; more are extra metadata lines.
func deployment(namespace, name string, ready int, more ...string) string {
	return strings.NewReplacer("NS", namespace, "NAME", name, "READY", string(rune('0'+ready))).Replace(`
apiVersion: apps/v1
kind: Deployment
metadata:
  namespace: NS
  name: NAME`) + indent(strings.Join(more, "\n"), 2) + strings.NewReplacer("NS", namespace, "NAME", name, "READY", string(rune('0'+ready))).Replace(`
spec:
  replicas: 1
  selector: {matchLabels: {app: NAME}}
  template:
    metadata: {labels: {app: NAME}}
    spec:
      serviceAccountName: NAME
      containers: [{name: main, image: registry.example.com/team/NAME:1.2.3}]
status: {readyReplicas: READY}
`)
}

// role binds rules to the account of a workload in the whole cluster.
func role(namespace, account, rules string) string {
	return strings.NewReplacer("NS", namespace, "ACCOUNT", account, "RULES", rules).Replace(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: ACCOUNT}
rules: RULES
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: ACCOUNT}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: ACCOUNT}
subjects: [{kind: ServiceAccount, namespace: NS, name: ACCOUNT}]
`)
}

const reconciles = `[{apiGroups: [GROUP], resources: [PLURAL], verbs: [get, list, watch, update]}, {apiGroups: [GROUP], resources: [PLURAL/status], verbs: [update]}]`

func reconciling(group, plural string) string {
	return strings.NewReplacer("GROUP", group, "PLURAL", plural).Replace(reconciles)
}

// operatorOf finds the operator that a CRD was attributed to, and the CRD.
func operatorOf(t *testing.T, r *Result, name string) (*Operator, *CRD) {
	t.Helper()
	for i := range r.Operators {
		for j := range r.Operators[i].CRDs {
			if r.Operators[i].CRDs[j].Name == name {
				return &r.Operators[i], &r.Operators[i].CRDs[j]
			}
		}
	}
	for i := range r.Unattributed {
		if r.Unattributed[i].Name == name {
			return nil, &r.Unattributed[i]
		}
	}
	t.Fatalf("CRD %s is nowhere in the result", name)
	return nil, nil
}

// known is a catalogue of the given entries.
func known(entries ...*catalogue.Operator) *catalogue.Catalogue {
	byName := map[string]*catalogue.Operator{}
	for _, e := range entries {
		byName[e.Name] = e
	}
	return catalogue.New(byName)
}
