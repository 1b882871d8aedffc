package testcluster

import (
	"errors"
	"os"
	"strconv"
	"testing"
)

// Start runs a control plane until the test ends. Without a control plane to run the test is skipped, but
// fails when CI is true, because there a skip would hide that nothing was tested.
func Start(t testing.TB, opts ...Option) *Cluster {
	t.Helper()
	c, err := New(t.Context(), t.TempDir(), opts...)
	if ci, _ := strconv.ParseBool(os.Getenv("CI")); errors.Is(err, ErrNotFound) && !ci {
		t.Skip(err)
	}
	if err != nil {
		t.Fatalf("starting control plane: %v", err)
	}
	t.Cleanup(c.Close)
	return c
}
