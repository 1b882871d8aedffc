package main

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// write prints the figures of all sizes: medians, and ratios of runs made in
// pairs.
func write(w io.Writer, results []result) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SIZE\tPROGRAM\tWALL\tCPU\tPEAK\tWALL ÷ FLOOR\tCPU ÷ FLOOR\tWALL ÷ DECODED\tCPU ÷ DECODED\tWALL ÷ GET\tCPU ÷ GET")
	for _, r := range results {
		row(t, r.size.name, "scan", r.scans)
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
				row(t, "", other.program, other.runs)
				fmt.Fprintln(t)
			}
		}
		fmt.Fprintf(t, "\tscoring alone\t%s\n", round(median(r.scoring)))
	}
	fmt.Fprintln(t, "\nSIZE\tCRDS\tCRS\tPODS\tKINDS\tCRS KEPT\tOBJECTS KEPT\tOBJECTS KEPT ÷ CRS\tREQUESTS\tPAGES + 30\tREQUESTS OF KUBECTL GET")
	for _, r := range results {
		s := r.size
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%d\t%d\t%d\t%.2f\t%d\t%d\t%d\n", s.name, s.crds, s.customs, s.pods, r.kinds,
			r.kept.CustomResources, r.kept.Objects, float64(r.kept.Objects)/float64(s.customs), r.requests, r.pages+30, r.getRequests)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

func row(t io.Writer, size, program string, runs []usage) {
	fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d MB", size, program, round(median(each(runs, wall))), round(median(each(runs, cpu))), median(each(runs, peak))/1_000_000)
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }
