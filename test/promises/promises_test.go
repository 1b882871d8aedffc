package promises

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// fieldCases is testdata/field-cases.yaml.
type fieldCases struct {
	Cases map[string]fieldCase
}

type fieldCase struct {
	Priority string
	Fault    string
	Tests    []string
	// Left is the reason why it has no test.
	Left string
}

// fuzzing is testdata/fuzz.yaml: what was run, by hand.
type fuzzing struct {
	Machine string
	Targets []struct {
		Target     string
		Reads      string
		Minutes    int
		Executions int
		Inputs     int
		Found      []string
	}
}

// faults is a file of test/faults/testdata.
type faults struct {
	Lists  int
	Faults []struct {
		Fault                              string
		Listed, Forbidden, Failed, Partial int
		Scorecards                         int
		ToUnknown                          int `yaml:"toUnknown"`
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	decoder.KnownFields(true)
	if err := decoder.Decode(into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

func readFieldCases(t *testing.T) (c fieldCases) {
	read(t, "testdata/field-cases.yaml", &c)
	return c
}

func readFuzzing(t *testing.T) (f fuzzing) {
	read(t, "testdata/fuzz.yaml", &f)
	return f
}

func TestEveryFieldCaseHasItsTest(t *testing.T) {
	sources := readSources(t)
	for id, c := range readFieldCases(t).Cases {
		if c.Priority != "P0" && c.Priority != "P1" || c.Fault == "" {
			t.Errorf("%s: priority %q, fault %q", id, c.Priority, c.Fault)
		}
		if (len(c.Tests) == 0) == (c.Left == "") {
			t.Errorf("%s: it has tests, or a reason why not: %v, %q", id, c.Tests, c.Left)
		}
		for _, name := range c.Tests {
			if wrong := sources.missing(name); wrong != "" {
				t.Errorf("%s: %s: %s", id, name, wrong)
			}
		}
	}
}

var named = regexp.MustCompile("`([a-z_/-]+\\.(?:Test|Fuzz)[A-Za-z0-9]+)`")

func TestEveryThreatHasItsTest(t *testing.T) {
	sources := readSources(t)
	raw, err := os.ReadFile(root + "docs/threat-model.md")
	if err != nil {
		t.Fatal(err)
	}
	threats := 0
	for i, line := range strings.Split(string(raw), "\n") {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| threat |") {
			continue
		}
		threats++
		tests := named.FindAllStringSubmatch(line, -1)
		if len(tests) == 0 {
			t.Errorf("threat-model.md:%d: a threat without a test: %s", i+1, line)
		}
		for _, m := range tests {
			if wrong := sources.missing(m[1]); wrong != "" {
				t.Errorf("threat-model.md:%d: %s: %s", i+1, m[1], wrong)
			}
		}
	}
	if threats < 20 {
		t.Errorf("only %d threats: is the table read?", threats)
	}
}

// TestEveryFuzzTargetWasRun: each target of the sources has a row of results,
// and each row a target.
func TestEveryFuzzTargetWasRun(t *testing.T) {
	sources := readSources(t)
	var there, run []string
	for pkg, functions := range sources.functions {
		for name := range functions {
			if strings.HasPrefix(name, "Fuzz") {
				there = append(there, pkg+"."+name)
			}
		}
	}
	for _, target := range readFuzzing(t).Targets {
		run = append(run, target.Target)
		if target.Minutes < 10 || target.Executions == 0 || target.Reads == "" {
			t.Errorf("%s ran for %d minutes and %d executions", target.Target, target.Minutes, target.Executions)
		}
	}
	slices.Sort(there)
	slices.Sort(run)
	if !slices.Equal(there, run) {
		t.Errorf("targets %v\nresults %v", there, run)
	}
}

// TestReliabilityDocIsCurrent holds docs/reliability.md against the data that
// it is made of, or writes it with UPDATE_GOLDEN=1.
func TestReliabilityDocIsCurrent(t *testing.T) {
	var every, compared faults
	read(t, "../faults/testdata/TestEveryFaultOfEveryListIsNamed.yaml", &every)
	read(t, "../faults/testdata/TestNoFaultMakesAVerdictBetter.yaml", &compared)
	var other otherCalls
	read(t, "../faults/testdata/TestEveryFaultOfEveryOtherCallIsNamed.yaml", &other)
	var b bytes.Buffer
	b.WriteString(head)
	writeFaults(&b, every, compared)
	writeOtherCalls(&b, other)
	writeFuzzing(&b, readFuzzing(t))
	writeFieldCases(&b, readFieldCases(t))
	const path = root + "docs/reliability.md"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, b.Bytes()) {
		t.Errorf("docs/reliability.md is stale: run UPDATE_GOLDEN=1 go test ./test/promises -run %s", t.Name())
	}
}

const head = `# Reliability

What was tried to make the program say something untrue, and what came of it. A test writes this page from what the tests below
found (` + "`UPDATE_GOLDEN=1 go test ./test/promises -run TestReliabilityDocIsCurrent`" + `) and fails when it is stale.
[threat-model.md](threat-model.md) says what is done against whom.
`

func writeFaults(b *bytes.Buffer, every, compared faults) {
	fmt.Fprintf(b, `
## Faults

A scan of a recorded cluster makes %d list calls that matter: all built-in kinds, CRDs, and each custom resource of which there are
objects. Each of them goes wrong in each way, one at a time. No fault ends the scan or makes it wait longer than its time limits, and
the coverage names each (`+"`TestEveryFaultOfEveryListIsNamed`"+`).

What a fault means for the verdicts depends on what is left to see, so the scorecards of each list refused, failed, and broken off half way
are compared with the scorecard of the whole cluster, and those of the list of CRDs after every fault
(`+"`TestNoFaultMakesAVerdictBetter`"+`). Verdicts, levels, controller states, counts and findings may become unknown, or be what the remaining
evidence proves. Better, worse or more certain: 0.

| fault | calls | read all the same | refused | failed | in part | scorecards compared | verdicts that became unknown |
|---|---|---|---|---|---|---|---|
`, every.Lists)
	for i, f := range every.Faults {
		c := compared.Faults[i]
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d | %d | %d |\n", f.Fault, f.Listed+f.Forbidden+f.Failed+f.Partial, f.Listed, f.Forbidden, f.Failed, f.Partial, c.Scorecards, c.ToUnknown)
	}
	b.WriteString("\nScorecards that would be equal, since the same is left to see, are compared once. Where a half is read and the list has no object, nothing\nwas read, and it counts as failed.\n")
}

func writeFuzzing(b *bytes.Buffer, f fuzzing) {
	fmt.Fprintf(b, `
## Fuzzing

Each reader of what somebody else wrote, and each writer of it, has a fuzz target. The last long run, on %s; inputs are those that
reached something new. `+"`make fuzz`"+` repeats it.

| target | what it holds | minutes | executions | inputs | found |
|---|---|---|---|---|---|
`, f.Machine)
	for _, t := range f.Targets {
		found := "nothing"
		if len(t.Found) > 0 {
			found = strings.Join(t.Found, "; ")
		}
		fmt.Fprintf(b, "| `%s` | %s | %d | %d | %d | %s |\n", t.Target, t.Reads, t.Minutes, t.Executions, t.Inputs, found)
	}
	b.WriteString("\nWhat was found is mended; its input is among the seeds of the target.\n")
}

func writeFieldCases(b *bytes.Buffer, c fieldCases) {
	b.WriteString(`
## Field cases

Faults that users of other tools have reported in public, each with the tests that would fail if this program had it. P0: it would tell a lie
or harm the cluster. P1: the run would end early, or its output be of no use.

| priority | cases | with tests | left out |
|---|---|---|---|
`)
	ids := make([]string, 0, len(c.Cases))
	for id := range c.Cases {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, byNumber)
	for _, priority := range []string{"P0", "P1"} {
		n, left := 0, 0
		for _, one := range c.Cases {
			if one.Priority == priority {
				n++
				if one.Left != "" {
					left++
				}
			}
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d |\n", priority, n, n-left, left)
	}
	b.WriteString("\n| case | priority | fault | tests |\n|---|---|---|---|\n")
	for _, id := range ids {
		one := c.Cases[id]
		tests := "left out: " + one.Left
		if one.Left == "" {
			tests = "`" + strings.Join(one.Tests, "`, `") + "`"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", id, one.Priority, one.Fault, tests)
	}
}

// byNumber orders A2 before A10.
func byNumber(a, b string) int {
	if a[0] != b[0] || len(a) == len(b) {
		return strings.Compare(a, b)
	}
	return len(a) - len(b)
}
