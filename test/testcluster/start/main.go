// Command start runs a control plane until it is interrupted, to try the plug-in on.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"kubectl-operator-maturity/test/demo"
	"kubectl-operator-maturity/test/testcluster"
)

// paths is a flag that may be repeated.
type paths []string

func (p *paths) String() string { return fmt.Sprint(*p) }

func (p *paths) Set(path string) error {
	*p = append(*p, path)
	return nil
}

func main() {
	var apply paths
	flag.Var(&apply, "apply", "apply the objects in this `file or folder`; may be repeated")
	controllers := flag.Bool("controllers", true, "run kube-controller-manager too")
	shop := flag.Bool("demo", false, "put the operators of the demo on it; controllers then stay off, since they would undo their statuses")
	flag.Parse()
	if err := run(apply, *controllers && !*shop, *shop); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(apply []string, controllers, shop bool) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	dir, err := os.MkdirTemp("", "testcluster-")
	if err != nil {
		return fmt.Errorf("creating a directory for the control plane: %w", err)
	}
	defer os.RemoveAll(dir)

	var opts []testcluster.Option
	if controllers {
		opts = append(opts, testcluster.WithControllerManager())
	}
	began := time.Now()
	cluster, err := testcluster.New(ctx, dir, opts...)
	if err != nil {
		return fmt.Errorf("starting control plane: %w", err)
	}
	defer cluster.Close()
	fmt.Fprintf(os.Stderr, "ready after %s\n", time.Since(began).Round(100*time.Millisecond))

	if shop {
		if err := demo.Populate(ctx, cluster); err != nil {
			return fmt.Errorf("putting the demo's operators on the control plane: %w", err)
		}
	}
	if len(apply) > 0 {
		// What the server refuses is shown; the rest is there to be looked at.
		if err := testcluster.Apply(ctx, cluster.Admin(), "kubectl", apply...); err != nil {
			fmt.Fprintln(os.Stderr, "warning:", err)
		}
	}
	fmt.Printf("admin:   %s\n", cluster.Kubeconfig("admin"))
	fmt.Printf("limited: %s\n", cluster.Kubeconfig("limited"))
	fmt.Printf("\nkubectl operator-maturity --kubeconfig %s\n", cluster.Kubeconfig("admin"))
	fmt.Fprintln(os.Stderr, "\nCtrl-C ends it.")
	<-ctx.Done()
	return nil
}
