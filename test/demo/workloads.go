package demo

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// controllerManager is the field manager of Kubernetes' own controllers.
const controllerManager = "kube-controller-manager"

// expansion makes what the built-in controllers and kubelets would.
type expansion struct {
	items  []*item
	pods   int
	leader map[string]string // pod that leads, by namespace/name of the Deployment
}

// expand adds to items what follows from them.
func expand(items []*item) ([]*item, error) {
	e := &expansion{leader: map[string]string{}}
	for _, i := range items {
		e.items = append(e.items, i)
		switch i.object.GetKind() {
		case "Deployment":
			e.deployment(i)
		case "StatefulSet":
			e.statefulSet(i)
		case "Pod":
			e.runPod(i)
		}
	}
	for _, i := range items {
		switch i.object.GetKind() {
		case "Service":
			if err := e.service(i); err != nil {
				return nil, err
			}
		case "Lease":
			if err := e.lease(i); err != nil {
				return nil, err
			}
		}
	}
	return e.items, nil
}

func (e *expansion) newChild(owner *item, apiVersion, kind, name string) *item {
	o := &unstructured.Unstructured{Object: map[string]any{}}
	o.SetAPIVersion(apiVersion)
	o.SetKind(kind)
	o.SetNamespace(owner.object.GetNamespace())
	o.SetName(name)
	child := &item{object: o, owner: owner, manager: controllerManager, statusManager: controllerManager,
		age: owner.age, changed: owner.age, statusAge: owner.age, ready: -1}
	e.items = append(e.items, child)
	return child
}

func (e *expansion) deployment(d *item) {
	template, replicas := templateOf(d)
	ready := readyOf(d, replicas)
	rollouts := d.rollouts
	if len(rollouts) == 0 {
		rollouts = []rollout{{tag: tagOf(template), age: d.age}}
	}
	for n, r := range rollouts {
		hash := nameHash(d.key().String()+r.tag, 10)
		set := e.newChild(d, "apps/v1", "ReplicaSet", d.object.GetName()+"-"+hash)
		set.age, set.changed, set.statusAge = r.age, r.age, r.age
		revision := withHash(template, hash)
		setTag(revision, r.tag)
		labels, _, _ := unstructured.NestedStringMap(revision, "metadata", "labels")
		set.object.SetLabels(labels)
		set.object.SetAnnotations(map[string]string{"deployment.kubernetes.io/revision": fmt.Sprint(n + 1)})
		last := n == len(rollouts)-1
		pods, readyPods := int64(0), int64(0)
		if last {
			pods, readyPods = replicas, ready
		}
		set.object.Object["spec"] = map[string]any{"replicas": pods, "template": revision, "selector": map[string]any{"matchLabels": anyMap(labels)}}
		set.object.Object["status"] = map[string]any{"replicas": pods, "readyReplicas": readyPods, "availableReplicas": readyPods, "observedGeneration": int64(1)}
		for p := range pods {
			name := set.object.GetName() + "-" + nameHash(set.key().String()+fmt.Sprint(p), 5)
			e.newPod(set, d, name, revision, podAge(d, r.age), p < readyPods)
			if p == 0 {
				e.leader[d.object.GetNamespace()+"/"+d.object.GetName()] = name
			}
		}
	}
	d.statusManager, d.statusAge = controllerManager, d.changed
	d.object.SetAnnotations(merged(d.object.GetAnnotations(), map[string]string{"deployment.kubernetes.io/revision": fmt.Sprint(len(rollouts))}))
	available := map[string]any{"type": "Available", "status": "True", "reason": "MinimumReplicasAvailable", "lastTransitionTime": ago(d.age), "lastUpdateTime": ago(d.age)}
	if ready < replicas {
		available["status"], available["reason"] = "False", "MinimumReplicasUnavailable"
		available["lastTransitionTime"], available["lastUpdateTime"] = ago(d.changed), ago(d.changed)
	}
	progressing := map[string]any{"type": "Progressing", "status": "True", "reason": "NewReplicaSetAvailable", "lastTransitionTime": ago(d.age), "lastUpdateTime": ago(d.changed)}
	d.object.Object["status"] = map[string]any{
		"observedGeneration": int64(1), "replicas": replicas, "updatedReplicas": replicas, "readyReplicas": ready,
		"availableReplicas": ready, "unavailableReplicas": replicas - ready, "conditions": []any{available, progressing},
	}
}

func (e *expansion) statefulSet(s *item) {
	template, replicas := templateOf(s)
	ready := readyOf(s, replicas)
	claims, _, _ := unstructured.NestedSlice(s.object.Object, "spec", "volumeClaimTemplates")
	for n := range replicas {
		name := fmt.Sprintf("%s-%d", s.object.GetName(), n)
		labels := map[string]string{"apps.kubernetes.io/pod-index": fmt.Sprint(n), "statefulset.kubernetes.io/pod-name": name}
		pod := e.newPod(s, s, name, template, podAge(s, s.age), n < ready)
		pod.object.SetLabels(merged(pod.object.GetLabels(), labels))
		var volumes []any
		for _, c := range claims {
			claim, _, _ := unstructured.NestedString(c.(map[string]any), "metadata", "name")
			pvc := e.newChild(s, "v1", "PersistentVolumeClaim", claim+"-"+name)
			pvc.owner, pvc.statusManager = nil, ""
			selector, _, _ := unstructured.NestedStringMap(s.object.Object, "spec", "selector", "matchLabels")
			pvc.object.SetLabels(selector)
			pvc.object.Object["spec"] = deepCopy(c.(map[string]any)["spec"])
			volumes = append(volumes, map[string]any{"name": claim, "persistentVolumeClaim": map[string]any{"claimName": claim + "-" + name}})
		}
		if len(volumes) > 0 {
			pod.object.Object["spec"].(map[string]any)["volumes"] = volumes
		}
	}
	revision := s.object.GetName() + "-" + nameHash(s.key().String(), 10)
	s.statusManager, s.statusAge = controllerManager, podAge(s, s.age)
	s.object.Object["status"] = map[string]any{
		"observedGeneration": int64(1), "replicas": replicas, "readyReplicas": ready, "availableReplicas": ready,
		"currentReplicas": replicas, "updatedReplicas": replicas, "currentRevision": revision, "updateRevision": revision,
	}
}

// lease replaces "pod of namespace/name" by the leader of a Deployment.
func (e *expansion) lease(l *item) error {
	holder, _, _ := unstructured.NestedString(l.object.Object, "spec", "holderIdentity")
	workload, ok := strings.CutPrefix(holder, "pod of ")
	if !ok {
		return nil
	}
	pod := e.leader[workload]
	if pod == "" {
		return fmt.Errorf("%s is held by a pod of Deployment %s, which has none", l.key(), workload)
	}
	return unstructured.SetNestedField(l.object.Object, pod+"_"+uidOf(l.key()), "spec", "holderIdentity")
}

func templateOf(i *item) (template map[string]any, replicas int64) {
	template, _, _ = unstructured.NestedMap(i.object.Object, "spec", "template")
	replicas, found, _ := unstructured.NestedInt64(i.object.Object, "spec", "replicas")
	if !found {
		replicas = 1
	}
	return template, replicas
}

func readyOf(i *item, replicas int64) int64 {
	if i.ready < 0 {
		return replicas
	}
	return int64(i.ready)
}

func podAge(i *item, otherwise time.Duration) time.Duration {
	if i.podAge > 0 {
		return i.podAge
	}
	return otherwise
}

func withHash(template map[string]any, hash string) map[string]any {
	copied := deepCopy(template).(map[string]any)
	labels, _, _ := unstructured.NestedStringMap(copied, "metadata", "labels")
	labels = maps.Clone(labels)
	labels["pod-template-hash"] = hash
	unstructured.SetNestedStringMap(copied, labels, "metadata", "labels")
	return copied
}

func firstContainer(template map[string]any) map[string]any {
	spec, _ := template["spec"].(map[string]any)
	list, _ := spec["containers"].([]any)
	if len(list) == 0 {
		return map[string]any{}
	}
	return list[0].(map[string]any)
}

func tagOf(template map[string]any) string {
	image, _ := firstContainer(template)["image"].(string)
	return image[strings.LastIndex(image, ":")+1:]
}

func setTag(template map[string]any, tag string) {
	c := firstContainer(template)
	image, _ := c["image"].(string)
	c["image"] = image[:strings.LastIndex(image, ":")+1] + tag
}

// nameHash is a suffix such as the controllers put at names, always the same for the same text.
func nameHash(text string, n int) string {
	const letters = "bcdfghjklmnpqrstvwxz2456789"
	sum := sha256.Sum256([]byte(text))
	var b strings.Builder
	for _, c := range sum[:n] {
		b.WriteByte(letters[int(c)%len(letters)])
	}
	return b.String()
}

func anyMap(m map[string]string) map[string]any {
	converted := map[string]any{}
	for k, v := range m {
		converted[k] = v
	}
	return converted
}

func deepCopy(v any) any { return runtime.DeepCopyJSONValue(v) }
