package inventory

import (
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
)

// Snapshot is everything one look at a cluster, or at its files, has seen.
// The built-in kinds are Kubernetes' own types, pruned; which kinds there are
// stands in the table of kinds.go.
type Snapshot struct {
	// Taken is the one clock reading: the API server's, or for files the
	// newest time found in them.
	Taken  time.Time
	Source Source
	Access []Access

	CRDs            []CRD
	CustomResources []Object

	Deployments              []appsv1.Deployment
	StatefulSets             []appsv1.StatefulSet
	DaemonSets               []appsv1.DaemonSet
	ReplicaSets              []ReplicaSet
	Pods                     []Pod
	Jobs                     []batchv1.Job
	CronJobs                 []batchv1.CronJob
	Services                 []corev1.Service
	EndpointSlices           []discoveryv1.EndpointSlice
	Events                   []corev1.Event
	Leases                   []coordinationv1.Lease
	PodDisruptionBudgets     []policyv1.PodDisruptionBudget
	HorizontalAutoscalers    []autoscalingv2.HorizontalPodAutoscaler
	Roles                    []rbacv1.Role
	RoleBindings             []rbacv1.RoleBinding
	ClusterRoles             []rbacv1.ClusterRole
	ClusterRoleBindings      []rbacv1.ClusterRoleBinding
	MutatingWebhookConfigs   []admissionv1.MutatingWebhookConfiguration
	ValidatingWebhookConfigs []admissionv1.ValidatingWebhookConfiguration

	// APIServices keep spec.service, spec.group, spec.version, their
	// conditions, and the kinds that the server behind them says it serves.
	APIServices []Object
	// Others are objects of built-in kinds known by their metadata only:
	// ConfigMaps, ServiceAccounts, PersistentVolumeClaims and the like.
	Others []Object

	// Expositions are what the operators' metrics endpoints answered; they are
	// asked only on request.
	Expositions []Exposition
}

// Source says where a snapshot comes from and as whom it was taken.
type Source struct {
	// Type is "cluster", "files" or "demo".
	Type    string `json:"type"`
	Context string `json:"context,omitempty"`
	// Server is the URL of the API server as used.
	Server string `json:"server,omitempty"`
	// ClusterUID is the uid of namespace kube-system: it stays when a cluster
	// is renamed.
	ClusterUID string `json:"clusterUID,omitempty"`
	// Version is the server's version, such as v1.37.2.
	Version string `json:"version,omitempty"`
	// Identity is the user that asked, as far as the client configuration
	// says (impersonation first).
	Identity string `json:"identity,omitempty"`
	// Namespaces restrict the look, when not empty.
	Namespaces []string `json:"namespaces,omitempty"`
	// Files are the paths read, as given by the user.
	Files []string `json:"files,omitempty"`
	// Complete is set when the user says that files hold every object of the
	// cluster: a kind that is not in them then has no objects.
	Complete bool `json:"complete,omitempty"`
}

// Access is the outcome of one list call: what was read of a resource, or why
// it was not.
type Access struct {
	Group    string      `json:"group"`
	Version  string      `json:"version"`
	Resource string      `json:"resource"`
	Access   AccessState `json:"access"`
	// Count is the number of objects read.
	Count int `json:"count"`
	// Remaining is how many more the server said there are, beyond Count.
	Remaining int64 `json:"remaining,omitempty"`
	// Detail is the reason in words: the server's message, the position of a
	// broken document, which namespaces were read.
	Detail string `json:"detail,omitempty"`
}

// AccessState is the outcome of a list call.
type AccessState string

const (
	// Listed: every object was read.
	Listed AccessState = "listed"
	// Partial: some objects were read, more exist or may exist.
	Partial AccessState = "partial"
	// Forbidden: the server refused (401, 403).
	Forbidden AccessState = "forbidden"
	// Absent: the server does not serve the resource, so there are none.
	Absent AccessState = "absent"
	// Failed: the call failed otherwise.
	Failed AccessState = "failed"
)

// Sight says how much of a resource was seen.
type Sight struct {
	// Whole: every object was seen; none in the snapshot means none there.
	Whole bool
	// Some: objects may have been seen, but not surely all.
	Some bool
	// Why says why the resource was not seen whole; empty when it was.
	Why string
}

// Seen tells how much of a resource was seen. A resource without an Access
// row was never asked for.
func (s *Snapshot) Seen(group, resource string) Sight {
	for i := range s.Access {
		a := &s.Access[i]
		if a.Group != group || a.Resource != resource {
			continue
		}
		return sightOf(a)
	}
	if s.Source.Complete {
		return Sight{Whole: true}
	}
	if s.Source.Type == "files" {
		return Sight{Why: qualified(group, resource) + ": none in the files, which may not be all (--complete says that they are)"}
	}
	return Sight{Why: qualified(group, resource) + ": not asked for"}
}

func sightOf(a *Access) Sight {
	name := qualified(a.Group, a.Resource)
	detail := a.Detail
	if detail != "" {
		detail = ": " + detail
	}
	switch a.Access {
	case Listed, Absent:
		return Sight{Whole: true}
	case Partial:
		return Sight{Some: true, Why: name + " read in part" + detail}
	case Forbidden:
		return Sight{Why: name + " forbidden" + detail}
	default:
		return Sight{Why: name + " could not be listed" + detail}
	}
}

// qualified is the name that kubectl uses: deployments.apps, pods.
func qualified(group, resource string) string {
	if group == "" {
		return resource
	}
	return resource + "." + group
}
