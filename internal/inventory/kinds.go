package inventory

import (
	"cmp"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kind is a row of the kinds table: a built-in kind that a scan reads. The
// ClusterRole of the plugin, the list calls, the file reader and the codec all
// follow this table.
type Kind struct {
	Group    string
	Version  string
	Resource string
	Kind     string
	// MetadataOnly kinds are asked for as PartialObjectMetadata: their content
	// is not needed, or must not be read.
	MetadataOnly bool
	// Why says what the kind is read for; it is printed with the ClusterRole.
	Why string

	slot slot
}

// TypedObject is what every object of a snapshot is.
type TypedObject interface {
	metav1.Object
	runtime.Object
}

// slot is where the objects of a kind stand in a Snapshot.
type slot interface {
	newObject() TypedObject
	// add takes an object as newObject made it, filled and pruned.
	add(*Snapshot, TypedObject, *Shared)
	each(*Snapshot, func(TypedObject))
	sort(*Snapshot)
	// move takes over what another snapshot has; it is not used any more.
	move(to, from *Snapshot)
	distinct(*Snapshot) (dropped int)
}

// Kinds is the table of built-in kinds, in the order in which they are read:
// the small and decisive ones first, so that a scan that is cut short is still
// of use.
func Kinds() []Kind { return kinds }

var kinds = []Kind{
	{Group: "apps", Version: "v1", Resource: "deployments", Kind: "Deployment", Why: "controllers and operands",
		slot: in(func(s *Snapshot) *[]appsv1.Deployment { return &s.Deployments })},
	{Group: "apps", Version: "v1", Resource: "statefulsets", Kind: "StatefulSet", Why: "controllers and operands",
		slot: in(func(s *Snapshot) *[]appsv1.StatefulSet { return &s.StatefulSets })},
	{Group: "apps", Version: "v1", Resource: "daemonsets", Kind: "DaemonSet", Why: "controllers and operands",
		slot: in(func(s *Snapshot) *[]appsv1.DaemonSet { return &s.DaemonSets })},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles", Kind: "ClusterRole", Why: "what controllers may do",
		slot: in(func(s *Snapshot) *[]rbacv1.ClusterRole { return &s.ClusterRoles })},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterrolebindings", Kind: "ClusterRoleBinding", Why: "what controllers may do",
		slot: in(func(s *Snapshot) *[]rbacv1.ClusterRoleBinding { return &s.ClusterRoleBindings })},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "roles", Kind: "Role", Why: "what controllers may do",
		slot: in(func(s *Snapshot) *[]rbacv1.Role { return &s.Roles })},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings", Kind: "RoleBinding", Why: "what controllers may do",
		slot: in(func(s *Snapshot) *[]rbacv1.RoleBinding { return &s.RoleBindings })},
	{Group: "coordination.k8s.io", Version: "v1", Resource: "leases", Kind: "Lease", Why: "leader election: who is alive",
		slot: in(func(s *Snapshot) *[]coordinationv1.Lease { return &s.Leases })},
	{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations", Kind: "MutatingWebhookConfiguration", Why: "webhooks of operators",
		slot: in(func(s *Snapshot) *[]admissionv1.MutatingWebhookConfiguration { return &s.MutatingWebhookConfigs })},
	{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingwebhookconfigurations", Kind: "ValidatingWebhookConfiguration", Why: "webhooks of operators",
		slot: in(func(s *Snapshot) *[]admissionv1.ValidatingWebhookConfiguration { return &s.ValidatingWebhookConfigs })},
	{Group: "", Version: "v1", Resource: "services", Kind: "Service", Why: "webhook and metrics targets, children",
		slot: in(func(s *Snapshot) *[]corev1.Service { return &s.Services })},
	{Group: "discovery.k8s.io", Version: "v1", Resource: "endpointslices", Kind: "EndpointSlice", Why: "whether a Service has ready endpoints",
		slot: in(func(s *Snapshot) *[]discoveryv1.EndpointSlice { return &s.EndpointSlices })},
	{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets", Kind: "PodDisruptionBudget", Why: "level 3",
		slot: in(func(s *Snapshot) *[]policyv1.PodDisruptionBudget { return &s.PodDisruptionBudgets })},
	{Group: "autoscaling", Version: "v2", Resource: "horizontalpodautoscalers", Kind: "HorizontalPodAutoscaler", Why: "level 5",
		slot: in(func(s *Snapshot) *[]autoscalingv2.HorizontalPodAutoscaler { return &s.HorizontalAutoscalers })},
	{Group: "apps", Version: "v1", Resource: "replicasets", Kind: "ReplicaSet", Why: "rollout history, owner chains",
		slot: reduced((*Shared).replicaSetOf, func(s *Snapshot) *[]ReplicaSet { return &s.ReplicaSets })},
	{Group: "batch", Version: "v1", Resource: "cronjobs", Kind: "CronJob", Why: "children: backups",
		slot: in(func(s *Snapshot) *[]batchv1.CronJob { return &s.CronJobs })},
	{Group: "batch", Version: "v1", Resource: "jobs", Kind: "Job", Why: "children: backups",
		slot: in(func(s *Snapshot) *[]batchv1.Job { return &s.Jobs })},
	{Group: "", Version: "v1", Resource: "pods", Kind: "Pod", Why: "what really runs",
		slot: reduced((*Shared).podOf, func(s *Snapshot) *[]Pod { return &s.Pods })},
	{Group: "", Version: "v1", Resource: "events", Kind: "Event", Why: "events of operators on their resources",
		slot: eventSlot{in(func(s *Snapshot) *[]corev1.Event { return &s.Events })}},
	{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices", Kind: "APIService", Why: "aggregated APIs",
		slot: objects("APIService", func(s *Snapshot) *[]Object { return &s.APIServices })},
	other("", "v1", "namespaces", "Namespace", "the cluster's uid, label selectors of monitors"),
	other("", "v1", "serviceaccounts", "ServiceAccount", "cloud identity, children"),
	other("", "v1", "configmaps", "ConfigMap", "children, dashboards, legacy leader locks (metadata only)"),
	other("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", "whether an operand is stateful"),
	other("", "v1", "nodes", "Node", "how many nodes there are"),
	other("networking.k8s.io", "v1", "ingresses", "Ingress", "children"),
	other("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy", "children"),
	other("apps", "v1", "controllerrevisions", "ControllerRevision", "rollout history"),
}

// Child tells whether children of custom resources are looked for in the kind.
// Events, RBAC of the cluster and the like are no children.
func (k *Kind) Child() bool {
	switch k.Kind {
	case "Event", "Node", "Namespace", "APIService", "ControllerRevision", "EndpointSlice":
		return false
	}
	return true
}

// Namespaced tells whether objects of the kind live in namespaces.
func (k *Kind) Namespaced() bool {
	switch k.Kind {
	case "ClusterRole", "ClusterRoleBinding", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration",
		"APIService", "Namespace", "Node":
		return false
	}
	return true
}

// GroupKind names the kind without its version.
func (k *Kind) GroupKind() schema.GroupKind { return schema.GroupKind{Group: k.Group, Kind: k.Kind} }

// KindFor finds the row of a built-in kind, whatever its version; nil when a
// scan does not read it.
func KindFor(group, kind string) *Kind {
	for i := range kinds {
		if kinds[i].Group == group && kinds[i].Kind == kind {
			return &kinds[i]
		}
	}
	return nil
}

// New makes an empty object of the kind to decode into.
func (k *Kind) New() TypedObject { return k.slot.newObject() }

// Add prunes obj, which must come from New of the same kind, and puts it into
// the snapshot.
func (k *Kind) Add(s *Snapshot, obj TypedObject) { k.AddShared(s, obj, nil) }

// AddShared is Add; what other objects said already is in memory once.
func (k *Kind) AddShared(s *Snapshot, obj TypedObject, shared *Shared) {
	shared.Prune(obj)
	k.slot.add(s, obj, shared)
}

// Each calls yield for every object of the kind.
func (k *Kind) Each(s *Snapshot, yield func(TypedObject)) { k.slot.each(s, yield) }

func other(group, version, resource, kind, why string) Kind {
	return Kind{Group: group, Version: version, Resource: resource, Kind: kind, MetadataOnly: true, Why: why,
		slot: objects(kind, func(s *Snapshot) *[]Object { return &s.Others })}
}

func sortObjects(list []Object) {
	sortLarge(list, func(a, b *Object) int {
		return cmp.Or(
			cmp.Compare(a.Group(), b.Group()),
			cmp.Compare(a.Kind, b.Kind),
			compareMeta(a, b))
	})
}

func compareMeta(a, b metav1.Object) int {
	return cmp.Or(
		cmp.Compare(a.GetNamespace(), b.GetNamespace()),
		cmp.Compare(a.GetName(), b.GetName()),
		cmp.Compare(a.GetUID(), b.GetUID()))
}

// Sort brings every slice into its canonical order.
func (s *Snapshot) Sort() {
	for i := range kinds {
		kinds[i].slot.sort(s)
	}
	sortObjects(s.CustomResources)
	sortExpositions(s.Expositions)
	slices.SortStableFunc(s.CRDs, func(a, b CRD) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortStableFunc(s.Access, func(a, b Access) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Detail, b.Detail))
	})
}
