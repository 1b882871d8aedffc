package testcluster

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
)

// process is a program of the control plane.
type process struct {
	name string
	log  string // path
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// startProcess starts a program that writes what it has to say to a log file.
func startProcess(cmd *exec.Cmd, name, log string) (*process, error) {
	out, err := os.Create(log)
	if err != nil {
		return nil, fmt.Errorf("creating log of %s: %w", name, err)
	}
	defer out.Close() // the program has its own
	cmd.Stdout, cmd.Stderr = out, out
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "ETCD_") { // etcd takes these for flags
			cmd.Env = append(cmd.Env, variable)
		}
	}
	tie(cmd)

	p := &process{name: name, log: log, cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux ends a tied process when the thread that started it ends, not the whole program; locked to
		// this goroutine, the thread stays as long as the process is waited for.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait() // how it ended is in its log
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("starting %s: %w", name, err)
	}
	return p, nil
}

// kill ends the program without letting it tidy up: nothing it holds is kept.
func (p *process) kill() {
	if !p.ended() {
		killGroup(p.cmd)
	}
	<-p.done
}

func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// tail is the end of the log.
func (p *process) tail() string {
	data, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	return string(bytes.Join(lines[max(0, len(lines)-15):], []byte("\n")))
}
