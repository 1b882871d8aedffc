package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// The image is made of what `make build` makes, and runs it.
func TestTheImageHoldsWhatIsBuilt(t *testing.T) {
	read := func(name string) string {
		t.Helper()
		raw, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	dockerfile := read("deploy/Dockerfile")
	built := regexp.MustCompile(`(?m)^BINARY\s*:=\s*bin/(\S+)$`).FindStringSubmatch(read("Makefile"))
	copied := regexp.MustCompile(`(?m)^COPY (\S+) (\S+)$`).FindAllStringSubmatch(dockerfile, -1)
	entry := regexp.MustCompile(`(?m)^ENTRYPOINT \["([^"]+)"\]$`).FindStringSubmatch(dockerfile)
	if built == nil || entry == nil || len(copied) != 1 {
		t.Fatalf("built %v, copied %v, run %v", built, copied, entry)
	}
	if copied[0][1] != built[1] || copied[0][2] != entry[1] {
		t.Errorf("make builds %s, the image copies %s to %s and runs %s", built[1], copied[0][1], copied[0][2], entry[1])
	}
	// The build's folder is the context, in the file and in the guide.
	for name, text := range map[string]string{"deploy/Dockerfile": dockerfile, "docs/in-cluster.md": read("docs/in-cluster.md")} {
		if !regexp.MustCompile(`docker build -f deploy/Dockerfile -t \S+ bin\b`).MatchString(text) {
			t.Errorf("%s does not build it with the folder bin", name)
		}
	}
	if strings.Contains(dockerfile, "golang:") {
		t.Error("the image builds with a Go of its own: hold its version against go.mod")
	}
}

// What the CronJob runs is a command line of this program.
func TestTheCronJobRunsTheProgram(t *testing.T) {
	raw, err := os.ReadFile("../../deploy/cronjob.yaml")
	if err != nil {
		t.Fatal(err)
	}
	documents := strings.Split(string(raw), "\n---\n")
	var job struct {
		Spec struct {
			JobTemplate struct {
				Spec struct {
					Template struct {
						Spec struct{ Containers []struct{ Args []string } }
					}
				}
			}
		}
	}
	if err := yaml.Unmarshal([]byte(documents[len(documents)-1]), &job); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args := []string{}
	for _, arg := range job.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Args {
		args = append(args, strings.Replace(arg, "/reports/", dir+"/", 1))
	}
	out, err := exec.CommandContext(t.Context(), "kubectl-operator_maturity", append(args, "--demo")...).CombinedOutput()
	if err != nil || !strings.Contains(string(out), "cert-manager") {
		t.Errorf("%q: %v\n%s", args, err, out)
	}
	for _, name := range []string{"scorecard.json", "report.html", "operator-maturity.prom"} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Size() == 0 {
			t.Errorf("%s is not there: %v", name, err)
		}
	}
}
