package facts

import (
	"slices"
	"strings"
	"testing"
)

func equal(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func contains(t *testing.T, what string, got []string, part string) {
	t.Helper()
	if !strings.Contains(strings.Join(got, "\n"), part) {
		t.Errorf("%s: %q, want %q in it", what, got, part)
	}
}

func is[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
