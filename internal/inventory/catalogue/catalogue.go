// Package catalogue reads rules/operators: what is known in general about
// named operators. It names and explains; it never awards a level.
package catalogue

// Operator is one entry, one file. docs/writing-catalogue.md says what each key
// means.
type Operator struct {
	Name          string   `yaml:"name" json:"name,omitempty"`
	Title         string   `yaml:"title" json:"title,omitempty"`
	Aliases       []string `yaml:"aliases" json:"aliases,omitempty"`
	Homepage      string   `yaml:"homepage" json:"homepage,omitempty"`
	Description   string   `yaml:"description" json:"description,omitempty"`
	Groups        []string `yaml:"groups" json:"groups,omitempty"`
	GroupSuffixes []string `yaml:"groupSuffixes" json:"groupSuffixes,omitempty"`
	CRDs          []string `yaml:"crds" json:"crds,omitempty"`
	SharesGroups  []string `yaml:"sharesGroups" json:"sharesGroups,omitempty"`
	Generates     []string `yaml:"generates" json:"generates,omitempty"`
	Workloads     []string `yaml:"workloads" json:"workloads,omitempty"`
	// Controllers are those of Workloads that reconcile its CRDs, where
	// others have rights on them too.
	Controllers []string   `yaml:"controllers" json:"controllers,omitempty"`
	Images      []string   `yaml:"images" json:"images,omitempty"`
	Managers    []string   `yaml:"managers" json:"managers,omitempty"`
	Archetype   string     `yaml:"archetype" json:"archetype,omitempty"`
	NoCRDs      bool       `yaml:"noCRDs" json:"noCRDs,omitempty"`
	External    []Platform `yaml:"external" json:"external,omitempty"`
	Products    []string   `yaml:"products" json:"products,omitempty"`
	// MainKinds are what people install the operator for, as Kind.group: where
	// nothing exists yet, reports speak of them rather than of a lesser kind.
	MainKinds     []string      `yaml:"mainKinds" json:"mainKinds,omitempty"`
	StatusProxies []StatusProxy `yaml:"statusProxies" json:"statusProxies,omitempty"`
	DataOnly      []string      `yaml:"dataOnly" json:"dataOnly,omitempty"`
	Claimed       *Claim        `yaml:"claimed" json:"claimed,omitempty"`
	Domain        string        `yaml:"domain" json:"domain,omitempty"`
	Keywords      []string      `yaml:"keywords" json:"keywords,omitempty"`

	// Source is the file it was read from.
	Source string `yaml:"-" json:"source,omitempty"`
}

// Platform is a managed platform that runs the controller off the cluster.
type Platform struct {
	Platform string   `yaml:"platform" json:"platform,omitempty"`
	Groups   []string `yaml:"groups" json:"groups,omitempty"`
}

// StatusProxy names the kind that tells the readiness of another: Kind.group.
type StatusProxy struct {
	Kind  string `yaml:"kind" json:"kind,omitempty"`
	Proxy string `yaml:"proxy" json:"proxy,omitempty"`
}

// Claim is a capability level that somebody declared. It is no evidence.
type Claim struct {
	Level  int    `yaml:"level" json:"level,omitempty"`
	Name   string `yaml:"name" json:"name,omitempty"`
	Source string `yaml:"source" json:"source,omitempty"`
	Date   string `yaml:"date" json:"date,omitempty"`
}
