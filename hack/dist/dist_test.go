package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// checkout is the root, as seen from this folder.
const checkout = "../.."

var noon = time.Date(2026, 5, 17, 12, 0, 0, 0, time.UTC)

// The same sources give the same bytes, and what is in the archive runs.
func TestAReleaseIsReproducibleAndRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the plugin twice")
	}
	here := target{runtime.GOOS, runtime.GOARCH}
	var releases [2]map[string]string
	for i := range releases {
		r := release{root: checkout, out: t.TempDir(), version: "v1.2.3", url: "https://releases.example.com/x", time: noon}
		if err := r.make(t.Context(), []target{here}); err != nil {
			t.Fatal(err)
		}
		releases[i] = filesOf(t, r.out)
	}
	first := releases[0]
	if len(first) != 3 {
		t.Fatalf("a release of one target has %d files, want the archive, SHA256SUMS and the manifest", len(first))
	}
	for name, content := range first {
		if releases[1][name] != content {
			t.Errorf("%s differs when it is made again", name)
		}
	}
	archive := fmt.Sprintf("%s_v1.2.3_%s_%s.tar.gz", program, here.os, here.arch)
	sum := sha256.Sum256([]byte(first[archive]))
	if want := hex.EncodeToString(sum[:]) + "  " + archive + "\n"; first["SHA256SUMS"] != want {
		t.Errorf("SHA256SUMS holds %q, want %q", first["SHA256SUMS"], want)
	}

	dir := t.TempDir()
	for _, f := range untar(t, first[archive]) {
		if err := os.WriteFile(filepath.Join(dir, f.name), f.content, f.mode); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command(filepath.Join(dir, program), "version").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "kubectl operator-maturity v1.2.3 ") {
		t.Errorf("version: %v\n%s", err, out)
	}
	var exit *exec.ExitError
	out, err = exec.Command(filepath.Join(dir, program), "scan", "--demo", "--min-level", "2").CombinedOutput()
	if !errors.As(err, &exit) || exit.ExitCode() != 2 || !strings.Contains(string(out), "loyalty-operator has proven level 1, 2 is asked for") {
		t.Errorf("scan --demo --min-level 2: %v\n%s", err, out)
	}
	complete := exec.Command(filepath.Join(dir, completionScript), "explain", "backup-comp")
	complete.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err = complete.Output(); err != nil || !strings.Contains(string(out), "backup-completed") {
		t.Errorf("%s: %v\n%s", completionScript, err, out)
	}
}

// Each platform gets its kind of archive, with the licence.
func TestEveryPlatformHasAnArchive(t *testing.T) {
	r := packedRelease(t, "https://releases.example.com/x", []byte("a program"))
	files := filesOf(t, r.out)
	if sums := strings.Count(files["SHA256SUMS"], "\n"); sums != len(allTargets()) || len(files) != sums+2 {
		t.Errorf("%d sums and %d files for %d targets", sums, len(files), len(allTargets()))
	}
	for _, platform := range allTargets() {
		name := fmt.Sprintf("%s_v1.2.3_%s_%s", program, platform.os, platform.arch)
		var got []packed
		if platform.os == "windows" {
			got = unzip(t, files[name+".zip"])
		} else {
			got = untar(t, files[name+".tar.gz"])
		}
		want := []string{"LICENSE -rw-r--r--", program + " -rwxr-xr-x", completionScript + " -rwxr-xr-x"}
		if platform.os == "windows" {
			want = []string{"LICENSE -rw-r--r--", program + ".exe -rwxr-xr-x"}
		}
		var listed []string
		for _, f := range got {
			listed = append(listed, f.name+" "+f.mode.String())
		}
		if diff := cmp.Diff(want, listed); diff != "" {
			t.Errorf("%s (-want +got):\n%s", platform, diff)
		}
		if !bytes.Contains(got[0].content, []byte("Apache License")) {
			t.Errorf("%s: the licence is none", platform)
		}
	}
}

func TestOnlyReleasedTargetsAreTaken(t *testing.T) {
	got, err := parseTargets("windows/arm64,linux/amd64")
	if diff := cmp.Diff([]target{{"windows", "arm64"}, {"linux", "amd64"}}, got, cmp.AllowUnexported(target{})); err != nil || diff != "" {
		t.Errorf("%v\n%s", err, diff)
	}
	if _, err := parseTargets("linux/mips"); err == nil || !strings.Contains(err.Error(), "known are [linux/amd64") {
		t.Errorf("an unknown target: %v", err)
	}
}

// The version is the tag of the commit; without one it can still be ordered.
func TestTheVersionComesFromGit(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_COMMITTER_DATE=2026-05-17T14:00:00+02:00")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	version := func() string {
		t.Helper()
		v, err := gitVersion(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	run("init", "-q")
	if _, err := gitVersion(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "-version") {
		t.Errorf("without a commit: %v", err)
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, []byte("1"), 0o644); err != nil {
		t.Fatal(err)
	}
	run("add", "file")
	run("commit", "-qm", "first")
	if v := version(); !strings.HasPrefix(v, "v0.0.0-20260517120000-") || len(v) != len("v0.0.0-20260517120000-")+12 {
		t.Errorf("without a tag it is %s", v)
	}
	run("tag", "latest")
	run("tag", "v1.4.0")
	if v := version(); v != "v1.4.0" {
		t.Errorf("at the tag it is %s", v)
	}
	if at, err := sourceTime(t.Context(), dir); err != nil || !at.Equal(noon) {
		t.Errorf("the time of the commit is %s (%v)", at, err)
	}
	if err := os.WriteFile(file, []byte("2"), 0o644); err != nil {
		t.Fatal(err)
	}
	if v := version(); v != "v1.4.0-dirty" {
		t.Errorf("with a changed file it is %s", v)
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1779019200")
	if at, err := sourceTime(t.Context(), dir); err != nil || at.Unix() != 1779019200 {
		t.Errorf("with SOURCE_DATE_EPOCH the time is %s (%v)", at, err)
	}
}

// packedRelease is one of every target around the same program.
func packedRelease(t *testing.T, url string, content []byte) *release {
	t.Helper()
	r := &release{root: checkout, out: t.TempDir(), version: "v1.2.3", url: url, time: noon}
	binary := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(binary, content, 0o755); err != nil {
		t.Fatal(err)
	}
	var archives []archive
	for _, target := range allTargets() {
		a, err := r.pack(target, binary)
		if err != nil {
			t.Fatal(err)
		}
		archives = append(archives, a)
	}
	if err := r.describe(archives); err != nil {
		t.Fatal(err)
	}
	return r
}
