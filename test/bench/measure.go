package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"time"
)

// usage is what one run of a program took.
type usage struct {
	wall, cpu time.Duration // cpu is user and system time
	peak      int64         // resident memory in bytes, at its most
}

// run runs a program to its end and measures it. Its output is thrown away.
// The peak of a child is no lower than that of its parent, so this process
// must stay small.
func run(env []string, name string, args ...string) (usage, error) {
	var problems bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = &problems
	begin := time.Now()
	err := cmd.Run()
	u := usage{wall: time.Since(begin)}
	if cmd.ProcessState != nil {
		u.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
		u.peak = peakOf(cmd.ProcessState)
	}
	if err != nil {
		return u, fmt.Errorf("running %s: %w: %s", name, err, bytes.TrimSpace(problems.Bytes()))
	}
	return u, nil
}

// median is the middle one of some figures.
func median[T int64 | time.Duration | float64](figures []T) T {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[len(sorted)/2]
}

func each[T any](runs []usage, of func(usage) T) []T {
	list := make([]T, 0, len(runs))
	for _, u := range runs {
		list = append(list, of(u))
	}
	return list
}

func wall(u usage) time.Duration { return u.wall }
func cpu(u usage) time.Duration  { return u.cpu }
func peak(u usage) int64         { return u.peak }

// ratio is the median of the ratios of runs made in pairs: the machine's speed
// may drift from pair to pair.
func ratio(a, b []usage, of func(usage) time.Duration) float64 {
	var list []float64
	for i := range min(len(a), len(b)) {
		list = append(list, of(a[i]).Seconds()/of(b[i]).Seconds())
	}
	return median(list)
}
