//go:build unix

package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// built is the folder of the program, once a test needed it.
var built string

// program builds the program once for all tests of the package.
var program = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "operator-maturity")
	if err != nil {
		return "", err
	}
	built = dir
	path := filepath.Join(dir, "kubectl-operator_maturity")
	out, err := exec.Command("go", "build", "-o", path, "../../cmd/kubectl-operator_maturity").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("building the program: %w\n%s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if built != "" {
		os.RemoveAll(built)
	}
	os.Exit(code)
}

// started is a run of the program.
type started struct {
	*exec.Cmd
	dir    string
	stderr bytes.Buffer
}

const old = "what stood here before\n"

// start runs the program against a server. Its files already exist.
func start(t *testing.T, server string, stdout io.Writer, args ...string) *started {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	s := &started{dir: t.TempDir()}
	config := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"k","cluster":{"server":%q}}],"contexts":[{"name":"c","context":{"cluster":"k","user":"u"}}],"users":[{"name":"u","user":{}}]}`, server)
	for name, content := range map[string]string{"kubeconfig": config, "report.md": old, "report.json": old, "snapshot.json": old} {
		if err := os.WriteFile(filepath.Join(s.dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s.Cmd = exec.Command(path, args...)
	s.Cmd.Dir, s.Cmd.Stdout, s.Cmd.Stderr = s.dir, stdout, &s.stderr
	s.Cmd.Env = append(os.Environ(), "KUBECONFIG="+filepath.Join(s.dir, "kubeconfig"))
	if err := s.Cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Cmd.Process.Kill() })
	return s
}

func (s *started) interrupt(t *testing.T) {
	t.Helper()
	if err := s.Cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
}

func (s *started) file(t *testing.T, name string) []byte {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestInterruptedScanWritesAWholePartialReport sends the program what Ctrl-C
// sends, at several moments of a scan.
func TestInterruptedScanWritesAWholePartialReport(t *testing.T) {
	rec := readRecording(t, recorded).small()
	for name, hangs := range map[string]func(r *http.Request) bool{
		"before the first answer":   func(*http.Request) bool { return true },
		"while CRDs are read":       func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/customresourcedefinitions") },
		"amid the pages of a list":  func(r *http.Request) bool { return r.URL.Query().Get("continue") == "second" },
		"when one list hangs":       func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/pods") },
		"while several lists hang":  func(r *http.Request) bool { return strings.Contains(r.URL.Path, "cert-manager.io") },
		"within the body of a list": func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/services") },
	} {
		t.Run(name, func(t *testing.T) {
			for _, args := range [][]string{{"scan", "-o", "json=report.json", "-o", "markdown=report.md"}, {"snapshot", "snapshot.json"}} {
				server, asked := hanging(t, rec, hangs)
				s := start(t, server, nil, args...)
				<-asked
				s.interrupt(t)
				partial(t, s, args[0])
			}
		})
	}
}

// hanging is a server that never answers some requests, and tells of each.
func hanging(t *testing.T, rec *recording, hangs func(*http.Request) bool) (address string, asked chan struct{}) {
	asked = make(chan struct{}, 1000)
	api := &replay{recording: rec, asked: map[string]int{}, target: "cert-manager.io/certificates", fault: func(s *replay, w http.ResponseWriter, r *http.Request, _ int) bool {
		s.half(w, r, "second")
		return true
	}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !hangs(r) {
			api.ServeHTTP(w, r)
			return
		}
		if strings.HasSuffix(r.URL.Path, "/services") {
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"kind":"ServiceList","apiVersion":"v1","items":[{"metadata":`)
			_ = http.NewResponseController(w).Flush()
		}
		asked <- struct{}{}
		<-r.Context().Done()
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server.URL, asked
}

// partial holds what a run that was cut short leaves behind.
func partial(t *testing.T, s *started, command string) {
	t.Helper()
	_ = s.Cmd.Wait()
	if code := s.Cmd.ProcessState.ExitCode(); code != 3 || !strings.Contains(s.stderr.String(), "interrupted") {
		t.Fatalf("%s: exit code %d\n%s", command, code, s.stderr.String())
	}
	if command == "snapshot" {
		snapshot, err := inventory.Decode(bytes.NewReader(s.file(t, "snapshot.json")))
		if err != nil {
			t.Fatal(err)
		}
		unfinished(t, snapshot.Access)
		return
	}
	var sc levels.Scorecard
	if err := json.Unmarshal(s.file(t, "report.json"), &sc); err != nil {
		t.Fatal(err)
	}
	if sc.Coverage.Complete {
		t.Error("the report calls itself complete")
	}
	unfinished(t, sc.Coverage.Resources)
	if prose := string(s.file(t, "report.md")); !strings.HasPrefix(prose, "# Operator maturity") || !strings.Contains(prose, "## Glossary") || !strings.HasSuffix(prose, "\n") {
		t.Errorf("the markdown report is not whole:\n%s", prose)
	}
	none(t, s)
}

func unfinished(t *testing.T, rows []inventory.Access) {
	t.Helper()
	for _, a := range rows {
		if strings.Contains(a.Detail, "not finished: interrupted") {
			return
		}
	}
	t.Error("no list is said to be interrupted")
}

// none: no half-written file lies about.
func none(t *testing.T, s *started) {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(s.dir, ".*"))
	if err != nil || len(left) > 0 {
		t.Errorf("files left behind: %v, %v", left, err)
	}
}

// insist sends Ctrl-C until the program has ended: two that come at once are
// one.
func (s *started) insist() error {
	ended := make(chan error, 1)
	go func() { ended <- s.Cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return err
		case <-time.After(100 * time.Millisecond):
			_ = s.Cmd.Process.Signal(syscall.SIGINT)
		}
	}
}

// stopped is a pipe that takes what fits and is read on when it is told so.
func stopped(t *testing.T) (in *os.File, out *os.File) {
	t.Helper()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); out.Close() })
	return in, out
}

// TestInterruptWhileWriting sends Ctrl-C when the scan is done and its report
// is being written to a reader that has stopped. Once: the report comes whole.
// Twice: the program ends, and the files that it had not come to are as they were.
func TestInterruptWhileWriting(t *testing.T) {
	rec := readRecording(t, recorded).small()
	server := httptest.NewServer(&replay{recording: rec, asked: map[string]int{}})
	defer server.Close()
	for _, times := range []int{1, 2} {
		in, out := stopped(t)
		s := start(t, server.URL, out, "scan", "-o", "json", "-o", "markdown=report.md")
		out.Close()
		first := make([]byte, 1)
		if _, err := io.ReadFull(in, first); err != nil {
			t.Fatalf("%v\n%s", err, s.stderr.String())
		}
		s.interrupt(t)
		if times == 2 {
			err := s.insist()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.Sys().(syscall.WaitStatus).Signal() != syscall.SIGINT {
				t.Errorf("not ended by the second Ctrl-C: %v", err)
			}
			if got := string(s.file(t, "report.md")); got != old {
				t.Errorf("the file has changed: %.200s", got)
			}
			none(t, s)
			continue
		}
		rest, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Cmd.Wait(); err != nil {
			t.Errorf("%v\n%s", err, s.stderr.String())
		}
		var sc levels.Scorecard
		if err := json.Unmarshal(append(first, rest...), &sc); err != nil || !sc.Coverage.Complete {
			t.Errorf("the report on stdout is not whole: %v", err)
		}
		if prose := string(s.file(t, "report.md")); !strings.Contains(prose, "## Glossary") {
			t.Errorf("the markdown report is not whole: %.200s", prose)
		}
	}
}
