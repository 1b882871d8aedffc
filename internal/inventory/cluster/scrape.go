package cluster

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
)

const (
	// scrapeTimeout bounds one answer of an endpoint: whoever takes longer is
	// no use to a Prometheus either.
	scrapeTimeout = 10 * time.Second
	// scrapeWorkers bounds how many expositions are in memory at once.
	scrapeWorkers = 4
)

// scraper asks pods for their metrics through the API server.
type scraper struct {
	clients *clients
	http    *http.Client
	base    *url.URL
	agent   string
}

// Scrape reads the metrics of pods through the API server's pod proxy. Each
// pod of a target is asked, since with leader election only the leader's
// numbers move. The row says what was read; the error is ErrIncomplete when
// time ran out.
func Scrape(ctx context.Context, o Options, targets []inventory.MetricsTarget) ([]inventory.Exposition, inventory.Access, error) {
	o = withDefaults(o)
	o.RequestTimeout = min(o.RequestTimeout, scrapeTimeout)
	row := inventory.Access{Version: "v1", Resource: inventory.PodProxyResource, Access: inventory.Listed}
	s, err := newScraper(o)
	if err != nil {
		return nil, row, err
	}
	var (
		work  errgroup.Group
		mu    sync.Mutex
		list  []inventory.Exposition
		count tally
	)
	work.SetLimit(min(o.Workers, scrapeWorkers))
	for _, t := range targets {
		if len(t.Ports) == 0 {
			continue
		}
		if t.More > 0 {
			mu.Lock()
			list = append(list, inventory.Exposition{Workload: t.Workload, Via: inventory.ViaPodProxy, Outcome: inventory.Unread,
				Detail: fmt.Sprintf("%d more pods were not asked", t.More)})
			count.skip(t.Workload, t.More)
			mu.Unlock()
		}
		for _, pod := range t.Pods {
			work.Go(func() error {
				read := s.pod(ctx, &t, pod)
				mu.Lock()
				defer mu.Unlock()
				list = append(list, read...)
				count.add(t.Namespace+"/"+pod, read)
				return nil
			})
		}
	}
	_ = work.Wait()
	count.fill(&row)
	if ctx.Err() != nil {
		return list, row, fmt.Errorf("%w: %w", ErrIncomplete, interruption(ctx))
	}
	return list, row, nil
}

func newScraper(o Options) (*scraper, error) {
	clients, config, err := newClients(o, &answers{})
	if err != nil {
		return nil, err
	}
	client, err := httpClient(config)
	if err != nil {
		return nil, fmt.Errorf("setting up the connection: %w", err)
	}
	// A pod must not send us, with our credentials, to another path of the API.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("reading the server's URL: %w", err)
	}
	return &scraper{clients: clients, http: client, base: base, agent: o.UserAgent}, nil
}

// pod asks every port of a pod.
func (s *scraper) pod(ctx context.Context, t *inventory.MetricsTarget, pod string) []inventory.Exposition {
	var list []inventory.Exposition
	for _, port := range t.Ports {
		e := inventory.Exposition{Workload: t.Workload, Pod: pod, Endpoint: fmt.Sprintf("port %d", port.Number), Via: inventory.ViaPodProxy}
		a := s.port(ctx, t, pod, port)
		e.Outcome, e.Detail, e.Families = a.outcome, inventory.Text(a.detail), a.families
		list = append(list, e)
		if a.ours {
			break // the next port needs the same right
		}
	}
	return list
}

// port asks a port in the scheme that is likely, and in the other one when the
// endpoint does not speak the first.
func (s *scraper) port(ctx context.Context, t *inventory.MetricsTarget, pod string, port inventory.MetricsPort) scraped {
	first := s.paths(ctx, t, pod, port.Number, port.HTTPS)
	if !first.otherScheme {
		return first
	}
	second := s.paths(ctx, t, pod, port.Number, !port.HTTPS)
	if second.otherScheme {
		return scraped{outcome: inventory.Unread, detail: "it speaks neither HTTP nor HTTPS: " + second.detail}
	}
	return second
}

// metricsPaths are where frameworks serve metrics: most, Quarkus, Spring.
var metricsPaths = []string{"/metrics", "/q/metrics", "/actuator/prometheus"}

// paths asks the usual paths until one is there.
func (s *scraper) paths(ctx context.Context, t *inventory.MetricsTarget, pod string, port int32, https bool) scraped {
	paths := metricsPaths
	if t.Path != "" {
		paths = append([]string{t.Path}, slices.DeleteFunc(slices.Clone(metricsPaths), func(p string) bool { return p == t.Path })...)
	}
	for _, path := range paths {
		a := s.ask(ctx, s.url(t.Namespace, pod, port, https, path))
		if !a.missing {
			return a
		}
	}
	return scraped{outcome: inventory.Unread, detail: "it answers, but has nothing at " + strings.Join(paths, ", ") + " (404)"}
}

func (s *scraper) url(namespace, pod string, port int32, https bool, path string) string {
	id := fmt.Sprintf("%s:%d", pod, port)
	if https {
		id = "https:" + id
	}
	u := s.base.JoinPath("api", "v1", "namespaces", namespace, "pods", id, "proxy")
	u.Path += "/" + strings.TrimLeft(path, "/")
	return u.String()
}

// ask sends one GET. The text format is asked for by name: endpoints would
// choose another for a client that takes all.
func (s *scraper) ask(ctx context.Context, address string) scraped {
	if err := s.clients.turn(ctx); err != nil {
		return scraped{outcome: inventory.Unread, detail: "not finished: " + err.Error()}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return scraped{outcome: inventory.Unread, detail: err.Error()}
	}
	req.Header.Set("Accept", "text/plain;version=0.0.4;q=1,*/*;q=0.1")
	req.Header.Set("User-Agent", s.agent)
	resp, err := s.http.Do(req)
	if err != nil {
		return s.unanswered(ctx, err)
	}
	defer resp.Body.Close()
	return s.answered(ctx, resp)
}
