package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"
)

// serveTimeout is how long a server may take to serve the kinds of all CRDs.
const serveTimeout = 5 * time.Minute

// waitServed waits until the server lists the custom resources of every CRD.
func (f *filler) waitServed(ctx context.Context, c *world) error {
	ctx, cancel := context.WithTimeout(ctx, serveTimeout)
	defer cancel()
	for i := range c.crds {
		spec := &c.crds[i].Spec
		path := groupVersionPath(spec.Group, spec.Versions[0].Name) + "/" + spec.Names.Plural
		for !f.served(ctx, path) {
			select {
			case <-ctx.Done():
				return fmt.Errorf("waiting for %s to be served: %w", c.crds[i].Name, ctx.Err())
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	return nil
}

func (f *filler) served(ctx context.Context, path string) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.host+path+"?limit=1", nil)
	if err != nil {
		return false
	}
	resp, err := f.client.Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body) // so that the connection can be used again
	return resp.StatusCode == http.StatusOK
}
