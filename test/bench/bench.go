package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// bench is one run of the benchmark.
type bench struct {
	plugin, kubectl string
	runs            int
	dir             string // for files of the run
	self            string // this program
}

// result is what was measured at one size.
type result struct {
	size                         size
	scans, floors, decoded, gets []usage
	scoring                      []time.Duration
	kept                         kept
	requests, pages              int
	kinds                        int
	getRequests                  int
}

// measure generates a cluster of a size and runs each program against it, in
// turn, as often as asked.
func (b *bench) measure(s size, progress io.Writer) (result, error) {
	res := result{size: s}
	server, ready, err := b.startServer(s)
	if err != nil {
		return res, err
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	res.kinds = len(ready.Kinds)
	walks := filepath.Join(b.dir, "walks-"+s.name+".json")
	snapshot := filepath.Join(b.dir, "snapshot-"+s.name+".json")
	// A first scan warms the server up and shows which lists a scan reads.
	if _, err := b.scan(ready); err != nil {
		return res, err
	}
	if err := res.lists(ready.Log, walks); err != nil {
		return res, err
	}
	if _, err := run(env(ready), b.plugin, "snapshot", snapshot); err != nil {
		return res, err
	}
	for i := range b.runs {
		fmt.Fprintf(progress, "%s: run %d of %d\n", s.name, i+1, b.runs)
		if err := b.once(&res, ready, walks, snapshot); err != nil {
			return res, err
		}
	}
	return res, nil
}

// once runs each program once.
func (b *bench) once(res *result, ready started, walks, snapshot string) error {
	scan, err := b.scan(ready)
	if err != nil {
		return err
	}
	floor, err := run(nil, b.self, "floor", "-kubeconfig", ready.Kubeconfig, "-walks", walks)
	if err != nil {
		return err
	}
	decoded, err := run(nil, b.self, "floor", "-decode", "-kubeconfig", ready.Kubeconfig, "-walks", walks)
	if err != nil {
		return err
	}
	res.scans, res.floors, res.decoded = append(res.scans, scan), append(res.floors, floor), append(res.decoded, decoded)
	scored, err := b.score(snapshot)
	if err != nil {
		return err
	}
	res.scoring, res.kept = append(res.scoring, scored.Took), scored.Kept
	if b.kubectl == "" {
		return nil
	}
	if _, err := taken(ready.Log); err != nil {
		return err
	}
	// Each time without what an earlier run has found out about the server.
	cache, err := os.MkdirTemp(b.dir, "cache")
	if err != nil {
		return fmt.Errorf("making a folder for kubectl: %w", err)
	}
	get, err := run(env(ready), b.kubectl, "--cache-dir", cache, "get", strings.Join(ready.Kinds, ","), "--all-namespaces")
	if err != nil {
		return err
	}
	res.gets = append(res.gets, get)
	asked, err := taken(ready.Log)
	res.getRequests = len(asked)
	return err
}

func env(ready started) []string { return []string{"KUBECONFIG=" + ready.Kubeconfig} }

func (b *bench) scan(ready started) (usage, error) { return run(env(ready), b.plugin, "scan") }

// score measures what comes after the snapshot, in a process of its own.
func (b *bench) score(snapshot string) (scored, error) {
	var did scored
	out, err := exec.Command(b.self, "score", snapshot).Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return did, fmt.Errorf("scoring: %w: %s", err, exit.Stderr)
		}
		return did, fmt.Errorf("scoring: %w", err)
	}
	if err := json.Unmarshal(out, &did); err != nil {
		return did, fmt.Errorf("scoring: %w", err)
	}
	return did, nil
}

func (b *bench) startServer(s size) (*exec.Cmd, started, error) {
	var ready started
	server := exec.Command(b.self, "serve", "-size", s.name, "-dir", b.dir)
	server.Stderr = os.Stderr
	out, err := server.StdoutPipe()
	if err != nil {
		return nil, ready, fmt.Errorf("starting the server: %w", err)
	}
	if err := server.Start(); err != nil {
		return nil, ready, fmt.Errorf("starting the server: %w", err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &ready)
	}
	if err != nil {
		_ = server.Process.Kill()
		_ = server.Wait()
		return nil, ready, fmt.Errorf("starting the server of size %s: %w", s.name, err)
	}
	return server, ready, nil
}

// lists writes down which lists the last scan read, for the floor.
func (r *result) lists(log, file string) error {
	asked, err := taken(log)
	if err != nil {
		return err
	}
	walks, pages := walksOf(asked)
	r.requests, r.pages = len(asked), pages
	if err := writeJSON(file, walks); err != nil {
		return fmt.Errorf("writing the lists: %w", err)
	}
	return nil
}

// taken reads the server's log of requests and empties it.
func taken(url string) ([]request, error) {
	resp, err := http.Get(url)
	if err != nil {
		return nil, fmt.Errorf("reading the server's log: %w", err)
	}
	defer resp.Body.Close()
	var asked []request
	if err := json.NewDecoder(resp.Body).Decode(&asked); err != nil {
		return nil, fmt.Errorf("reading the server's log: %w", err)
	}
	return asked, nil
}
