package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// write prints the figures of all sizes: medians, and ratios of runs made in
// pairs.
func write(w io.Writer, results []result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SIZE\tSERVER\tPROGRAM\tWALL\tCPU\tPEAK\tWALL ÷ FLOOR\tCPU ÷ FLOOR\tWALL ÷ DECODED\tCPU ÷ DECODED\tWALL ÷ GET\tCPU ÷ GET")
	for _, r := range results {
		row(t, r.size.name, r.server, "scan", r.scans)
		for _, other := range [][]usage{r.floors, r.decoded, r.gets} {
			if len(other) > 0 {
				fmt.Fprintf(t, "\t%.2f\t%.2f", ratio(r.scans, other, wall), ratio(r.scans, other, cpu))
			}
		}
		fmt.Fprintln(t)
		for _, other := range []struct {
			program string
			runs    []usage
		}{{"floor", r.floors}, {"decoded", r.decoded}, {"kubectl get", r.gets}} {
			if len(other.runs) > 0 {
				row(t, "", "", other.program, other.runs)
				fmt.Fprintln(t)
			}
		}
		fmt.Fprintf(t, "\t\tscoring alone\t%s\n", round(median(r.scoring)))
	}
	fmt.Fprintln(t, "\nSIZE\tSERVER\tCRDS\tCRS\tPODS\tKINDS\tCRS KEPT\tOBJECTS KEPT\tOBJECTS KEPT ÷ CRS\tREQUESTS\tPAGES + 30\tREQUESTS OF KUBECTL GET")
	for _, r := range results {
		s := r.size
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t%d\t%d\t%d\n", s.name, r.server, s.crds, s.customs+s.more, s.pods, r.kinds,
			r.kept.CustomResources, r.kept.Objects, float64(r.kept.Objects)/float64(s.customs+s.more), r.requests, r.pages+30, r.getRequests)
	}
	fmt.Fprintln(t, "\nSIZE\tSERVER\tLIST, READ ALONE\tPAGES\tBYTES\tTIME")
	for _, r := range results {
		writeLists(t, r)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

// longest is how many lists are shown one by one.
const longest = 8

// writeLists prints what was read one list after the other: the largest lists,
// and all together.
func writeLists(t io.Writer, r result) {
	all := listRead{Path: "all"}
	for _, l := range r.lists {
		all.Pages, all.Bytes, all.Took = all.Pages+l.Pages, all.Bytes+l.Bytes, all.Took+l.Took
	}
	slices.SortStableFunc(r.lists, func(a, b listRead) int { return cmp.Compare(b.Bytes, a.Bytes) })
	for _, l := range append(r.lists[:min(longest, len(r.lists)):min(longest, len(r.lists))], all) {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%d\t%s\n", r.size.name, r.server, l.Path, l.Pages, l.Bytes, l.Took.Round(100*time.Microsecond))
	}
}

func row(t io.Writer, size, server, program string, runs []usage) {
	fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%d MB", size, server, program, round(median(each(runs, wall))), round(median(each(runs, cpu))), median(each(runs, peak))/1_000_000)
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }
