package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// recordings are the clusters in a file: several in the scorecard of a fleet,
// else one. A name goes before what the recording says of itself.
func recordings(ctx context.Context, name, path string, complete bool, knowledge *knowledgeFlags) ([]levels.FleetCluster, error) {
	raw, err := plainFile(path)
	if err != nil {
		return nil, err
	}
	if levels.IsFleet(raw) {
		fleet, err := levels.DecodeFleet(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if name != "" {
			for i := range fleet.Clusters {
				fleet.Clusters[i].Name = name + "/" + fleet.Clusters[i].Name
			}
		}
		return fleet.Clusters, nil
	}
	sc, err := scorecardOf(ctx, path, complete, knowledge)
	if err != nil {
		return nil, err
	}
	c := levels.FleetCluster{
		Name: cmp.Or(name, sc.Source.Context, bareName(path)), Outcome: levels.Read, Source: sc.Source, Scorecard: sc,
	}
	if len(c.Source.Files) == 0 {
		c.Source.Files = []string{path}
	}
	return []levels.FleetCluster{c}, nil
}

// bareName is a file's name without what says how it is written.
func bareName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".gz", ".tar", ".tgz", ".zip", ".json", ".yaml", ".yml"} {
		name = cmp.Or(strings.TrimSuffix(name, ending), name)
	}
	return name
}

// tellApart gives clusters of one name the file they come from too: one context
// recorded twice, or two files of one base name.
func tellApart(clusters []levels.FleetCluster) error {
	count := map[string]int{}
	for i := range clusters {
		count[clusters[i].Name]++
	}
	seen := map[string]bool{}
	for i := range clusters {
		c := &clusters[i]
		if count[c.Name] > 1 && len(c.Source.Files) > 0 {
			c.Name = fmt.Sprintf("%s (%s)", c.Name, c.Source.Files[0])
		}
		if seen[c.Name] {
			return withHint(fmt.Errorf("two clusters are called %q", c.Name), "give each a name of its own: fleet one=FILE two=FILE")
		}
		seen[c.Name] = true
	}
	return nil
}
