//go:build unix

package testcluster

import (
	"os/exec"
	"syscall"
)

func killGroup(cmd *exec.Cmd) {
	syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it fails when the process has just ended
}
