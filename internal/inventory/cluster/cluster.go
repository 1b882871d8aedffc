// Package cluster reads a cluster into an inventory.Snapshot.
//
// It only reads: its transport refuses every method but GET, so rights are
// learned from answers, never from access reviews. Every list has a limit and
// is read page by page; each object is pruned before the next page is asked
// for, so memory follows what is kept. What could not be read is an Access
// row, never an empty slice alone.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
)

// Options say which cluster to read, and how.
type Options struct {
	// Config is the connection, as cli-runtime makes it. It is copied.
	Config *rest.Config
	// Context is the name of the kubeconfig context, for messages and the
	// snapshot's source.
	Context string
	// Identity is the user that asks. Empty: whom Config impersonates, or its
	// user name.
	Identity string
	// Namespaces restrict the look at namespaced kinds; empty means all. One
	// that does not exist is an error.
	Namespaces []string
	// QPS and Burst limit requests a second on our side; a QPS of 0 or less is
	// no limit. There are never more than Workers requests under way, and the
	// server's priority and fairness paces those: a limit by time would only
	// make a server that could answer wait.
	QPS   float32
	Burst int
	// Workers is how many lists are read at once; 0 means 12.
	Workers int
	// PageSize is the number of objects of a page; 0 means 500.
	PageSize int64
	// MaxPerKind caps the objects read of each custom resource kind; 0 means
	// 5000, a negative number no cap.
	MaxPerKind int
	// RequestTimeout bounds one request with its retries; 0 means what Config
	// says, else 30 seconds.
	RequestTimeout time.Duration
	// Timeout bounds the whole look; 0 means 5 minutes.
	Timeout time.Duration
	// Progress is told of each list that was read. It may be nil, is called
	// from several goroutines, one at a time. total grows once, when the
	// number of CRDs is known.
	Progress func(done, total int, what string)
	// Secrets asks for the metadata of Secrets: their owners.
	Secrets bool
	// UserAgent overrides the one of Config.
	UserAgent string
}

// ErrIncomplete is wrapped by the error of Collect when it was cancelled or
// ran out of time. The snapshot that comes with it holds what was read.
var ErrIncomplete = errors.New("the cluster was not read to the end")

// Collect reads a cluster. A list that fails is an Access row and ends
// nothing; an error means that there is no API server to be read as this user,
// or, with ErrIncomplete and a snapshot, that time ran out.
func Collect(ctx context.Context, o Options) (*inventory.Snapshot, error) {
	o = withDefaults(o)
	limited, cancel := context.WithTimeoutCause(ctx, o.Timeout, fmt.Errorf("the time limit of %s was reached", o.Timeout))
	defer cancel()

	c, err := newCollector(o)
	if err != nil {
		return nil, err
	}
	c.readBasics(limited)
	// Whoever interrupts gets what there is; else it must be an API server
	// that knows us.
	if ctx.Err() == nil {
		if err := c.checkServer(); err != nil {
			return nil, err
		}
		if err := c.missingNamespaces(); err != nil {
			return nil, err
		}
	}
	if c.crds.access.Access == inventory.Forbidden {
		c.discoverCRDs(limited)
	}
	c.readRest(limited)
	c.askAggregated(limited)
	snapshot := c.finish(limited)
	if c.unfinished {
		return snapshot, fmt.Errorf("%w: %w", ErrIncomplete, interruption(limited))
	}
	return snapshot, nil
}

// interruption says why ctx, or a request under it, was given up.
func interruption(ctx context.Context) error {
	switch err := context.Cause(ctx); {
	case err == nil:
		return errNoTime
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("interrupted: %w", err)
	default:
		return err
	}
}
