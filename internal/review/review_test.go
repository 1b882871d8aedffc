package review

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
)

const head = "apiVersion: operator-maturity/v1\nkind: ReviewAnswers\n"

// answered is a file that answers every question about the need with yes, but
// those that contradict, and every criterion of the candidate that is open.
func answered(t testing.TB, r *Rules, except ...string) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(head + "need:\n")
	skip := func(id string) bool {
		for _, e := range except {
			if e == id {
				return true
			}
		}
		return false
	}
	entry := func(indent, id string) {
		b.WriteString(indent + "- {id: " + id + `, answer: "yes", evidence: "https://example.org", by: lead, date: 2026-11-20}` + "\n")
	}
	for _, c := range r.about(aboutNeed) {
		if c.Group == groupQuestion && !skip(c.ID) {
			entry("  ", c.ID)
		}
	}
	b.WriteString("options:\n  - name: gadget-operator\n    answers:\n")
	rec := mustReview(t, input(t, "Gadget", r, nothingHere(), ""))
	for _, k := range rec.Options[0].Checks {
		if k.State == unknown && !skip(k.ID) {
			entry("      ", k.ID)
		}
	}
	return b.String()
}

func TestWithoutAnswersNothingIsAdopted(t *testing.T) {
	rec := mustReview(t, input(t, "Gadget", builtinRules(t), nothingHere(), ""))
	if rec.Verdict != Hold || rec.Rule != "need-is-open" {
		t.Errorf("verdict %q by %q, want hold", rec.Verdict, rec.Rule)
	}
	if got := rec.Options[0].Outcome; got != Trial {
		t.Errorf("outcome of the candidate: %q, want trial", got)
	}
	if rec.Matches.Unseen == "" {
		t.Error("a cluster that was not looked at is taken for an empty one")
	}
}

func TestAllAnswersMakeItAdoptable(t *testing.T) {
	r := builtinRules(t)
	rec := mustReview(t, input(t, "Gadget", r, nothingHere(), answered(t, r)))
	if rec.Verdict != Conditions {
		t.Errorf("verdict %q: %v", rec.Verdict, rec.Reasons)
	}
	if diff := cmp.Diff([]string{"gadget-operator"}, rec.Chosen); diff != "" {
		t.Error(diff)
	}
	for _, c := range rec.Conditions {
		if c.Text == "" || c.Because == "" {
			t.Errorf("condition without words: %+v", c)
		}
	}
}

// TestAnUnknownMustIsNeverAdopted leaves each must open in turn, under the
// program's rules and under rules of a user that always say adopt.
func TestAnUnknownMustIsNeverAdopted(t *testing.T) {
	const adoptAlways = `
outcomes:
  - {id: mine, verdict: adopt, when: "true", because: '"mine"'}
verdicts:
  - {id: mine, verdict: adopt, when: "true", because: '"mine"'}
`
	for name, r := range map[string]*Rules{"builtin": builtinRules(t), "adopt always": builtinRules(t, adoptAlways)} {
		for _, c := range r.criteria {
			if c.Priority != "must" {
				continue
			}
			rec := mustReview(t, input(t, "Gadget", r, nothingHere(), answered(t, r, c.ID)))
			open := len(tally(rec.Need, "must").Unknown) + len(tally(rec.Options[0].Checks, "must").Unknown)
			if adopts(rec.Verdict) && open > 0 {
				t.Errorf("%s: %s is unknown and the verdict is %q", name, c.ID, rec.Verdict)
			}
			if open > 0 && adopts(rec.Options[0].Outcome) && len(tally(rec.Options[0].Checks, "must").Unknown) > 0 {
				t.Errorf("%s: %s is unknown and the outcome is %q", name, c.ID, rec.Options[0].Outcome)
			}
		}
	}
}

func TestRulesOfAUserGoFirst(t *testing.T) {
	r := builtinRules(t, `
criteria:
  - id: licence
    override: true
    title: Legal has approved it
    about: option
    priority: must
    type: declared
    question: Has legal approved it?
disable: [cost]
verdicts:
  - id: freeze
    verdict: hold
    when: "true"
    because: '"No new operators before the new year."'
    decides: CTO
    reviewAgainMonths: 2
`)
	rec := mustReview(t, input(t, "Gadget", r, nothingHere(), ""))
	if rec.Rule != "freeze" || rec.Decides != "CTO" || rec.ReviewAgain != "2027-01-30" {
		t.Errorf("decided by %s, by %s, again on %s", rec.Rule, rec.Decides, rec.ReviewAgain)
	}
	if k := checkOf(t, rec.Options[0].Checks, "licence"); k.Title != "Legal has approved it" || k.Source != "mine/rules.yaml" {
		t.Errorf("licence is %q from %s", k.Title, k.Source)
	}
	if r.byID("cost") != nil {
		t.Error("cost was disabled")
	}
}

func TestEvidenceOfACandidate(t *testing.T) {
	here := gadgets() // another project has taken the name
	here.Source = inventory.Source{Type: "cluster"}
	here.Access = []inventory.Access{{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions", Access: inventory.Listed, Count: 2}}
	here.Deployments, here.ClusterRoles, here.ClusterRoleBindings = nil, nil, nil
	here.CRDs[0].UID = "1"
	other := here.CRDs[0]
	other.Name, other.Group, other.UID = "gadgets.example.com", "example.com", "2"
	here.CRDs = append(here.CRDs, other)
	rec := mustReview(t, input(t, "Gadget", builtinRules(t), here, ""))
	o := rec.Options[len(rec.Options)-1]
	for id, want := range map[string]string{
		"no-crd-conflict": failed, "names-are-free": failed, "not-privileged": met, "no-right-to-everything": met,
		"dependencies-present": unknown, "resources-bounded": failed, "images-pinned": met, "gitops-size": met, "seen-to-work": unknown,
	} {
		if k := checkOf(t, o.Checks, id); k.State != want {
			t.Errorf("%s is %s (%s), want %s", id, k.State, k.Because, want)
		}
	}
	if o.Outcome != Hold {
		t.Errorf("outcome %q (%s), want hold: a CRD of another is taken over", o.Outcome, o.Because)
	}
	if o.Facts.Levels.Proven != 0 {
		t.Error("files proved a level")
	}
}

func TestMatchesOnTheCluster(t *testing.T) {
	here := gadgets()
	here.Source = inventory.Source{Type: "cluster"}
	r := builtinRules(t)
	for topic, want := range map[string]string{
		"Gadget": byKind, "gadgets": byKind, "gg": byKind, "gadgets.example.org": byKind, "example.org": byGroup,
		"things": byCategory, "gadget makers": byKindWord, "unrelated": "",
	} {
		in := input(t, topic, r, here, "")
		in.Candidates = nil
		rec := mustReview(t, in)
		got := ""
		if len(rec.Matches.Here) > 0 {
			got = rec.Matches.Here[0].Reasons[0].By
		}
		if got != want {
			t.Errorf("%q matches by %q, want %q", topic, got, want)
		}
	}
}

// TestDescriptionsOfKinds are a reason beside others, and alone a mention; the
// operator is matched by them as is a CRD of nobody.
func TestDescriptionsOfKinds(t *testing.T) {
	r := builtinRules(t)
	for name, c := range map[string]struct {
		topic, description string
		nobody             bool
		here               []Reason
		mentions           []string
	}{
		"beside a nearer reason": {"gadget cache", "Keeps a cache warm.", false, []Reason{{byKindWord, "Gadget"}, {byName, "gadget-operator"}, {byKindText, "Gadget: cache"}}, []string{}},
		"nothing new":            {"gadget makers", "A gadget.", false, []Reason{{byKindWord, "Gadget"}, {byName, "gadget-operator"}}, []string{}},
		"alone":                  {"cache", "Keeps caches warm.", false, nil, []string{"gadget-operator"}},
		"alone, of nobody":       {"cache", "Keeps caches warm.", true, nil, []string{"gadgets.example.org"}},
		"too few words":          {"cache redis memory", "Keeps a cache warm.", false, nil, []string{}},
		"says nothing":           {"cache", "", false, nil, []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			here := gadgets()
			here.Source = inventory.Source{Type: "cluster"}
			here.CRDs[0].Versions[0].Schema.Description = c.description
			if c.nobody {
				here.Deployments, here.ClusterRoles, here.ClusterRoleBindings = nil, nil, nil
			}
			in := input(t, c.topic, r, here, "")
			in.Candidates = nil
			found := mustReview(t, in).Matches
			var got []Reason
			for _, m := range found.Here {
				got = append(got, m.Reasons...)
			}
			if diff := cmp.Diff(c.here, got); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.mentions, found.Mentions); diff != "" {
				t.Errorf("mentions (-want +got):\n%s", diff)
			}
		})
	}
}

// TestAMustIsNotSkippedUnseen: whether a restore has to be tried depends on
// whether there is data, and a schema that says nothing does not tell.
func TestAMustIsNotSkippedUnseen(t *testing.T) {
	for opaque, want := range map[bool]string{true: unknown, false: skipped} {
		files := gadgets()
		files.CRDs[0].Versions[0].Schema.SpecOpaque = opaque
		in := input(t, "Gadget", builtinRules(t), nothingHere(), "")
		in.Candidates = []*Scene{NewScene("gadgets.yaml", files, in.Catalogue, levelRules(t))}
		o := mustReview(t, in).Options[0]
		if o.Facts.Archetype != "workload" {
			t.Skipf("archetype %s", o.Facts.Archetype)
		}
		if k := checkOf(t, o.Checks, "restore-tried"); k.State != want {
			t.Errorf("opaque %v: %s (%s), want %s", opaque, k.State, k.Because, want)
		}
	}
}
