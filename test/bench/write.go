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
	fmt.Fprintln(t, "SIZE\tPROGRAM\tWALL\tCPU\tPEAK\tREQUESTS\tPAGES\tWALL ÷ FLOOR\tCPU ÷ FLOOR\tWALL ÷ GET\tCPU ÷ GET")
	for _, r := range results {
		row(t, r.size.name, "scan", r.scans, r.requests, r.pages)
		fmt.Fprintf(t, "\t%.2f\t%.2f", ratio(r.scans, r.floors, wall), ratio(r.scans, r.floors, cpu))
		if len(r.gets) > 0 {
			fmt.Fprintf(t, "\t%.2f\t%.2f", ratio(r.scans, r.gets, wall), ratio(r.scans, r.gets, cpu))
		}
		fmt.Fprintln(t)
		row(t, "", "floor", r.floors, r.pages, r.pages)
		fmt.Fprintln(t)
		if len(r.gets) > 0 {
			row(t, "", "kubectl get", r.gets, r.getRequests, 0)
			fmt.Fprintln(t)
		}
		fmt.Fprintf(t, "\tscoring alone\t%s\n", round(median(r.scoring)))
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	for _, r := range results {
		s := r.size
		fmt.Fprintf(w, "%s: %d CRDs, %d custom resources, %d pods, %d kinds\n", s.name, s.crds, s.customs, s.pods, r.kinds)
	}
	return nil
}

func row(t io.Writer, size, program string, runs []usage, requests, pages int) {
	fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d MB\t%d\t", size, program, round(median(each(runs, wall))), round(median(each(runs, cpu))), median(each(runs, peak))/1_000_000, requests)
	if pages > 0 {
		fmt.Fprintf(t, "%d", pages)
	}
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Millisecond) }
