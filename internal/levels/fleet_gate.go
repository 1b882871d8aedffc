package levels

import (
	"kubectl-operator-maturity/internal/inventory"
)

// JudgeFleet judges each cluster that was read as Judge would alone, and names
// the cluster in what it says. Of the baseline each cluster gets the one with
// its uid, else the one with its name; a cluster that is not in it has no
// baseline, so that all of it counts. baseline may be nil.
func (g Gate) JudgeFleet(f, baseline *FleetScorecard) Judgement {
	u := g.newUse()
	var all Judgement
	for i := range f.Clusters {
		c := &f.Clusters[i]
		if c.Scorecard == nil {
			u.blind = true
			continue
		}
		var before *Scorecard
		if baseline != nil {
			if before = baseline.counterpart(c); before == nil {
				all.Notes = append(all.Notes, inventory.Text(c.Name)+": is not in the baseline, so all of it counts")
			}
		}
		j := g.judge(c, before, u)
		all.Violations = append(all.Violations, named(c.Name, j.Violations)...)
		all.Excused = append(all.Excused, named(c.Name, j.Excused)...)
	}
	all.Notes = append(all.Notes, g.notes(u)...)
	return all
}

// counterpart is the scorecard that a baseline has of a cluster. A name that
// leads to another uid is another cluster.
func (f *FleetScorecard) counterpart(c *FleetCluster) *Scorecard {
	uid := c.Source.ClusterUID
	for i := range f.Clusters {
		if b := &f.Clusters[i]; b.Scorecard != nil && uid != "" && b.Source.ClusterUID == uid && b.Name == c.Name {
			return b.Scorecard
		}
	}
	for i := range f.Clusters {
		if b := &f.Clusters[i]; b.Scorecard != nil && uid != "" && b.Source.ClusterUID == uid {
			return b.Scorecard
		}
	}
	for i := range f.Clusters {
		if b := &f.Clusters[i]; b.Scorecard != nil && b.Name == c.Name && (uid == "" || b.Source.ClusterUID == "") {
			return b.Scorecard
		}
	}
	return nil
}

func named(cluster string, lines []string) []string {
	list := make([]string, len(lines))
	for i, line := range lines {
		list[i] = inventory.Text(cluster) + ": " + line
	}
	return list
}
