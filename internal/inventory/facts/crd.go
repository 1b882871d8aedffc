package facts

// CRD is the variable crd: one CRD of the operator `op`.
type CRD struct {
	// Always known.
	Name       string `json:"name"`
	Group      string `json:"group"`
	Kind       string `json:"kind"`
	Plural     string `json:"plural"`
	Namespaced bool   `json:"namespaced"`
	// DataOnly: nobody writes a status for it by design.
	DataOnly bool `json:"dataOnly"`
	// Product: the kind is what the operator is for (a Velero Backup, a KEDA
	// ScaledObject), so its existence is no capability.
	Product bool `json:"product"`
	// Main: the catalogue calls it what people install the operator for.
	Main bool `json:"main"`
	// Reconciled says who reconciles it. It is no facet: its state may be "unknown".
	Reconciled Reconciled `json:"reconciled"`
	Seen       Seen       `json:"seen"`

	// Facets.
	Schema         Schema         `json:"schema"`
	Versions       Versions       `json:"versions"`
	Controller     Rights         `json:"rights"`         // rbac: what its controllers may do with it
	Instances      Instances      `json:"instances"`      // the custom resources
	Children       Children       `json:"children"`       // objects owned by them; Secrets left out
	SecretChildren SecretChildren `json:"secretChildren"` // only on request
	Operand        Operand        `json:"operand"`        // workloads and pods among the children
	Disruption     Disruption     `json:"disruption"`     // PodDisruptionBudgets
	Autoscalers    Autoscalers    `json:"autoscalers"`    // HPA, VPA, ScaledObject
	Events         Events         `json:"events"`
	Monitors       Monitors       `json:"monitors"`
	Alerts         Alerts         `json:"alerts"`
	Backups        Backups        `json:"backups"`
	Upgrade        Upgrade        `json:"upgrade"`

	Unseen map[string]string `json:"-"`
}

// Reconciled is who reconciles the CRD.
type Reconciled struct {
	// State: running, degraded, down, absent, external, declared, unknown, not-needed.
	State       string   `json:"state"`
	Why         string   `json:"why"`
	Controllers []string `json:"controllers"`
	// Gone: the controller is known to be down or absent, so what is on the
	// cluster was left behind by it.
	Gone bool `json:"gone"`
	// StatusManager is the managedFields manager, no human tool, that wrote
	// status last, or where nobody did, a finalizer: Wrote says which of them.
	// StatusWritten is when (RFC 3339).
	StatusManager string `json:"statusManager"`
	StatusWritten string `json:"statusWritten"`
	Wrote         string `json:"wrote"` // "status", "a finalizer"
	// Writers are all such managers.
	Writers []string `json:"writers"`
	// OtherStatusWriters are managers that belong to another operator.
	OtherStatusWriters []string `json:"otherStatusWriters"`
}

// Seen are lower bounds: what was surely seen, even where a kind could not be
// read whole. Use them to prove, never to conclude that something is missing.
type Seen struct {
	Instances        int `json:"instances"`
	Ready            int `json:"ready"`
	Conditions       int `json:"conditions"` // instances with a well-formed condition
	Phases           int `json:"phases"`     // instances with a phase-like value
	Children         int `json:"children"`
	Events           int `json:"events"` // events by the operator on its instances
	OwnedPDBs        int `json:"ownedPDBs"`
	OwnedMonitors    int `json:"ownedMonitors"`
	OwnedAutoscalers int `json:"ownedAutoscalers"`
	OwnedAlerts      int `json:"ownedAlerts"`
	CompletedBackups int `json:"completedBackups"`
	ExternalIDs      int `json:"externalIDs"` // instances whose status names an external resource
	// Examples name objects for `because`, by the same words: "children", "events", ….
	Examples map[string]string `json:"examples"`
}

// Schema is the OpenAPI schema of the storage version. Lists are field paths.
type Schema struct {
	Present bool `json:"present"`
	// Opaque, SpecOpaque, StatusOpaque: the schema says nothing there, so what
	// it lacks proves nothing.
	Opaque             bool     `json:"opaque"`
	HasSpec            bool     `json:"hasSpec"`
	SpecOpaque         bool     `json:"specOpaque"`
	SpecLeaves         int      `json:"specLeaves"`
	SpecDescribed      int      `json:"specDescribed"`
	Constraints        int      `json:"constraints"`
	HasStatus          bool     `json:"hasStatus"`
	StatusOpaque       bool     `json:"statusOpaque"`
	StatusSubresource  bool     `json:"statusSubresource"`
	HasConditions      bool     `json:"hasConditions"`
	ConditionsListMap  bool     `json:"conditionsListMap"`
	ConditionsRequired bool     `json:"conditionsRequired"`
	PhaseField         string   `json:"phaseField"`
	PhaseEnum          []string `json:"phaseEnum"`
	ObservedGeneration bool     `json:"observedGeneration"`
	HasScale           bool     `json:"hasScale"`
	ScaleValid         bool     `json:"scaleValid"`
	PrinterColumns     int      `json:"printerColumns"`
	StatusColumns      int      `json:"statusColumns"` // printer columns that show a field of status

	VersionFields       []string `json:"versionFields"`
	ImageFields         []string `json:"imageFields"`
	BackupFields        []string `json:"backupFields"`
	RestoreFields       []string `json:"restoreFields"`
	ReplicaFields       []string `json:"replicaFields"`
	AutoscaleFields     []string `json:"autoscaleFields"`
	MonitoringFields    []string `json:"monitoringFields"`
	AlertFields         []string `json:"alertFields"`
	DisruptionFields    []string `json:"disruptionFields"`
	StrategyFields      []string `json:"strategyFields"`
	StorageFields       []string `json:"storageFields"`
	HealFields          []string `json:"healFields"`
	TuneFields          []string `json:"tuneFields"`
	PauseFields         []string `json:"pauseFields"`
	ResourceFields      []string `json:"resourceFields"`
	LivenessFields      []string `json:"livenessFields"`
	ReadinessFields     []string `json:"readinessFields"`
	SpreadFields        []string `json:"spreadFields"`
	ReferenceFields     []string `json:"referenceFields"`
	StatusVersionFields []string `json:"statusVersionFields"`
	StatusRoleFields    []string `json:"statusRoleFields"`
	StatusBackupFields  []string `json:"statusBackupFields"`
	StatusReplicaFields []string `json:"statusReplicaFields"`
	StatusHealFields    []string `json:"statusHealFields"`
	// UpgradePhases are values of PhaseEnum that speak of upgrades.
	UpgradePhases []string `json:"upgradePhases"`
	// ChangePhases are those of a change under way: Creating, InProgress.
	ChangePhases []string `json:"changePhases"`
	Bytes        int      `json:"bytes"`
}

// Versions are the versions of the CRD.
type Versions struct {
	Served  []string `json:"served"`
	Storage string   `json:"storage"`
	Stored  []string `json:"stored"` // status.storedVersions; empty for a file
	// StoredNotServed are stored versions that spec does not serve or have.
	StoredNotServed []string `json:"storedNotServed"`
	Deprecated      []string `json:"deprecated"`
	// UnflaggedOld are served alpha or beta versions beside a stable one, not marked deprecated.
	UnflaggedOld []string `json:"unflaggedOld"`
	AlphaOnly    bool     `json:"alphaOnly"`
	Conversion   string   `json:"conversion"` // None, Webhook
	// ConversionBroken says why the conversion webhook cannot answer; "" if it can or there is none.
	ConversionBroken string `json:"conversionBroken"`
	// DifferentSchemas: served versions differ in their fields.
	DifferentSchemas bool `json:"differentSchemas"`
	Established      bool `json:"established"` // or never on a server
	NonStructural    bool `json:"nonStructural"`
	NamesConflict    bool `json:"namesConflict"`
	Terminating      bool `json:"terminating"`
	// CreatedBy is the manager that created the CRD.
	CreatedBy         string `json:"createdBy"`
	CreatedByOperator bool   `json:"createdByOperator"`
}

// Rights is what the controllers' accounts may do with the CRD's resource.
type Rights struct {
	// Watch, Write, Status, Finalizers: granted by a rule that names the group.
	Watch      bool     `json:"watch"`
	Write      bool     `json:"write"`
	Status     bool     `json:"status"`
	Finalizers bool     `json:"finalizers"`
	ByWildcard bool     `json:"byWildcard"` // only rules with "*" grant it
	From       []string `json:"from"`       // roles
}

// Instances are the custom resources of the CRD. Counts are of those read.
type Instances struct {
	Count int `json:"count"`
	// Complete: all were read. False after sampling; then counts are of the sample.
	Complete bool `json:"complete"`
	Ready    int  `json:"ready"`
	NotReady int  `json:"notReady"`
	Unknown  int  `json:"unknown"` // readiness not expressed, or not to be understood
	Pending  int  `json:"pending"` // younger than the grace period, no status yet
	// Declared are custom resources of files that were never on a server: they
	// are in no other count.
	Declared int `json:"declared"`
	// NotReadyWhy says of instances that are not ready what tells so.
	NotReadyWhy []string `json:"notReadyWhy"`
	// NeverReconciled: old and without a status, of a kind whose status is
	// written, or whose controller is not there.
	NeverReconciled []string `json:"neverReconciled"`
	// Unanswered: without a status for over 10 minutes, of a kind whose status
	// nobody was ever seen to write although its schema promises one.
	Unanswered     []string `json:"unanswered"`
	WithStatus     int      `json:"withStatus"`
	WithConditions int      `json:"withConditions"` // at least one condition with type and status True, False or Unknown
	WithPhase      int      `json:"withPhase"`
	// WellFormed: instances all of whose conditions have reason, time and unique types.
	WellFormed     int      `json:"wellFormed"`
	Malformed      []string `json:"malformed"` // what is wrong, with the object
	ConditionTypes []string `json:"conditionTypes"`
	SummaryTypes   []string `json:"summaryTypes"` // Ready, Available, … among them
	// ChangeTypes are conditions such as Progressing, Reconciling, Updating, or phases like them.
	ChangeTypes      []string `json:"changeTypes"`
	UpgradeSigns     []string `json:"upgradeSigns"`
	UnsupportedSigns []string `json:"unsupportedSigns"`
	FailoverSigns    []string `json:"failoverSigns"`
	TracksGeneration int      `json:"tracksGeneration"` // observedGeneration set and current
	BehindGeneration []string `json:"behindGeneration"` // behind for over 10 minutes
	WithSpec         int      `json:"withSpec"`         // spec has fields set
	SetsVersion      int      `json:"setsVersion"`      // spec sets a version or image
	ReportsVersion   int      `json:"reportsVersion"`   // status tells a version
	ReportedVersions []string `json:"reportedVersions"`
	WithExternalID   int      `json:"withExternalID"` // status names an ARN, URL, endpoint, provider id
	Paused           int      `json:"paused"`
	Schedules        int      `json:"schedules"` // spec has a cron schedule
	// Finalizers on the instances, those of GitOps tools and of Kubernetes left out.
	Finalizers            []string `json:"finalizers"`
	UnqualifiedFinalizers []string `json:"unqualifiedFinalizers"`
	WithOperatorFinalizer int      `json:"withOperatorFinalizer"`
	Deleting              int      `json:"deleting"`
	Stuck                 []string `json:"stuck"` // deleting for over 15 minutes, or waiting for a controller that is gone
	// LatentDeadlock: instances with a finalizer whose controller is gone.
	LatentDeadlock      int      `json:"latentDeadlock"`
	ReadyButChildrenNot []string `json:"readyButChildrenNot"`
	// RenewedSigns: status shows a renewal (revision over 1, renewed certificate).
	RenewedSigns    []string `json:"renewedSigns"`
	TuneSigns       []string `json:"tuneSigns"`
	HealSigns       []string `json:"healSigns"`
	Oldest          string   `json:"oldest"`          // creation of the oldest, RFC 3339
	SpecWrittenBack []string `json:"specWrittenBack"` // spec fields the controller writes
}
