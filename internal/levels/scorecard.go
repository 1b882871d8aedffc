package levels

import (
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// Scorecard is the result of a scan: data only, and the JSON output. Its
// field names are a contract; a new field may come, none changes its meaning.
type Scorecard struct {
	APIVersion string `json:"apiVersion"` // operator-maturity/v1
	Kind       string `json:"kind"`       // Scorecard
	// Taken is the server's clock at the scan; of files the newest time in them.
	Taken     time.Time        `json:"taken"`
	Source    inventory.Source `json:"source"`
	Coverage  Coverage         `json:"coverage"`
	Operators []Operator       `json:"operators"`
	// Unattributed are CRDs of nobody.
	Unattributed   []CRD           `json:"unattributed"`
	SharedAPIs     []SharedAPI     `json:"sharedAPIs"`
	AggregatedAPIs []AggregatedAPI `json:"aggregatedAPIs"`
	// Findings are those that belong to no operator.
	Findings []Finding `json:"findings"`
}

// Coverage says what was looked at, and what could not be.
type Coverage struct {
	// Complete: every list that was asked for was read whole.
	Complete  bool       `json:"complete"`
	Resources []Resource `json:"resources"`
}

// Resource is the outcome of one list.
type Resource = inventory.Access

// Operator is the score of one operator.
type Operator struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// Archetype: workload, api-objects, external, policy, data-only.
	Archetype    string `json:"archetype"`
	ArchetypeWhy string `json:"archetypeWhy"`
	// Version is what runs, by the image, the chart or the package; "" if it
	// could not be told.
	Version   string   `json:"version"`
	Namespace string   `json:"namespace,omitempty"` // of its controllers
	Identity  Identity `json:"identity"`
	// State is that of its controllers together: running, degraded, down,
	// absent, external, declared, unknown.
	State       string       `json:"state"`
	Controllers []Controller `json:"controllers"`
	// Companions are further workloads of the same release.
	Companions []Controller `json:"companions,omitempty"`
	CRDs       []CRD        `json:"crds"`
	Metrics    []Metrics    `json:"metrics"`
	Manages    []Managed    `json:"manages"`

	// Level is the highest L with levels 1..L all proven; LevelIndicated
	// counts indicated ones too, LevelPossible also unknown ones.
	Level          int `json:"level"`
	LevelIndicated int `json:"levelIndicated"`
	LevelPossible  int `json:"levelPossible"`
	// SDKLevel is the reading of the official text, which keeps operators
	// without a workload of their own at level 1.
	SDKLevel     int     `json:"sdkLevel"`
	LevelClaimed *Claim  `json:"levelClaimed,omitempty"`
	Levels       []Level `json:"levels"`

	Checks   []Check   `json:"checks"`
	Findings []Finding `json:"findings"`
}

// Identity is why the operator is called what it is called.
type Identity struct {
	Confidence string   `json:"confidence"` // high, medium, low, ambiguous
	Candidates []string `json:"candidates,omitempty"`
	Signals    []Signal `json:"signals"`
}

// Signal is a piece of evidence with the object it was read from.
type Signal struct {
	Signal string `json:"signal"`
	CRD    string `json:"crd,omitempty"`
	Object string `json:"object,omitempty"`
	Detail string `json:"detail"`
}

// Controller is a workload of the operator.
type Controller struct {
	Kind      string   `json:"kind"`
	Namespace string   `json:"namespace"`
	Name      string   `json:"name"`
	State     string   `json:"state"`
	Why       string   `json:"why,omitempty"`
	Ready     int      `json:"ready"`
	Desired   int      `json:"desired"`
	Signals   []Signal `json:"signals"`
}

// CRD is one row of the crds command.
type CRD struct {
	Name              string   `json:"name"`
	Kind              string   `json:"kind"`
	Scope             string   `json:"scope"`
	Versions          []string `json:"versions"` // served
	StorageVersion    string   `json:"storageVersion"`
	Deprecated        []string `json:"deprecatedVersions,omitempty"`
	StatusSubresource bool     `json:"statusSubresource"`
	// Instances is the number of custom resources seen; InstancesComplete is
	// false when more exist or may exist, and InstancesUnseen says why.
	Instances         int    `json:"instances"`
	InstancesComplete bool   `json:"instancesComplete"`
	InstancesUnseen   string `json:"instancesUnseen,omitempty"`
	// Ready, NotReady and ReadinessUnknown count the instances by their own
	// conditions.
	Ready            int `json:"ready"`
	NotReady         int `json:"notReady"`
	ReadinessUnknown int `json:"readinessUnknown"`
	// Conditions: observed (on instances), schema, none, unknown.
	Conditions     string   `json:"conditions"`
	ConditionTypes []string `json:"conditionTypes,omitempty"`
	Finalizers     []string `json:"finalizers"`
	Deleting       int      `json:"deleting"`
	Controllers    []string `json:"controllers"`
	// ControllerState: running, degraded, down, absent, external, declared, unknown, not-needed.
	ControllerState string           `json:"controllerState"`
	ControllerWhy   string           `json:"controllerWhy,omitempty"`
	Confidence      string           `json:"confidence,omitempty"`
	Candidates      []string         `json:"candidates,omitempty"`
	DataOnly        bool             `json:"dataOnly,omitempty"`
	Orphaned        bool             `json:"orphaned,omitempty"`
	OwnerReferences *OwnerReferences `json:"ownerReferences,omitempty"` // left out: children could not be looked at
	Children        int              `json:"children"`
	LastStatusWrite string           `json:"lastStatusWrite,omitempty"` // RFC 3339
	StatusManager   string           `json:"statusManager,omitempty"`
	Signals         []Signal         `json:"signals,omitempty"`
}

// OwnerReferences counts the children of a CRD's instances by the state of
// their owner references.
type OwnerReferences struct {
	Children       int `json:"children"`
	Valid          int `json:"valid"`
	Dangling       int `json:"dangling"`
	CrossNamespace int `json:"crossNamespace"`
}

// Metrics is one chain from a metrics port to its scraper.
type Metrics struct {
	Workload string `json:"workload"`
	Port     string `json:"port"`
	Service  string `json:"service"`
	Monitor  string `json:"monitor"`
	Broken   string `json:"broken"` // why the chain ends; "" when it does not
}

// Managed is a kind that the operator makes and looks after.
type Managed struct {
	Kind     string `json:"kind"`
	Group    string `json:"group"`
	Observed int    `json:"observed"` // children of this kind
	Granted  bool   `json:"granted"`  // its RBAC lets it write the kind
}

// Claim is the level that somebody declared. It is no evidence.
type Claim struct {
	Level  int    `json:"level"`
	Name   string `json:"name"`
	Source string `json:"source"`
}

// Level is the outcome of one level.
type Level struct {
	Level  int    `json:"level"`
	Name   string `json:"name"`
	Status Status `json:"status"`
	// Why is the reason for not-applicable.
	Why        string `json:"why,omitempty"`
	Essential  Counts `json:"essential"`
	Supporting Counts `json:"supporting"`
	// Blocking are the ids of essential criteria that keep it from proven.
	Blocking []string `json:"blocking"`
}

// Counts of criteria: Total leaves the not-applicable out.
type Counts struct {
	Met     int `json:"met"` // proven or indicated
	Total   int `json:"total"`
	Unknown int `json:"unknown"`
}
