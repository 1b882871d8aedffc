// Package catalogue reads rules/operators: what is known in general about
// named operators. It names and explains; it never awards a level.
package catalogue

// Operator is one entry, one file. See the README of rules/operators for what
// each key means.
type Operator struct {
	Name          string   `yaml:"name"`
	Title         string   `yaml:"title"`
	Aliases       []string `yaml:"aliases"`
	Homepage      string   `yaml:"homepage"`
	Description   string   `yaml:"description"`
	Groups        []string `yaml:"groups"`
	GroupSuffixes []string `yaml:"groupSuffixes"`
	CRDs          []string `yaml:"crds"`
	SharesGroups  []string `yaml:"sharesGroups"`
	Generates     []string `yaml:"generates"`
	Workloads     []string `yaml:"workloads"`
	// Controllers are those of Workloads that reconcile its CRDs, where
	// others have rights on them too.
	Controllers   []string      `yaml:"controllers"`
	Images        []string      `yaml:"images"`
	Managers      []string      `yaml:"managers"`
	Archetype     string        `yaml:"archetype"`
	NoCRDs        bool          `yaml:"noCRDs"`
	External      []Platform    `yaml:"external"`
	Products      []string      `yaml:"products"`
	StatusProxies []StatusProxy `yaml:"statusProxies"`
	DataOnly      []string      `yaml:"dataOnly"`
	Claimed       *Claim        `yaml:"claimed"`
	Domain        string        `yaml:"domain"`
	Keywords      []string      `yaml:"keywords"`

	// Source is the file it was read from.
	Source string `yaml:"-"`
}

// Platform is a managed platform that runs the controller off the cluster.
type Platform struct {
	Platform string   `yaml:"platform"`
	Groups   []string `yaml:"groups"`
}

// StatusProxy names the kind that tells the readiness of another: Kind.group.
type StatusProxy struct {
	Kind  string `yaml:"kind"`
	Proxy string `yaml:"proxy"`
}

// Claim is a capability level that somebody declared. It is no evidence.
type Claim struct {
	Level  int    `yaml:"level"`
	Name   string `yaml:"name"`
	Source string `yaml:"source"`
	Date   string `yaml:"date"`
}
