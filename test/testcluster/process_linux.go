package testcluster

import (
	"os/exec"
	"syscall"
)

// tie gives the program a process group of its own, so that Ctrl-C on a terminal reaches only the caller,
// and has it killed when the caller dies without having called Close: a test that panics or runs out of time.
func tie(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
