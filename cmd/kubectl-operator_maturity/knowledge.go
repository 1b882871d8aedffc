package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
	"kubectl-operator-maturity/internal/inventory/facts"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/rules"
)

// knowledgeFlags add a user's rules and catalogue entries to the built-in ones.
type knowledgeFlags struct {
	rules     []string
	catalogs  []string
	noCatalog bool
}

func (f *knowledgeFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&f.rules, "rules", nil, "add the criteria of `PATH` (a file or folder), repeatable")
	cmd.Flags().StringArrayVar(&f.catalogs, "catalog", nil, "add the operators of `PATH` (a file or folder), repeatable")
	cmd.Flags().BoolVar(&f.noCatalog, "no-catalog", false, "leave the built-in catalogue of operators out")
}

func (f *knowledgeFlags) loadRules() (*levels.Rules, error) {
	layers := []levels.Layer{{Name: levels.Builtin, FS: builtin("levels")}}
	for _, path := range f.rules {
		fsys, err := layerFS(path)
		if err != nil {
			return nil, fmt.Errorf("reading --rules: %w", err)
		}
		layers = append(layers, levels.Layer{Name: path, FS: fsys})
	}
	return levels.Load(layers...)
}

func (f *knowledgeFlags) loadCatalogue() (*catalogue.Catalogue, error) {
	var layers []catalogue.Layer
	if !f.noCatalog {
		layers = append(layers, catalogue.Layer{FS: builtin("operators")})
	}
	for _, path := range f.catalogs {
		fsys, err := layerFS(path)
		if err != nil {
			return nil, fmt.Errorf("reading --catalog: %w", err)
		}
		layers = append(layers, catalogue.Layer{Name: path, FS: fsys})
	}
	return catalogue.Load(layers...)
}

// builtin is a folder of the embedded rules.
func builtin(folder string) fs.FS {
	sub, err := fs.Sub(rules.FS, folder)
	if err != nil {
		panic(err) // only for an invalid path, which is a constant here
	}
	return sub
}

// layerFS is a folder, or the one file of a path.
func layerFS(path string) (fs.FS, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return os.DirFS(path), nil
	}
	return oneFile{os.DirFS(filepath.Dir(path)), filepath.Base(path)}, nil
}

// oneFile shows a single file of a folder.
type oneFile struct {
	fs.FS
	name string
}

func (o oneFile) ReadDir(dir string) ([]fs.DirEntry, error) {
	if dir != "." {
		return nil, fs.ErrNotExist
	}
	info, err := fs.Stat(o.FS, o.name)
	if err != nil {
		return nil, err
	}
	return []fs.DirEntry{fs.FileInfoToDirEntry(info)}, nil
}

// score judges a snapshot: attribution, facts, levels.
func (f *knowledgeFlags) score(s *inventory.Snapshot) (*levels.Scorecard, error) {
	k, err := f.load()
	if err != nil {
		return nil, err
	}
	return k.score(s), nil
}

// knowledge is what snapshots are judged by. It may judge several at once.
type knowledge struct {
	criteria  *levels.Rules
	catalogue *catalogue.Catalogue
}

func (f *knowledgeFlags) load() (*knowledge, error) {
	criteria, err := f.loadRules()
	if err != nil {
		return nil, err
	}
	cat, err := f.loadCatalogue()
	if err != nil {
		return nil, err
	}
	return &knowledge{criteria, cat}, nil
}

// loadBeside loads while something else goes on, and returns how to wait for
// it. Rules that cannot be used stop the rest: nobody should wait for a cluster
// to be read to hear of a slip in a file.
func (f *knowledgeFlags) loadBeside(stop func()) func() (*knowledge, error) {
	var k *knowledge
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		if k, err = f.load(); err != nil {
			stop()
		}
	}()
	return func() (*knowledge, error) {
		<-done
		return k, err
	}
}

func (k *knowledge) score(s *inventory.Snapshot) *levels.Scorecard {
	attributed := attribution.Attribute(s, k.catalogue)
	seen := facts.ObserveAll(s, attributed)
	return levels.Score(s, attributed, slices.Concat(seen.Operators, seen.SharedAPIs, seen.Unattributed), k.criteria)
}

// checkGate refuses a gate on a finding that no rule could ever report.
func (f *knowledgeFlags) checkGate(gate levels.Gate) error {
	criteria, err := f.loadRules()
	if err != nil {
		return err
	}
	return gate.CheckIDs(criteria.FindingIDs())
}
