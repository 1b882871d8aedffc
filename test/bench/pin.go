package main

import (
	"fmt"
	"os/exec"
	"runtime"
)

// pinning says on which processors programs run: an API server has a machine
// of its own, and takes no processor from those who ask it.
type pinning struct{ server, clients string }

// newPinning gives half of the processors to each side. It needs taskset, which
// Linux has.
func newPinning() (pinning, error) {
	if _, err := exec.LookPath("taskset"); err != nil {
		return pinning{}, fmt.Errorf("giving the server its own processors needs taskset: %w", err)
	}
	n := runtime.NumCPU()
	if n < 2 {
		return pinning{}, fmt.Errorf("giving the server its own processors needs two of them, and there is one")
	}
	return pinning{server: fmt.Sprintf("0-%d", n/2-1), clients: fmt.Sprintf("%d-%d", n/2, n-1)}, nil
}

// on is a command that runs on some processors; "" is on all.
func on(processors, name string, args []string) (string, []string) {
	if processors == "" {
		return name, args
	}
	return "taskset", append([]string{"-c", processors, name}, args...)
}
