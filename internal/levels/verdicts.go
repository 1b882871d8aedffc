package levels

// Status is the outcome of a level. The zero value is unknown.
type Status string

const (
	LevelUnknown       Status = "unknown"
	LevelProven        Status = "proven"
	LevelIndicated     Status = "indicated"
	LevelPartial       Status = "partial"
	LevelNotShown      Status = "not-shown"
	LevelRefuted       Status = "refuted"
	LevelNotApplicable Status = "not-applicable"
)

// Check is the verdict of one criterion for an operator.
type Check struct {
	ID        string  `json:"id"`
	Title     string  `json:"title,omitempty"`
	Level     int     `json:"level"` // 0: hygiene
	Essential bool    `json:"essential"`
	Verdict   Verdict `json:"verdict"`
	Grade     Grade   `json:"grade,omitempty"`
	Stale     bool    `json:"stale"`
	// CRD is the CRD that the verdict was taken from; "" for the operator as a whole.
	CRD      string   `json:"crd,omitempty"`
	Because  string   `json:"because"`
	Evidence []string `json:"evidence"`
	// Unseen are the facets that make it unknown, with reasons.
	Unseen []string `json:"unseen,omitempty"`
	Why    string   `json:"why,omitempty"`
	Fix    string   `json:"fix,omitempty"`
	Docs   string   `json:"docs,omitempty"`
	Source string   `json:"source"` // builtin, or the file of a layer
	// PerCRD are the verdicts of single CRDs, where they differ from Verdict.
	PerCRD []CRDVerdict `json:"perCRD,omitempty"`
}

// CRDVerdict is the verdict of a criterion for one CRD.
type CRDVerdict struct {
	CRD     string  `json:"crd"`
	Verdict Verdict `json:"verdict"`
	Stale   bool    `json:"stale,omitempty"`
	Because string  `json:"because"`
}

// Verdict of a criterion. The zero value is unknown.
type Verdict string

const (
	Unknown       Verdict = "unknown"
	Proven        Verdict = "proven"
	Indicated     Verdict = "indicated"
	Refuted       Verdict = "refuted"
	NotObserved   Verdict = "not-observed"
	NotApplicable Verdict = "not-applicable"
)

// Grade of the evidence behind a verdict, weakest first: declared, api,
// granted, present, observed.
type Grade string

const (
	Declared Grade = "declared"
	API      Grade = "api"
	Granted  Grade = "granted"
	Present  Grade = "present"
	Observed Grade = "observed"
)

// Finding is something that somebody should look at.
type Finding struct {
	ID       string   `json:"id"`       // of a criterion, or of a finding
	Severity string   `json:"severity"` // critical, warning, info
	Detail   string   `json:"detail"`
	Objects  []string `json:"objects"`
}

// SharedAPI is an API with several implementers.
type SharedAPI struct {
	Name         string   `json:"name"`
	CRDs         []CRD    `json:"crds"`
	Implementers []string `json:"implementers"`
	Signals      []Signal `json:"signals,omitempty"`
}

// AggregatedAPI is a group version served by an extension API server.
type AggregatedAPI struct {
	Name      string `json:"name"`
	Service   string `json:"service"`
	Available bool   `json:"available"`
	Detail    string `json:"detail,omitempty"`
	Operator  string `json:"operator,omitempty"`
	// Kinds that it serves; empty when they are not known.
	Kinds []string `json:"kinds"`
}

// LevelNames are the names of the five capability levels, by number.
var LevelNames = [6]string{"", "Basic Install", "Seamless Upgrades", "Full Lifecycle", "Deep Insights", "Auto Pilot"}
