// Command kubectl-operator_maturity is the kubectl plugin
// `kubectl operator-maturity`: which operators run on a cluster, who owns each
// CRD, is anybody reconciling it, and how mature is each operator.
//
// The package wires flags to typed options and errors to exit codes; what is
// decided is decided in internal/.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	_ "k8s.io/client-go/plugin/pkg/client/auth" // exec, OIDC and cloud credentials of kubeconfigs
)

func main() {
	boundMemory()
	os.Exit(run())
}

// run is main without os.Exit, so that deferred calls happen and tests can
// call it.
func run() int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	// A second Ctrl-C ends the program at once.
	context.AfterFunc(ctx, stop)
	s := standardStreams()
	err := newRoot(s).ExecuteContext(ctx)
	return exitCode(s, err)
}
