package facts

// Children are objects whose chain of owner references ends at an instance,
// and objects with a broken such link.
type Children struct {
	Total                 int         `json:"total"`
	Kinds                 []ChildKind `json:"kinds"`
	Valid                 int         `json:"valid"`
	Dangling              []string    `json:"dangling"`
	CrossNamespace        []string    `json:"crossNamespace"`
	WithoutControllerFlag int         `json:"withoutControllerFlag"`
	// Unowned: objects that the operator wrote in an instance's name but that have no owner reference.
	Unowned   []string `json:"unowned"`
	Stateful  bool     `json:"stateful"` // volume claims among them
	Workloads int      `json:"workloads"`
	// APIObjects: Secrets, ConfigMaps, RBAC, custom resources.
	APIObjects int `json:"apiObjects"`
	// Recreated: a child much younger than its owner although the owner's spec did not change.
	Recreated           []string `json:"recreated"`
	CRDsOrSubscriptions []string `json:"crdsOrSubscriptions"`
	// InstancesWithout: instances that own nothing.
	InstancesWithout int `json:"instancesWithout"`
}

// ChildKind counts the children of a kind.
type ChildKind struct {
	Group string `json:"group"`
	Kind  string `json:"kind"`
	Count int    `json:"count"`
}

// SecretChildren are Secrets owned by instances, by metadata.
type SecretChildren struct {
	Count int `json:"count"`
}

// Operand is what the workloads and pods among the children look like. Jobs,
// init containers and sidecars injected by others do not count.
type Operand struct {
	Workloads        int      `json:"workloads"`
	Pods             int      `json:"pods"`
	Containers       int      `json:"containers"`     // main containers of long-running operands
	ContainerNames   []string `json:"containerNames"` // workload/container, as in the three lists of those without
	WithLiveness     int      `json:"withLiveness"`
	WithReadiness    int      `json:"withReadiness"`
	WithRequests     int      `json:"withRequests"`
	WithoutLiveness  []string `json:"withoutLiveness"`
	WithoutReadiness []string `json:"withoutReadiness"`
	WithoutRequests  []string `json:"withoutRequests"`
	MultiReplica     int      `json:"multiReplica"` // workloads, or instances, with two replicas or more
	Several          []string `json:"several"`      // these
	Rolling          []string `json:"rolling"`      // workloads with strategy RollingUpdate
	OnDelete         []string `json:"onDelete"`
	Recreate         []string `json:"recreate"` // strategy Recreate with two replicas or more
	RolePods         []string `json:"rolePods"` // pods labelled with a role
	MetricsPorts     []string `json:"metricsPorts"`
	Spread           []string `json:"spread"`         // workloads with anti-affinity or spread constraints
	Scattered        []string `json:"scattered"`      // without, but on several nodes all the same
	ImagesFromSpec   bool     `json:"imagesFromSpec"` // a pod's image is the one the CR or the operator's environment names
	Images           []string `json:"images"`
	ImageEnvUsed     []string `json:"imageEnvUsed"`
}

// Disruption are PodDisruptionBudgets of the operand.
type Disruption struct {
	ByOperator []string `json:"byOperator"` // owned by an instance, or written by the operator and selecting its pods
	ByOthers   []string `json:"byOthers"`
	Guarding   int      `json:"guarding"` // of ByOperator, with expectedPods over 0
}

// Autoscalers scale the operand.
type Autoscalers struct {
	ByOperator []string `json:"byOperator"`
	ByOthers   []string `json:"byOthers"`
	OnResource []string `json:"onResource"` // of ByOperator: CPU or memory only
	OnMetric   []string `json:"onMetric"`   // of ByOperator: other metrics
	Scaled     []string `json:"scaled"`     // of ByOperator: lastScaleTime set
	Failing    []string `json:"failing"`
	VPAAuto    []string `json:"vpaAuto"` // of ByOperator: VPAs that apply
}

// Events on instances, reported by the operator. Leader election does not count.
type Events struct {
	Count     int      `json:"count"`
	Reporters []string `json:"reporters"`
	Reasons   []string `json:"reasons"`
	Warnings  int      `json:"warnings"`
	Normals   int      `json:"normals"`
	Healing   []string `json:"healing"`
	Failover  []string `json:"failover"`
}

// Monitors scrape the operand.
type Monitors struct {
	// KindsInstalled: the cluster has a monitor kind at all.
	KindsInstalled bool     `json:"kindsInstalled"`
	ByOperator     []string `json:"byOperator"` // owned by an instance or written by the operator
	ByOthers       []string `json:"byOthers"`   // select the operand
	Broken         []string `json:"broken"`
	Annotated      []string `json:"annotated"` // operand pods with prometheus.io/scrape
}

// Alerts are alerting rules.
type Alerts struct {
	ByOperator   []string `json:"byOperator"`   // rule objects owned by an instance or written by the operator
	ByRelease    []string `json:"byRelease"`    // rule objects of the operator's own package
	Count        int      `json:"count"`        // alerts in ByOperator and ByRelease
	OperandCount int      `json:"operandCount"` // of these, about the operand
	WithSeverity int      `json:"withSeverity"`
	Critical     int      `json:"critical"`
	WithRunbook  int      `json:"withRunbook"`
	WithSummary  int      `json:"withSummary"`
	Anomaly      []string `json:"anomaly"` // alerts that use statistics over time
}

// Backups are sibling kinds that stand for backups of this kind, and runs.
type Backups struct {
	// Kinds of the same operator that back up instances of this one (they
	// refer to it); products do not count.
	Kinds         []string `json:"kinds"`
	RestoreKinds  []string `json:"restoreKinds"`
	Instances     int      `json:"instances"`
	Completed     []string `json:"completed"`
	Failed        []string `json:"failed"`
	Jobs          []string `json:"jobs"` // owned CronJobs and Jobs named for backups
	JobsSucceeded []string `json:"jobsSucceeded"`
	StatusReports []string `json:"statusReports"` // status fields that tell of a finished backup
	Restored      []string `json:"restored"`      // restores that finished, or instances made from a backup
}

// Upgrade compares the operator's rollouts with what it looks after.
type Upgrade struct {
	// OperatorRolled: the operator was rolled out again after its install.
	OperatorRolled bool `json:"operatorRolled"`
	// Survivors are operand pods older than the newest rollout, of ready instances.
	Survivors []string `json:"survivors"`
	// Unjudged are such pods of instances that are not ready.
	Unjudged []string `json:"unjudged"`
	// CRSurvivors are instances older than the newest rollout, ready after it.
	CRSurvivors []string `json:"crSurvivors"`
	Broken      []string `json:"broken"` // instances not ready since half an hour after the rollout at most
}
