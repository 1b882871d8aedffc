package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"time"

	"kubectl-operator-maturity/internal/levels"
)

// The parts of SARIF 2.1.0 that are written. The format's own libraries write
// every optional field, and bring a schema validator into the program; the
// tests use one.
type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name  string      `json:"name"`
	Rules []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	ShortDescription sarifText      `json:"shortDescription"`
	FullDescription  *sarifText     `json:"fullDescription,omitempty"`
	Help             *sarifText     `json:"help,omitempty"`
	Properties       map[string]any `json:"properties,omitempty"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	EndTimeUTC          string              `json:"endTimeUtc,omitempty"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Kind         string            `json:"kind"`
	Level        string            `json:"level"`
	Message      sarifText         `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations"`
}

// sarifPhysical is what code scanning sorts by: there is no file, so the
// object's place on the cluster stands for one.
type sarifPhysical struct {
	Artifact struct {
		URI string `json:"uri"`
	} `json:"artifactLocation"`
}

type sarifLogical struct {
	Name      string `json:"name"`
	Qualified string `json:"fullyQualifiedName"`
	Kind      string `json:"kind"`
}

// writeSARIF writes findings and refuted criteria as failures, and essential
// criteria that could not be looked at as open.
func writeSARIF(w io.Writer, sc *levels.Scorecard, _ Options) error {
	b := &sarifBuilder{index: map[string]int{}, rules: []sarifRule{}, results: []sarifResult{}}
	for i := range sc.Operators {
		b.operator(&sc.Operators[i])
	}
	b.findings("", sc.Findings)
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "kubectl-operator-maturity", Rules: b.rules}}, Invocations: []sarifInvocation{invocation(sc)}, Results: b.results}
	return writeJSON(w, sarifLog{Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run}})
}

// invocation tells what could not be read.
func invocation(sc *levels.Scorecard) sarifInvocation {
	in := sarifInvocation{ExecutionSuccessful: true}
	if !sc.Taken.IsZero() {
		in.EndTimeUTC = sc.Taken.UTC().Format(time.RFC3339)
	}
	for _, g := range gaps(sc) {
		in.Notifications = append(in.Notifications, sarifNotification{"warning", sarifText{cleanLine("not read whole: " + strings.Join(g.resources, ", ") + ": " + g.why)}})
	}
	return in
}

// sarifBuilder collects results, and the rules that they name.
type sarifBuilder struct {
	rules   []sarifRule
	index   map[string]int
	results []sarifResult
}

func (b *sarifBuilder) operator(op *levels.Operator) {
	found := map[string]bool{}
	for _, f := range op.Findings {
		found[f.ID] = true
	}
	for _, c := range levelOrder(op.Checks) {
		b.rule(c)
		switch {
		case c.Verdict == levels.Refuted && !found[c.ID]:
			level := "note"
			if c.Essential {
				level = "warning"
			}
			b.add(c.ID, "fail", level, op.Name, plainText(reason(c)), c.Evidence)
		case c.Essential && isUnknown(c.Verdict):
			b.add(c.ID, "open", "none", op.Name, plainText(reason(c)), nil)
		}
	}
	b.findings(op.Name, op.Findings)
}

var sarifLevels = map[string]string{"critical": "error", "warning": "warning", "info": "note"}

func (b *sarifBuilder) findings(operator string, findings []levels.Finding) {
	for _, f := range bySeverity(findings) {
		level := sarifLevels[f.Severity]
		if level == "" {
			level = "warning"
		}
		b.add(f.ID, "fail", level, operator, f.Detail, f.Objects)
	}
}

// rule makes a criterion known, once.
func (b *sarifBuilder) rule(c levels.Check) {
	if _, known := b.index[c.ID]; known {
		return
	}
	r := sarifRule{ID: cleanLine(c.ID), ShortDescription: sarifText{cleanLine(orNothing(c.Title))}, Properties: map[string]any{"level": c.Level}}
	if c.Why != "" {
		r.FullDescription = &sarifText{cleanLine(c.Why)}
	}
	if c.Fix != "" {
		r.Help = &sarifText{cleanLine(c.Fix)}
	}
	b.index[c.ID] = len(b.rules)
	b.rules = append(b.rules, r)
}

func (b *sarifBuilder) add(id, kind, level, operator, message string, objects []string) {
	b.rule(levels.Check{ID: id, Title: id})
	if operator != "" {
		message = operator + ": " + message
	}
	r := sarifResult{RuleID: cleanLine(id), RuleIndex: b.index[id], Kind: kind, Level: level, Message: sarifText{cleanLine(message)},
		Fingerprints: map[string]string{"operatorMaturity/v1": fingerprint(id, operator, objects)}}
	if len(objects) == 0 {
		objects = []string{"operators/" + orNothing(operator)}
	}
	for _, object := range objects {
		r.Locations = append(r.Locations, locationOf(object))
	}
	b.results = append(b.results, r)
}

// fingerprint stays when only the words of a message change.
func fingerprint(id, operator string, objects []string) string {
	sum := sha256.Sum256([]byte(strings.Join(append([]string{id, operator}, objects...), "\x00")))
	return hex.EncodeToString(sum[:16])
}

// locationOf is an object of the cluster, such as Deployment/shop/web, some
// with a remark behind a colon.
func locationOf(object string) sarifLocation {
	object = cleanLine(object)
	var l sarifLocation
	name, _, _ := strings.Cut(object, ": ")
	parts := strings.Split(name, "/")
	l.Logical = []sarifLogical{{Name: parts[len(parts)-1], Qualified: object, Kind: "resource"}}
	for i := range parts {
		parts[i] = escaped(parts[i])
	}
	l.Physical.Artifact.URI = "cluster/" + strings.Join(parts, "/")
	return l
}

// escaped is text as a segment of a URI.
func escaped(s string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(plain, s[i]) >= 0 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}
