package levels_test

import (
	"fmt"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/levels"
)

// drifts are the differences as lines.
func drifts(f *levels.FleetScorecard) string {
	var lines []string
	for _, d := range f.Drift {
		line := d.Operator
		if d.CRD != "" {
			line += " " + d.CRD
		}
		line += " " + d.What
		if !d.Certain {
			line += " (may)"
		}
		for _, v := range d.Values {
			line += fmt.Sprintf(" [%s: %s]", v.Value, strings.Join(v.Clusters, " "))
		}
		lines = append(lines, strings.TrimSpace(line+" untold: "+strings.Join(d.Untold, " ")))
	}
	return strings.Join(lines, "\n")
}

// at is an operator with what is proven, indicated and possible.
func at(level, indicated, possible int) levels.Operator {
	return levels.Operator{Name: "shop", Version: "1", State: "running", Level: level, LevelIndicated: indicated, LevelPossible: possible}
}

func TestDrift(t *testing.T) {
	older, unversioned, down := certManager("v1.20.0"), certManager(""), certManager("v1.21.1")
	down.State = "down"
	served, stored, without := certManager("v1"), certManager("v1"), certManager("v1")
	served.CRDs[0].Versions = []string{"v1beta1", "v1"}
	stored.CRDs = []levels.CRD{{Name: served.CRDs[0].Name, Versions: []string{"v1", "v1beta1"}, StorageVersion: "v1beta1"}}
	without.CRDs = nil
	discovered, half := certManager("v1"), unreadable(card(), lists[0], "forbidden")
	discovered.CRDs = []levels.CRD{{Name: served.CRDs[0].Name, Versions: []string{"v1"}}}
	half.Operators = []levels.Operator{discovered}
	half.Coverage.Resources = append(half.Coverage.Resources, levels.Resource{Group: "cert-manager.io", Version: "v1beta1", Resource: "*", Access: "failed"})
	unserved := certManager("v1")
	unserved.CRDs = []levels.CRD{{Name: served.CRDs[0].Name, StorageVersion: "v1"}}
	stray := card()
	stray.Unattributed = []levels.CRD{{Name: "widgets.example.com"}}

	for name, c := range map[string]struct {
		a, b *levels.Scorecard
		want string
	}{
		"nothing":                    {card(certManager("v1")), card(certManager("v1")), ""},
		"another version":            {card(certManager("v1.21.1")), card(older), "cert-manager version [v1.21.1: a] [v1.20.0: b] untold: c"},
		"a version without its v":    {card(certManager("v1.21.1")), card(certManager("1.21.1")), ""},
		"a version that nobody sees": {card(certManager("v1.21.1")), card(unversioned), ""},
		"a controller that is down":  {card(certManager("v1.21.1")), card(down), "cert-manager controller [running: a] [down: b] untold: c"},
		"on one cluster only":        {card(certManager("v1")), card(), "cert-manager presence [present: a] [absent: b] untold: c"},
		"more is proven":             {card(at(3, 3, 3)), card(at(1, 2, 2)), "shop level [3: a] [1: b] untold: c"},
		"the rest is indicated":      {card(at(3, 3, 3)), card(at(1, 3, 3)), "shop level (may) [3: a] [1: b] untold: c"},
		"the rest is unknown":        {card(at(3, 3, 3)), card(at(0, 0, 4)), ""},
		"served versions": {card(certManager("v1")), card(served),
			"cert-manager certificates.cert-manager.io served-versions [v1: a] [v1, v1beta1: b] untold: c"},
		"stored version": {card(served), card(stored),
			"cert-manager certificates.cert-manager.io storage-version [v1: a] [v1beta1: b] untold: c"},
		"versions that discovery could not tell": {card(served), half, ""},
		"versions that discovery told": {card(served), unreadable(card(discovered), lists[0], "forbidden"),
			"cert-manager certificates.cert-manager.io served-versions [v1, v1beta1: a] [v1: b] untold: c"},
		"no version is served": {card(certManager("v1")), card(unserved),
			"cert-manager certificates.cert-manager.io served-versions [v1: a] [none: b] untold: c"},
		"a CRD is missing": {card(certManager("v1")), card(without),
			"cert-manager certificates.cert-manager.io presence [present: a] [absent: b] untold: c"},
		"a CRD may be missing":    {card(certManager("v1")), unreadable(card(without), lists[0], "forbidden"), ""},
		"a CRD of nobody":         {stray, card(), "widgets.example.com presence [present: a] [absent: b] untold: c"},
		"a CRD of nobody, unseen": {stray, unreadable(card(), lists[0], "partial"), ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := drifts(levels.NewFleet([]levels.FleetCluster{on("a", "1", c.a), on("b", "2", c.b), dead("c")}))
			if c.want == "" && got != "" || !strings.Contains(got, c.want) || strings.Contains(got, "\n") {
				t.Errorf("got %q, want %q", got, c.want)
			}
			c.b.Source.ClusterUID = "1"
			same := levels.NewFleet([]levels.FleetCluster{on("a", "1", c.a), on("b", "1", c.b), dead("c")})
			if len(same.Drift) != 0 || same.Clusters[1].SameAs != "a" || same.Clusters[0].SameAs != "" {
				t.Errorf("two names of one cluster: same as %q, drift %q", same.Clusters[1].SameAs, drifts(same))
			}
		})
	}
}

// A third cluster differs from both names of another one.
func TestDriftBesideTwoNamesOfOneCluster(t *testing.T) {
	f := levels.NewFleet([]levels.FleetCluster{on("a", "1", card(certManager("v1"))), on("again", "1", card(certManager("v1"))), on("b", "2", card(certManager("v2")))})
	if got := drifts(f); got != "cert-manager version [v1: a again] [v2: b] untold:" {
		t.Error(got)
	}
	nameless := levels.NewFleet([]levels.FleetCluster{on("a", "", card()), on("b", "", card())})
	if nameless.Clusters[1].SameAs != "" {
		t.Error("two clusters of which nobody knows the uid are called the same")
	}
}
