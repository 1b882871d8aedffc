package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"text/tabwriter"
)

// dumpResult is what was measured of one dump.
type dumpResult struct {
	form                string
	objects             string
	bytes               int64
	reads, yamls, jsons []usage
}

// measureFiles is the sub-command that writes dumps and measures how the
// plugin reads them, beside programs that only decode them.
func measureFiles(args []string) error {
	flags := flag.NewFlagSet("files", flag.ContinueOnError)
	plugin := flags.String("plugin", "", "the plugin")
	dumps := flags.String("dumps", "json-list:100,yaml:100", "the dumps to measure: form:megabytes, with commas between them")
	sizeName := flags.String("size", "small", "small, medium or large: the cluster that the dumps are of")
	runs := flags.Int("runs", 1, "runs of each program")
	only := flags.Bool("alone", false, "measure the plugin alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	var results []dumpResult
	for form := range strings.SplitSeq(*dumps, ",") {
		name, amount, _ := strings.Cut(form, ":")
		b := &dumpBench{plugin: *plugin, self: self, size: *sizeName, runs: max(*runs, 1), alone: *only}
		res, err := b.measure(name, amount)
		if err != nil {
			return err
		}
		results = append(results, res)
	}
	return writeDumps(os.Stdout, results)
}

type dumpBench struct {
	plugin, self, size string
	runs               int
	alone              bool
}

// written is what the sub-command dump says.
var written = regexp.MustCompile(`^(.*): (\d+) objects, (\d+) bytes\n$`)

func (b *dumpBench) measure(form, megabytes string) (dumpResult, error) {
	res := dumpResult{form: form}
	dir, err := os.MkdirTemp("", "operator-maturity-dump")
	if err != nil {
		return res, fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	said, err := exec.Command(b.self, "dump", "-size", b.size, "-form", form, "-mb", megabytes, "-dir", dir).Output()
	m := written.FindSubmatch(said)
	if err != nil || m == nil {
		return res, fmt.Errorf("writing the dump %s of %s MB: %w", form, megabytes, err)
	}
	path := string(m[1])
	res.objects = string(m[2])
	res.bytes, _ = strconv.ParseInt(string(m[3]), 10, 64) // digits by the pattern
	for range b.runs {
		read, err := run(nil, b.plugin, "scan", "--from", path, "--complete")
		if err != nil {
			return res, err
		}
		res.reads = append(res.reads, read)
		if b.alone {
			continue
		}
		usual, err := run(nil, b.self, "yardstick", path)
		if err != nil {
			return res, err
		}
		res.yamls = append(res.yamls, usual)
		if !strings.Contains(form, "json") {
			continue
		}
		if usual, err = run(nil, b.self, "yardstick", "-with", "json", path); err != nil {
			return res, err
		}
		res.jsons = append(res.jsons, usual)
	}
	return res, nil
}

// writeDumps prints the figures: medians, and ratios of runs made in pairs.
func writeDumps(w io.Writer, results []dumpResult) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "DUMP\tOBJECTS\tPROGRAM\tWALL\tCPU\tPEAK\tMB/S\tWALL OF SCAN ÷ THIS\tCPU OF SCAN ÷ THIS")
	for i := range results {
		r := &results[i]
		r.row(t, fmt.Sprintf("%s, %d MB\t%s", r.form, r.bytes/1_000_000, r.objects), "scan --from", r.reads)
		r.row(t, "\t", "sigs.k8s.io/yaml", r.yamls)
		r.row(t, "\t", "encoding/json", r.jsons)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("writing the table: %w", err)
	}
	return nil
}

func (r *dumpResult) row(t io.Writer, dump, program string, runs []usage) {
	if len(runs) == 0 {
		return
	}
	seconds := median(each(runs, wall)).Seconds()
	fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d MB\t%.0f", dump, program, round(median(each(runs, wall))), round(median(each(runs, cpu))),
		median(each(runs, peak))/1_000_000, float64(r.bytes)/1e6/seconds)
	if &runs[0] != &r.reads[0] {
		fmt.Fprintf(t, "\t%.2f\t%.2f", ratio(r.reads, runs, wall), ratio(r.reads, runs, cpu))
	}
	fmt.Fprintln(t)
}
