package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// writeJUnit has a suite for each operator with a case for each criterion and
// each finding, and a suite for the coverage.
//
// Only what is refuted, and findings that ask for an act, are failures: that a
// capability was not observed, or could not be looked at, is no failed test. A
// list that could not be read is an error.
func writeJUnit(w io.Writer, sc *levels.Scorecard, _ Options) error {
	suites := junit.Testsuites{Name: "operator maturity: " + cleanLine(subject(sc))}
	for i := range sc.Operators {
		suites.AddSuite(operatorSuite(sc, &sc.Operators[i], i))
	}
	suites.AddSuite(coverageSuite(sc, len(sc.Operators)))
	if len(sc.Findings) > 0 {
		rest := newSuite(sc, "no operator", len(sc.Operators)+1)
		addFindings(&rest, "no operator", sc.Findings)
		suites.AddSuite(rest)
	}
	var b bytes.Buffer
	b.WriteString(xml.Header)
	if err := suites.WriteXML(&b); err != nil {
		return fmt.Errorf("encoding the report as JUnit XML: %w", err)
	}
	return writeAll(w, b.Bytes())
}

func newSuite(sc *levels.Scorecard, name string, id int) junit.Testsuite {
	s := junit.Testsuite{Name: cleanLine(name), ID: id, Time: "0"}
	if !sc.Taken.IsZero() {
		s.SetTimestamp(sc.Taken.UTC())
	}
	return s
}

func operatorSuite(sc *levels.Scorecard, op *levels.Operator, id int) junit.Testsuite {
	s := newSuite(sc, op.Name, id)
	s.AddProperty("level", fmt.Sprint(op.Level))
	s.AddProperty("levelPossible", fmt.Sprint(op.LevelPossible))
	if op.LevelClaimed != nil {
		s.AddProperty("levelClaimed", fmt.Sprint(op.LevelClaimed.Level))
	}
	s.AddProperty("controller", cleanLine(op.State))
	for _, c := range levelOrder(op.Checks) {
		s.AddTestcase(caseOf(op.Name, c))
	}
	addFindings(&s, op.Name, op.Findings)
	return s
}

// caseOf is a criterion as a test case.
func caseOf(operator string, c levels.Check) junit.Testcase {
	t := junit.Testcase{Name: cleanLine(c.ID + ": " + c.Title), Classname: className(operator, c.Level), Time: "0"}
	because := cleanLine(plainText(reason(c)))
	switch c.Verdict {
	case levels.Proven, levels.Indicated:
		t.SystemOut = &junit.Output{Data: string(c.Verdict) + ": " + because}
	case levels.Refuted:
		if c.Level == 0 { // its finding says how grave that is
			t.Skipped = &junit.Result{Message: "refuted, see the findings: " + because}
			break
		}
		t.Failure = &junit.Result{Message: because, Type: "refuted", Data: cleanLine(c.Fix)}
	case levels.NotObserved:
		t.Skipped = &junit.Result{Message: "not observed: " + because}
	case levels.NotApplicable:
		t.Skipped = &junit.Result{Message: "does not apply: " + because}
	default:
		t.Skipped = &junit.Result{Message: "unknown: " + because}
	}
	return t
}

// className groups the cases of an operator by level. Its dots would open
// packages in readers.
func className(operator string, level int) string {
	name := strings.ReplaceAll(cleanLine(operator), ".", "_")
	if level == 0 {
		return name + ".hygiene"
	}
	return fmt.Sprintf("%s.level%d", name, level)
}

func addFindings(s *junit.Testsuite, operator string, findings []levels.Finding) {
	for _, f := range bySeverity(findings) {
		t := junit.Testcase{Name: cleanLine("finding " + f.ID + ": " + strings.Join(f.Objects, ", ")), Classname: strings.ReplaceAll(cleanLine(operator), ".", "_") + ".findings", Time: "0"}
		detail := cleanLine(f.Detail)
		if f.Severity == "info" {
			t.SystemOut = &junit.Output{Data: "info: " + detail}
		} else {
			t.Failure = &junit.Result{Message: detail, Type: cleanLine(f.Severity)}
		}
		s.AddTestcase(t)
	}
}

func coverageSuite(sc *levels.Scorecard, id int) junit.Testsuite {
	s := newSuite(sc, "coverage", id)
	for _, r := range sc.Coverage.Resources {
		t := junit.Testcase{Name: cleanLine("list " + resourceName(r)), Classname: "coverage", Time: "0"}
		if unread(r) {
			t.Error = &junit.Result{Message: cleanLine(gapReason(sc, r)), Type: string(r.Access)}
		}
		s.AddTestcase(t)
	}
	return s
}

// plainText is a text without its styles.
func plainText(t text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.s)
	}
	return b.String()
}

// unread: the list was not read, or not whole.
func unread(r levels.Resource) bool {
	return r.Access != inventory.Listed && r.Access != inventory.Absent
}
