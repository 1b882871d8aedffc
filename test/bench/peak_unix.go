//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakOf is the most resident memory that a process had, in bytes.
func peakOf(p *os.ProcessState) int64 {
	rusage, ok := p.SysUsage().(*syscall.Rusage)
	switch {
	case !ok:
		return 0
	case runtime.GOOS == "darwin":
		return int64(rusage.Maxrss) // bytes there
	default:
		return int64(rusage.Maxrss) << 10
	}
}
