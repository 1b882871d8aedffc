package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/inventory/catalogue"
)

var (
	fenced = regexp.MustCompile("(?ms)^```(sh|yaml)\n(.*?)^```$")
	exitOn = regexp.MustCompile(`exits (\d) on the demo`)
)

// What the guides tell people to run is run, as it stands there. The blocks of
// ci.md stand alone; those of the others follow each other in one folder.
func TestGuidesRunAsWritten(t *testing.T) {
	if testing.Short() {
		t.Skip("scores the demo many times")
	}
	for guide, least := range map[string]int{"ci.md": 6, "first-scan.md": 3, "audit.md": 5, "writing-rules.md": 2, "writing-catalogue.md": 1, "fleet.md": 2} {
		t.Run(guide, func(t *testing.T) { runGuide(t, guide, least) })
	}
}

func runGuide(t *testing.T, guide string, least int) {
	doc, err := os.ReadFile(filepath.Join("../../docs", guide))
	if err != nil {
		t.Fatal(err)
	}
	bin, together := t.TempDir(), t.TempDir()
	shim := "#!/bin/sh\nshift\nexec kubectl-operator_maturity \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(shim), 0o755); err != nil {
		t.Fatal(err)
	}
	checkout(t, together)
	ran := 0
	for _, block := range fenced.FindAllStringSubmatch(string(doc), -1) {
		scripts := []step{{run: block[2], exit: exitSaid(block[2])}}
		if block[1] == "yaml" && !strings.Contains(block[2], "jobs:") && !strings.Contains(block[2], "script:") {
			continue // it is read, not run
		}
		if block[1] == "yaml" {
			scripts = stepsOf(t, block[2])
		}
		dir := together
		if guide == "ci.md" {
			dir = t.TempDir()
		}
		for _, s := range scripts {
			ran++
			s.check(t, dir, bin)
		}
	}
	if ran < least {
		t.Errorf("only %d examples were found", ran)
	}
}

// checkout makes the folder what a job finds: a clone of a repository that it
// may push to.
func checkout(t *testing.T, dir string) {
	t.Helper()
	script := "git init -q --bare \"$REMOTE\" && git init -q -b main && git remote add origin \"$REMOTE\" && git config push.autoSetupRemote true"
	step{run: script, env: map[string]string{"REMOTE": filepath.Join(t.TempDir(), "remote.git")}}.check(t, dir, t.TempDir())
}

// exitSaid is the exit code that a text says of itself; 0 if it says nothing.
func exitSaid(text string) int {
	m := exitOn.FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	exit, _ := strconv.Atoi(m[1])
	return exit
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
			steps = append(steps, step{s.Run, job.Env, exitSaid(s.Name)})
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
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
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
	if s.exit == exitGate && !strings.Contains(string(out), "error: loyalty-operator") {
		t.Errorf("a failed gate does not name the operators:\n%s", out)
	}
}

// Every key of a catalogue entry is explained.
func TestTheCatalogueGuideHasEveryKey(t *testing.T) {
	doc, err := os.ReadFile("../../docs/writing-catalogue.md")
	if err != nil {
		t.Fatal(err)
	}
	_, keys, _ := strings.Cut(string(doc), "## All keys")
	entry := reflect.TypeFor[catalogue.Operator]()
	for i := range entry.NumField() {
		if key := entry.Field(i).Tag.Get("yaml"); key != "-" && !strings.Contains(keys, "`"+key+"`") && !strings.Contains(keys, "`"+key+":") {
			t.Errorf("docs/writing-catalogue.md does not explain %s", key)
		}
	}
}

// A link of a document leads to a file, and a link to a section to one.
func TestLinksOfTheDocsLeadSomewhere(t *testing.T) {
	files, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, file := range append(files, "../../README.md") {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), target)); err != nil {
				t.Errorf("%s links to %s: %v", file, m[1], err)
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links were found", links)
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)
