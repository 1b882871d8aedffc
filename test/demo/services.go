package demo

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
)

// service adds the EndpointSlice of a Service.
func (e *expansion) service(s *item) error {
	selector, _, err := unstructured.NestedStringMap(s.object.Object, "spec", "selector")
	if err != nil || len(selector) == 0 {
		return err
	}
	ports, _, err := unstructured.NestedSlice(s.object.Object, "spec", "ports")
	if err != nil {
		return err
	}
	var endpoints, slicePorts []any
	for _, pod := range e.podsOf(s.object.GetNamespace(), selector) {
		ip, _, _ := unstructured.NestedString(pod.object.Object, "status", "podIP")
		ready := pod.waiting == ""
		endpoints = append(endpoints, map[string]any{
			"addresses":  []any{ip},
			"conditions": map[string]any{"ready": ready, "serving": ready, "terminating": false},
			"targetRef":  map[string]any{"kind": "Pod", "namespace": pod.object.GetNamespace(), "name": pod.object.GetName()},
		})
		if slicePorts == nil {
			slicePorts = targetPorts(ports, pod.object)
		}
	}
	slice := e.newChild(s, "discovery.k8s.io/v1", "EndpointSlice", s.object.GetName()+"-"+nameHash(s.key().String(), 5))
	slice.object.SetLabels(map[string]string{"kubernetes.io/service-name": s.object.GetName(), "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io"})
	slice.object.Object["addressType"] = "IPv4"
	slice.object.Object["endpoints"] = endpoints
	slice.object.Object["ports"] = slicePorts
	return nil
}

func (e *expansion) podsOf(namespace string, selector map[string]string) []*item {
	selects := labels.SelectorFromSet(selector)
	var pods []*item
	for _, i := range e.items {
		if i.object.GetKind() == "Pod" && i.object.GetNamespace() == namespace && selects.Matches(labels.Set(i.object.GetLabels())) {
			pods = append(pods, i)
		}
	}
	return pods
}

// targetPorts are the ports of a pod that the ports of a Service lead to; a name that the pod does not have
// leads nowhere.
func targetPorts(ports []any, pod *unstructured.Unstructured) []any {
	var list []any
	for _, p := range ports {
		port := p.(map[string]any)
		target := port["targetPort"]
		if target == nil {
			target = port["port"]
		}
		if name, ok := target.(string); ok {
			target = portNamed(pod, name)
		}
		if target == nil {
			continue
		}
		found := map[string]any{"port": target, "protocol": "TCP"}
		if port["name"] != nil {
			found["name"] = port["name"]
		}
		list = append(list, found)
	}
	return list
}

func portNamed(pod *unstructured.Unstructured, name string) any {
	for _, c := range containersOf(pod.Object["spec"].(map[string]any)) {
		ports, _ := c["ports"].([]any)
		for _, p := range ports {
			if port := p.(map[string]any); port["name"] == name {
				return port["containerPort"]
			}
		}
	}
	return nil
}
