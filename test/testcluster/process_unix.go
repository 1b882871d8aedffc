//go:build unix && !linux

package testcluster

import (
	"os/exec"
	"syscall"
)

// tie gives the program a process group of its own. Only Linux can have it killed when the caller dies.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}
