package manifests

import (
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
)

// rows lists the Access rows of a snapshot, a line each.
func rows(s *inventory.Snapshot) string {
	var lines []string
	for _, a := range s.Access {
		line := strings.TrimSuffix(a.Resource+"."+a.Group, ".") + " " + a.Version + " " + string(a.Access) + " " + strings.Repeat("*", a.Count)
		if a.Detail != "" {
			line += " " + a.Detail
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

const widgetCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgetes.a.io}
spec:
  group: a.io
  scope: Namespaced
  names: {kind: Widget, plural: widgetes}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`

func TestAccessRows(t *testing.T) {
	s := read(t, widgetCRD+"---\n"+widgetA+"\n---\n"+widgetB+"\n---\n"+`
apiVersion: apps/v1
kind: Deployment
metadata: {name: d}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: e}
spec: {replicas: x}
---
apiVersion: b.io/v1beta1
kind: Gadget
metadata: {name: g}
---
apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec: []
`)
	want := `documents  failed  stdin:19: Deployment e: spec.replicas: string found where int32 is wanted
documents  failed  stdin:28: Job j: spec: array found where v1.JobSpec is wanted
widgetes.a.io v1 listed **
customresourcedefinitions.apiextensions.k8s.io v1 listed *
deployments.apps v1 partial * stdin:19: Deployment e: spec.replicas: string found where int32 is wanted
gadgets.b.io v1beta1 listed * the plural is a guess: no CRD of the kind Gadget is in the files
jobs.batch v1 partial  stdin:28: Job j: spec: array found where v1.JobSpec is wanted`
	if got := rows(s); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if sight := s.Seen("", "pods"); sight.Whole || sight.Why == "" {
		t.Errorf("a kind that is not in the files: %+v", sight)
	}
}

// A document that cannot be read may have been of any kind: then nothing is
// known to be absent, whatever the user says.
func TestCompleteEndsWithABrokenDocument(t *testing.T) {
	for text, want := range map[string]bool{
		widgetA:                   true,
		widgetA + "\n---\na: [\n": false,
		"kind: Pod\napiVersion: v1\nmetadata: {name: a}\nspec: []\n": true,
	} {
		s, err := readFiles(t, Options{Complete: true}, map[string]string{"a.yaml": text})
		if err != nil || s.Source.Complete != want || s.Seen("", "services").Whole != want {
			t.Errorf("%q: complete %v, %v; want %v", text, s.Source.Complete, err, want)
		}
	}
}

// Field case L8.
func TestMustGather(t *testing.T) {
	const root = "must-gather.local.1/quay-io-image/"
	s, err := readFiles(t, Options{}, map[string]string{
		root + "cluster-scoped-resources/apiextensions.k8s.io/customresourcedefinitions/w.yaml": widgetCRD,
		root + "cluster-scoped-resources/core/nodes/node.yaml":                                  "metadata: {name: node}\n",
		root + "cluster-scoped-resources/core/namespaces/kube-system.yaml":                      "apiVersion: v1\nkind: Namespace\nmetadata: {name: kube-system, uid: cluster-1}\n",
		root + "namespaces/ns/core/pods.yaml":                                                   "---\napiVersion: v1\nitems:\n- metadata: {name: p, namespace: ns}\nkind: PodList\nmetadata: {}\n",
		root + "namespaces/ns/core/services.yaml":                                               "items:\n- metadata: {name: s, namespace: ns}\n",
		root + "namespaces/ns/apps/deployments/d.yaml":                                          "metadata: {name: d, namespace: ns}\nspec: {replicas: 2}\n",
		root + "namespaces/ns/a.io/widgetes/a.yaml":                                             "---\nmetadata:\n  name: a\n  namespace: ns\n",
		root + "namespaces/ns/widgetes.a.io/b.yaml":                                             "metadata: {name: b, namespace: ns}\n",
		root + "namespaces/ns/c.io/unknowns/c.yaml":                                             "metadata: {name: c, namespace: ns}\n",
		root + "namespaces/ns/pods/p/p/logs/current.log":                                        "log",
		root + "version": "x",
		"other-image/namespaces/ns/core/pods.yaml": "apiVersion: v1\nkind: PodList\nitems:\n- metadata: {name: p, namespace: ns}\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	want := "CRD/widgetes.a.io Deployment/ns/d Service/ns/s Pod/ns/p Namespace//kube-system Node//node a.io/v1/Widget/ns/a a.io/v1/Widget/ns/b " +
		"(" + root + "namespaces/ns/c.io/unknowns/c.yaml:1: an object without apiVersion and kind, and no CRD says what its folder holds)"
	if got := summary(s); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if s.Source.ClusterUID != "cluster-1" || *s.Deployments[0].Spec.Replicas != 2 {
		t.Errorf("%+v", s.Source)
	}
}

func TestYAMLWords(t *testing.T) {
	s := read(t, `
apiVersion: a.io/v1
kind: Widget
metadata: {name: a, generation: 1e3}
spec: {version: "1.10", replicas: 3}
status: {observedGeneration: 9007199254740993, conditions: [{type: Ready, status: True}], parents: [{conditions: [{type: Ready, status: no}]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: p}
status: {conditions: [{type: Ready, status: true}]}
`)
	out := string(encode(t, s))
	for _, want := range []string{`"generation":1000`, `"version":"1.10"`, `"observedGeneration":9007199254740993`, `"conditions":[{"status":"True","type":"Ready"}]`, `"parents":[{"conditions":[{"status":"False"`} {
		if !strings.Contains(out, want) {
			t.Errorf("no %s in %s", want, out)
		}
	}
	if len(s.Pods) != 1 || s.Pods[0].Ready != "True" {
		t.Errorf("the pod's condition is lost: %+v", s.Access)
	}
}

func TestSpecThatIsNoMap(t *testing.T) {
	s := read(t, `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"a"},"spec":[1],"status":"fine"}`)
	if len(s.CustomResources) != 1 || s.CustomResources[0].Status.Value() != "fine" {
		t.Errorf("%+v, %+v", s.CustomResources, s.Access)
	}
}

func TestOldVersions(t *testing.T) {
	s := read(t, `
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {name: h}
spec: {maxReplicas: 5, targetCPUUtilizationPercentage: 80, scaleTargetRef: {kind: Deployment, name: d}}
---
apiVersion: events.k8s.io/v1
kind: Event
metadata: {name: e}
note: hello
regarding: {apiVersion: example.io/v1, kind: Widget, name: a}
reportingController: widget-operator
deprecatedCount: 3
deprecatedSource: {component: x}
`)
	if len(s.HorizontalAutoscalers) != 1 || len(s.Events) != 1 {
		t.Fatal(summary(s))
	}
	if h := s.HorizontalAutoscalers[0].Spec; len(h.Metrics) != 1 || *h.Metrics[0].Resource.Target.AverageUtilization != 80 || h.ScaleTargetRef.Name != "d" {
		t.Errorf("%+v", h)
	}
	if e := s.Events[0]; e.Message != "hello" || e.InvolvedObject.Name != "a" || e.ReportingController != "widget-operator" || e.Count != 3 || e.Source.Component != "x" {
		t.Errorf("%+v", e)
	}
}

func TestCRDV1beta1(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\n"
	s := read(t, head+`metadata: {name: one.a.io}
spec:
  group: a.io
  version: v1alpha1
  names: {kind: One, plural: ones}
  subresources: {status: {}}
  validation: {openAPIV3Schema: {type: object, properties: {status: {type: object, properties: {phase: {type: string}}}}}}
  additionalPrinterColumns: [{name: Phase, type: string, JSONPath: .status.phase}]
---
`+head+`metadata: {name: two.a.io}
spec:
  group: a.io
  scope: Cluster
  preserveUnknownFields: false
  names: {kind: Two, plural: twos}
  conversion: {strategy: Webhook, webhookClientConfig: {service: {name: hook, namespace: ns}}}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}, {name: v2, served: true, storage: false, subresources: {status: {}}}]
---
`+head+"metadata: {name: three.a.io}\nspec: {group: a.io}\n")
	if len(s.CRDs) != 2 {
		t.Fatal(summary(s))
	}
	one, two := s.CRDs[0], s.CRDs[1]
	v := one.Versions[0]
	if !v.Served || !v.Storage || v.Name != "v1alpha1" || !v.StatusSubresource || !v.Schema.HasStatus || v.PrinterColumns[0].JSONPath != ".status.phase" || !one.PreserveUnknownFields || !one.Namespaced() {
		t.Errorf("%+v", one)
	}
	if two.PreserveUnknownFields || two.Namespaced() || len(two.Versions) != 2 || two.Versions[0].StatusSubresource || !two.Versions[1].StatusSubresource || two.Conversion.Service == nil || two.Conversion.Service.Name != "hook" {
		t.Errorf("%+v", two)
	}
	if _, ok := one.Annotations[AnnotationV1beta1]; !ok {
		t.Errorf("annotations %v", one.Annotations)
	}
	want := "customresourcedefinitions.apiextensions.k8s.io v1 partial ** 2 are apiextensions.k8s.io/v1beta1, which no API server from Kubernetes 1.22 on accepts: one.a.io, two.a.io; " +
		"stdin:23: CustomResourceDefinition three.a.io: it names no version"
	if got := rows(s); !strings.Contains(got, want) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestCRDSizeIsThatOfWhatIsApplied(t *testing.T) {
	compact := `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"w.a.io"},"spec":{"group":"a.io"}}`
	dumped := strings.Replace(compact, `"name"`, `"uid":"1","resourceVersion":"2","generation":1,"creationTimestamp":"2026-11-30T12:00:00Z","managedFields":[{"manager":"x"}],"name"`, 1)
	for _, text := range []string{compact, strings.ReplaceAll(compact, ",", " ,\n  "), strings.TrimSuffix(dumped, "}") + `,"status":{"storedVersions":["v1"]}}`} {
		if got := read(t, text).CRDs[0].Bytes; got != len(compact) {
			t.Errorf("%d bytes, want %d", got, len(compact))
		}
	}
}
