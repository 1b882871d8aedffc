package levels

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func testdataRules(t *testing.T) *Rules {
	t.Helper()
	rules, err := Load(Layer{Name: "testdata/rules", FS: os.DirFS("testdata/rules")})
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

func TestTestdataRules(t *testing.T) {
	rules := testdataRules(t)
	results, err := RunTests(rules, os.DirFS("testdata/rules"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if !r.Passed() {
			t.Errorf("%s:%d: %v", r.File, r.Line, r.Failures)
		}
	}
	if gaps := Gaps(rules, results); len(gaps) > 0 {
		t.Error(strings.Join(gaps, "\n"))
	}
}

func TestMistakesInTests(t *testing.T) {
	_, err := RunTests(testdataRules(t), os.DirFS("testdata/badtests"))
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("no Problems but %v", err)
	}
	golden(t, "badtests.golden", err.Error()+"\n")
}

func TestFailingTests(t *testing.T) {
	results, err := RunTests(testdataRules(t), fstest.MapFS{"a.yaml": {Data: []byte(`
tests:
  - {name: wrong verdict, criterion: makes-children, crd: {seen: {children: 1}}, expect: refuted}
  - {name: wrong grade, criterion: makes-children, crd: {seen: {children: 1}}, expect: proven, grade: observed}
  - {name: stale, criterion: makes-children, crd: {seen: {children: 1}, reconciled: {gone: true}}, expect: not-observed}
  - {name: finding, criterion: makes-children, crd: {children: {dangling: [a]}}, expect: not-observed, finding: none}
`)}})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range results {
		fmt.Fprintf(&b, "%s:%d: %s: %s\n", r.File, r.Line, r.Name, strings.Join(r.Failures, "; "))
	}
	golden(t, "failingtests.golden", b.String())
}

func TestGaps(t *testing.T) {
	rules := testdataRules(t)
	gaps := Gaps(rules, []TestResult{{Criterion: "controller-runs", Want: Proven}, {Criterion: "makes-children", Want: NotApplicable}})
	want := []string{
		"testdata/rules/levels/1-basic-install.yaml:4: controller-runs has no test where it is refuted",
		"testdata/rules/levels/1-basic-install.yaml:4: controller-runs has no test where it is not proven",
		"testdata/rules/levels/1-basic-install.yaml:16: makes-children has no test where it is proven",
		"testdata/rules/levels/1-basic-install.yaml:16: makes-children has no test where it is not proven",
	}
	for i := range want {
		if i >= len(gaps) || gaps[i] != want[i] {
			t.Fatalf("got\n%s\nwant\n%s", strings.Join(gaps, "\n"), strings.Join(want, "\n"))
		}
	}
}

// People may keep rules and their tests in one folder.
func TestRulesAndTestsInOneFolder(t *testing.T) {
	fsys := fstest.MapFS{
		"mine.yaml":      {Data: []byte("level: 2\ncriteria:\n  - {id: c, title: C, scope: operator, proven: op.olm, because: op.name}")},
		"mine-test.yaml": {Data: []byte("tests:\n  - {name: olm, criterion: c, op: {olm: true}, expect: proven}")},
	}
	rules, err := Load(Layer{Name: "mine", FS: fsys})
	if err != nil {
		t.Fatal(err)
	}
	results, err := RunTests(rules, fsys)
	if err != nil || len(results) != 1 || !results[0].Passed() {
		t.Errorf("%+v, %v", results, err)
	}
}
