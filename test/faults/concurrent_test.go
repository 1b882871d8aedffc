package faults

import (
	"bytes"
	"io"
	"sync"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/report"
)

// TestTwoScansShareNothing runs two scans in one process at once, one of them
// of a server with a fault, and holds what they give against the same scans
// run apart: every report and the snapshot, byte by byte. Under the race
// detector it holds that they do not touch the same memory either.
func TestTwoScansShareNothing(t *testing.T) {
	rec, judge := readRecording(t, recorded).small(), newJudge(t)
	refused := rows[0]
	scans := []func() []byte{
		func() []byte { return everything(t, rec, judge, "", row{}) },
		func() []byte { return everything(t, rec, judge, "/pods", refused) },
		func() []byte { return everything(t, rec, judge, "cert-manager.io/certificates", refused) },
	}
	apart := make([][]byte, len(scans))
	for i, scan := range scans {
		apart[i] = scan()
	}
	if bytes.Equal(apart[0], apart[1]) {
		t.Fatal("the scan with a fault gives the same as the one without: the test shows nothing")
	}
	together := make([][]byte, len(scans))
	var work sync.WaitGroup
	for i, scan := range scans {
		work.Go(func() { together[i] = scan() })
	}
	work.Wait()
	for i := range scans {
		if !bytes.Equal(apart[i], together[i]) {
			t.Errorf("scan %d gives something else when others run beside it: line %d", i, firstLine(apart[i], together[i]))
		}
	}
}

// everything is all that one scan can write, one after the other.
func everything(t *testing.T, rec *recording, judge *judge, target string, r row) []byte {
	s := collect(t, rec.serve(t, target, r.answer), patient)
	s.Source.Server = "" // the port differs
	var out bytes.Buffer
	if err := inventory.Encode(&out, s); err != nil {
		t.Error(err)
	}
	sc := judge.score(s)
	write := func(err error) {
		if err != nil {
			t.Error(err)
		}
	}
	for _, f := range report.Formats() {
		write(report.Write(&out, f.Name, sc, report.Options{Verbose: true, Color: true}))
	}
	for _, format := range []string{"table", "markdown", "json", "yaml"} {
		for i := range sc.Operators {
			write(report.WriteExplainOperator(&out, format, sc, sc.Operators[i].Name, report.Options{}))
		}
		write(report.WriteCRDs(io.Writer(&out), format, sc, report.CRDFilter{}, report.Options{}))
	}
	return out.Bytes()
}

func firstLine(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return 1 + bytes.Count(a[:i], []byte("\n"))
		}
	}
	return 1 + bytes.Count(a, []byte("\n"))
}
