package main

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"time"

	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/test/testcluster"
)

// startReal runs a control plane and writes a world to it. It answers at its
// own address, and at that of a proxy that logs what is asked: programs are
// measured without the proxy.
func startReal(ctx context.Context, dir string, c *world, log *requestLog) (*testcluster.Cluster, *httptest.Server, error) {
	cluster, err := testcluster.New(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	begin := time.Now()
	if err := fill(ctx, cluster.Admin(), c); err != nil {
		cluster.Close()
		return nil, nil, fmt.Errorf("filling the control plane: %w", err)
	}
	fmt.Fprintln(os.Stderr, "the control plane was filled in", round(time.Since(begin)))
	proxy, err := logging(cluster.Admin(), log)
	if err != nil {
		cluster.Close()
		return nil, nil, err
	}
	return cluster, proxy, nil
}

// logging is a proxy to an API server that logs the requests.
func logging(config *rest.Config, log *requestLog) (*httptest.Server, error) {
	to, err := url.Parse(config.Host)
	if err != nil {
		return nil, fmt.Errorf("setting up the proxy: %w", err)
	}
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("setting up the proxy: %w", err)
	}
	proxy := &httputil.ReverseProxy{Transport: transport, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Header.Del("Authorization") // the transport has one of its own
	}}
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		log.add(r)
		proxy.ServeHTTP(w, r)
	})
	server := httptest.NewUnstartedServer(handler)
	server.EnableHTTP2 = true
	server.StartTLS()
	return server, nil
}
