package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// policyReport is ClusterPolicyReport (wgpolicyk8s.io/v1alpha2) and
// ClusterReport (openreports.io/v1alpha1), which took over its fields. It is
// written as a file: nothing is ever applied to a cluster.
type policyReport struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name        string            `json:"name"`
		Labels      map[string]string `json:"labels"`
		Annotations map[string]string `json:"annotations"`
	} `json:"metadata"`
	// Source stands at the report only in openreports.io.
	Source  string         `json:"source,omitempty"`
	Summary policySummary  `json:"summary"`
	Results []policyResult `json:"results"`
}

type policySummary struct {
	Pass  int `json:"pass"`
	Fail  int `json:"fail"`
	Warn  int `json:"warn"`
	Error int `json:"error"`
	Skip  int `json:"skip"`
}

type policyResult struct {
	Source     string            `json:"source"`
	Policy     string            `json:"policy"`
	Rule       string            `json:"rule,omitempty"`
	Category   string            `json:"category"`
	Severity   string            `json:"severity,omitempty"`
	Timestamp  *policyTime       `json:"timestamp"`
	Result     string            `json:"result"`
	Scored     bool              `json:"scored,omitempty"`
	Resources  []policyObject    `json:"resources,omitempty"`
	Message    string            `json:"message,omitempty"`
	Properties map[string]string `json:"properties,omitempty"`
}

type policyTime struct {
	Seconds int64 `json:"seconds"`
	Nanos   int32 `json:"nanos"`
}

type policyObject struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

const policySource = "operator-maturity"

func writePolicyReport(w io.Writer, sc *levels.Scorecard, _ Options) error {
	return writePolicyReports(w, sc, policyReport{APIVersion: "wgpolicyk8s.io/v1alpha2", Kind: "ClusterPolicyReport"})
}

func writeOpenReports(w io.Writer, sc *levels.Scorecard, _ Options) error {
	return writePolicyReports(w, sc, policyReport{APIVersion: "openreports.io/v1alpha1", Kind: "ClusterReport", Source: policySource})
}

// writePolicyReports has one document an operator: an object of a cluster may
// not grow without bounds.
func writePolicyReports(w io.Writer, sc *levels.Scorecard, empty policyReport) error {
	var b bytes.Buffer
	for i := range sc.Operators {
		raw, err := asYAML(policyReportOf(sc, &sc.Operators[i], i, empty))
		if err != nil {
			return fmt.Errorf("encoding the policy report of %s: %w", sc.Operators[i].Name, err)
		}
		b.WriteString("---\n")
		b.Write(raw)
	}
	if len(sc.Operators) == 0 {
		b.WriteString("# no operator was found, so there is nothing to report\n")
	}
	return writeAll(w, b.Bytes())
}

// objectName is a name that an object of Kubernetes may have.
var objectName = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,40}[a-z0-9])?$`)

func policyReportOf(sc *levels.Scorecard, op *levels.Operator, i int, r policyReport) policyReport {
	name := fmt.Sprintf("operator-%d", i+1)
	if objectName.MatchString(op.Name) {
		name = op.Name
	}
	r.Metadata.Name = "operator-maturity-" + name
	r.Metadata.Labels = map[string]string{"app.kubernetes.io/managed-by": policySource}
	r.Metadata.Annotations = map[string]string{
		"operator-maturity/operator": cleanLine(op.Name), "operator-maturity/level": fmt.Sprint(op.Level), "operator-maturity/level-possible": fmt.Sprint(highest(*op)),
	}
	r.Results = []policyResult{}
	for _, c := range levelOrder(op.Checks) {
		r.add(sc, policyResultOf(c))
	}
	for _, f := range bySeverity(op.Findings) {
		r.add(sc, policyFinding(f))
	}
	return r
}

// add counts the result and stamps it.
func (r *policyReport) add(sc *levels.Scorecard, p policyResult) {
	count := map[string]*int{"pass": &r.Summary.Pass, "fail": &r.Summary.Fail, "warn": &r.Summary.Warn, "error": &r.Summary.Error, "skip": &r.Summary.Skip}
	*count[p.Result]++
	p.Source, p.Timestamp = policySource, &policyTime{}
	if !sc.Taken.IsZero() {
		p.Timestamp.Seconds = sc.Taken.Unix()
	}
	r.Results = append(r.Results, p)
}

// policyResultOf is a criterion. Not observed is a warning and unknown an
// error, which here means that it could not be evaluated: neither is a failure.
func policyResultOf(c levels.Check) policyResult {
	p := policyResult{
		Policy: cleanLine(c.ID), Rule: "criterion", Category: sectionTitle(min(max(c.Level, 0), 5)), Scored: c.Essential, Message: cleanLine(plainText(reason(c))),
		Properties: map[string]string{"verdict": string(c.Verdict), "essential": fmt.Sprint(c.Essential)},
	}
	switch c.Verdict {
	case levels.Proven, levels.Indicated:
		p.Result = "pass"
	case levels.Refuted:
		p.Result, p.Severity = "fail", "low"
		if c.Essential {
			p.Severity = "medium"
		}
	case levels.NotObserved:
		p.Result = "warn"
	case levels.NotApplicable:
		p.Result = "skip"
	default:
		p.Result, p.Properties["verdict"] = "error", string(levels.Unknown)
	}
	if c.Grade != "" {
		p.Properties["grade"] = string(c.Grade)
	}
	if len(c.Evidence) > 0 {
		p.Properties["evidence"] = cleanLine(strings.Join(c.Evidence, ", "))
	}
	if c.CRD != "" {
		p.Resources = []policyObject{{"apiextensions.k8s.io/v1", "CustomResourceDefinition", cleanLine(c.CRD)}}
	}
	return p
}

// policyFinding is a finding: those for information are no warnings.
func policyFinding(f levels.Finding) policyResult {
	p := policyResult{Policy: cleanLine(f.ID), Rule: "finding", Category: "Findings", Message: cleanLine(f.Detail), Result: "warn", Severity: "medium",
		Properties: map[string]string{"objects": cleanLine(strings.Join(f.Objects, ", "))}}
	switch f.Severity {
	case "critical":
		p.Result, p.Severity = "fail", "critical"
	case "info":
		p.Result, p.Severity = "skip", "info"
	}
	return p
}
