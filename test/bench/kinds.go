package main

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

const global = true // a kind whose objects stand in no namespace

// collections are the built-in kinds, empty ones included.
func (b *builtins) collections() []*collection {
	return []*collection{
		kindOf("apps/v1", "deployments", "Deployment", !global, b.deployments, func(l *appsv1.DeploymentList, items []appsv1.Deployment) { l.Items = items }),
		kindOf("apps/v1", "statefulsets", "StatefulSet", !global, nil, func(l *appsv1.StatefulSetList, items []appsv1.StatefulSet) { l.Items = items }),
		kindOf("apps/v1", "daemonsets", "DaemonSet", !global, nil, func(l *appsv1.DaemonSetList, items []appsv1.DaemonSet) { l.Items = items }),
		kindOf("apps/v1", "replicasets", "ReplicaSet", !global, b.replicaSets, func(l *appsv1.ReplicaSetList, items []appsv1.ReplicaSet) { l.Items = items }),
		kindOf("apps/v1", "controllerrevisions", "ControllerRevision", !global, b.revisions, func(l *appsv1.ControllerRevisionList, items []appsv1.ControllerRevision) { l.Items = items }),
		kindOf("v1", "pods", "Pod", !global, b.pods, func(l *corev1.PodList, items []corev1.Pod) { l.Items = items }),
		kindOf("v1", "services", "Service", !global, b.services, func(l *corev1.ServiceList, items []corev1.Service) { l.Items = items }),
		kindOf("v1", "serviceaccounts", "ServiceAccount", !global, b.accounts, func(l *corev1.ServiceAccountList, items []corev1.ServiceAccount) { l.Items = items }),
		kindOf("v1", "configmaps", "ConfigMap", !global, b.configMaps, func(l *corev1.ConfigMapList, items []corev1.ConfigMap) { l.Items = items }),
		kindOf("v1", "persistentvolumeclaims", "PersistentVolumeClaim", !global, b.claims, func(l *corev1.PersistentVolumeClaimList, items []corev1.PersistentVolumeClaim) { l.Items = items }),
		kindOf("v1", "events", "Event", !global, b.events, func(l *corev1.EventList, items []corev1.Event) { l.Items = items }),
		kindOf("v1", "nodes", "Node", global, b.nodes, func(l *corev1.NodeList, items []corev1.Node) { l.Items = items }),
		kindOf("v1", "namespaces", "Namespace", global, b.spaces, func(l *corev1.NamespaceList, items []corev1.Namespace) { l.Items = items }),
		kindOf("discovery.k8s.io/v1", "endpointslices", "EndpointSlice", !global, b.slices, func(l *discoveryv1.EndpointSliceList, items []discoveryv1.EndpointSlice) { l.Items = items }),
		kindOf("coordination.k8s.io/v1", "leases", "Lease", !global, b.leases, func(l *coordinationv1.LeaseList, items []coordinationv1.Lease) { l.Items = items }),
		kindOf("batch/v1", "jobs", "Job", !global, b.jobs, func(l *batchv1.JobList, items []batchv1.Job) { l.Items = items }),
		kindOf("batch/v1", "cronjobs", "CronJob", !global, nil, func(l *batchv1.CronJobList, items []batchv1.CronJob) { l.Items = items }),
		kindOf("policy/v1", "poddisruptionbudgets", "PodDisruptionBudget", !global, b.budgets, func(l *policyv1.PodDisruptionBudgetList, items []policyv1.PodDisruptionBudget) { l.Items = items }),
		kindOf("autoscaling/v2", "horizontalpodautoscalers", "HorizontalPodAutoscaler", !global, nil, func(l *autoscalingv2.HorizontalPodAutoscalerList, items []autoscalingv2.HorizontalPodAutoscaler) {
			l.Items = items
		}),
		kindOf("networking.k8s.io/v1", "networkpolicies", "NetworkPolicy", !global, b.policies, func(l *networkingv1.NetworkPolicyList, items []networkingv1.NetworkPolicy) { l.Items = items }),
		kindOf("networking.k8s.io/v1", "ingresses", "Ingress", !global, nil, func(l *networkingv1.IngressList, items []networkingv1.Ingress) { l.Items = items }),
		kindOf("rbac.authorization.k8s.io/v1", "clusterroles", "ClusterRole", global, b.clusterRoles, func(l *rbacv1.ClusterRoleList, items []rbacv1.ClusterRole) { l.Items = items }),
		kindOf("rbac.authorization.k8s.io/v1", "clusterrolebindings", "ClusterRoleBinding", global, b.clusterBinds, func(l *rbacv1.ClusterRoleBindingList, items []rbacv1.ClusterRoleBinding) { l.Items = items }),
		kindOf("rbac.authorization.k8s.io/v1", "roles", "Role", !global, b.roles, func(l *rbacv1.RoleList, items []rbacv1.Role) { l.Items = items }),
		kindOf("rbac.authorization.k8s.io/v1", "rolebindings", "RoleBinding", !global, b.binds, func(l *rbacv1.RoleBindingList, items []rbacv1.RoleBinding) { l.Items = items }),
		kindOf("admissionregistration.k8s.io/v1", "mutatingwebhookconfigurations", "MutatingWebhookConfiguration", global, nil, func(l *admissionv1.MutatingWebhookConfigurationList, items []admissionv1.MutatingWebhookConfiguration) {
			l.Items = items
		}),
		kindOf("admissionregistration.k8s.io/v1", "validatingwebhookconfigurations", "ValidatingWebhookConfiguration", global, nil, func(l *admissionv1.ValidatingWebhookConfigurationList, items []admissionv1.ValidatingWebhookConfiguration) {
			l.Items = items
		}),
		{resource: schema.GroupVersionResource{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"}, kind: "APIService", jsonOnly: true, objects: untyped(b.apiServices)},
	}
}

func kindOf[T, L any, P interface {
	*T
	metav1.Object
}, Q interface {
	*L
	runtime.Object
	metav1.ListMetaAccessor
}](groupVersion, resource, kind string, global bool, items []T, into func(Q, []T)) *collection {
	gv, err := schema.ParseGroupVersion(groupVersion)
	if err != nil {
		panic(err) // a slip in the table above
	}
	return &collection{resource: gv.WithResource(resource), kind: kind, namespaced: !global,
		objects: &typed[T, L, P, Q]{items: items, into: func(l *L, items []T) { into(l, items) }}}
}
