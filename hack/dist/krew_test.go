package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// krew's own validator takes the manifest: it downloads every archive, checks
// its sum and installs it as each platform would.
func TestKrewTakesTheManifest(t *testing.T) {
	path := krewPath(t)
	server := httptest.NewUnstartedServer(nil)
	defer server.Close()
	r := packedRelease(t, "http://"+server.Listener.Addr().String()+"/download", []byte("a program"))
	server.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		http.ServeFile(w, req, filepath.Join(r.out, filepath.Base(req.URL.Path)))
	})
	server.Start()
	validate := func() (string, error) {
		program := filepath.Join(os.Getenv("OPERATOR_MATURITY_KREW"), "validate-krew-manifest")
		cmd := exec.CommandContext(t.Context(), program, "-manifest", filepath.Join(r.out, plugin+".yaml"))
		cmd.Env = append(os.Environ(), path)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := validate(); err != nil || !strings.Contains(out, "all "+strconv.Itoa(len(allTargets()))+" spec.platforms installed fine") {
		t.Errorf("validate-krew-manifest: %v\n%s", err, out)
	}
	// It would tell: an archive that is not the one described is refused.
	name := filepath.Join(r.out, program+"_v1.2.3_darwin_arm64.tar.gz")
	if err := os.WriteFile(name, []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := validate(); err == nil || !strings.Contains(out, "checksum") {
		t.Errorf("another archive was taken: %v\n%s", err, out)
	}
}

// What was downloaded is installed, and found under the name of the plugin.
func TestKrewInstallsAnArchive(t *testing.T) {
	path := krewPath(t)
	script := []byte("#!/bin/sh\necho installed by krew: \"$@\"\n")
	r := packedRelease(t, "https://releases.example.invalid", script)
	root := t.TempDir()
	env := append(os.Environ(), path, "KREW_ROOT="+root, "KREW_OS=linux", "KREW_ARCH=amd64")
	install := exec.CommandContext(t.Context(), filepath.Join(os.Getenv("OPERATOR_MATURITY_KREW"), "krew"), "install",
		"--manifest", filepath.Join(r.out, plugin+".yaml"), "--archive", filepath.Join(r.out, program+"_v1.2.3_linux_amd64.tar.gz"))
	install.Env = env
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("krew install: %v\n%s", err, out)
	}
	out, err := exec.CommandContext(t.Context(), filepath.Join(root, "bin", program), "version").CombinedOutput()
	if err != nil || string(out) != "installed by krew: version\n" {
		t.Errorf("%v: %s", err, out)
	}
}

// krewPath is a PATH on which `kubectl krew` is the krew that make built. It
// skips without one, and fails in CI.
func krewPath(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("OPERATOR_MATURITY_KREW")
	if _, err := os.Stat(filepath.Join(dir, "krew")); dir == "" || err != nil {
		const missing = "no krew: run the tests with `make test`, or set OPERATOR_MATURITY_KREW to what `make krew` prints"
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	bin := t.TempDir()
	kubectl := "#!/bin/sh\nshift\nexec '" + filepath.Join(dir, "krew") + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "kubectl"), []byte(kubectl), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + bin + string(os.PathListSeparator) + os.Getenv("PATH")
}
