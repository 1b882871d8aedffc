package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"kubectl-operator_maturity": main})
}

// TestScripts runs the program as a user would: the scripts read like a manual.
// `exits N ARGS…` runs it and wants that exit code.
func TestScripts(t *testing.T) {
	forbidding := httptest.NewServer(answering(http.StatusForbidden, "Forbidden"))
	t.Cleanup(forbidding.Close) // the scripts run on after this function returns
	unauthorized := httptest.NewServer(answering(http.StatusUnauthorized, "Unauthorized"))
	t.Cleanup(unauthorized.Close)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("KUBECONFIG", "")
			env.Setenv("FORBIDDING", forbidding.URL)
			env.Setenv("UNAUTHORIZED", unauthorized.URL)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
	})
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGS…")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec("kubectl-operator_maturity", args[1:]...)
	got := 0
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		got = failed.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// answering is an API server that refuses everything in Kubernetes' own words.
func answering(code int, reason string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_, _ = w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"` + reason + `","message":"` + reason + ` by the test server","code":` + strconv.Itoa(code) + `}`))
	})
}

func TestFileIsWrittenWholeOrNotAtAll(t *testing.T) {
	dir := t.TempDir()
	name := dir + "/report.md"
	if err := writeFile(name, []byte("old")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(dir+"/taken", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(dir+"/taken", []byte("new")); err == nil {
		t.Error("writing over a folder succeeded")
	}
	if err := writeFile(dir+"/no/such/folder", nil); err == nil {
		t.Error("writing into a folder that is not there succeeded")
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 2 {
		t.Errorf("half-written files were left behind: %v", left)
	}
}
