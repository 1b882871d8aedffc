package main

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/review"
)

// checkRules checks every file of rules below the paths: those that hold rules
// of the review, by what is in them, and the others as rules of levels. All
// mistakes come out together.
func checkRules(s streams, paths []string) error {
	ofLevels := []levels.Layer{{Name: levels.Builtin, FS: builtin("levels")}}
	ofReview := []levels.Layer{{Name: levels.Builtin, FS: builtin("review")}}
	for _, name := range paths {
		fsys, err := layerFS(name)
		if err != nil {
			return fmt.Errorf("reading the rules: %w", err)
		}
		ofLevels = append(ofLevels, levels.Layer{Name: name, FS: chosenFiles{fsys, func(file string) bool { return !aboutReview(fsys, file) }}})
		ofReview = append(ofReview, levels.Layer{Name: name, FS: chosenFiles{fsys, func(file string) bool { return aboutReview(fsys, file) }}})
	}
	criteria, problems := levels.Load(ofLevels...)
	reviewed, reviewProblems := review.Load(ofReview...)
	switch {
	case problems != nil && reviewProblems != nil:
		return fmt.Errorf("%w\n%w", problems, reviewProblems)
	case problems != nil:
		return problems
	case reviewProblems != nil:
		return reviewProblems
	}
	_, err := fmt.Fprintf(s.out, "ok: %d criteria of levels and hygiene, %d of the review, the built-in ones included\n", len(criteria.Criteria()), len(reviewed.Criteria()))
	return err
}

// aboutReview: a file that cannot be read is left to the rules of levels, which
// report it.
func aboutReview(fsys fs.FS, file string) bool {
	if strings.HasPrefix(file, "review/") || strings.Contains(file, "/review/") {
		return true
	}
	content, err := fs.ReadFile(fsys, file)
	return err == nil && review.IsRuleFile(content)
}

// chosenFiles shows some files of a folder, and all folders.
type chosenFiles struct {
	fs.FS
	chosen func(file string) bool
}

func (c chosenFiles) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(c.FS, dir)
	if err != nil {
		return nil, err
	}
	var shown []fs.DirEntry
	for _, e := range entries {
		if ext := path.Ext(e.Name()); e.IsDir() || (ext == ".yaml" || ext == ".yml") && c.chosen(path.Join(dir, e.Name())) {
			shown = append(shown, e)
		}
	}
	return shown, nil
}
