// Package facts turns a snapshot and its attribution into the values that
// rules speak about: the variables `op` and `crd` of their expressions. The
// json names below are the names in the rules.
//
// A facet is a part of the facts that is known whole or unknown whole: every
// field of Operator or CRD that is a struct and is named in Unseen when it is
// unknown. An unseen facet holds its zero value, and the rule engine makes
// every verdict that depends on it unknown; only Instances keep what a sample
// showed, for people to see (Complete is false then). What was surely seen
// although a kind could not be read whole stands in `seen`: lower bounds that
// are always known and may only be used to prove.
//
// Lists are sorted and hold at most 20 entries; where they are prose, the last
// one says how many more there are. Where the counts beside a list matter,
// they count everything.
//
// How it is worked out:
//
//	index*.go, family.go   what everything is looked up in, built once
//	actors.go, release.go  who did it: owner references, managedFields, package
//	sight.go               what each facet rests on
//	conditions*.go, polarity.go, phase.go   what a status says (field-cases F)
//	one file a facet       named after it
package facts

// Operator is the variable op: one operator on this cluster.
type Operator struct {
	// Always known.
	Name      string `json:"name"`
	Archetype string `json:"archetype"` // workload, api-objects, external, policy, data-only, shared-api
	// ArchetypeWhy says what the archetype was decided from.
	ArchetypeWhy string `json:"archetypeWhy"`
	HasCRDs      bool   `json:"hasCRDs"`
	InCatalogue  bool   `json:"inCatalogue"`
	// OLM: the cluster or bundle has a ClusterServiceVersion for it.
	OLM bool `json:"olm"`
	// Live: something of it has a uid, so was on a server. False for
	// manifests that were only rendered.
	Live bool `json:"live"`
	// Seen are lower bounds, always known: see CRD.Seen.
	Seen OperatorSeen `json:"seen"`

	// Facets.
	Controllers Controllers `json:"controllers"` // deployments, statefulsets, daemonsets, pods
	Pod         PodTemplate `json:"pod"`         // of the controllers
	Rollout     Rollout     `json:"rollout"`     // replicasets of the controllers
	Leader      Leader      `json:"leader"`      // leases
	RBAC        RBAC        `json:"rbac"`
	OwnRights   OwnRights   `json:"ownRights"` // rbac, customresourcedefinitions
	Webhooks    Webhooks    `json:"webhooks"`
	Metrics     Metrics     `json:"metrics"` // declared port, Service, monitor: static
	Samples     Samples     `json:"samples"` // operator metrics as scraped: only on request
	Packaging   Packaging   `json:"packaging"`
	OwnPDB      OwnPDB      `json:"ownPDB"`
	Installs    Installs    `json:"installs"` // workloads, and where there are several, rbac
	Dashboards  Dashboards  `json:"dashboards"`

	CRDs []CRD `json:"-"`
	// Unseen names the facets that are unknown, with the reason.
	Unseen map[string]string `json:"-"`
}

// OperatorSeen is what was surely seen of the operator even where a kind could
// not be read whole. Use it to prove, never to conclude that something is missing.
type OperatorSeen struct {
	MetricsDeclared bool `json:"metricsDeclared"`
	MetricsScraped  bool `json:"metricsScraped"`
	// MetricsServed: an endpoint answered or asked for credentials, when metrics
	// were asked for. MetricsRefused: nothing listens at any that was asked.
	MetricsServed  bool `json:"metricsServed"`
	MetricsRefused bool `json:"metricsRefused"`
	// What Samples would hold at least, where not every pod was read.
	Reconciles       float64  `json:"reconciles"`
	ReconcileErrors  float64  `json:"reconcileErrors"`
	CustomFamilies   []string `json:"customFamilies"`
	ResourceFamilies []string `json:"resourceFamilies"`
	// Writes are resources it may create, update or patch by rules that name
	// them: "deployments.apps".
	Writes                []string `json:"writes"`
	EventsOutsideElection bool     `json:"eventsOutsideElection"`
	OwnPDBs               int      `json:"ownPDBs"`
	Dashboards            int      `json:"dashboards"`
}

// Controllers are the workloads that reconcile.
type Controllers struct {
	Count int `json:"count"`
	// State is that of the best one: running, degraded, down, absent, external,
	// declared, unknown; not-needed if no CRD needs a controller.
	State       string   `json:"state"`
	Refs        []string `json:"refs"`
	Ready       int      `json:"ready"`
	Desired     int      `json:"desired"`
	MaxReplicas int      `json:"maxReplicas"` // the largest desired replica count of one controller
	Restarts    int      `json:"restarts"`    // of their containers
	// Waiting lists containers that cannot start: reason and workload.
	Waiting []string `json:"waiting"`
	// SharedServiceAccounts: refs of controllers that run as "default".
	DefaultServiceAccount []string `json:"defaultServiceAccount"`
}

// PodTemplate is the hygiene of the controllers' pods; lists name the
// containers that lack something, as workload/container.
type PodTemplate struct {
	Containers      int      `json:"containers"`
	WithoutProbes   []string `json:"withoutProbes"`
	WithoutRequests []string `json:"withoutRequests"`
	MayRunAsRoot    []string `json:"mayRunAsRoot"`
	UnpinnedImages  []string `json:"unpinnedImages"` // no tag, :latest
	KubeRBACProxy   []string `json:"kubeRBACProxy"`
	// ImageEnv: environment variables that set operand images (RELATED_IMAGE_*, *_IMAGE).
	ImageEnv []string `json:"imageEnv"`
	// Images are those of the controllers.
	Images []string `json:"images"`
}

// Rollout is the history of the controllers' Deployments.
type Rollout struct {
	// Revisions is the largest number of ReplicaSets of one Deployment, and
	// Images the number of different images among them.
	Revisions int    `json:"revisions"`
	Images    int    `json:"images"`
	Newest    string `json:"newest"` // when the newest ReplicaSet was made, RFC 3339; "" if unknown
	// AfterInstall: the newest revision is younger than the oldest.
	AfterInstall bool `json:"afterInstall"`
}

// Leader is leader election.
type Leader struct {
	Declared  bool   `json:"declared"` // a flag, environment variable or right to leases
	Lease     string `json:"lease"`    // namespace/name; "" if none was found
	Fresh     bool   `json:"fresh"`
	HeldByPod bool   `json:"heldByPod"`
	Legacy    bool   `json:"legacy"` // a ConfigMap or Endpoints lock
}

// RBAC is what the controllers' ServiceAccounts may do. Unless said
// otherwise, rules whose group, resource or verb is "*" do not count.
type RBAC struct {
	Found bool `json:"found"` // any rule at all
	// All: a rule allows every verb on every resource of every group.
	All       bool     `json:"all"`
	AllFrom   []string `json:"allFrom"`
	Wildcards []string `json:"wildcards"` // rules with "*" somewhere, in words
	Escalates []string `json:"escalates"` // escalate, bind, impersonate: in words
	// SecretsClusterWide: may read or write every Secret; wildcards count.
	SecretsClusterWide []string `json:"secretsClusterWide"`
	// CreatesCRDs counts wildcards no more than the rest.
	CreatesCRDs bool `json:"createsCRDs"`
	// EventsOutsideElection: may create events by a rule in a ClusterRole, or
	// in a Role that says nothing of leases.
	EventsOutsideElection bool `json:"eventsOutsideElection"`
	// Writes are resources it may create, update or patch: "deployments.apps".
	Writes []string `json:"writes"`
	// Makes are those of Writes that a custom resource may stand for: what
	// every operator needs for itself (leases, events, CRDs) is left out.
	Makes []string `json:"makes"`
	// By purpose, from Writes.
	WritesWorkloads   bool `json:"writesWorkloads"`
	WritesSecrets     bool `json:"writesSecrets"`
	WritesPDBs        bool `json:"writesPDBs"`
	WritesAutoscalers bool `json:"writesAutoscalers"` // HPA, VPA, ScaledObject
	WritesMonitors    bool `json:"writesMonitors"`
	WritesRules       bool `json:"writesRules"`
	WritesJobs        bool `json:"writesJobs"`
	WritesSnapshots   bool `json:"writesSnapshots"` // VolumeSnapshots
	ClusterScoped     bool `json:"clusterScoped"`   // has a ClusterRoleBinding
}

// OwnRights compares the rules on its own API groups with the CRDs there are.
type OwnRights struct {
	// Missing are resources that a rule names and no CRD has, From the roles.
	Missing []string `json:"missing"`
	From    []string `json:"from"`
}

// Webhooks are admission webhooks served by the operator or about its groups,
// and conversion webhooks of its CRDs.
type Webhooks struct {
	Count int `json:"count"`
	// OnOwnGroups: a validating or mutating webhook covers its own CRDs.
	OnOwnGroups bool `json:"onOwnGroups"`
	// OnForeignGroups: its webhooks cover resources of others.
	OnForeignGroups bool `json:"onForeignGroups"`
	// Broken names webhooks whose Service or endpoints are missing, and why.
	Broken       []string `json:"broken"`
	SlowTimeouts []string `json:"slowTimeouts"` // over 10 seconds
	NoCABundle   []string `json:"noCABundle"`
	// FailClosedEverywhere: failurePolicy Fail that also covers kube-system pods.
	FailClosedEverywhere []string `json:"failClosedEverywhere"`
}

// Metrics is the declared way to the operator's own metrics.
type Metrics struct {
	Declared  bool              `json:"declared"` // a port, flag or annotation says that metrics are served
	Disabled  bool              `json:"disabled"` // a flag switches them off
	Endpoints []MetricsEndpoint `json:"endpoints"`
	// Scraped: at least one endpoint is selected by a monitor or annotation, the whole chain resolved.
	Scraped bool `json:"scraped"`
	// Broken are the broken links of all chains, in words.
	Broken []string `json:"broken"`
	// MonitoringInstalled: the cluster has the CRDs of some monitor kind.
	MonitoringInstalled bool `json:"monitoringInstalled"`
}

// MetricsEndpoint is one chain from a port to a scraper; Broken says where it ends.
type MetricsEndpoint struct {
	Workload string `json:"workload"`
	Port     string `json:"port"`
	Service  string `json:"service"`
	Monitor  string `json:"monitor"` // kind/namespace/name, or "annotation"
	Broken   string `json:"broken"`
}

// Packaging is how the operator is installed and upgraded.
type Packaging struct {
	Tool    string `json:"tool"` // helm, olm, argocd, flux, kapp, ""
	Package string `json:"package"`
	Version string `json:"version"`
	// OLM only.
	CSV           string `json:"csv"`
	CSVPhase      string `json:"csvPhase"`
	Replaces      bool   `json:"replaces"`
	Subscription  string `json:"subscription"`
	RelatedImages int    `json:"relatedImages"`
	ImagesCovered bool   `json:"imagesCovered"` // relatedImages lists the operator's own images
	Upgradeable   string `json:"upgradeable"`   // status of the OperatorCondition's Upgradeable; "" if unset
	// KeepPolicy: CRDs of a Helm release that have helm.sh/resource-policy: keep.
	CRDsInRelease int `json:"crdsInRelease"`
	CRDsKept      int `json:"crdsKept"`
	// ClaimedLevel from a CSV or chart annotation; 0 if none. Never evidence.
	ClaimedLevel  int    `json:"claimedLevel"`
	ClaimedSource string `json:"claimedSource"`
}

// OwnPDB is a PodDisruptionBudget for the controllers themselves.
type OwnPDB struct {
	Names []string `json:"names"`
}

// Dashboards are Grafana dashboards of the operator's release.
type Dashboards struct {
	Names []string `json:"names"`
}
