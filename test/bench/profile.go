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

	"kubectl-operator-maturity/internal/inventory/cluster"
)

// profile is the sub-command that does what a scan does, in this process, and
// writes profiles of it for go tool pprof.
func profile(args []string) error {
	flags := flag.NewFlagSet("profile", flag.ContinueOnError)
	kubeconfig := flags.String("kubeconfig", "", "the server to read")
	cpuFile := flags.String("cpu", "cpu.pprof", "where to write the CPU profile")
	heapFile := flags.String("heap", "heap.pprof", "where to write what was allocated, and is in use when all is read")
	if err := flags.Parse(args); err != nil {
		return err
	}
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
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
	snapshot, err := cluster.Collect(context.Background(), cluster.Options{Config: config})
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
	begin = time.Now()
	if err := judges.score(snapshot); err != nil {
		return err
	}
	fmt.Println("scored in", round(time.Since(begin)))
	return nil
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
