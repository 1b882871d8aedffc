package main

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// builtins are the objects of Kubernetes' own kinds.
type builtins struct {
	*world
	// owners are custom resources that workloads may belong to.
	owners []*unstructured.Unstructured

	deployments  []appsv1.Deployment
	replicaSets  []appsv1.ReplicaSet
	revisions    []appsv1.ControllerRevision
	pods         []corev1.Pod
	services     []corev1.Service
	slices       []discoveryv1.EndpointSlice
	accounts     []corev1.ServiceAccount
	configMaps   []corev1.ConfigMap
	claims       []corev1.PersistentVolumeClaim
	events       []corev1.Event
	nodes        []corev1.Node
	spaces       []corev1.Namespace
	leases       []coordinationv1.Lease
	jobs         []batchv1.Job
	budgets      []policyv1.PodDisruptionBudget
	policies     []networkingv1.NetworkPolicy
	clusterRoles []rbacv1.ClusterRole
	clusterBinds []rbacv1.ClusterRoleBinding
	roles        []rbacv1.Role
	binds        []rbacv1.RoleBinding
	apiServices  []*unstructured.Unstructured
}

func newBuiltins(c *world) *builtins { return &builtins{world: c} }

// managed adds what server-side bookkeeping adds: a third of a real object.
func managed(m metav1.ObjectMeta, labels map[string]string) metav1.ObjectMeta {
	m.Labels = labels
	m.Annotations = map[string]string{"meta.helm.sh/release-name": labels["app.kubernetes.io/name"], "meta.helm.sh/release-namespace": m.Namespace}
	at := m.CreationTimestamp
	m.ManagedFields = []metav1.ManagedFieldsEntry{
		{Manager: "helm", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &at, FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(specFields)},
		{Manager: "kube-controller-manager", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &at, FieldsType: "FieldsV1", Subresource: "status", FieldsV1: metav1.NewFieldsV1(statusFields)},
	}
	return m
}

const (
	specFields = `{"f:metadata":{"f:annotations":{".":{},"f:meta.helm.sh/release-name":{}},"f:labels":{".":{},"f:app.kubernetes.io/name":{}}},"f:spec":{"f:progressDeadlineSeconds":{},"f:replicas":{},"f:revisionHistoryLimit":{},"f:selector":{},` +
		`"f:strategy":{"f:rollingUpdate":{".":{},"f:maxSurge":{},"f:maxUnavailable":{}},"f:type":{}},"f:template":{"f:metadata":{"f:labels":{".":{},"f:app.kubernetes.io/name":{}}},"f:spec":{"f:containers":{"k:{\"name\":\"main\"}":{".":{},"f:args":{},"f:env":{".":{},` +
		`"k:{\"name\":\"LOG_LEVEL\"}":{".":{},"f:name":{},"f:value":{}}},"f:image":{},"f:imagePullPolicy":{},"f:livenessProbe":{},"f:name":{},"f:ports":{},"f:readinessProbe":{},"f:resources":{}}},"f:dnsPolicy":{},"f:restartPolicy":{},"f:schedulerName":{},"f:serviceAccountName":{}}}}}`
	statusFields = `{"f:metadata":{"f:annotations":{"f:deployment.kubernetes.io/revision":{}}},"f:status":{"f:availableReplicas":{},"f:conditions":{".":{},"k:{\"type\":\"Available\"}":{".":{},"f:lastTransitionTime":{},"f:message":{},"f:reason":{},"f:status":{},"f:type":{}}},"f:observedGeneration":{},"f:readyReplicas":{},"f:replicas":{}}}`
)

// podSpec is a container with what charts give one: probes, resources,
// environment, volumes.
func podSpec(image, account string, args ...string) corev1.PodSpec {
	probe := func(path string) *corev1.Probe {
		return &corev1.Probe{PeriodSeconds: 10, ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: path, Port: intstr.FromInt32(8081), Scheme: "HTTP"}}}
	}
	main := corev1.Container{
		Name: "main", Image: image, Args: args, ImagePullPolicy: corev1.PullIfNotPresent,
		Ports:         []corev1.ContainerPort{{Name: "http-metrics", ContainerPort: 8080, Protocol: "TCP"}},
		LivenessProbe: probe("/healthz"), ReadinessProbe: probe("/readyz"),
		Resources:    corev1.ResourceRequirements{Requests: quantities("100m", "128Mi"), Limits: quantities("500m", "512Mi")},
		VolumeMounts: []corev1.VolumeMount{{Name: "config", MountPath: "/etc/config"}},
	}
	for i := range 8 {
		main.Env = append(main.Env, corev1.EnvVar{Name: fmt.Sprintf("SETTING_%d", i), Value: fmt.Sprintf("some-value-%d", i)})
	}
	return corev1.PodSpec{
		ServiceAccountName: account, RestartPolicy: "Always", DNSPolicy: "ClusterFirst", SchedulerName: "default-scheduler",
		Containers: []corev1.Container{main},
		Volumes:    []corev1.Volume{{Name: "config", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: "config"}}}}},
		Tolerations: []corev1.Toleration{{Key: "node.kubernetes.io/not-ready", Operator: "Exists", Effect: "NoExecute"},
			{Key: "node.kubernetes.io/unreachable", Operator: "Exists", Effect: "NoExecute"}},
	}
}

// operator adds an operator as a chart installs one.
func (b *builtins) operator(i int) {
	name, namespace := operatorName(i), operatorName(i)+"-system"
	labels := map[string]string{"app.kubernetes.io/name": name, "app.kubernetes.io/managed-by": "Helm", "app.kubernetes.io/version": "1.4.2"}
	b.spaces = append(b.spaces, corev1.Namespace{ObjectMeta: b.meta("", namespace)})
	b.accounts = append(b.accounts, corev1.ServiceAccount{ObjectMeta: managed(b.meta(namespace, name), labels)})
	b.deployment(namespace, name, labels, podSpec("registry.example.io/"+name+":v1.4.2", name, "--leader-elect", "--metrics-bind-address=:8080"), nil, 1)
	group := groupName(i)
	var resources, subresources []string
	for j := range b.crds {
		if names := b.crds[j].Spec.Names; operatorOf(j) == i {
			resources = append(resources, names.Plural)
			subresources = append(subresources, names.Plural+"/status", names.Plural+"/finalizers")
		}
	}
	b.clusterRoles = append(b.clusterRoles, rbacv1.ClusterRole{ObjectMeta: managed(b.meta("", name), labels), Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{group}, Resources: resources, Verbs: []string{"get", "list", "watch", "update", "patch"}},
		{APIGroups: []string{group}, Resources: subresources, Verbs: []string{"get", "update", "patch"}},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments", "statefulsets"}, Verbs: []string{"*"}},
		{APIGroups: []string{""}, Resources: []string{"services", "configmaps", "secrets", "events"}, Verbs: []string{"get", "list", "watch", "create", "update", "patch", "delete"}},
	}})
	subject := []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: namespace}}
	b.clusterBinds = append(b.clusterBinds, rbacv1.ClusterRoleBinding{ObjectMeta: managed(b.meta("", name), labels), Subjects: subject,
		RoleRef: rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: name}})
	b.roles = append(b.roles, rbacv1.Role{ObjectMeta: managed(b.meta(namespace, name+"-leader"), labels), Rules: []rbacv1.PolicyRule{
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: []string{"get", "create", "update"}}}})
	b.binds = append(b.binds, rbacv1.RoleBinding{ObjectMeta: managed(b.meta(namespace, name+"-leader"), labels), Subjects: subject,
		RoleRef: rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: name + "-leader"}})
	holder, renewed, seconds := b.pods[len(b.pods)-1].Name+"_1", metav1.NewMicroTime(b.began.Add(-3*time.Second)), int32(15)
	b.leases = append(b.leases, coordinationv1.Lease{ObjectMeta: b.meta(namespace, name+".example.io"),
		Spec: coordinationv1.LeaseSpec{HolderIdentity: &holder, RenewTime: &renewed, LeaseDurationSeconds: &seconds}})
	b.apiServices = append(b.apiServices, b.apiService(group, "v1"))
}

func (b *builtins) apiService(group, version string) *unstructured.Unstructured {
	m := b.meta("", version+"."+group)
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
		"metadata": map[string]any{"name": m.Name, "uid": string(m.UID), "resourceVersion": m.ResourceVersion, "labels": map[string]any{"kube-aggregator.kubernetes.io/automanaged": "true"},
			"creationTimestamp": m.CreationTimestamp.Format(time.RFC3339)},
		"spec": map[string]any{"group": group, "version": version, "groupPriorityMinimum": int64(1000), "versionPriority": int64(100)},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Available", "status": "True", "reason": "Local", "message": "Local APIServices are always available",
			"lastTransitionTime": m.CreationTimestamp.Format(time.RFC3339)}}},
	}}
}
