package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/levels"
)

// fleetFlags choose several clusters.
type fleetFlags struct {
	contexts []string
	parallel int
}

func (f *fleetFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringSliceVar(&f.contexts, contextsFlag, nil, "scan the clusters of these `CONTEXTS` side by side: names with commas between, patterns such as 'prod-*', or all")
	cmd.Flags().IntVar(&f.parallel, "parallel", 4, "with --contexts: clusters scanned at the same time; --qps, --burst, --workers and --timeout hold for each")
	cmd.MarkFlagsMutuallyExclusive(contextsFlag, "from", "demo")
}

const contextsFlag = "contexts"

// check finds what does not go with several clusters before any is asked.
func (f *fleetFlags) check(source *sourceFlags) error {
	switch {
	case f.parallel < 1:
		return fmt.Errorf("--parallel %d: at least 1 cluster has to be scanned at a time", f.parallel)
	case source.complete || source.asOf != "":
		return errors.New("--complete and --as-of go with --from")
	case source.metrics.prometheus != "" || source.metrics.folder != "":
		return errors.New("--prometheus-url and --metrics-from are of one cluster: with --contexts only --metrics can be used")
	}
	return source.metrics.check(source)
}

// scanFleet reads and scores clusters side by side, some at a time. What goes
// wrong with one is told of that one and stops no other.
func (f *fleetFlags) scanFleet(ctx context.Context, s streams, source *sourceFlags, flags *knowledgeFlags, names []string) (*levels.FleetScorecard, error) {
	k, err := flags.load()
	if err != nil {
		return nil, err
	}
	bar := newFleetProgress(s, len(names))
	defer bar.finish()
	clusters := make([]levels.FleetCluster, len(names))
	var work errgroup.Group
	work.SetLimit(f.parallel)
	for i, name := range names {
		work.Go(func() error {
			one := source.onContext(name)
			clusters[i] = one.scanOne(ctx, name, flags, k, bar.of(i))
			bar.ended(i)
			return nil
		})
	}
	_ = work.Wait()
	return levels.NewFleet(clusters), nil
}

// onContext is the same source on another context.
func (f *sourceFlags) onContext(name string) *sourceFlags {
	one := *f
	one.kube = forContext(f.kube, name)
	one.together = true
	return &one
}

// scanOne is a cluster, however far it can be read.
func (f *sourceFlags) scanOne(ctx context.Context, name string, flags *knowledgeFlags, k *knowledge, progress func(done, total int, what string)) levels.FleetCluster {
	c := levels.FleetCluster{Name: name, Outcome: levels.NotRead, Source: inventory.Source{Type: "cluster", Context: name}}
	if err := checkContext(f.kube, name); err != nil {
		c.Why = inventory.Text(err.Error())
		return c
	}
	options, err := f.clusterOptions()
	if err != nil {
		c.Why = inventory.Text(err.Error())
		return c
	}
	c.Source.Server, c.Source.Namespaces = cluster.ServerURL(options.Config), options.Namespaces
	if ctx.Err() != nil {
		c.Why = "not begun: interrupted"
		return c
	}
	options.Progress = progress
	f.began = time.Now()
	snapshot, err := cluster.Collect(ctx, options)
	if snapshot != nil && err == nil {
		err = f.readMetrics(ctx, snapshot, flags)
	}
	if snapshot == nil {
		// A URL that is none is told as it stands in the kubeconfig.
		c.Why = inventory.Text(strings.ReplaceAll(err.Error(), options.Config.Host, c.Source.Server))
		return c
	}
	c.Outcome = levels.Read
	if err != nil {
		c.Outcome, c.Why = levels.ReadPartly, inventory.Text(strings.TrimPrefix(err.Error(), cluster.ErrIncomplete.Error()+": "))
	}
	c.Scorecard = k.score(snapshot)
	c.Source = c.Scorecard.Source
	return c
}

// fleetProgress draws one bar for all clusters: a hundred steps for each, since
// how many lists a cluster has is known only once it has been asked.
type fleetProgress struct {
	*progress
	mu   sync.Mutex
	part []int
	left int
}

func newFleetProgress(s streams, clusters int) *fleetProgress {
	return &fleetProgress{progress: newProgress(s), part: make([]int, clusters), left: clusters}
}

// of is the progress of one cluster.
func (p *fleetProgress) of(i int) func(done, total int, what string) {
	return func(done, total int, _ string) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.part[i] = min(99, done*100/max(total, 1))
		p.draw()
	}
}

func (p *fleetProgress) ended(i int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.part[i] = 100
	p.left--
	p.draw()
}

func (p *fleetProgress) draw() {
	done := 0
	for _, n := range p.part {
		done += n
	}
	p.update(done, 100*len(p.part), fmt.Sprintf("clusters left: %d", p.left))
}
