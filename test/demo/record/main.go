// Command record makes the snapshot that is built into the program for scan --demo, from the manifests of
// test/demo and a control plane of its own.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"kubectl-operator-maturity/test/demo"
	"kubectl-operator-maturity/test/testcluster"
)

func main() {
	out := flag.String("o", filepath.FromSlash("cmd/kubectl-operator_maturity/demo/snapshot.json.gz"), "write the snapshot to this `file`")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(out string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "demo-")
	if err != nil {
		return fmt.Errorf("creating a directory for the control plane: %w", err)
	}
	defer os.RemoveAll(dir)
	cluster, err := testcluster.New(ctx, dir)
	if err != nil {
		return fmt.Errorf("starting control plane: %w", err)
	}
	defer cluster.Close()

	snapshot, err := demo.Record(ctx, cluster)
	if err != nil {
		return fmt.Errorf("recording the demo: %w", err)
	}
	var data bytes.Buffer
	if err := demo.Write(&data, snapshot); err != nil {
		return fmt.Errorf("encoding the demo: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(out, data.Bytes(), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "%s: %d CRDs, %d custom resources, %d bytes\n", out, len(snapshot.CRDs), len(snapshot.CustomResources), data.Len())
	return nil
}
