package levels_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// lists are what operators are recognised by.
var lists = []string{"customresourcedefinitions.apiextensions.k8s.io", "deployments.apps", "statefulsets.apps", "daemonsets.apps", "replicasets.apps", "pods"}

// card is the scorecard of a cluster of which every list was read.
func card(operators ...levels.Operator) *levels.Scorecard {
	sc := &levels.Scorecard{
		APIVersion: "operator-maturity/v1", Kind: "Scorecard", Taken: time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC),
		Source: inventory.Source{Type: "cluster"}, Coverage: levels.Coverage{Complete: true}, Operators: operators,
	}
	for _, l := range lists {
		resource, group, _ := strings.Cut(l, ".")
		sc.Coverage.Resources = append(sc.Coverage.Resources, levels.Resource{Group: group, Version: "v1", Resource: resource, Access: inventory.Listed})
	}
	return sc
}

// unreadable makes a list one that had another outcome.
func unreadable(sc *levels.Scorecard, list string, state inventory.AccessState) *levels.Scorecard {
	for i := range sc.Coverage.Resources {
		r := &sc.Coverage.Resources[i]
		if strings.TrimSuffix(r.Resource+"."+r.Group, ".") == list {
			r.Access, sc.Coverage.Complete = state, false
		}
	}
	return sc
}

func on(name, uid string, sc *levels.Scorecard) levels.FleetCluster {
	sc.Source.Context, sc.Source.ClusterUID = name, uid
	return levels.FleetCluster{Name: name, Outcome: levels.Read, Source: sc.Source, Scorecard: sc}
}

func dead(name string) levels.FleetCluster {
	return levels.FleetCluster{Name: name, Outcome: levels.NotRead, Why: "connection refused", Source: inventory.Source{Type: "cluster", Context: name}}
}

func certManager(version string) levels.Operator {
	return levels.Operator{Name: "cert-manager", Version: version, State: "running", Level: 3, LevelIndicated: 3, LevelPossible: 4, CRDs: []levels.CRD{certificates()}}
}

func certificates() levels.CRD {
	return levels.CRD{Name: "certificates.cert-manager.io", Versions: []string{"v1"}, StorageVersion: "v1"}
}

// cell is that of an operator on a cluster.
func cell(t *testing.T, f *levels.FleetScorecard, operator, cluster string) levels.FleetCell {
	t.Helper()
	for _, op := range f.Operators {
		for i, c := range op.Cells {
			if op.Name == operator && c.Cluster == cluster && f.Clusters[i].Name == cluster {
				return c
			}
		}
	}
	t.Fatalf("no cell for %s on %s: %+v", operator, cluster, f.Operators)
	return levels.FleetCell{}
}

func wantCell(t *testing.T, c levels.FleetCell, presence levels.FleetPresence, why string) {
	t.Helper()
	if c.Presence != presence || !strings.Contains(c.Why, why) || why == "" && c.Why != "" {
		t.Errorf("%s: %s, %q; want %s, %q", c.Cluster, c.Presence, c.Why, presence, why)
	}
	if (c.Standing != nil) != (presence == levels.FleetPresent) {
		t.Errorf("%s: %s, but standing %+v", c.Cluster, presence, c.Standing)
	}
}

func TestAClusterThatWasNotReadLacksNothing(t *testing.T) {
	f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(certManager("v1"))), dead("b"), on("c", "3", card())})
	wantCell(t, cell(t, f, "cert-manager", "a"), levels.FleetPresent, "")
	wantCell(t, cell(t, f, "cert-manager", "b"), levels.FleetUnknown, "the cluster was not read: connection refused")
	wantCell(t, cell(t, f, "cert-manager", "c"), levels.FleetAbsent, "")
	if f.Complete {
		t.Error("a fleet with a dead cluster is called complete")
	}
	for _, d := range f.Drift {
		if !slices.Contains(d.Untold, "b") {
			t.Errorf("%s: the dead cluster is told: %+v", d.What, d)
		}
	}
}

// Whichever of the lists was not read whole, an operator that was not found may
// be there.
func TestAbsenceNeedsEveryListRead(t *testing.T) {
	for _, list := range lists {
		for _, state := range []inventory.AccessState{inventory.Forbidden, inventory.Partial, inventory.Failed} {
			f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(certManager("v1"))), on("b", "2", unreadable(card(), list, state))})
			wantCell(t, cell(t, f, "cert-manager", "b"), levels.FleetUnknown, list+" "+string(state))
			if len(f.Drift) != 0 {
				t.Errorf("%s %s: what nobody could see differs: %+v", list, state, f.Drift)
			}
		}
	}
	silent := card()
	silent.Coverage.Resources = silent.Coverage.Resources[:1]
	files := card()
	files.Source.Type = "files"
	whole := &levels.Scorecard{Source: inventory.Source{Type: "files", Complete: true}}
	f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(certManager("v1"))), on("silent", "2", silent), on("files", "3", files), on("whole", "4", whole)})
	wantCell(t, cell(t, f, "cert-manager", "silent"), levels.FleetUnknown, "deployments.apps, statefulsets.apps, daemonsets.apps, replicasets.apps, pods not asked for")
	wantCell(t, cell(t, f, "cert-manager", "files"), levels.FleetUnknown, "--complete")
	wantCell(t, cell(t, f, "cert-manager", "whole"), levels.FleetAbsent, "")
}

// The CRDs of an operator under another name may be the same operator.
func TestCRDsThatAreLeft(t *testing.T) {
	renamed := certManager("v1")
	renamed.Name = "certs"
	nobodys := card()
	nobodys.Unattributed = []levels.CRD{certificates()}
	f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(certManager("v1"))), on("b", "2", card(renamed)), on("c", "3", nobodys)})
	wantCell(t, cell(t, f, "cert-manager", "b"), levels.FleetUnknown, "its CRD certificates.cert-manager.io is there and counts as certs's")
	wantCell(t, cell(t, f, "cert-manager", "c"), levels.FleetAbsent, "its CRD certificates.cert-manager.io is there, and belongs to nobody")
}

func TestFleetReadsBack(t *testing.T) {
	f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(certManager("v1"))), dead("b"), on("c", "1", card())})
	raw, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	if !levels.IsFleet(raw) || levels.IsScorecard(raw) {
		t.Error("the kind is not told apart from that of one cluster")
	}
	again, err := levels.DecodeFleet(raw)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(f, again); diff != "" {
		t.Errorf("written (-) and read (+):\n%s", diff)
	}
	if strings.Contains(string(raw), `"presence":"absent","version"`) || strings.Contains(string(raw), `"presence":"unknown","version"`) {
		t.Errorf("an operator that is not there has a version: %s", raw)
	}
	for text, want := range map[string]string{
		`{"apiVersion":"operator-maturity/v2","kind":"FleetScorecard"}`:                          "version",
		`{"apiVersion":"operator-maturity/v1","kind":"FleetScorecard","clusters":[{}]}`:          "without a name",
		`{"apiVersion":"operator-maturity/v1","kind":"FleetScorecard","clusters":{"a":"wrong"}}`: "reading the scorecard of a fleet",
	} {
		if _, err := levels.DecodeFleet([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
