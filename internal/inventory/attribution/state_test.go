package attribution

import (
	"strings"
	"testing"
)

func stateWith(t *testing.T, documents ...string) *CRD {
	t.Helper()
	base := []string{crd("widgets", "example.io", "Widget"), role("ops", "widget-operator", reconciling("example.io", "widgets"))}
	_, c := operatorOf(t, Attribute(world(t, append(base, documents...)...), nil), "widgets.example.io")
	return c
}

const lease = `apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {namespace: ops, name: widget-operator-leader}
spec: {holderIdentity: HOLDER, leaseDurationSeconds: 15, renewTime: "TIME"}`

func leaseAt(holder, time string) string {
	return strings.NewReplacer("HOLDER", holder, "TIME", time).Replace(lease)
}

// field-cases E1, E2: a Lease or status left behind says nothing; a fresh Lease
// that no pod holds is neutral.
func TestStateOfTheController(t *testing.T) {
	scaledDown := strings.Replace(deployment("ops", "widget-operator", 0), "replicas: 1", "replicas: 0", 1)
	crashing := `apiVersion: v1
kind: Pod
metadata: {namespace: ops, name: widget-operator-1, labels: {app: widget-operator}, ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: x, uid: rs, controller: true}]}
status: {containerStatuses: [{name: main, state: {waiting: {reason: CrashLoopBackOff}}}]}`
	for name, c := range map[string]struct {
		documents []string
		state     State
		why       string
	}{
		"running":                                {[]string{deployment("ops", "widget-operator", 1)}, Running, "1 of 1 pods ready"},
		"scaled to zero":                         {[]string{scaledDown}, Down, "scaled to 0"},
		"crashing":                               {[]string{deployment("ops", "widget-operator", 0), crashing}, Down, "0 of 1 pods ready (CrashLoopBackOff)"},
		"down with an old Lease":                 {[]string{scaledDown, leaseAt("widget-operator-1_x", "2026-05-23T12:00:00.000000Z")}, Down, "scaled to 0"},
		"down with a Lease kept fresh elsewhere": {[]string{scaledDown, leaseAt("laptop_x", "2026-06-01T11:59:55.000000Z")}, Unknown, "its leader Lease is kept fresh"},
		"down with the Lease of a pod just gone": {[]string{scaledDown, leaseAt("widget-operator-6d5f-x_y", "2026-06-01T11:59:55.000000Z")}, Down, "scaled to 0"},
		"just made":                              {[]string{deployment("ops", "widget-operator", 0, `creationTimestamp: "2026-06-01T11:59:30Z"`)}, Unknown, "too early to tell"},
		"made long ago":                          {[]string{deployment("ops", "widget-operator", 0, `creationTimestamp: "2026-05-01T11:59:30Z"`)}, Down, "0 of 1 pods ready"},
		"just made and crashing":                 {[]string{deployment("ops", "widget-operator", 0, `creationTimestamp: "2026-06-01T11:59:30Z"`), crashing}, Down, "CrashLoopBackOff"},
		"fresh Lease held by no pod":             {[]string{deployment("ops", "widget-operator", 1), leaseAt("laptop_x", "2026-06-01T11:59:55.000000Z")}, Running, "held by laptop_x, which is none of its pods"},
		"degraded":                               {[]string{strings.Replace(deployment("ops", "widget-operator", 1), "replicas: 1", "replicas: 3", 1)}, Degraded, "1 of 3 pods ready"},
		"no workload at all is absent":           {nil, Absent, "no workload has rights"},
	} {
		t.Run(name, func(t *testing.T) {
			got := stateWith(t, c.documents...)
			if got.State != c.state || !strings.Contains(got.Why, c.why) {
				t.Errorf("%s (%s), want %s (… %s …)", got.State, got.Why, c.state, c.why)
			}
		})
	}
}

// field-cases E4
func TestControllersNeedNotBeDeployments(t *testing.T) {
	for _, kind := range []string{"StatefulSet", "DaemonSet"} {
		doc := strings.Replace(deployment("ops", "widget-operator", 1), "kind: Deployment", "kind: "+kind, 1)
		doc = strings.Replace(doc, "readyReplicas: 1", "readyReplicas: 1, desiredNumberScheduled: 1, numberReady: 1, currentNumberScheduled: 1, numberMisscheduled: 0", 1)
		if c := stateWith(t, doc); c.State != Running || c.Controllers[0] != kind+"/ops/widget-operator" {
			t.Errorf("%s: %s %v", kind, c.State, c.Controllers)
		}
	}
	pod := `apiVersion: v1
kind: Pod
metadata: {namespace: ops, name: widget-operator}
spec: {serviceAccountName: widget-operator, containers: [{name: main, image: example.com/widget-operator:1}]}
status: {conditions: [{type: Ready, status: "True"}]}`
	if c := stateWith(t, pod); c.State != Running || c.Controllers[0] != "Pod/ops/widget-operator" {
		t.Errorf("bare Pod: %s %v", c.State, c.Controllers)
	}
}

func TestManifestThatWasNeverOnAServerIsDeclaredNotDown(t *testing.T) {
	s := world(t, crd("widgets", "example.io", "Widget"), role("ops", "widget-operator", reconciling("example.io", "widgets")), deployment("ops", "widget-operator", 0))
	s.Deployments[0].UID = ""
	if _, c := operatorOf(t, Attribute(s, nil), "widgets.example.io"); c.State != Declared {
		t.Errorf("state %s (%s)", c.State, c.Why)
	}
}
