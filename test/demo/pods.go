package demo

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// nodes are where pods run, in turn; the manifests have them as objects.
var nodes = []string{
	"ip-10-0-12-41.eu-west-1.compute.internal",
	"ip-10-0-33-17.eu-west-1.compute.internal",
	"ip-10-0-58-90.eu-west-1.compute.internal",
}

// newPod makes the pod of a workload.
func (e *expansion) newPod(owner, workload *item, name string, template map[string]any, age time.Duration, ready bool) *item {
	pod := e.newChild(owner, "v1", "Pod", name)
	labels, _, _ := unstructured.NestedStringMap(template, "metadata", "labels")
	annotations, _, _ := unstructured.NestedStringMap(template, "metadata", "annotations")
	pod.object.SetLabels(labels)
	pod.object.SetAnnotations(annotations)
	pod.object.Object["spec"] = deepCopy(template["spec"])
	pod.age, pod.changed, pod.restarts = age, age, workload.restarts
	if !ready {
		pod.waiting = workload.waiting
	}
	return e.runPod(pod)
}

// runPod puts a pod on a node and gives it the status that the kubelet would, unless it has one.
func (e *expansion) runPod(pod *item) *item {
	e.pods++
	spec := pod.object.Object["spec"].(map[string]any)
	if spec["nodeName"] == nil {
		spec["nodeName"] = nodes[e.pods%len(nodes)]
	}
	pod.statusManager, pod.statusAge = "kubelet", pod.age
	ip := fmt.Sprintf("10.1.%d.%d", e.pods/200, 10+e.pods%200)
	ready := pod.waiting == ""
	var statuses []any
	for _, c := range containersOf(spec) {
		state := map[string]any{"running": map[string]any{"startedAt": ago(pod.age)}}
		if !ready {
			state = map[string]any{"waiting": map[string]any{"reason": pod.waiting}}
		}
		statuses = append(statuses, map[string]any{
			"name": c["name"], "image": c["image"], "imageID": "", "ready": ready, "started": ready,
			"restartCount": pod.restarts, "state": state,
		})
	}
	condition := func(kind string, holds bool) map[string]any {
		c := map[string]any{"type": kind, "status": "True", "lastTransitionTime": ago(pod.age)}
		if !holds {
			c["status"], c["reason"] = "False", "ContainersNotReady"
		}
		return c
	}
	pod.object.Object["status"] = map[string]any{
		"phase": "Running", "startTime": ago(pod.age), "podIP": ip, "podIPs": []any{map[string]any{"ip": ip}},
		"containerStatuses": statuses,
		"conditions": []any{condition("PodScheduled", true), condition("Initialized", true),
			condition("ContainersReady", ready), condition("Ready", ready)},
	}
	return pod
}

func containersOf(spec map[string]any) []map[string]any {
	list, _, _ := unstructured.NestedSlice(spec, "containers")
	var containers []map[string]any
	for _, c := range list {
		containers = append(containers, c.(map[string]any))
	}
	return containers
}
