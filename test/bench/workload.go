package main

import (
	"fmt"
	"maps"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

func quantities(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}

func ownedBy(apiVersion, kind string, m metav1.Object) []metav1.OwnerReference {
	yes := true
	return []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: m.GetName(), UID: m.GetUID(), Controller: &yes, BlockOwnerDeletion: &yes}}
}

// workloads adds Deployments until there are so many pods, most of them made
// for a custom resource.
func (b *builtins) workloads(pods int) {
	for i := 0; len(b.pods) < pods; i++ {
		namespace, name := b.namespace(i), fmt.Sprintf("app-%05d", i)
		labels := map[string]string{"app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "Helm"}
		var owner []metav1.OwnerReference
		if len(b.owners) > 0 && i%4 > 0 {
			custom := b.owners[i%len(b.owners)]
			owner = ownedBy(custom.GetAPIVersion(), custom.GetKind(), custom)
			if custom.GetNamespace() != "" {
				namespace = custom.GetNamespace()
			}
		}
		b.deployment(namespace, name, labels, podSpec("registry.example.io/app:"+fmt.Sprint(i%30), "default"), owner, 4)
		b.configMaps = append(b.configMaps,
			corev1.ConfigMap{ObjectMeta: managed(b.meta(namespace, name+"-config"), labels), Data: map[string]string{"settings.yaml": specFields}},
			corev1.ConfigMap{ObjectMeta: managed(b.meta(namespace, name+"-scripts"), labels), Data: map[string]string{"run.sh": statusFields}})
		b.accounts = append(b.accounts, corev1.ServiceAccount{ObjectMeta: managed(b.meta(namespace, name), labels)})
		if i%3 == 0 {
			b.claims = append(b.claims, corev1.PersistentVolumeClaim{ObjectMeta: managed(b.meta(namespace, "data-"+name), labels), Spec: corev1.PersistentVolumeClaimSpec{
				AccessModes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce},
				Resources:   corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: resource.MustParse("10Gi")}}}})
			migration := podSpec("registry.example.io/app:1", "default")
			migration.RestartPolicy = corev1.RestartPolicyNever
			b.jobs = append(b.jobs, batchv1.Job{ObjectMeta: managed(b.meta(namespace, name+"-migrate"), labels),
				Spec: batchv1.JobSpec{Template: corev1.PodTemplateSpec{Spec: migration}}})
			most := intstr.FromInt32(1)
			b.budgets = append(b.budgets, policyv1.PodDisruptionBudget{ObjectMeta: managed(b.meta(namespace, name), labels),
				Spec: policyv1.PodDisruptionBudgetSpec{MaxUnavailable: &most, Selector: &metav1.LabelSelector{MatchLabels: labels}}})
			b.policies = append(b.policies, networkingv1.NetworkPolicy{ObjectMeta: managed(b.meta(namespace, name), labels)})
		}
	}
}

// deployment adds a Deployment with three revisions, its pods, a Service and
// the endpoints of it.
func (b *builtins) deployment(namespace, name string, labels map[string]string, spec corev1.PodSpec, owner []metav1.OwnerReference, pods int) {
	n := int32(pods)
	selector := &metav1.LabelSelector{MatchLabels: map[string]string{"app.kubernetes.io/name": name}}
	template := corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: spec}
	d := appsv1.Deployment{ObjectMeta: managed(b.meta(namespace, name), labels), Spec: appsv1.DeploymentSpec{Replicas: &n, Selector: selector, Template: template}}
	d.OwnerReferences = owner
	d.Generation = 3
	d.Status = appsv1.DeploymentStatus{ObservedGeneration: 3, Replicas: n, ReadyReplicas: n, AvailableReplicas: n, UpdatedReplicas: n, Conditions: []appsv1.DeploymentCondition{
		{Type: appsv1.DeploymentAvailable, Status: "True", Reason: "MinimumReplicasAvailable", Message: "Deployment has minimum availability.", LastTransitionTime: d.CreationTimestamp}}}
	b.deployments = append(b.deployments, d)
	for revision := range 3 {
		rs := appsv1.ReplicaSet{ObjectMeta: managed(b.meta(namespace, fmt.Sprintf("%s-%08x", name, revision)), labels), Spec: appsv1.ReplicaSetSpec{Selector: selector, Template: template}}
		rs.OwnerReferences = ownedBy("apps/v1", "Deployment", &d)
		hash := fmt.Sprintf("%08x", revision)
		rs.Labels = withHash(labels, hash)
		rs.Spec.Template.Labels = rs.Labels
		rs.Annotations["deployment.kubernetes.io/revision"] = fmt.Sprint(revision + 1)
		if revision == 2 {
			rs.Spec.Replicas = &n
			rs.Status.Replicas, rs.Status.ReadyReplicas, rs.Status.AvailableReplicas = n, n, n
		}
		b.replicaSets = append(b.replicaSets, rs)
	}
	for i := range pods {
		rs := &b.replicaSets[len(b.replicaSets)-1]
		b.pod(rs, i, spec, rs.Labels)
	}
	ports := []corev1.ServicePort{{Name: "http-metrics", Port: 8080, TargetPort: intstr.FromString("http-metrics")}}
	b.services = append(b.services, corev1.Service{ObjectMeta: managed(b.meta(namespace, name), labels), Spec: corev1.ServiceSpec{Selector: selector.MatchLabels, Ports: ports}})
	slice := discoveryv1.EndpointSlice{ObjectMeta: managed(b.meta(namespace, name+"-x7x2k"), map[string]string{"kubernetes.io/service-name": name}), AddressType: "IPv4"}
	ready := true
	for i := range pods {
		slice.Endpoints = append(slice.Endpoints, discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.0.%d", i)}, Conditions: discoveryv1.EndpointConditions{Ready: &ready}})
	}
	b.slices = append(b.slices, slice)
}

// withHash are labels with that of a revision.
func withHash(labels map[string]string, hash string) map[string]string {
	with := maps.Clone(labels)
	with[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	return with
}

func (b *builtins) pod(rs *appsv1.ReplicaSet, i int, spec corev1.PodSpec, labels map[string]string) {
	p := corev1.Pod{ObjectMeta: managed(b.meta(rs.Namespace, fmt.Sprintf("%s-%05d", rs.Name, i)), labels), Spec: spec}
	p.OwnerReferences = ownedBy("apps/v1", "ReplicaSet", rs)
	p.Spec.NodeName = fmt.Sprintf("node-%03d", i)
	withToken(&p.Spec)
	p.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: "10.0.0.1", PodIPs: []corev1.PodIP{{IP: "10.0.0.1"}}, HostIP: "192.168.0.1"}
	for _, kind := range []corev1.PodConditionType{corev1.PodReady, corev1.PodInitialized, corev1.ContainersReady, corev1.PodScheduled} {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Status: "True", LastTransitionTime: p.CreationTimestamp})
	}
	started := true
	p.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", Ready: true, Started: &started, Image: spec.Containers[0].Image,
		ImageID:     "registry.example.io/app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		ContainerID: "containerd://0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
		State:       corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: p.CreationTimestamp}}}}
	b.pods = append(b.pods, p)
}

// withToken adds the volume that every Pod has, and that no template does.
func withToken(spec *corev1.PodSpec) {
	const name = "kube-api-access-x7x2k"
	main := *spec.Containers[0].DeepCopy()
	main.VolumeMounts = append(main.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: "/var/run/secrets/kubernetes.io/serviceaccount", ReadOnly: true})
	spec.Containers = []corev1.Container{main}
	seconds := int64(3607)
	spec.Volumes = append(slices.Clone(spec.Volumes), corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Projected: &corev1.ProjectedVolumeSource{Sources: []corev1.VolumeProjection{
		{ServiceAccountToken: &corev1.ServiceAccountTokenProjection{ExpirationSeconds: &seconds, Path: "token"}},
		{ConfigMap: &corev1.ConfigMapProjection{LocalObjectReference: corev1.LocalObjectReference{Name: "kube-root-ca.crt"}, Items: []corev1.KeyToPath{{Key: "ca.crt", Path: "ca.crt"}}}},
	}}}})
}

// rest adds the kinds that belong to no workload.
func (b *builtins) rest(s size) {
	for _, name := range append([]string{"kube-system", "default"}, b.namespaces...) {
		b.spaces = append(b.spaces, corev1.Namespace{ObjectMeta: b.meta("", name)})
	}
	for i := range max(s.pods/50, 3) {
		b.nodes = append(b.nodes, corev1.Node{ObjectMeta: managed(b.meta("", fmt.Sprintf("node-%03d", i)), map[string]string{"kubernetes.io/os": "linux"})})
	}
	for i := range s.pods / 2 {
		p := &b.pods[i]
		e := corev1.Event{ObjectMeta: b.meta(p.Namespace, fmt.Sprintf("%s.%016x", p.Name, i)), Type: "Normal", Reason: "Pulled", Count: 3,
			Message: "Container image \"" + p.Spec.Containers[0].Image + "\" already present on machine and can be accessed by the pod", Source: corev1.EventSource{Component: "kubelet", Host: p.Spec.NodeName},
			InvolvedObject: corev1.ObjectReference{Kind: "Pod", APIVersion: "v1", Namespace: p.Namespace, Name: p.Name, UID: p.UID}, LastTimestamp: b.at(i % 50), FirstTimestamp: b.at(i%50 + 5)}
		b.events = append(b.events, e)
	}
}
