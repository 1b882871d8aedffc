package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

var (
	fenced = regexp.MustCompile("(?ms)^```(sh|yaml)\n(.*?)^```$")
	exitOn = regexp.MustCompile(`exits (\d) on the demo`)
)

// What docs/ci.md tells people to run is run, as it stands there.
func TestCIExamplesRunAsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("scores the demo many times")
	}
	doc, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	shim := "#!/bin/sh\nshift\nexec kubectl-operator_maturity \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(shim), 0o755); err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, block := range fenced.FindAllStringSubmatch(string(doc), -1) {
		scripts := []step{{run: block[2]}}
		if block[1] == "yaml" {
			scripts = stepsOf(t, block[2])
		}
		dir := t.TempDir()
		for _, s := range scripts {
			ran++
			s.check(t, dir, bin)
		}
	}
	if ran < 6 {
		t.Errorf("only %d examples were found", ran)
	}
}

// step is something that a job runs.
type step struct {
	run  string
	env  map[string]string
	exit int
}

// stepsOf reads a workflow of GitHub or GitLab.
func stepsOf(t *testing.T, text string) []step {
	t.Helper()
	var github struct {
		Jobs map[string]struct {
			Env   map[string]string
			Steps []struct{ Name, Run string }
		}
	}
	if err := yaml.Unmarshal([]byte(text), &github); err != nil {
		t.Fatal(err)
	}
	var steps []step
	for _, job := range github.Jobs {
		for _, s := range job.Steps {
			if s.Run == "" {
				continue
			}
			exit := 0
			if m := exitOn.FindStringSubmatch(s.Name); m != nil {
				exit, _ = strconv.Atoi(m[1])
			}
			steps = append(steps, step{s.Run, job.Env, exit})
		}
	}
	if len(steps) > 0 {
		return steps
	}
	var gitlab map[string]struct {
		Variables map[string]string
		Script    []string
	}
	if err := yaml.Unmarshal([]byte(text), &gitlab); err != nil {
		t.Fatal(err)
	}
	for _, job := range gitlab {
		steps = append(steps, step{strings.Join(job.Script, "\n"), job.Variables, 0})
	}
	return steps
}

func (s step) check(t *testing.T, dir, bin string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "sh", "-eu", "-c", s.run)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for name, value := range s.env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	if got := cmd.ProcessState.ExitCode(); got != s.exit {
		t.Errorf("exit code %d, want %d:\n%s\n%s", got, s.exit, s.run, out)
	}
	if s.exit == exitGate && !strings.Contains(string(out), "loyalty-operator has proven level 1") {
		t.Errorf("a failed gate does not name the operators:\n%s", out)
	}
}
