package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"runtime"
	"slices"
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
	"kubectl-operator-maturity/rules"
)

// scored is what the sub-command score prints.
type scored struct {
	Took time.Duration `json:"took"`
	Kept kept          `json:"kept"`
}

// kept says how much a snapshot holds.
type kept struct {
	Objects         int `json:"objects"` // of all kinds
	CustomResources int `json:"customResources"`
}

func keptIn(s *inventory.Snapshot) kept {
	k := kept{CustomResources: len(s.CustomResources)}
	fields := reflect.ValueOf(*s)
	for i := range fields.NumField() {
		switch fields.Type().Field(i).Name {
		case "Access", "Expositions": // about the reading, not of the cluster
		default:
			if list := fields.Field(i); list.Kind() == reflect.Slice {
				k.Objects += list.Len()
			}
		}
	}
	return k
}

// score is the sub-command that prints how long everything after the snapshot
// takes: attribution, facts, levels, the report. Rules and catalogue are loaded
// before: a scan does that while it waits for the server.
func score(args []string) error {
	if len(args) != 1 {
		return errors.New("score takes one snapshot")
	}
	f, err := os.Open(args[0])
	if err != nil {
		return fmt.Errorf("reading the snapshot: %w", err)
	}
	defer f.Close()
	snapshot, err := inventory.Decode(f)
	if err != nil {
		return fmt.Errorf("reading the snapshot %s: %w", args[0], err)
	}
	judges, err := loadKnowledge()
	if err != nil {
		return err
	}
	runtime.GC() // what decoding left behind is not scoring's
	begin := time.Now()
	if err := judges.score(snapshot); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(scored{Took: time.Since(begin), Kept: keptIn(snapshot)})
}

// knowledge is what snapshots are judged by.
type knowledge struct {
	criteria  *levels.Rules
	catalogue *catalogue.Catalogue
}

func loadKnowledge() (*knowledge, error) {
	ruleFiles, err := fs.Sub(rules.FS, "levels")
	if err != nil {
		return nil, fmt.Errorf("opening the rules: %w", err)
	}
	criteria, err := levels.Load(levels.Layer{Name: levels.Builtin, FS: ruleFiles})
	if err != nil {
		return nil, err
	}
	operatorFiles, err := fs.Sub(rules.FS, "operators")
	if err != nil {
		return nil, fmt.Errorf("opening the catalogue: %w", err)
	}
	cat, err := catalogue.Load(catalogue.Layer{FS: operatorFiles})
	if err != nil {
		return nil, err
	}
	return &knowledge{criteria, cat}, nil
}

func (k *knowledge) score(s *inventory.Snapshot) error {
	attributed := attribution.Attribute(s, k.catalogue)
	seen := facts.ObserveAll(s, attributed)
	card := levels.Score(s, attributed, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), k.criteria)
	return report.Write(io.Discard, "table", card, report.Options{})
}
