package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// csvColumns are one fact each, so that a spreadsheet can sort and count. What
// could not be looked at is "?", not an empty cell and not 0.
var csvColumns = []struct {
	title string
	cell  func(ownedCRD) string
}{
	{"crd", func(r ownedCRD) string { return r.Name }},
	{"kind", func(r ownedCRD) string { return r.Kind }},
	{"group", func(r ownedCRD) string { return groupOf(r.Name) }},
	{"operator", func(r ownedCRD) string { return r.Operator }},
	{"shared_api", func(r ownedCRD) string { return r.SharedAPI }},
	{"confidence", func(r ownedCRD) string { return r.Confidence }},
	{"candidates", func(r ownedCRD) string { return strings.Join(r.Candidates, " ") }},
	{"controller_state", func(r ownedCRD) string { return r.ControllerState }},
	{"controllers", func(r ownedCRD) string { return strings.Join(r.Controllers, " ") }},
	{"orphaned", func(r ownedCRD) string { return strconv.FormatBool(r.Orphaned) }},
	{"data_only", func(r ownedCRD) string { return strconv.FormatBool(r.DataOnly) }},
	{"scope", func(r ownedCRD) string { return r.Scope }},
	{"versions", func(r ownedCRD) string { return strings.Join(r.Versions, " ") }},
	{"storage_version", func(r ownedCRD) string { return r.StorageVersion }},
	{"deprecated_versions", func(r ownedCRD) string { return strings.Join(r.Deprecated, " ") }},
	{"instances", func(r ownedCRD) string { return ifSeen(r, r.Instances) }},
	{"instances_complete", func(r ownedCRD) string { return strconv.FormatBool(r.InstancesComplete) }},
	{"ready", func(r ownedCRD) string { return ifSeen(r, r.Ready) }},
	{"not_ready", func(r ownedCRD) string { return ifSeen(r, r.NotReady) }},
	{"readiness_unknown", func(r ownedCRD) string { return ifSeen(r, r.ReadinessUnknown) }},
	{"conditions", func(r ownedCRD) string { return r.Conditions }},
	{"finalizers", func(r ownedCRD) string { return namesIfSeen(r, strings.Join(r.Finalizers, " ")) }},
	{"deleting", func(r ownedCRD) string { return ifSeen(r, r.Deleting) }},
	{"children", func(r ownedCRD) string { return ifLooked(r, func() int { return r.OwnerReferences.Children }) }},
	{"owner_references_valid", func(r ownedCRD) string { return ifLooked(r, func() int { return r.OwnerReferences.Valid }) }},
	{"owner_references_dangling", func(r ownedCRD) string { return ifLooked(r, func() int { return r.OwnerReferences.Dangling }) }},
	{"last_status_write", func(r ownedCRD) string { return namesIfSeen(r, r.LastStatusWrite) }},
	{"status_manager", func(r ownedCRD) string { return r.StatusManager }},
}

func ifSeen(r ownedCRD, n int) string {
	if unseenInstances(r.CRD) {
		return unseen
	}
	return strconv.Itoa(n)
}

func namesIfSeen(r ownedCRD, s string) string {
	if s == "" && unseenInstances(r.CRD) {
		return unseen
	}
	return s
}

func ifLooked(r ownedCRD, n func() int) string {
	if r.OwnerReferences == nil {
		return unseen
	}
	return strconv.Itoa(n())
}

func writeCRDsCSV(w io.Writer, rows []ownedCRD) error {
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	line := make([]string, len(csvColumns))
	for i, c := range csvColumns {
		line[i] = c.title
	}
	err := out.Write(line)
	for _, r := range rows {
		if err != nil {
			break
		}
		for i, c := range csvColumns {
			line[i] = csvCell(c.cell(r))
		}
		err = out.Write(line)
	}
	if out.Flush(); err == nil {
		err = out.Error()
	}
	if err != nil {
		return fmt.Errorf("encoding the CRDs as CSV: %w", err)
	}
	return writeAll(w, b.Bytes())
}
