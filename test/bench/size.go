package main

import (
	"fmt"
	"strings"
)

// size says how much a generated cluster holds.
type size struct {
	name string
	// crds, customs and pods are numbers of objects. The rest of a cluster
	// follows from them.
	crds, customs, pods int
	// more custom resources are of the kind that has most.
	more int
}

var sizes = []size{
	{name: "small", crds: 170, customs: 2_000, pods: 1_000},
	{name: "medium", crds: 600, customs: 20_000, pods: 5_000},
	{name: "large", crds: 2_000, customs: 100_000, pods: 20_000},
	// As large, with more custom resources of a kind that a scan samples.
	{name: "crowded", crds: 2_000, customs: 100_000, more: 100_000, pods: 20_000},
}

// sizesNamed finds sizes by their names, given with commas between them.
func sizesNamed(names string) ([]size, error) {
	var found []size
	for name := range strings.SplitSeq(names, ",") {
		s, err := sizeNamed(name)
		if err != nil {
			return nil, err
		}
		found = append(found, s)
	}
	return found, nil
}

func sizeNamed(name string) (size, error) {
	for _, s := range sizes {
		if s.name == name {
			return s, nil
		}
	}
	return size{}, fmt.Errorf("no size is called %q: small, medium, large and crowded are", name)
}
