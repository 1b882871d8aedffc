package exposition

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// ReadFolder reads saved expositions, NAME.prom or NAME.prom.gz, one for each
// operator: NAME is that of the operator. Files that could not be read, or
// whose name is none of operators, are told in the Access row with their line.
func ReadFolder(fsys fs.FS, operators []string) ([]inventory.Exposition, inventory.Access) {
	row := inventory.Access{Resource: inventory.ExpositionsResource, Access: inventory.Listed}
	entries, err := fs.ReadDir(fsys, ".")
	if err != nil {
		row.Access, row.Detail = inventory.Failed, inventory.Text(err.Error())
		return nil, row
	}
	var (
		list    []inventory.Exposition
		wrong   []string
		strange []string
	)
	for _, entry := range entries {
		name, ok := operatorOf(entry.Name())
		if !ok || entry.IsDir() {
			continue
		}
		if !slices.Contains(operators, name) {
			strange = append(strange, entry.Name())
			continue
		}
		e := inventory.Exposition{Operator: name, Endpoint: entry.Name(), Via: inventory.ViaFile, Outcome: inventory.Served}
		if e.Families, err = readFile(fsys, entry.Name()); err != nil {
			e.Outcome, e.Detail = inventory.Unread, position(entry.Name(), err)
			wrong = append(wrong, e.Detail)
		} else {
			row.Count++
		}
		list = append(list, e)
	}
	if len(strange) > 0 {
		wrong = append(wrong, "no operator has the name of "+strings.Join(strange, ", "))
	}
	switch {
	case len(list)+len(strange) == 0:
		row.Access, row.Detail = inventory.Failed, "no file in the folder is named OPERATOR.prom or OPERATOR.prom.gz"
	case len(wrong) > 0 && row.Count == 0:
		row.Access, row.Detail = inventory.Failed, inventory.Text(strings.Join(wrong, "; "))
	case len(wrong) > 0:
		row.Access, row.Detail = inventory.Partial, inventory.Text(strings.Join(wrong, "; "))
	}
	return list, row
}

func operatorOf(file string) (string, bool) {
	name, ok := strings.CutSuffix(strings.TrimSuffix(file, ".gz"), ".prom")
	return name, ok && name != ""
}

func readFile(fsys fs.FS, name string) ([]inventory.MetricFamily, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var in io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if in, err = gzip.NewReader(file); err != nil {
			return nil, fmt.Errorf("unpacking: %w", err)
		}
	}
	return Parse(in)
}

// position names the file, and the line where there is one.
func position(name string, err error) string {
	if syntax := (*SyntaxError)(nil); errors.As(err, &syntax) {
		return fmt.Sprintf("%s:%d: no metrics exposition: %s", name, syntax.Line, syntax.Msg)
	}
	return name + ": " + err.Error()
}
