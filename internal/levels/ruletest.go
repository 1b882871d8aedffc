package levels

import (
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// TestResult is the outcome of one test of a rule.
type TestResult struct {
	Name      string  `json:"name"`
	Criterion string  `json:"criterion"`
	File      string  `json:"file"`
	Line      int     `json:"line"`
	Want      Verdict `json:"want"`
	Got       Verdict `json:"got"`
	Because   string  `json:"because"`
	// Failures say what is not as expected; empty when the test passed.
	Failures []string `json:"failures,omitempty"`
}

// Passed tells whether everything was as expected.
func (t *TestResult) Passed() bool { return len(t.Failures) == 0 }

// testFile is a file of rule tests as written.
type testFile struct {
	Tests []writtenTest `yaml:"tests"`
}

// writtenTest is one test: a criterion, facts, and the verdict that they must
// bring. An operator is live and its controller runs unless the test says
// otherwise.
type writtenTest struct {
	Place     place
	Name      text    `yaml:"name"`
	Criterion text    `yaml:"criterion"`
	Op        raw     `yaml:"op"`
	CRD       raw     `yaml:"crd"`
	Unseen    []text  `yaml:"unseen"` // facets: op.metrics, crd.children
	Expect    text    `yaml:"expect"`
	Stale     boolean `yaml:"stale"`
	Grade     text    `yaml:"grade"`
	// Finding is the severity of the finding that must come, or none.
	Finding text `yaml:"finding"`
}

// RunTests runs the rule tests in the YAML files of a file system, those of
// rules and operators left out. The error, of type Problems, is about tests
// that are written wrong; a test that fails is in the results.
func RunTests(rules *Rules, fsys fs.FS) ([]TestResult, error) {
	files, err := yamlFiles(fsys, func(dir string) bool { return dir == "operators" })
	if err != nil {
		return nil, err
	}
	var results []TestResult
	var problems Problems
	for _, file := range files {
		doc, root := readDocument(fsys, file, file, &problems)
		if root != nil && !holdsRules(root) {
			results = append(results, runDocument(rules, doc, root)...)
		}
	}
	return results, problems.err()
}

func runDocument(rules *Rules, doc *document, root *yaml.Node) []TestResult {
	var f testFile
	doc.decodeRoot(root, &f)
	var results []TestResult
	for i := range f.Tests {
		t := &f.Tests[i]
		if t.Place.node == nil {
			continue // no mapping: reported
		}
		r := rules.byID(t.Criterion.value)
		if r == nil {
			doc.report(t.Place.node, "no criterion has the id %q", t.Criterion.value)
			continue
		}
		before := len(*doc.problems)
		op := t.facts(doc, r)
		if t.check(doc); len(*doc.problems) == before {
			results = append(results, t.run(doc, r, op))
		}
	}
	return results
}

func (r *Rules) byID(id string) *rule {
	for _, rule := range r.rules {
		if rule.ID == id {
			return rule
		}
	}
	return nil
}

// check reports words of the test that mean nothing.
func (t *writtenTest) check(d *document) {
	if t.Name.value == "" || t.Expect.value == "" {
		d.report(t.Place.node, "a test needs a name, a criterion and what to expect")
	}
	d.oneOf(t.Expect, "expect", []string{string(Proven), string(Indicated), string(Refuted), string(NotObserved), string(Unknown), string(NotApplicable)})
	d.oneOf(t.Grade, "grade", slices.Concat(provenGrades, indicatedGrades))
	d.oneOf(t.Finding, "finding", append([]string{"none"}, severities...))
}

// facts are the operator of the test, with one CRD when the criterion is
// judged for CRDs.
func (t *writtenTest) facts(d *document, r *rule) *facts.Operator {
	op := &facts.Operator{
		Name: "example", Archetype: "workload", HasCRDs: true, Live: true,
		Controllers: facts.Controllers{State: "running"}, Unseen: map[string]string{},
	}
	crd := facts.CRD{
		Name: "widgets.example.com", Group: "example.com", Kind: "Widget", Plural: "widgets", Namespaced: true,
		Reconciled: facts.Reconciled{State: "running"}, Unseen: map[string]string{},
	}
	if t.Op.node != nil {
		d.decodeRoot(t.Op.node, op)
	}
	if t.CRD.node != nil {
		d.decodeRoot(t.CRD.node, &crd)
		if r.Scope == PerOperator {
			d.report(t.CRD.node, "%s is judged once an operator: it sees no crd", r.ID)
		}
	}
	t.hide(d, op, &crd)
	if r.Scope == PerCRD {
		op.CRDs = []facts.CRD{crd}
	}
	return op
}

// hide marks the facets that the test lists as unseen.
func (t *writtenTest) hide(d *document, op *facts.Operator, crd *facts.CRD) {
	for _, facet := range t.Unseen {
		variable, name, _ := strings.Cut(facet.value, ".")
		unseen, of := op.Unseen, reflect.TypeFor[facts.Operator]()
		if variable == "crd" {
			unseen, of = crd.Unseen, reflect.TypeFor[facts.CRD]()
		}
		if variable != "op" && variable != "crd" || !slices.Contains(facetNames(of), name) {
			d.report(facet.node, "unseen: %q is no facet; write op.NAME with one of %s, or crd.NAME with one of %s", facet.value,
				strings.Join(facetNames(reflect.TypeFor[facts.Operator]()), ", "), strings.Join(facetNames(reflect.TypeFor[facts.CRD]()), ", "))
			continue
		}
		unseen[name] = "not seen in this test"
	}
}

// run judges the criterion as a scan does and compares.
func (t *writtenTest) run(d *document, r *rule, op *facts.Operator) TestResult {
	all := subjectsOf(op)
	check, findings := r.check(all)
	result := TestResult{
		Name: t.Name.value, Criterion: r.ID, File: d.file, Line: t.Place.node.Line,
		Want: Verdict(t.Expect.value), Got: check.Verdict, Because: check.Because,
	}
	fail := func(format string, args ...any) {
		result.Failures = append(result.Failures, fmt.Sprintf(format, args...))
	}
	if result.Got != result.Want {
		fail("expected %s, got %s: %s", result.Want, result.Got, check.Because)
	}
	if check.Stale != t.Stale.value {
		fail("expected stale: %v, got %v", t.Stale.value, check.Stale)
	}
	if want := Grade(t.Grade.value); want != "" && check.Grade != want {
		fail("expected grade %s, got %q", want, check.Grade)
	}
	if want := t.Finding.value; want != "" && severityOf(findings) != want {
		fail("expected finding: %s, got %s", want, severityOf(findings))
	}
	for _, failure := range r.failures(all) {
		fail("%s", failure)
	}
	return result
}

func severityOf(findings []Finding) string {
	if len(findings) == 0 {
		return "none"
	}
	return findings[0].Severity
}

// failures are the expressions of a rule that cannot be evaluated where a scan
// would: a missing map key, an index out of range. A scan goes on and says
// unknown; a test fails.
func (r *rule) failures(all *subjects) []string {
	var list []string
	for _, s := range all.of(r) {
		try := func(name string, p *program) (yes bool) {
			if p == nil {
				return false
			}
			a := p.eval(s)
			if a.failed != nil {
				list = append(list, name+": "+a.failed.Error())
			}
			return a.yes()
		}
		if _, decided := r.applicable(s); decided {
			try("applies", r.applies)
			continue
		}
		try("proven", r.proven)
		try("refuted", r.refuted)
		try("indicated", r.indicated)
		try("because", r.because)
		try("evidence", r.evidence)
		if try("finding.when", r.when) {
			try("finding.detail", r.detail)
			try("finding.objects", r.objects)
		}
	}
	return list
}
