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
	servers         []string
	runs            int
	pin             pinning
	dir             string // for files of the run
	self            string // this program
}

// result is what was measured at one size.
type result struct {
	size                         size
	server                       string
	scans, floors, decoded, gets []usage
	scoring                      []time.Duration
	kept                         kept
	requests, pages              int
	kinds                        int
	getRequests                  int
	// lists are what was read one after the other.
	lists []listRead
}

// target is a server that programs are measured against.
type target struct {
	ready           started
	walks, snapshot string // files
	res             result
	stop            func()
}

// measure generates a cluster of a size and runs each program against it, in
// turn, as often as asked; with several servers, each time against one after
// the other.
func (b *bench) measure(s size, progress io.Writer) ([]result, error) {
	var targets []*target
	for _, server := range b.servers {
		t, err := b.target(s, server)
		if err != nil {
			return nil, err
		}
		defer t.stop()
		targets = append(targets, t)
	}
	for i := range b.runs {
		for _, t := range targets {
			fmt.Fprintf(progress, "%s, %s server: run %d of %d\n", s.name, t.res.server, i+1, b.runs)
			if err := b.once(t); err != nil {
				return nil, err
			}
		}
	}
	var results []result
	for _, t := range targets {
		read := filepath.Join(b.dir, "read-"+s.name+"-"+t.res.server+".json")
		if _, err := b.run(nil, b.self, "floor", "-workers", "1", "-kubeconfig", t.ready.Kubeconfig, "-walks", t.walks, "-read", read); err != nil {
			return nil, err
		}
		if err := readJSON(read, &t.res.lists); err != nil {
			return nil, fmt.Errorf("reading the figures of the lists: %w", err)
		}
		results = append(results, t.res)
	}
	return results, nil
}

// target starts a server, finds out which lists a scan of it reads, and takes
// a snapshot.
func (b *bench) target(s size, server string) (*target, error) {
	process, ready, err := b.startServer(s, server)
	if err != nil {
		return nil, err
	}
	name := s.name + "-" + server + ".json"
	t := &target{ready: ready, res: result{size: s, server: server, kinds: len(ready.Kinds)}, stop: func() { stop(process) },
		walks: filepath.Join(b.dir, "walks-"+name), snapshot: filepath.Join(b.dir, "snapshot-"+name)}
	if err := b.lookAt(t); err != nil {
		t.stop()
		return nil, err
	}
	return t, nil
}

// lookAt warms a server up, and learns from its log what is asked.
func (b *bench) lookAt(t *target) error {
	logged := []string{"KUBECONFIG=" + t.ready.Logged}
	if _, err := b.run(logged, b.plugin, "scan"); err != nil {
		return err
	}
	if err := t.res.learn(t.ready.Log, t.walks); err != nil {
		return err
	}
	if _, err := b.run(logged, b.plugin, "snapshot", t.snapshot); err != nil {
		return err
	}
	if b.kubectl == "" {
		return nil
	}
	if _, err := taken(t.ready.Log); err != nil {
		return err
	}
	if _, err := b.get(t.ready.Logged, t.ready.Kinds); err != nil {
		return err
	}
	asked, err := taken(t.ready.Log)
	t.res.getRequests = len(asked)
	return err
}

// run measures a program that asks a server.
func (b *bench) run(env []string, name string, args ...string) (usage, error) {
	name, args = on(b.pin.clients, name, args)
	return run(env, name, args...)
}

// get runs kubectl get of all kinds, without what an earlier run has found out
// about the server.
func (b *bench) get(kubeconfig string, kinds []string) (usage, error) {
	cache, err := os.MkdirTemp(b.dir, "cache")
	if err != nil {
		return usage{}, fmt.Errorf("making a folder for kubectl: %w", err)
	}
	return b.run([]string{"KUBECONFIG=" + kubeconfig}, b.kubectl, "--cache-dir", cache, "get", strings.Join(kinds, ","), "--all-namespaces")
}

// once runs each program once.
func (b *bench) once(t *target) error {
	kubeconfig, res := t.ready.Kubeconfig, &t.res
	scan, err := b.run([]string{"KUBECONFIG=" + kubeconfig}, b.plugin, "scan")
	if err != nil {
		return err
	}
	floor, err := b.run(nil, b.self, "floor", "-kubeconfig", kubeconfig, "-walks", t.walks)
	if err != nil {
		return err
	}
	decoded, err := b.run(nil, b.self, "floor", "-decode", "-kubeconfig", kubeconfig, "-walks", t.walks)
	if err != nil {
		return err
	}
	res.scans, res.floors, res.decoded = append(res.scans, scan), append(res.floors, floor), append(res.decoded, decoded)
	scored, err := b.score(t.snapshot)
	if err != nil {
		return err
	}
	res.scoring, res.kept = append(res.scoring, scored.Took), scored.Kept
	if b.kubectl == "" {
		return nil
	}
	get, err := b.get(kubeconfig, t.ready.Kinds)
	res.gets = append(res.gets, get)
	return err
}

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

func (b *bench) startServer(s size, kind string) (*exec.Cmd, started, error) {
	var ready started
	name, args := on(b.pin.server, b.self, []string{"serve", "-size", s.name, "-dir", b.dir, "-server", kind})
	server := exec.Command(name, args...)
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
		stop(server)
		return nil, ready, fmt.Errorf("starting the %s server of size %s: %w", kind, s.name, err)
	}
	return server, ready, nil
}

// stop lets the server end what it started; where a program cannot be
// interrupted, it is killed.
func stop(server *exec.Cmd) {
	if err := server.Process.Signal(os.Interrupt); err != nil {
		_ = server.Process.Kill()
	}
	_ = server.Wait()
}

// learn writes down which lists the last scan read, for the floor.
func (r *result) learn(log, file string) error {
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
