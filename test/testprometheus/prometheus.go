// Package testprometheus runs a real Prometheus for a test, on loopback.
package testprometheus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// Target is one endpoint to be scraped.
type Target struct {
	Job string
	// URL is that of the server; /metrics is read there.
	URL    string
	Labels map[string]string
	// HonorLabels keeps labels of the endpoint that the target has too, as
	// kube-state-metrics and the kubelet are scraped.
	HonorLabels bool
}

// Start runs a Prometheus that scrapes the targets until the test ends, and
// returns its URL when each was scraped. Without the program the test is
// skipped, in CI it fails.
func Start(t testing.TB, targets ...Target) string {
	t.Helper()
	program, err := exec.LookPath("prometheus")
	if err != nil {
		const missing = "the program prometheus is not on the PATH: install it (Debian: apt-get install prometheus)"
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal(missing)
		}
		t.Skip(missing)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "prometheus.json") // JSON is YAML too
	if err := os.WriteFile(file, config(t, targets), 0o600); err != nil {
		t.Fatal(err)
	}
	address := freeAddress(t)
	var log bytes.Buffer
	cmd := exec.Command(program, "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "data"),
		"--web.listen-address="+address, "--log.level=warn")
	cmd.Stdout, cmd.Stderr, cmd.Dir = &log, &log, dir
	if err := cmd.Start(); err != nil {
		t.Fatalf("starting prometheus: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if t.Failed() {
			t.Logf("prometheus said:\n%s", log.String())
		}
	})
	base := "http://" + address
	wait(t, base, len(targets))
	return base
}

func config(t testing.TB, targets []Target) []byte {
	t.Helper()
	var jobs []map[string]any
	for _, target := range targets {
		u, err := url.Parse(target.URL)
		if err != nil {
			t.Fatal(err)
		}
		jobs = append(jobs, map[string]any{
			"job_name": target.Job, "honor_labels": target.HonorLabels, "scheme": u.Scheme,
			"static_configs": []any{map[string]any{"targets": []string{u.Host}, "labels": target.Labels}},
		})
	}
	raw, err := json.Marshal(map[string]any{"global": map[string]any{"scrape_interval": "500ms", "scrape_timeout": "500ms"}, "scrape_configs": jobs})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// wait returns when every target was scraped, well or badly.
func wait(t testing.TB, base string, targets int) {
	t.Helper()
	query := base + "/api/v1/query?query=" + url.QueryEscape("count(up)")
	deadline := time.Now().Add(time.Minute)
	for last := ""; ; time.Sleep(100 * time.Millisecond) {
		got, err := count(query)
		if err == nil && got == strconv.Itoa(targets) {
			return
		}
		last = fmt.Sprintf("%s targets, %v", got, err)
		if time.Now().After(deadline) {
			t.Fatalf("prometheus has not scraped %d targets within a minute: %s", targets, last)
		}
	}
}

func count(query string) (string, error) {
	resp, err := http.Get(query)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	var answer struct {
		Data struct {
			Result []struct {
				Value [2]any `json:"value"`
			} `json:"result"`
		} `json:"data"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return "", err
	}
	if len(answer.Data.Result) == 0 {
		return "0", nil
	}
	return fmt.Sprint(answer.Data.Result[0].Value[1]), nil
}
