package report

import (
	"io"

	"kubectl-operator-maturity/internal/levels"
)

// writeFleetCSV has one row for each operator on each cluster, also where it is
// not or nobody can tell: "presence" tells which. A cluster without any row
// would be forgotten, so each has at least one, without an operator.
func writeFleetCSV(w io.Writer, f *levels.FleetScorecard, _ Options) error {
	head := []string{"cluster", "context", "server", "cluster_uid", "same_as", "outcome", "presence", "why"}
	for _, c := range operatorColumns {
		head = append(head, c.title)
	}
	rows := [][]string{head}
	for j := range f.Clusters {
		c := &f.Clusters[j]
		stamp := []string{c.Name, c.Source.Context, c.Source.Server, c.Source.ClusterUID, c.SameAs, string(c.Outcome)}
		if len(f.Operators) == 0 {
			rows = append(rows, padded(append(stamp, presenceWord(""), c.Why), len(head), ""))
		}
		for i := range f.Operators {
			op := &f.Operators[i]
			cell := &op.Cells[j]
			row := append(stamp[:len(stamp):len(stamp)], presenceWord(cell.Presence), cell.Why)
			switch found := operatorOn(c, op.Name); {
			case found != nil:
				row = append(row, operatorCells(*found)...)
			case cell.Presence == levels.FleetAbsent:
				row = padded(append(row, op.Name), len(head), "")
			default:
				row = padded(append(row, op.Name), len(head), unseen)
			}
			rows = append(rows, row)
		}
	}
	return writeCSV(w, rows)
}

func padded(row []string, length int, with string) []string {
	for len(row) < length {
		row = append(row, with)
	}
	return row
}
