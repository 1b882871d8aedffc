package main

import (
	"bytes"
	"compress/gzip"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/inventory/manifests"
)

//go:embed demo/snapshot.json.gz
var demoSnapshot []byte

// sourceFlags say where a snapshot comes from: the cluster of the current
// context, files, or the demo.
type sourceFlags struct {
	kube       *genericclioptions.ConfigFlags
	namespaces func() []string

	from     []string
	demo     bool
	complete bool
	asOf     string

	qps        float32
	burst      int
	workers    int
	maxPerKind int
	timeout    time.Duration
	secrets    bool

	metrics metricsFlags
	began   time.Time
	// together: other clusters are read at the same time, so that no credential
	// plug-in can ask anybody.
	together bool
}

func (f *sourceFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringArrayVar(&f.from, "from", nil, "read `PATH` instead of a cluster, repeatable: files, folders, archives, - for stdin")
	flags.BoolVar(&f.demo, "demo", false, "use the snapshot built into the program: no cluster needed")
	flags.BoolVar(&f.complete, "complete", false, "with --from: the files hold every object of the cluster, so a kind that is not in them has none")
	flags.StringVar(&f.asOf, "as-of", "", "with --from: the time of the files, RFC 3339 (default: the newest time found in them)")
	flags.Float32Var(&f.qps, "qps", 0, "requests a second; 0 leaves it to the server, which is asked for no more than --workers lists at a time")
	flags.IntVar(&f.burst, "burst", 100, "with --qps: requests at once above it")
	flags.IntVar(&f.workers, "workers", 12, "lists read at the same time")
	flags.IntVar(&f.maxPerKind, "max-per-kind", 5000, "custom resources read of one kind; of more, these are a sample, which the report says (-1: all)")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Minute, "time for the whole scan; what was read by then is reported")
	flags.BoolVar(&f.secrets, "secrets-metadata", false, "look at the owners of Secrets (metadata only, never their content)")
	cmd.MarkFlagsMutuallyExclusive("from", "demo")
}

// read takes or loads the snapshot. With cluster.ErrIncomplete it returns both
// a partial snapshot and the error.
func (f *sourceFlags) read(ctx context.Context, s streams) (*inventory.Snapshot, error) {
	f.began = time.Now()
	if err := f.metrics.check(f); err != nil {
		return nil, err
	}
	switch {
	case f.demo:
		return readDemo()
	case len(f.from) > 0:
		return f.readFiles(ctx, s)
	case f.complete || f.asOf != "":
		return nil, errors.New("--complete and --as-of go with --from")
	}
	return f.readCluster(ctx, s)
}

func readDemo() (*inventory.Snapshot, error) {
	unzipped, err := gzip.NewReader(bytes.NewReader(demoSnapshot))
	if err != nil {
		return nil, fmt.Errorf("reading the built-in demo snapshot: %w", err)
	}
	return inventory.Decode(unzipped)
}

func (f *sourceFlags) readFiles(ctx context.Context, s streams) (*inventory.Snapshot, error) {
	options := manifests.Options{Paths: f.from, Stdin: s.in, Complete: f.complete, MaxPerKind: f.maxPerKind}
	if f.asOf != "" {
		at, err := time.Parse(time.RFC3339, f.asOf)
		if err != nil {
			return nil, fmt.Errorf("--as-of %q is no RFC 3339 time such as 2026-01-31T12:00:00Z", f.asOf)
		}
		options.AsOf = at
	}
	return manifests.Read(ctx, options)
}

func (f *sourceFlags) readCluster(ctx context.Context, s streams) (*inventory.Snapshot, error) {
	options, err := f.clusterOptions()
	if err != nil {
		return nil, err
	}
	bar := newProgress(s)
	defer bar.finish()
	options.Progress = bar.update
	return cluster.Collect(ctx, options)
}

// clusterOptions are the connection and how fast to ask.
func (f *sourceFlags) clusterOptions() (cluster.Options, error) {
	config, err := f.kube.ToRawKubeConfigLoader().ClientConfig()
	if err == nil {
		err = checkKubeconfig(f.kube, config)
	}
	if err != nil {
		return cluster.Options{}, withHint(fmt.Errorf("reading the kubeconfig: %w", err),
			"check with kubectl config get-contexts, or look at a dump (--from FILE) or at the built-in example (--demo)")
	}
	if f.together && config.ExecProvider != nil {
		config.ExecProvider.StdinUnavailable = true
		config.ExecProvider.StdinUnavailableMessage = "several clusters are scanned side by side, so it cannot ask: log in with kubectl first, or scan this one alone with --context"
	}
	return cluster.Options{
		Config:         config,
		Context:        contextName(f.kube),
		Namespaces:     f.namespaces(),
		QPS:            f.qps,
		Burst:          f.burst,
		Workers:        f.workers,
		MaxPerKind:     f.maxPerKind,
		Timeout:        f.timeout,
		RequestTimeout: config.Timeout,
		Secrets:        f.secrets,
		UserAgent:      userAgent(),
	}, nil
}

func userAgent() string { return "kubectl-operator-maturity/" + version() }
