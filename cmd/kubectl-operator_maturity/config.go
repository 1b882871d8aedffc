package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kubectl-operator-maturity/internal/levels"
)

// configName is read from the working directory when it is there, so that a
// repository's jobs and its people ask for the same.
const configName = ".operator-maturity.yaml"

// config is a config file with its paths made relative to where it stands.
// Without a file it is empty.
func (f *gateFlags) readConfig(s streams) (*levels.Config, error) {
	name, asked := f.config, f.config != ""
	if !asked {
		name = configName
	}
	content, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) && !asked {
		return &levels.Config{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading --config: %w", err)
	}
	c, err := levels.ParseConfig(name, content)
	if err != nil {
		return nil, err
	}
	if !asked {
		fmt.Fprintf(s.err, "using %s\n", name)
	}
	dir := filepath.Dir(name)
	for _, list := range [][]string{c.Rules, c.Catalogs} {
		for i := range list {
			list[i] = beside(dir, list[i])
		}
	}
	if c.Baseline != "" {
		c.Baseline = beside(dir, c.Baseline)
	}
	return c, nil
}

func beside(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
