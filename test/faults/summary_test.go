package faults

import (
	"bytes"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// summary is what a test of the matrix found, kept so that the documentation
// can say it.
type summary struct {
	Lists int          `yaml:"lists"`
	Rows  []summarised `yaml:"faults"`
}

type summarised struct {
	Fault string `yaml:"fault"`
	// Calls are the lists that it happened to, by what the coverage says.
	Listed    int `yaml:"listed,omitempty"`
	Forbidden int `yaml:"forbidden,omitempty"`
	Failed    int `yaml:"failed,omitempty"`
	Partial   int `yaml:"partial,omitempty"`
	// Scorecards were compared; so many verdicts in them became unknown.
	Scorecards int `yaml:"scorecards,omitempty"`
	ToUnknown  int `yaml:"toUnknown,omitempty"`
}

// matrix sums up by fault.
type matrix struct {
	mu  sync.Mutex
	sum summary
}

func newMatrix(lists int) *matrix {
	m := &matrix{sum: summary{Lists: lists}}
	for _, r := range rows {
		m.sum.Rows = append(m.sum.Rows, summarised{Fault: r.name})
	}
	return m
}

func (m *matrix) row(r row) *summarised {
	for i := range m.sum.Rows {
		if m.sum.Rows[i].Fault == r.name {
			return &m.sum.Rows[i]
		}
	}
	return nil
}

func (m *matrix) count(r row, a inventory.AccessState) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.row(r)
	switch a {
	case inventory.Listed:
		at.Listed++
	case inventory.Forbidden:
		at.Forbidden++
	case inventory.Partial:
		at.Partial++
	default:
		at.Failed++
	}
}

// moved counts the verdicts that are known in whole and unknown in less.
func (m *matrix) moved(r row, less, whole *levels.Scorecard) {
	m.mu.Lock()
	defer m.mu.Unlock()
	at := m.row(r)
	at.Scorecards++
	at.ToUnknown += movedToUnknown(less, whole)
}

// compare holds the summary against the file of the test, or writes it with
// UPDATE_GOLDEN=1.
func (m *matrix) compare(t *testing.T) {
	t.Helper()
	compareSummary(t, &m.sum)
}

func compareSummary(t *testing.T, sum any) {
	t.Helper()
	path := "testdata/" + t.Name() + ".yaml"
	got, err := yaml.Marshal(sum)
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale: run UPDATE_GOLDEN=1 go test ./test/faults -run %s\n%s", path, t.Name(), cmp.Diff(string(want), string(got)))
	}
}
