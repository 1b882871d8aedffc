package cluster

import (
	"cmp"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"

	"kubectl-operator-maturity/internal/inventory"
)

// Bounds that are no options: they only keep a broken server from holding us.
const (
	crdPageSize = 50 // 500 whole CRDs at once take 176 MB
	maxPages    = 1000
	maxEvents   = 20_000
	// maxNamespaces is how many namespaces are tried one by one when a list
	// over all of them is forbidden and the user named none.
	maxNamespaces = 50
)

func withDefaults(o Options) Options {
	o.Workers = max(cmp.Or(o.Workers, 12), 1)
	o.PageSize = max(cmp.Or(o.PageSize, 500), 1)
	o.MaxPerKind = cmp.Or(o.MaxPerKind, 5000)
	o.RequestTimeout = cmp.Or(o.RequestTimeout, o.Config.Timeout, 30*time.Second)
	o.Timeout = cmp.Or(o.Timeout, 5*time.Minute)
	o.Identity = cmp.Or(o.Identity, o.Config.Impersonate.UserName, o.Config.Username)
	o.UserAgent = cmp.Or(o.UserAgent, o.Config.UserAgent, "kubectl-operator-maturity")
	o.Namespaces = slices.Compact(slices.Sorted(slices.Values(o.Namespaces)))
	if o.Progress == nil {
		o.Progress = func(int, int, string) {}
	}
	return o
}

// restConfig copies the connection and changes only how fast, how long and
// under which name we ask: proxies, plug-ins and impersonation stay as given.
func restConfig(o Options, seen *answers) *rest.Config {
	config := rest.CopyConfig(o.Config)
	// Each client made of a configuration has its own limiter; clients.turn
	// holds one for all.
	config.QPS, config.RateLimiter = -1, nil
	config.Timeout = o.RequestTimeout
	config.UserAgent = o.UserAgent
	// Warnings of the server (deprecated versions) are facts of the CRDs
	// already; printed, they would mix with the report.
	config.WarningHandler, config.WarningHandlerWithContext = rest.NoWarnings{}, nil
	// Config.Wrap would put us outside of wrappers that are there already;
	// nearest to the wire nothing gets past us.
	config.WrapTransport = transport.Wrappers(seen.wrap, config.WrapTransport)
	// Compression costs more than it saves where there is no network.
	config.DisableCompression = config.DisableCompression || loopback(config)
	return config
}

// httpClient makes the one client that every request goes through.
func httpClient(config *rest.Config) (*http.Client, error) {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	// client-go adds the credentials to redirected requests too.
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if next.URL.Host != via[0].URL.Host || len(via) > 3 {
			return fmt.Errorf("the server redirects to %s, which is not followed", next.URL.Host)
		}
		return nil
	}
	return client, nil
}

// ServerURL is the URL of the API server that a connection leads to, without
// credentials.
func ServerURL(config *rest.Config) string {
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return inventory.Text(withoutUser(config.Host))
	}
	return (&url.URL{Scheme: base.Scheme, Host: base.Host, Path: base.Path}).String()
}

// withoutUser takes what stands before the last @ out of something that should
// have been a URL.
func withoutUser(host string) string {
	at := strings.LastIndex(host, "@")
	if at < 0 {
		return host
	}
	scheme, _, found := strings.Cut(host[:at], "://")
	if !found {
		return "[redacted]" + host[at:]
	}
	return scheme + "://[redacted]" + host[at:]
}

func loopback(config *rest.Config) bool {
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return false
	}
	ip := net.ParseIP(base.Hostname())
	return base.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}
