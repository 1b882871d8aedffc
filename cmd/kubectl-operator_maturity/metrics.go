package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/internal/inventory/exposition"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/inventory/prometheus"
)

// metricsFlags ask for the operators' own metrics, which no scan reads unless
// it is told to.
type metricsFlags struct {
	pods       bool
	prometheus string
	tokenFile  string
	caFile     string
	folder     string
}

func (f *metricsFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.BoolVar(&f.pods, "metrics", false, "read the operators' own /metrics through the API server (needs the right to get pods/proxy)")
	flags.StringVar(&f.prometheus, "prometheus-url", "", "ask the Prometheus at `URL` for what it scraped of the operators")
	flags.StringVar(&f.tokenFile, "prometheus-token-file", "", "with --prometheus-url: send the bearer token in `FILE`")
	flags.StringVar(&f.caFile, "prometheus-ca", "", "with --prometheus-url: trust the PEM certificates in `FILE` in place of the system's")
	flags.StringVar(&f.folder, "metrics-from", "", "read saved metrics from the folder `DIR`: OPERATOR.prom or OPERATOR.prom.gz")
}

func (f *metricsFlags) asked() bool { return f.pods || f.prometheus != "" || f.folder != "" }

// check finds what can't work before anything is read.
func (f *metricsFlags) check(source *sourceFlags) error {
	if f.pods && (source.demo || len(source.from) > 0) {
		return withHint(errors.New("--metrics needs a cluster: pods of files can't be asked"), "saved metrics go with --metrics-from DIR")
	}
	if _, err := f.prometheusOptions(); err != nil {
		return err
	}
	if f.folder != "" {
		if info, err := os.Stat(f.folder); err != nil {
			return fmt.Errorf("reading --metrics-from: %w", err)
		} else if !info.IsDir() {
			return fmt.Errorf("--metrics-from %s is no folder", f.folder)
		}
	}
	return nil
}

// prometheusOptions are how to ask it, with the token and the certificates read
// from their files.
func (f *metricsFlags) prometheusOptions() (prometheus.Options, error) {
	o := prometheus.Options{URL: f.prometheus, UserAgent: userAgent()}
	if f.prometheus == "" {
		if f.tokenFile != "" || f.caFile != "" {
			return o, errors.New("--prometheus-token-file and --prometheus-ca go with --prometheus-url")
		}
		return o, nil
	}
	if f.tokenFile != "" {
		token, err := os.ReadFile(f.tokenFile)
		if err != nil {
			return o, fmt.Errorf("reading --prometheus-token-file: %w", err)
		}
		if o.Token = strings.TrimSpace(string(token)); o.Token == "" || strings.ContainsAny(o.Token, " \r\n\t") {
			return o, fmt.Errorf("--prometheus-token-file %s should hold one token and nothing else", f.tokenFile)
		}
	}
	if f.caFile != "" {
		var err error
		if o.CA, err = os.ReadFile(f.caFile); err != nil {
			return o, fmt.Errorf("reading --prometheus-ca: %w", err)
		}
	}
	if err := o.Check(); err != nil {
		return o, fmt.Errorf("--prometheus-url: %w", err)
	}
	return o, nil
}

// readMetrics adds to a snapshot what the metrics of its operators say. Which
// pods may be asked, and which names files may have, is known only from the
// attribution of what was read before. The error is cluster.ErrIncomplete when
// time ran out.
func (f *sourceFlags) readMetrics(ctx context.Context, snapshot *inventory.Snapshot, knowledge *knowledgeFlags) error {
	if !f.metrics.asked() {
		return nil
	}
	catalogue, err := knowledge.loadCatalogue()
	if err != nil {
		return err
	}
	attributed := attribution.Attribute(snapshot, catalogue)
	limit := cmp.Or(f.timeout, 5*time.Minute)
	ctx, cancel := context.WithTimeoutCause(ctx, time.Until(f.began.Add(limit)), fmt.Errorf("the time limit of %s was reached", limit))
	defer cancel()
	targets := facts.MetricsTargets(snapshot, attributed)
	add := func(list []inventory.Exposition, row inventory.Access) {
		snapshot.Expositions = append(snapshot.Expositions, list...)
		snapshot.Access = append(snapshot.Access, row)
	}
	var incomplete error
	if f.metrics.pods {
		options, err := f.clusterOptions()
		if err != nil {
			return err
		}
		list, row, err := cluster.Scrape(ctx, options, targets)
		if err != nil && !errors.Is(err, cluster.ErrIncomplete) {
			return err
		}
		add(list, row)
		incomplete = err
	}
	if f.metrics.prometheus != "" {
		options, err := f.metrics.prometheusOptions()
		if err != nil {
			return err
		}
		list, row, err := prometheus.Ask(ctx, options, targets)
		if err != nil && ctx.Err() == nil {
			return err
		}
		add(list, row)
		if err != nil && incomplete == nil {
			incomplete = fmt.Errorf("%w: %w", cluster.ErrIncomplete, context.Cause(ctx))
		}
	}
	if f.metrics.folder != "" {
		add(exposition.ReadFolder(os.DirFS(f.metrics.folder), operatorNames(attributed)))
	}
	snapshot.Sort()
	return incomplete
}

func operatorNames(a *attribution.Result) []string {
	names := make([]string, len(a.Operators))
	for i := range a.Operators {
		names[i] = a.Operators[i].Name
	}
	return names
}
