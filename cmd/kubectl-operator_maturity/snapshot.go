package main

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
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
		var err error
		if args[0] == "-" {
			err = encodeTo(s.out, snapshot, false)
		} else if err = writeFileBy(args[0], func(w io.Writer) error {
			return encodeTo(w, snapshot, strings.HasSuffix(args[0], ".gz"))
		}); err == nil {
			fmt.Fprintf(s.err, "wrote %s: %d CRDs, %d custom resources\n", args[0], len(snapshot.CRDs), len(snapshot.CustomResources))
		}
		if err != nil {
			return err
		}
		return partial(readErr)
	}
	return cmd
}

// encodeTo writes the snapshot as it is encoded: that of a large cluster takes
// hundreds of megabytes. The gzip header carries no time, so equal snapshots
// give equal files.
func encodeTo(w io.Writer, snapshot *inventory.Snapshot, compress bool) error {
	if !compress {
		return inventory.Encode(w, snapshot)
	}
	zipped := gzip.NewWriter(w)
	if err := inventory.Encode(zipped, snapshot); err != nil {
		return err
	}
	if err := zipped.Close(); err != nil {
		return fmt.Errorf("compressing the snapshot: %w", err)
	}
	return nil
}
