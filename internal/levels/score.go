package levels

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/facts"
)

// Score judges every operator and puts everything that was found into one
// Scorecard. observed holds the facts of the operators; those of shared APIs
// and of the CRDs of nobody may stand there too (see facts.All).
//
// The result does not depend on the order of what is given, and nothing given
// is changed.
func Score(s *inventory.Snapshot, a *attribution.Result, observed []facts.Operator, rules *Rules) *Scorecard {
	sc := newScoring(s, a, observed)
	card := &Scorecard{
		APIVersion: "operator-maturity/v1", Kind: "Scorecard",
		Taken: s.Taken, Source: s.Source, Coverage: coverage(s),
		Unattributed: sc.crds(a.Unattributed),
		SharedAPIs:   []SharedAPI{}, AggregatedAPIs: []AggregatedAPI{},
	}
	card.Operators = make([]Operator, len(a.Operators))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range a.Operators {
		work.Go(func() error {
			card.Operators[i] = sc.operator(&a.Operators[i], rules)
			return nil
		})
	}
	_ = work.Wait()
	for i := range a.SharedAPIs {
		card.SharedAPIs = append(card.SharedAPIs, sc.sharedAPI(&a.SharedAPIs[i]))
	}
	for i := range a.Aggregated {
		card.AggregatedAPIs = append(card.AggregatedAPIs, aggregatedAPI(&a.Aggregated[i]))
	}
	slices.SortFunc(card.Operators, func(a, b Operator) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(card.SharedAPIs, func(a, b SharedAPI) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(card.AggregatedAPIs, func(a, b AggregatedAPI) int { return cmp.Compare(a.Name, b.Name) })
	card.Findings = sortFindings(append(sc.orphans(card), sc.strayFindings(rules)...))
	return card
}

// scoring is what the parts of a Scorecard are looked up in.
type scoring struct {
	snapshot  *inventory.Snapshot
	operators map[string]*facts.Operator
	strays    []*facts.Operator // shared APIs and the CRDs of nobody
	crdFacts  map[string]*facts.CRD
	crdByName map[string]*inventory.CRD
	instances func() map[string][]*inventory.Object // by CRD, for those without facts
	kinds     kindNames
}

func newScoring(s *inventory.Snapshot, a *attribution.Result, observed []facts.Operator) *scoring {
	sc := &scoring{
		snapshot:  s,
		operators: make(map[string]*facts.Operator, len(observed)),
		crdFacts:  map[string]*facts.CRD{},
		crdByName: make(map[string]*inventory.CRD, len(s.CRDs)),
	}
	owners := ownersOf(a)
	for i := range observed {
		op := &observed[i]
		if owners.has(op) {
			sc.operators[op.Name] = op
		} else {
			sc.strays = append(sc.strays, op)
		}
		for j := range op.CRDs {
			sc.crdFacts[op.CRDs[j].Name] = &op.CRDs[j]
		}
	}
	for i := range s.CRDs {
		sc.crdByName[s.CRDs[i].Name] = &s.CRDs[i]
	}
	sc.instances = sync.OnceValue(func() map[string][]*inventory.Object { return instancesOf(s) })
	sc.kinds = kindsOf(s)
	return sc
}

// owners are the operators of an attribution: by name, and by CRD.
type owners struct {
	names map[string]bool
	crds  map[string]string
}

func ownersOf(a *attribution.Result) owners {
	o := owners{names: map[string]bool{}, crds: map[string]string{}}
	for i := range a.Operators {
		o.names[a.Operators[i].Name] = true
		for j := range a.Operators[i].CRDs {
			o.crds[a.Operators[i].CRDs[j].Name] = a.Operators[i].Name
		}
	}
	return o
}

// has tells whether facts are those of an operator, and not those of a shared
// API that happens to have its name.
func (o owners) has(op *facts.Operator) bool {
	return o.names[op.Name] && (len(op.CRDs) == 0 || o.crds[op.CRDs[0].Name] == op.Name)
}

// operator is the score of one operator. Without facts everything that would
// rest on them is unknown.
func (sc *scoring) operator(a *attribution.Operator, rules *Rules) Operator {
	op := sc.operators[a.Name]
	if op == nil {
		op = unobserved(a)
	}
	found := rules.assess(op)
	o := Operator{
		Name: a.Name, Archetype: op.Archetype, ArchetypeWhy: op.ArchetypeWhy,
		Version: or(a.Version, op.Packaging.Version), Namespace: namespaceOf(a),
		Identity: Identity{
			Confidence: string(a.Confidence), Candidates: a.Candidates, Signals: signals(a.Signals),
		},
		State: stateOf(op, a), Controllers: controllers(a.Controllers), CRDs: sc.crds(a.CRDs),
		Metrics: metrics(op), Manages: sc.manages(op),
		Level: found.level, LevelIndicated: found.indicated, LevelPossible: found.possible, SDKLevel: found.sdk,
		LevelClaimed: claim(op, a), Levels: found.levels,
		Checks: found.checks, Findings: found.findings,
	}
	if a.Entry != nil {
		o.Title = a.Entry.Title
	}
	if len(a.Companions) > 0 {
		o.Companions = controllers(a.Companions)
	}
	return o
}

// unobserved stands for an operator that nobody has looked at: every facet is
// unseen, since its zero values must not be taken for what is there.
func unobserved(a *attribution.Operator) *facts.Operator {
	op := &facts.Operator{Name: a.Name, HasCRDs: len(a.CRDs) > 0, Live: true, Unseen: allUnseen[facts.Operator]("not observed")}
	if a.Entry != nil {
		op.InCatalogue, op.Archetype = true, a.Entry.Archetype
	}
	for i := range a.CRDs {
		op.CRDs = append(op.CRDs, facts.CRD{
			Name: a.CRDs[i].Name, DataOnly: a.CRDs[i].DataOnly, Unseen: allUnseen[facts.CRD]("not observed"),
		})
	}
	return op
}

// stateOf is the state of an operator's controllers together.
func stateOf(op *facts.Operator, a *attribution.Operator) string {
	if op.Controllers.State != "" {
		return op.Controllers.State
	}
	if a.External != "" {
		return string(attribution.External)
	}
	best := attribution.Unknown
	for _, state := range []attribution.State{attribution.Running, attribution.Degraded, attribution.Declared, attribution.Down, attribution.Absent} {
		if slices.ContainsFunc(a.Controllers, func(c attribution.Controller) bool { return c.State == state }) {
			best = state
			break
		}
	}
	return string(best)
}

// namespaceOf is where an operator is installed: that of its release, else of
// its first controller.
func namespaceOf(a *attribution.Operator) string {
	if a.Release != nil && a.Release.Namespace != "" {
		return a.Release.Namespace
	}
	namespace := ""
	for i := range a.Controllers {
		if n := a.Controllers[i].Workload.Namespace; namespace == "" || n < namespace {
			namespace = n
		}
	}
	return namespace
}

func controllers(list []attribution.Controller) []Controller {
	out := make([]Controller, 0, len(list))
	for i := range list {
		c := &list[i]
		out = append(out, Controller{
			Kind: c.Workload.Kind, Namespace: c.Workload.Namespace, Name: c.Workload.Name,
			State: string(c.State), Why: c.Why, Ready: int(c.Workload.Ready), Desired: int(c.Workload.Desired),
			Signals: signals(c.Signals),
		})
	}
	slices.SortFunc(out, func(a, b Controller) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name))
	})
	return out
}

func signals(list []attribution.Signal) []Signal {
	out := make([]Signal, 0, len(list))
	for _, s := range list {
		out = append(out, Signal(s))
	}
	return out
}

func metrics(op *facts.Operator) []Metrics {
	out := make([]Metrics, 0, len(op.Metrics.Endpoints))
	for _, e := range op.Metrics.Endpoints {
		out = append(out, Metrics(e))
	}
	slices.SortFunc(out, func(a, b Metrics) int {
		return cmp.Or(strings.Compare(a.Workload, b.Workload), strings.Compare(a.Port, b.Port),
			strings.Compare(a.Service, b.Service), strings.Compare(a.Monitor, b.Monitor))
	})
	return out
}

// claim is the level that the installed package says, else what the catalogue
// knows of it.
func claim(op *facts.Operator, a *attribution.Operator) *Claim {
	if level := op.Packaging.ClaimedLevel; level > 0 && level < len(LevelNames) {
		return &Claim{Level: level, Name: LevelNames[level], Source: or(op.Packaging.ClaimedSource, "package")}
	}
	if a.Entry == nil || a.Entry.Claimed == nil {
		return nil
	}
	c := a.Entry.Claimed
	if c.Level < 1 || c.Level >= len(LevelNames) {
		return nil
	}
	source := "catalogue: " + c.Source
	if c.Date != "" {
		source += ", " + c.Date
	}
	return &Claim{Level: c.Level, Name: LevelNames[c.Level], Source: source}
}
