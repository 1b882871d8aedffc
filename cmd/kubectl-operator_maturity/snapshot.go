package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
)

func newSnapshot(s streams, kube *genericclioptions.ConfigFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot FILE",
		Short: "Collect now, score later or elsewhere (scan --from FILE)",
		Long: `Collects what a scan looks at into FILE, or to stdout with -. A name that ends
in .gz is compressed. The file holds no Secrets, no ConfigMap data, no
environment values and no custom resource spec values but those that evidence
rests on; docs/security.md lists what is kept.`,
		Example: "  kubectl operator-maturity snapshot shop.json.gz\n  kubectl operator-maturity scan --from shop.json.gz",
		Args:    cobra.ExactArgs(1),
	}
	source := newSource(cmd, kube)
	source.metrics.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		snapshot, readErr := source.read(cmd.Context(), s)
		if readErr != nil && (snapshot == nil || !errors.Is(readErr, cluster.ErrIncomplete)) {
			return readErr
		}
		if readErr == nil {
			if readErr = source.readMetrics(cmd.Context(), snapshot, &knowledgeFlags{}); readErr != nil && !errors.Is(readErr, cluster.ErrIncomplete) {
				return readErr
			}
		}
		raw, err := encoded(snapshot, strings.HasSuffix(args[0], ".gz"))
		if err != nil {
			return err
		}
		if args[0] == "-" {
			_, err = s.out.Write(raw)
		} else if err = writeFile(args[0], raw); err == nil {
			fmt.Fprintf(s.err, "wrote %s: %d CRDs, %d custom resources\n", args[0], len(snapshot.CRDs), len(snapshot.CustomResources))
		}
		if err != nil {
			return err
		}
		return partial(readErr)
	}
	return cmd
}

// encoded is the snapshot as bytes. The gzip header carries no time, so equal
// snapshots give equal files.
func encoded(snapshot *inventory.Snapshot, compress bool) ([]byte, error) {
	var buffer bytes.Buffer
	if !compress {
		err := inventory.Encode(&buffer, snapshot)
		return buffer.Bytes(), err
	}
	zipped := gzip.NewWriter(&buffer)
	if err := inventory.Encode(zipped, snapshot); err != nil {
		return nil, err
	}
	if err := zipped.Close(); err != nil {
		return nil, fmt.Errorf("compressing the snapshot: %w", err)
	}
	return buffer.Bytes(), nil
}
