package report

import (
	"io"

	"kubectl-operator-maturity/internal/levels"
)

// writeFleetPrometheus writes the gauges of each cluster with the label
// cluster. Of one that was not read there is nothing but that.
func writeFleetPrometheus(w io.Writer, f *levels.FleetScorecard, _ Options) error {
	g := &gauges{}
	for i := range f.Clusters {
		c := &f.Clusters[i]
		g.always = []string{"cluster", c.Name}
		g.add("operator_maturity_cluster_read", "1 when the cluster was read to the end; 0 when it was cut short or could not be read.", truth(c.Outcome == levels.Read))
		if c.Scorecard != nil {
			g.scorecard(c.Scorecard)
			continue
		}
		g.add("operator_maturity_scan_complete", scanCompleteHelp, 0)
	}
	g.always = nil
	certain := 0
	for _, d := range f.Drift {
		if d.Certain {
			certain++
		}
	}
	g.add("operator_maturity_fleet_differences", "Differences between clusters: of the presence, version, level or controller of operators, and of the versions of CRDs.", float64(certain), "certain", "true")
	g.add("operator_maturity_fleet_differences", "", float64(len(f.Drift)-certain), "certain", "false")
	return g.write(w)
}
