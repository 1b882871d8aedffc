package levels

import (
	"fmt"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// judgeOne loads a criterion with the given lines and checks it for op.
func judgeOne(t *testing.T, level int, lines string, op facts.Operator) (Check, []Finding) {
	t.Helper()
	yaml := fmt.Sprintf("level: %d\ncriteria:\n  - id: it\n    title: It\n    %s\n", level, strings.Join(strings.Split(strings.TrimSpace(lines), "\n"), "\n    "))
	if !strings.Contains(yaml, "because:") {
		yaml += "    because: crd.kind\n"
	}
	if !strings.Contains(yaml, "scope:") {
		yaml += "    scope: crd\n"
	}
	return mustLoad(t, yaml).rules[0].check(subjectsOf(&op))
}

func operator(crds ...facts.CRD) facts.Operator {
	for i := range crds {
		if crds[i].Name == "" {
			crds[i].Name = strings.ToLower(crds[i].Kind) + "s"
		}
	}
	return facts.Operator{Name: "it", Archetype: "workload", Live: true, HasCRDs: true, CRDs: crds}
}

// One CRD, of which children was not seen; product is true, dataOnly false.
// proven, refuted and indicated are yes, no, open (unknown) or "" (not given).
func TestOrderOfDecision(t *testing.T) {
	words := map[string]string{"yes": "crd.product", "no": "crd.dataOnly", "open": "crd.children.total > 0"}
	tests := []struct {
		proven, refuted, indicated string
		want                       Verdict
		unseen                     bool
	}{
		{"yes", "yes", "yes", Proven, false},
		{"yes", "open", "open", Proven, false},
		{"no", "yes", "yes", Refuted, false},
		{"no", "yes", "open", Refuted, false},
		{"", "yes", "", Refuted, false},
		{"open", "yes", "no", Unknown, true},
		{"open", "yes", "yes", Indicated, true},
		{"open", "no", "yes", Indicated, true},
		{"open", "no", "no", Unknown, true},
		{"open", "", "", Unknown, true},
		{"no", "open", "no", Unknown, true},
		{"no", "open", "yes", Indicated, true},
		{"no", "no", "yes", Indicated, false},
		{"no", "no", "open", Unknown, true},
		{"no", "no", "no", NotObserved, false},
		{"no", "", "", NotObserved, false},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprintf("%s,%s,%s", tt.proven, tt.refuted, tt.indicated), func(t *testing.T) {
			var lines []string
			for key, word := range map[string]string{"proven": tt.proven, "refuted": tt.refuted, "indicated": tt.indicated} {
				if word != "" {
					lines = append(lines, key+": "+words[word])
				}
			}
			check, _ := judgeOne(t, 1, strings.Join(lines, "\n"), operator(facts.CRD{
				Kind: "Widget", Product: true, Unseen: map[string]string{"children": "pods forbidden"},
			}))
			if check.Verdict != tt.want {
				t.Errorf("got %s, want %s: %s", check.Verdict, tt.want, check.Because)
			}
			if got := len(check.Unseen) > 0; got != tt.unseen {
				t.Errorf("unseen facets: %v", check.Unseen)
			}
		})
	}
}

func TestUnknownNamesFacetAndReason(t *testing.T) {
	op := operator(facts.CRD{Kind: "Widget", Unseen: map[string]string{"children": "pods forbidden"}})
	op.Unseen = map[string]string{"rbac": "roles forbidden"}
	check, _ := judgeOne(t, 1, "proven: crd.children.total > 0 || op.rbac.found", op)
	want := "could not look: crd.children: pods forbidden; op.rbac: roles forbidden"
	if check.Verdict != Unknown || check.Because != want {
		t.Errorf("%s: %s", check.Verdict, check.Because)
	}
}

// What does not depend on an unseen facet is decided.
func TestUnseenFacetDecidesOnlyWhatRestsOnIt(t *testing.T) {
	crd := facts.CRD{Kind: "Widget", Product: true, Unseen: map[string]string{"children": "pods forbidden"}}
	for expression, want := range map[string]Verdict{
		"crd.children.total > 0 || crd.product":                     Proven,
		"crd.product || crd.children.kinds.exists(k, k.count > 1)":  Proven,
		"crd.children.total > 0 && crd.dataOnly":                    NotObserved,
		"crd.children.kinds.exists(k, k.count > 1)":                 Unknown,
		"size(crd.children.kinds) == 0":                             Unknown,
		"names(crd.children.dangling) == 'none'":                    Unknown,
		"crd.instances.count == 0":                                  Proven,
		"has(crd.children.total)":                                   Unknown,
		"crd.children == crd.children":                              Unknown,
		"crd == crd":                                                Unknown,
		"[crd.children.total].exists(n, n > 0)":                     Unknown,
		"crd.children.kinds.map(k, k.kind).filter(k, true) == ['']": Unknown,
	} {
		check, _ := judgeOne(t, 1, "proven: |\n  "+expression, operator(crd))
		if check.Verdict != want {
			t.Errorf("%s: got %s, want %s (%s)", expression, check.Verdict, want, check.Because)
		}
	}
}

func TestApplies(t *testing.T) {
	tests := map[string]struct {
		lines   string
		want    Verdict
		because string
	}{
		"it does":          {"applies: crd.product\nnotApplicable: no product\nproven: crd.product", Proven, "Widget"},
		"it does not":      {"applies: crd.dataOnly\nnotApplicable: no data\nproven: crd.product", NotApplicable, "no data"},
		"nobody knows":     {"applies: crd.children.stateful\nnotApplicable: x\nproven: crd.product", Unknown, "could not look: crd.children: pods forbidden"},
		"its archetype":    {"archetypes: [workload]\nproven: crd.product", Proven, "Widget"},
		"other archetypes": {"archetypes: [external, policy]\nproven: crd.product", NotApplicable, "for operators of archetype external or policy; this one is workload"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			check, _ := judgeOne(t, 1, tt.lines, operator(facts.CRD{Kind: "Widget", Product: true, Unseen: map[string]string{"children": "pods forbidden"}}))
			if check.Verdict != tt.want || check.Because != tt.because {
				t.Errorf("%s: %s", check.Verdict, check.Because)
			}
		})
	}
}

func TestFailingExpressionIsUnknown(t *testing.T) {
	for _, expression := range []string{
		`crd.seen.examples["children"] == ""`,
		"crd.children.kinds[7].count > 0",
		"1 / crd.children.total > 0",
		// more than the cost limit allows
		"[1,2,3,4,5,6,7,8,9].all(a, [1,2,3,4,5,6,7,8,9].all(b, [1,2,3,4,5,6,7,8,9].all(c, [1,2,3,4,5,6,7,8,9].all(d, [1,2,3,4,5,6,7,8,9].all(e, [1,2,3,4,5,6,7,8,9].all(f, [1,2,3,4,5,6,7,8,9].all(g, a+b+c+d+e+f+g+crd.children.total > 0)))))))",
	} {
		check, _ := judgeOne(t, 1, "proven: |\n  "+expression, operator(facts.CRD{Kind: "Widget"}))
		if check.Verdict != Unknown || !strings.HasPrefix(check.Because, "could not be evaluated: ") {
			t.Errorf("%s: %s: %s", expression, check.Verdict, check.Because)
		}
	}
}

// A because that needs what was not seen says so; a verdict stands without it.
func TestBecauseThatCannotBeSaid(t *testing.T) {
	lines := "proven: crd.product\nbecause: string(crd.children.total) + ' children'"
	check, _ := judgeOne(t, 1, lines, operator(facts.CRD{Kind: "Widget", Product: true, Unseen: map[string]string{"children": "pods forbidden"}}))
	if check.Verdict != Proven || check.Because != "what was seen decides; not all could be looked at: crd.children: pods forbidden" {
		t.Errorf("%s: %s", check.Verdict, check.Because)
	}
}

func TestStale(t *testing.T) {
	left := facts.CRD{Kind: "Widget", Product: true, Reconciled: facts.Reconciled{Gone: true}}
	down := operator(facts.CRD{Kind: "Widget", Product: true})
	down.Controllers.State = "down"
	tests := map[string]struct {
		level int
		lines string
		op    facts.Operator
		want  Verdict
		stale bool
	}{
		"a level":           {1, "proven: crd.product", operator(left), NotObserved, true},
		"not live":          {1, "live: false\nproven: crd.product", operator(left), Proven, false},
		"hygiene":           {0, "proven: crd.product", operator(left), Proven, false},
		"indicated stays":   {1, "indicated: crd.product", operator(left), Indicated, false},
		"another CRD works": {1, "proven: crd.product", operator(left, facts.CRD{Kind: "Gadget", Product: true}), Proven, false},
		"an operator":       {1, "scope: operator\nbecause: op.name\nproven: op.live", down, NotObserved, true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			check, _ := judgeOne(t, tt.level, tt.lines, tt.op)
			if check.Verdict != tt.want || check.Stale != tt.stale {
				t.Errorf("%s, stale %v: %s", check.Verdict, check.Stale, check.Because)
			}
			if tt.stale && !strings.HasPrefix(check.Because, "left by a controller that is gone: ") {
				t.Errorf("because: %s", check.Because)
			}
		})
	}
}

// What was never on a server proves no level.
func TestManifestsProveNothing(t *testing.T) {
	op := operator(facts.CRD{Kind: "Widget", Product: true})
	op.Live = false
	check, _ := judgeOne(t, 1, "proven: crd.product\ngrade: observed", op)
	if check.Verdict != Indicated || check.Grade != Granted || check.Because != "declared in manifests: Widget" {
		t.Errorf("%s, %s: %s", check.Verdict, check.Grade, check.Because)
	}
	if check, _ := judgeOne(t, 0, "proven: crd.product", op); check.Verdict != Proven {
		t.Errorf("hygiene: %s", check.Verdict)
	}
}

// Among equal rulings an operator is judged on what people install it for.
func TestJudgedOnTheMainKind(t *testing.T) {
	bridge := facts.CRD{Kind: "Bridge", Schema: facts.Schema{SpecLeaves: 10}}
	kafka := facts.CRD{Kind: "Kafka", Schema: facts.Schema{SpecLeaves: 90}}
	user := facts.CRD{Kind: "User", Schema: facts.Schema{SpecLeaves: 5}}
	on := func(crds ...facts.CRD) string {
		check, _ := judgeOne(t, 1, "indicated: crd.kind != ''", operator(crds...))
		return check.Because
	}
	if got := on(bridge, kafka, user); got != "Kafka" {
		t.Errorf("judged on %s, want the kind with the largest spec", got)
	}
	user.Main = true
	if got := on(bridge, kafka, user); got != "User" {
		t.Errorf("judged on %s, want what the catalogue calls the main kind", got)
	}
	bridge.Seen.Instances = 1
	if got := on(bridge, kafka, user); got != "Bridge" {
		t.Errorf("judged on %s, want the kind that is in use", got)
	}
}

// What a finding is about are names of objects: the rest of what the evidence
// says stands in the detail.
func TestObjectsOfFindingsAreNames(t *testing.T) {
	crd := facts.CRD{Kind: "Widget", Name: "widgets.example.com"}
	crd.Instances.NotReadyWhy = []string{"Widget/shop/a: Ready=False (Broken)", "Widget/shop/b waits for finalizer x", "CrashLoopBackOff (Widget/shop/c)", "1/2 at https://a.example.com/x", "and 3 more"}
	_, findings := judgeOne(t, 0, "refuted: crd.kind != ''\nevidence: crd.instances.notReadyWhy", operator(crd))
	if got := strings.Join(findings[0].Objects, " "); got != "Widget/shop/a Widget/shop/b Widget/shop/c" {
		t.Errorf("objects %q", got)
	}
}

// An operator of which some CRDs could not be seen is not judged as if it had
// no others: what the seen ones show counts, what they lack another may have.
func TestCRDsThatWereNotSeenMayShowWhatTheOthersLack(t *testing.T) {
	for _, tt := range []struct {
		lines string
		want  Verdict
	}{
		{"proven: crd.product", Proven},
		{"proven: crd.dataOnly\nindicated: crd.product", Indicated},
		{"proven: crd.dataOnly", Unknown},
		{"proven: crd.dataOnly\nrefuted: crd.product", Unknown},
		{"applies: crd.dataOnly\nnotApplicable: crd.kind\nproven: crd.product", Unknown},
		{"scope: operator\nproven: op.hasCRDs == false\nbecause: op.name", NotObserved},
	} {
		op := operator(facts.CRD{Kind: "A", Product: true})
		op.Unseen = map[string]string{"moreCRDs": "a.io/v2: 403"}
		check, _ := judgeOne(t, 1, tt.lines, op)
		if check.Verdict != tt.want {
			t.Errorf("%q: %s, want %s", tt.lines, check.Verdict, tt.want)
		}
		if tt.want == Unknown && !strings.Contains(check.Because, "a.io/v2: 403") {
			t.Errorf("%q: because %q does not say why", tt.lines, check.Because)
		}
	}
}
