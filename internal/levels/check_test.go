package levels

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// CRDs whose one criterion comes out as their kind says.
var byKind = map[Verdict]facts.CRD{
	Proven:        {Kind: "Proven"},
	Indicated:     {Kind: "Indicated"},
	Unknown:       {Kind: "Unknown", Unseen: map[string]string{"children": "pods forbidden"}},
	NotObserved:   {Kind: "Nothing"},
	Refuted:       {Kind: "Refuted"},
	NotApplicable: {Kind: "Unfit"},
}

const byKindRule = `
applies: crd.kind != "Unfit"
notApplicable: it is unfit
proven: crd.kind == "Proven" || crd.children.total > 0
refuted: crd.kind == "Refuted"
indicated: crd.kind == "Indicated"
`

// The operator gets the best verdict; refuted needs all of them.
func TestBestVerdictOfCRDs(t *testing.T) {
	tests := []struct {
		of   []Verdict
		want Verdict
	}{
		{[]Verdict{NotObserved, Proven, Refuted}, Proven},
		{[]Verdict{Unknown, Indicated}, Indicated},
		{[]Verdict{NotObserved, Unknown, Refuted}, Unknown},
		{[]Verdict{Refuted, NotObserved}, NotObserved},
		{[]Verdict{Refuted, NotApplicable}, Refuted},
		{[]Verdict{Refuted, Refuted}, Refuted},
		{[]Verdict{NotApplicable, NotObserved}, NotObserved},
		{[]Verdict{NotApplicable, NotApplicable}, NotApplicable},
	}
	for _, tt := range tests {
		var crds []facts.CRD
		for i, v := range tt.of {
			crd := byKind[v]
			crd.Name = string(rune('a' + i))
			crds = append(crds, crd)
		}
		check, findings := judgeOne(t, 1, byKindRule, operator(crds...))
		if check.Verdict != tt.want {
			t.Errorf("%v: got %s, want %s", tt.of, check.Verdict, tt.want)
		}
		differ := 0
		refuted := false
		for _, v := range tt.of {
			if v != tt.want {
				differ++
				refuted = refuted || v == Refuted
			}
		}
		if len(check.PerCRD) != differ {
			t.Errorf("%v: %d CRDs differ, listed are %v", tt.of, differ, check.PerCRD)
		}
		if (len(findings) == 1) != refuted {
			t.Errorf("%v: findings %v", tt.of, findings)
		}
	}
}

func TestDataOnlyIsNotJudged(t *testing.T) {
	data := facts.CRD{Kind: "Proven", DataOnly: true}
	if check, _ := judgeOne(t, 1, byKindRule, operator(data, facts.CRD{Kind: "Nothing"})); check.Verdict != NotObserved {
		t.Errorf("got %s", check.Verdict)
	}
	check, _ := judgeOne(t, 1, byKindRule, operator(data))
	if check.Verdict != NotApplicable || check.Because != "its CRDs only hold data: nobody writes a status for them by design" {
		t.Errorf("%s: %s", check.Verdict, check.Because)
	}
	check, _ = judgeOne(t, 1, byKindRule, facts.Operator{})
	if check.Verdict != NotApplicable || check.Because != "it has no CRD" {
		t.Errorf("%s: %s", check.Verdict, check.Because)
	}
}

func TestFindings(t *testing.T) {
	crd := func(kind string, dangling ...string) facts.CRD {
		return facts.CRD{Name: kind, Kind: kind, Children: facts.Children{Dangling: dangling}}
	}
	op := operator(crd("B"), crd("A", "Pod/x/z", "Pod/x/y"), crd("C", "Pod/x/w"))
	tests := map[string]struct {
		level int
		lines string
		want  []Finding
	}{
		"hygiene, refuted": {0, "severity: critical\nrefuted: size(crd.children.dangling) > 0\nbecause: crd.kind + ' dangles'\nevidence: crd.children.dangling",
			[]Finding{{ID: "it", Severity: "critical", Detail: "A dangles; likewise C", Objects: []string{"Pod/x/w", "Pod/x/y", "Pod/x/z"}}}},
		"of a criterion": {3, "proven: crd.product\nfinding: {severity: warning, when: size(crd.children.dangling) > 0, detail: crd.kind + ' dangles', objects: crd.children.dangling}",
			[]Finding{
				{ID: "it", Severity: "warning", Detail: "A dangles", Objects: []string{"Pod/x/z", "Pod/x/y"}},
				{ID: "it", Severity: "warning", Detail: "C dangles", Objects: []string{"Pod/x/w"}},
			}},
		"without objects": {3, "proven: crd.product\nfinding: {severity: info, when: crd.kind == 'B', detail: \"crd.seen.examples['x']\"}",
			[]Finding{{ID: "it", Severity: "info", Detail: "It", Objects: []string{"customresourcedefinitions/B"}}}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, findings := judgeOne(t, tt.level, tt.lines, op)
			if diff := cmp.Diff(tt.want, findings); diff != "" {
				t.Error(diff)
			}
		})
	}
}
