package review

// Subject is one operator under consideration, the variable `it` of the rules:
// one that runs on the cluster, or a candidate given as files. The json names
// are the names in expressions.
//
// Every struct but seen and levels is a facet: known whole or unknown whole,
// and named in Unseen when it is unknown; a criterion that reads an unknown
// facet is unknown. Seen are lower bounds, always known: use them to say that
// something is wrong, never that nothing is.
type Subject struct {
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// Source is "cluster", or the path of the candidate.
	Source    string   `json:"source"`
	Installed bool     `json:"installed"` // on the cluster, no candidate
	Archetype string   `json:"archetype"`
	Version   string   `json:"version"`
	Kinds     []string `json:"kinds"`
	// Stateful: it looks after volumes, by its children or its schema. It may
	// be unknown, like a facet.
	Stateful bool `json:"stateful"`

	Levels LevelsSeen `json:"levels"`
	Seen   Seen       `json:"seen"`

	Findings     Findings     `json:"findings"`
	Running      Running      `json:"running"`
	Use          Use          `json:"use"`
	API          API          `json:"api"`
	Rights       Rights       `json:"rights"`
	Scope        Scope        `json:"scope"`
	Webhooks     Webhooks     `json:"webhooks"`
	Deletion     Deletion     `json:"deletion"`
	Uninstall    Uninstall    `json:"uninstall"`
	Pod          Pod          `json:"pod"`
	Metrics      Metrics      `json:"metrics"`
	Alerts       Alerts       `json:"alerts"`
	Size         Size         `json:"size"`
	WriteBack    WriteBack    `json:"writeBack"`
	Dependencies Dependencies `json:"dependencies"`
	Conflicts    Conflicts    `json:"conflicts"`

	// Unseen names the facets that are unknown, with the reason.
	Unseen map[string]string `json:"unseen,omitempty"`
}

// LevelsSeen are the capability levels: by evidence, and as claimed.
type LevelsSeen struct {
	Proven      int    `json:"proven"`
	Indicated   int    `json:"indicated"`
	Possible    int    `json:"possible"`
	Claimed     int    `json:"claimed"` // 0: nobody claims one
	ClaimSource string `json:"claimSource,omitempty"`
	// Statuses are those of the levels 1 to 5, each on its own.
	Statuses []string `json:"statuses"`
	// Critical are its critical findings.
	Critical []string `json:"critical"`
}

// Seen are lower bounds: what was surely seen, even where not everything was.
type Seen struct {
	Instances        int      `json:"instances"`
	Ready            int      `json:"ready"`
	Stuck            []string `json:"stuck"`
	LatentDeadlock   int      `json:"latentDeadlock"`
	StoredNotServed  []string `json:"storedNotServed"`
	ConversionBroken []string `json:"conversionBroken"`
	Everything       []string `json:"everything"` // roles that allow everything
	Privileged       []string `json:"privileged"`
}

// Findings are what a scan found wrong, known only if everything was seen that
// a critical one rests on; levels.critical is the lower bound.
type Findings struct {
	Critical []string `json:"critical"`
}

// Running is whether it runs.
type Running struct {
	State    string   `json:"state"`
	Why      string   `json:"why,omitempty"`
	Ready    int      `json:"ready"`
	Desired  int      `json:"desired"`
	Restarts int      `json:"restarts"`
	Waiting  []string `json:"waiting"`
}

// Use is how many custom resources there are.
type Use struct {
	Instances int `json:"instances"`
	Ready     int `json:"ready"`
	NotReady  int `json:"notReady"`
	Unknown   int `json:"unknown"`
}

// API is how stable its API is. Lists name CRDs, with the version where one
// is meant.
type API struct {
	CRDs               int      `json:"crds"`
	AlphaOnly          []string `json:"alphaOnly"`
	Deprecated         []string `json:"deprecated"`
	UnflaggedOld       []string `json:"unflaggedOld"`
	StoredNotServed    []string `json:"storedNotServed"`
	ConversionWebhooks []string `json:"conversionWebhooks"`
	ConversionBroken   []string `json:"conversionBroken"`
	// UnconvertedSchemas serve versions that differ, without a conversion.
	UnconvertedSchemas []string `json:"unconvertedSchemas"`
	NoStatus           []string `json:"noStatus"`
	NoConditions       []string `json:"noConditions"`
	NoSchema           []string `json:"noSchema"` // or one that says nothing
	// TakenAsData have no status in their schema, and nobody was seen to write
	// one: they may be made to be read only, or just not tell how they are.
	TakenAsData      []string `json:"takenAsData"`
	CreatedAtRunTime []string `json:"createdAtRunTime"`
}

// Rights is the breadth of its RBAC.
type Rights struct {
	Found       bool     `json:"found"`
	ClusterWide bool     `json:"clusterWide"`
	Everything  []string `json:"everything"`
	Escalates   []string `json:"escalates"`
	Secrets     []string `json:"secrets"` // every Secret of the cluster
	Wildcards   []string `json:"wildcards"`
	Dangerous   []string `json:"dangerous"` // exec in pods, nodes/proxy, webhook configurations
	Void        []string `json:"void"`      // names resources that do not exist
	Writes      int      `json:"writes"`    // resources it may write by name
	// WritesEverywhere are those of Writes that it may write in every namespace.
	WritesEverywhere int      `json:"writesEverywhere"`
	Worst            []string `json:"worst"` // of all of these, the worst first
}

// Scope is where it works.
type Scope struct {
	NamespacedCRDs int      `json:"namespacedCRDs"`
	ClusterCRDs    int      `json:"clusterCRDs"`
	Restrictable   []string `json:"restrictable"` // flags and variables that restrict it to namespaces
}

// Webhooks are its admission webhooks.
type Webhooks struct {
	Count                int      `json:"count"`
	FailClosed           []string `json:"failClosed"`
	FailOpen             []string `json:"failOpen"`
	FailClosedEverywhere []string `json:"failClosedEverywhere"`
	Broken               []string `json:"broken"`
	// OneReplica are the workloads behind them that have one replica.
	OneReplica []string `json:"oneReplica"`
}

// Deletion is what happens when its resources are deleted.
type Deletion struct {
	Finalizers     []string `json:"finalizers"`
	Stuck          []string `json:"stuck"`
	LatentDeadlock int      `json:"latentDeadlock"`
}

// Uninstall is what happens to its CRDs, and with them to every custom
// resource, when the release is removed.
type Uninstall struct {
	Tool string `json:"tool"`
	// DeletedWithRelease are CRDs that belong to a Helm release and are not
	// kept; Kept are.
	DeletedWithRelease []string `json:"deletedWithRelease"`
	Kept               []string `json:"kept"`
	// Unguarded came with neither Helm nor OLM: as plain manifests, or by a
	// GitOps tool that may prune them.
	Unguarded []string `json:"unguarded"`
}

// Pod is how its controllers run. Lists name containers.
type Pod struct {
	Containers      int      `json:"containers"`
	Privileged      []string `json:"privileged"` // privileged, or in namespaces of the host
	MayRunAsRoot    []string `json:"mayRunAsRoot"`
	WritableRoot    []string `json:"writableRoot"`
	MayEscalate     []string `json:"mayEscalate"`
	WithoutRequests []string `json:"withoutRequests"`
	WithoutLimits   []string `json:"withoutLimits"` // no memory limit
	Unpinned        []string `json:"unpinned"`      // no tag, or latest
	ByTag           []string `json:"byTag"`         // a tag, no digest
	DefaultAccount  []string `json:"defaultAccount"`
}

// Metrics is whether it can be watched.
type Metrics struct {
	Declared            bool     `json:"declared"`
	Scraped             bool     `json:"scraped"`
	Disabled            bool     `json:"disabled"`
	Broken              []string `json:"broken"`
	MonitoringInstalled bool     `json:"monitoringInstalled"`
}

// Alerts are the alerting rules that it brings.
type Alerts struct {
	Count   int      `json:"count"`
	Objects []string `json:"objects"`
}

// Size is that of its CRDs: over 262,144 bytes `kubectl apply` cannot write
// its annotation, so they need server-side apply.
type Size struct {
	Largest      string   `json:"largest"`
	LargestBytes int      `json:"largestBytes"`
	OverLimit    []string `json:"overLimit"`
}

// ApplyLimit is the size in bytes of all annotations of an object together.
const ApplyLimit = 262144

// WriteBack are fields of spec that the controller writes: every GitOps tool
// then sees a difference.
type WriteBack struct {
	Fields []string `json:"fields"`
}

// Dependencies are foreign API groups that its RBAC names.
type Dependencies struct {
	Present []string `json:"present"`
	Absent  []string `json:"absent"`
}

// Conflicts are names that are taken on the cluster.
type Conflicts struct {
	// CRDs are there already, of another operator.
	CRDs []string `json:"crds"`
	// Names are plurals, singulars and short names that CRDs of other groups,
	// or Kubernetes itself, have.
	Names []string `json:"names"`
	// Installed: the same operator is on the cluster already, in this version.
	Installed string `json:"installed,omitempty"`
}
