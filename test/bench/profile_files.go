package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"kubectl-operator-maturity/internal/inventory/manifests"
)

// profileFiles is the sub-command that reads files in this process, as scan
// --from does, and writes profiles of it for go tool pprof.
func profileFiles(args []string) error {
	flags := flag.NewFlagSet("profile-files", flag.ContinueOnError)
	cpuFile := flags.String("cpu", "cpu.pprof", "where to write the CPU profile")
	heapFile := flags.String("heap", "heap.pprof", "where to write what was allocated, and is in use when all is read")
	if err := flags.Parse(args); err != nil {
		return err
	}
	out, err := os.Create(*cpuFile)
	if err != nil {
		return fmt.Errorf("writing the CPU profile: %w", err)
	}
	defer out.Close()
	if err := pprof.StartCPUProfile(out); err != nil {
		return fmt.Errorf("writing the CPU profile: %w", err)
	}
	defer pprof.StopCPUProfile()
	begin := time.Now()
	snapshot, err := manifests.Read(context.Background(), manifests.Options{Paths: flags.Args()})
	if err != nil {
		return err
	}
	fmt.Printf("read %d custom resources in %s\n", len(snapshot.CustomResources), round(time.Since(begin)))
	err = writeHeap(*heapFile)
	runtime.KeepAlive(snapshot)
	return err
}
