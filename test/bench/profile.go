package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"time"

	"k8s.io/client-go/tools/clientcmd"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/inventory/manifests"
)

// profile is the sub-command that does what a scan of a server or of files does, in this process, and
// writes profiles of it for go tool pprof.
func profile(args []string) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "the server to read, where no files are given")
	cpuFile := flags.String("cpu", "cpu.pprof", "where to write the CPU profile")
	heapFile := flags.String("heap", "heap.pprof", "where to write what was allocated, and is in use when all is read")
	scoring := flags.Bool("scoring", false, "profile the CPU of scoring alone: twenty times, since it is short")
	if err := flags.Parse(args); err != nil {
		return err
	}
	out, err := os.Create(*cpuFile)
	if err != nil {
		return fmt.Errorf("writing the CPU profile: %w", err)
	}
	defer out.Close()
	defer pprof.StopCPUProfile()
	times := 20
	if !*scoring {
		times = 1
		if err := pprof.StartCPUProfile(out); err != nil {
			return fmt.Errorf("writing the CPU profile: %w", err)
		}
	}
	begin := time.Now()
	snapshot, err := readSnapshot(*kubeconfig, flags.Args())
	if err != nil {
		return err
	}
	fmt.Println("read in", round(time.Since(begin)))
	if err := writeHeap(*heapFile); err != nil {
		return err
	}
	judges, err := loadKnowledge()
	if err != nil {
		return err
	}
	if *scoring {
		if err := pprof.StartCPUProfile(out); err != nil {
			return fmt.Errorf("writing the CPU profile: %w", err)
		}
	}
	for range times {
		begin = time.Now()
		if err := judges.score(snapshot); err != nil {
			return err
		}
		fmt.Println("scored in", round(time.Since(begin)))
	}
	return nil
}

// readSnapshot reads files, or a server where none are given.
func readSnapshot(kubeconfig string, files []string) (*inventory.Snapshot, error) {
	if len(files) > 0 {
		return manifests.Read(context.Background(), manifests.Options{Paths: files})
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("reading the kubeconfig: %w", err)
	}
	return cluster.Collect(context.Background(), cluster.Options{Config: config})
}

func writeHeap(file string) error {
	out, err := os.Create(file)
	if err != nil {
		return fmt.Errorf("writing the heap profile: %w", err)
	}
	defer out.Close()
	runtime.GC()
	if err := pprof.Lookup("heap").WriteTo(out, 0); err != nil {
		return fmt.Errorf("writing the heap profile: %w", err)
	}
	return nil
}
