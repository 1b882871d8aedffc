package inventory

import (
	"bytes"
	"maps"
	"reflect"
	"testing"
)

var podJSON = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ns","uid":"u","labels":{"app":"x"},
 "managedFields":[{"manager":"kubelet","operation":"Update","subresource":"status","time":"2026-01-02T03:04:05Z","fieldsType":"FieldsV1","fieldsV1":{"f:status":{}}}]},
 "spec":{"nodeName":"n1","hostname":"h","containers":[{"name":"main","image":"r.io/x:1"}],"initContainers":[{"name":"init","image":"r.io/i:1"}]},
 "status":{"phase":"Pending","startTime":"2026-01-02T03:04:05Z","podIP":"10.1.2.3","hostIP":"192.168.0.7",
  "conditions":[{"type":"Initialized","status":"True"},{"type":"Ready","status":"False","lastTransitionTime":"2026-01-02T03:05:00Z","reason":"ContainersNotReady"}],
  "initContainerStatuses":[{"name":"init","restartCount":3,"state":{"terminated":{"exitCode":0}}}],
  "containerStatuses":[{"name":"main","restartCount":7,"image":"r.io/x:1","imageID":"sha","state":{"waiting":{"reason":"CrashLoopBackOff","message":"back-off"}}}]}}`

func TestOfAPodIsKeptWhatIsLookedAt(t *testing.T) {
	s := snapshotOf(t, []byte(podJSON))
	p := &s.Pods[0]
	if p.NodeName != "n1" || p.Phase != "Pending" || p.Finished() || p.Started == nil || p.Ready != "False" || p.Changed.IsZero() {
		t.Errorf("%+v", p)
	}
	if len(p.Init) != 1 || p.Init[0] != (ContainerState{"init", 3, ""}) || len(p.Main) != 1 || p.Main[0] != (ContainerState{"main", 7, "CrashLoopBackOff"}) {
		t.Errorf("containers %+v, %+v", p.Init, p.Main)
	}
	if len(p.Spec.Containers) != 1 || p.Spec.Containers[0].Image != "r.io/x:1" || p.Spec.NodeName != "" {
		t.Errorf("spec %+v", p.Spec)
	}
	if f := p.ManagedFields; len(f) != 1 || f[0].Manager != "kubelet" || f[0].Subresource != "status" || f[0].Time != nil || f[0].FieldsV1 != nil {
		t.Errorf("writers %+v", f)
	}
	out := encoded(t, s)
	for _, gone := range []string{"10.1.2.3", "192.168.0.7", "back-off", "Initialized"} {
		if bytes.Contains(out, []byte(gone)) {
			t.Errorf("%s is kept", gone)
		}
	}
	again, err := Decode(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	if second := encoded(t, again); !bytes.Equal(out, second) {
		t.Errorf("read again it differs:\n%s\n%s", out, second)
	}
}

// Pods of a workload share their spec: on a large cluster it is most of what
// they take.
func TestPodsOfAWorkloadShareTheirSpec(t *testing.T) {
	s, shared := &Snapshot{}, &Shared{}
	for _, node := range []string{"n1", "n2"} {
		if err := decodeItem(bytes.ReplaceAll([]byte(podJSON), []byte("n1"), []byte(node)), s, shared); err != nil {
			t.Fatal(err)
		}
	}
	if s.Pods[0].Spec != s.Pods[1].Spec || s.Pods[0].NodeName == s.Pods[1].NodeName {
		t.Errorf("%p %s, %p %s", s.Pods[0].Spec, s.Pods[0].NodeName, s.Pods[1].Spec, s.Pods[1].NodeName)
	}
	if &s.Pods[0].ManagedFields[0] != &s.Pods[1].ManagedFields[0] {
		t.Error("the same writers are in memory twice")
	}
}

// Pods of all revisions of a workload share their labels, and what selects them
// by the revision too still does.
func TestRevisionsOfAWorkloadShareTheirLabels(t *testing.T) {
	s, shared := &Snapshot{}, &Shared{}
	for _, item := range []string{
		`{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"r","labels":{"app":"x","pod-template-hash":"1"},"annotations":{"deployment.kubernetes.io/revision":"1"},
		  "ownerReferences":[{"apiVersion":"apps/v1","kind":"Deployment","name":"d","uid":"u","controller":true}]}}`,
		`{"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"orphan","labels":{"app":"x","pod-template-hash":"1"}},"spec":{"template":{"metadata":{"labels":{"app":"x","pod-template-hash":"1"}}}}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","labels":{"app":"x","pod-template-hash":"1"}}}`,
		`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","labels":{"app":"x","controller-revision-hash":"x-2"}}}`,
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"exposed"},"spec":{"selector":{"app":"x","pod-template-hash":"1"}}}`,
		`{"apiVersion":"v1","kind":"Service","metadata":{"name":"odd"},"spec":{"selector":{"pod-template-hash":"1"}}}`,
		`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"exposed"},"spec":{"selector":{"matchLabels":{"app":"x","pod-template-hash":"1"}}}}`,
		`{"apiVersion":"policy/v1","kind":"PodDisruptionBudget","metadata":{"name":"odd"},"spec":{"selector":{"matchLabels":{"pod-template-hash":"1"}}}}`,
	} {
		if err := decodeItem([]byte(item), s, shared); err != nil {
			t.Fatal(err)
		}
	}
	app, hash := map[string]string{"app": "x"}, map[string]string{"pod-template-hash": "1"}
	for name, c := range map[string][2]map[string]string{
		"a ReplicaSet of a Deployment": {s.ReplicaSets[0].Labels, nil},
		"its annotations":              {s.ReplicaSets[0].Annotations, nil},
		"an orphaned ReplicaSet":       {s.ReplicaSets[1].Labels, app},
		"its pods":                     {s.ReplicaSets[1].PodLabels, app},
		"a Deployment's pod":           {s.Pods[0].Labels, app},
		"a StatefulSet's pod":          {s.Pods[1].Labels, app},
		"a Service":                    {s.Services[0].Spec.Selector, app},
		"a Service by the hash alone":  {s.Services[1].Spec.Selector, hash},
		"a budget":                     {s.PodDisruptionBudgets[0].Spec.Selector.MatchLabels, app},
		"a budget by the hash alone":   {s.PodDisruptionBudgets[1].Spec.Selector.MatchLabels, hash},
	} {
		if !maps.Equal(c[0], c[1]) {
			t.Errorf("%s: %v, want %v", name, c[0], c[1])
		}
	}
	if reflect.ValueOf(s.Pods[0].Labels).Pointer() != reflect.ValueOf(s.Pods[1].Labels).Pointer() {
		t.Error("the same labels are in memory twice")
	}
}
