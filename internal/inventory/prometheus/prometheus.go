// Package prometheus asks a Prometheus for what it scraped of the operators,
// and reduces that to the same rows as an endpoint read directly.
//
// The sums are worked out by the server, family by family: the answers have a
// row a family, not a row a series, and no label value but outcomes of a
// closed list comes over the wire. It talks only to the URL it is given, and
// only by GET.
package prometheus

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
	"golang.org/x/sync/errgroup"

	"kubectl-operator-maturity/internal/inventory"
)

// Options say which Prometheus to ask, and how.
type Options struct {
	// URL is its address; credentials in it are sent as basic authentication.
	URL string
	// Token is sent as a bearer token; "" is none.
	Token string
	// CA are the PEM certificates that its own may be signed by; none: those of
	// the system.
	CA []byte
	// Timeout bounds one request; 0 means 15 seconds.
	Timeout time.Duration
	// Workers is how many workloads are asked about at once; 0 means 4.
	Workers   int
	UserAgent string
}

// Check refuses what can't work: a URL that no Prometheus can have, a token that
// would cross a network unencrypted, certificates that are none.
func (o Options) Check() error {
	u, err := url.Parse(o.URL)
	if err != nil {
		return errors.New("it is no URL") // the error would show a password
	}
	if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q should be like http://prometheus.example:9090", u.Redacted())
	}
	if o.Token != "" && u.Scheme == "http" && !loopback(u) {
		return fmt.Errorf("the token would go to %s unencrypted: use https://", u.Host)
	}
	if o.Token != "" && u.User != nil {
		return errors.New("a token and credentials in the URL are given: only one can be sent")
	}
	_, err = o.transport()
	return err
}

func loopback(u *url.URL) bool {
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

type asker struct {
	api v1.API
}

// Ask reads the metrics of the targets' pods. A Prometheus that can't be
// reached is a failed row, and no error.
func Ask(ctx context.Context, o Options, targets []inventory.MetricsTarget) ([]inventory.Exposition, inventory.Access, error) {
	row := inventory.Access{Version: "v1", Resource: inventory.PrometheusResource, Access: inventory.Listed}
	if err := o.Check(); err != nil {
		return nil, row, err
	}
	transport, err := o.transport()
	if err != nil {
		return nil, row, err
	}
	if o.Timeout <= 0 {
		o.Timeout = 15 * time.Second
	}
	if o.Workers <= 0 {
		o.Workers = 4
	}
	client, err := api.NewClient(api.Config{Address: o.URL, Client: &http.Client{Transport: transport, Timeout: o.Timeout}})
	if err != nil {
		return nil, row, fmt.Errorf("setting up the client for Prometheus: %w", err)
	}
	a := &asker{v1.NewAPI(client)}
	if _, err := a.vector(ctx, "vector(1)"); err != nil {
		row.Access, row.Detail = inventory.Failed, inventory.Text("Prometheus could not be asked: "+describe(err))
		return nil, row, nil
	}
	return a.all(ctx, o, targets, row)
}

func (a *asker) all(ctx context.Context, o Options, targets []inventory.MetricsTarget, row inventory.Access) ([]inventory.Exposition, inventory.Access, error) {
	var (
		work    errgroup.Group
		mu      sync.Mutex
		list    []inventory.Exposition
		asked   int
		some    bool
		failure string
	)
	work.SetLimit(o.Workers)
	for _, t := range targets {
		if len(t.Pods) == 0 {
			continue
		}
		asked++
		work.Go(func() error {
			read := a.target(ctx, &t)
			mu.Lock()
			defer mu.Unlock()
			list = append(list, read...)
			whole := true
			for _, e := range read {
				some = some || e.Outcome == inventory.Served
				if e.Outcome != inventory.Served {
					whole = false
					if why := t.Workload + ": " + e.Detail; failure == "" || why < failure {
						failure = why
					}
				}
			}
			if whole {
				row.Count++
			}
			return nil
		})
	}
	_ = work.Wait()
	if row.Count < asked {
		row.Detail = inventory.Text(fmt.Sprintf("%d of %d workloads not read whole: %s", asked-row.Count, asked, failure))
		row.Access = inventory.Failed
		if some {
			row.Access = inventory.Partial
		}
	}
	return list, row, ctx.Err()
}

// target reads the metrics of one workload: an exposition for each job that
// scrapes it, and one for each pod that no job scrapes.
func (a *asker) target(ctx context.Context, t *inventory.MetricsTarget) []inventory.Exposition {
	found, err := a.scraped(ctx, t)
	if err != nil {
		return []inventory.Exposition{unread(t, "", describe(err))}
	}
	var list []inventory.Exposition
	for _, j := range found.jobs {
		e := inventory.Exposition{Workload: t.Workload, Endpoint: "job " + j.name, Via: inventory.ViaPrometheus, Outcome: inventory.Served}
		if e.Families, err = a.families(ctx, &j); err != nil {
			e.Outcome, e.Detail = inventory.Unread, inventory.Text(describe(err))
		}
		list = append(list, e)
	}
	for _, pod := range t.Pods {
		if why := found.missing(pod); why != "" {
			list = append(list, unread(t, pod, why))
		}
	}
	if t.More > 0 {
		list = append(list, unread(t, "", fmt.Sprintf("%d more pods were not asked about", t.More)))
	}
	return list
}

func unread(t *inventory.MetricsTarget, pod, why string) inventory.Exposition {
	return inventory.Exposition{Workload: t.Workload, Pod: pod, Via: inventory.ViaPrometheus, Outcome: inventory.Unread, Detail: inventory.Text(why)}
}

// vector is the answer of an instant query.
func (a *asker) vector(ctx context.Context, query string) (model.Vector, error) {
	// No time: the server's own clock decides.
	answer, _, err := a.api.Query(ctx, query, time.Time{})
	if err != nil {
		return nil, err
	}
	vector, ok := answer.(model.Vector)
	if !ok {
		return nil, fmt.Errorf("it answered with a %s, not with a vector", answer.Type())
	}
	return vector, nil
}

// describe says what happened without the URL, which may hold a password.
func describe(err error) string {
	var timeout interface{ Timeout() bool }
	var refused *v1.Error
	var wrapped *url.Error
	switch {
	case errors.As(err, &timeout) && timeout.Timeout():
		return "no whole answer in time"
	case errors.As(err, &refused):
		return string(refused.Type) + ": " + refused.Msg
	case errors.As(err, &wrapped):
		return wrapped.Err.Error()
	}
	return err.Error()
}
