package demo

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/test/testcluster"
)

var crdResource = schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"}

// source is where the demo's snapshot says it comes from.
var source = inventory.Source{
	Type:       "demo",
	Context:    "shop",
	Server:     "https://shop.example.com:6443",
	ClusterUID: uidOf(key{kind: "Namespace", name: "kube-system"}),
	Identity:   "demo",
}

// Record writes the manifests to a fresh control plane, which must run without its controllers, and reads it
// into a snapshot as the program would. The same manifests give the same snapshot.
func Record(ctx context.Context, c *testcluster.Cluster) (*inventory.Snapshot, error) {
	items, err := populate(ctx, c)
	if err != nil {
		return nil, err
	}
	snapshot, err := cluster.Collect(ctx, cluster.Options{Config: c.Admin(), QPS: -1, Workers: 4})
	if err != nil {
		return nil, fmt.Errorf("reading the control plane: %w", err)
	}
	version := snapshot.Source.Version
	snapshot.Taken, snapshot.Source = Base, source
	snapshot.Source.Version = version
	settle(snapshot, items)
	return snapshot, nil
}

// Populate writes the manifests to a fresh control plane, for a person to look
// at: operators with their CRDs, custom resources and rights.
func Populate(ctx context.Context, c *testcluster.Cluster) error {
	_, err := populate(ctx, c)
	return err
}

func populate(ctx context.Context, c *testcluster.Cluster) ([]*item, error) {
	items, err := load(files)
	if err != nil {
		return nil, err
	}
	if items, err = expand(items); err != nil {
		return nil, err
	}
	w, err := newWriter(c.Admin())
	if err != nil {
		return nil, fmt.Errorf("connecting to the control plane: %w", err)
	}
	if err := w.write(ctx, items); err != nil {
		return nil, err
	}
	return items, w.waitForAPIServices(ctx, items)
}

// Write encodes a snapshot, compressed; equal snapshots give equal bytes.
func Write(out io.Writer, s *inventory.Snapshot) error {
	compressed, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := inventory.Encode(compressed, s); err != nil {
		return err
	}
	return compressed.Close()
}
