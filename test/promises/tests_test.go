package promises

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const root = "../../"

// sources are the tests of the project: which functions each package has, and
// all text of its test sources and scripts.
type sources struct {
	functions map[string]map[string]bool
	text      map[string]string
}

func readSources(t *testing.T) *sources {
	t.Helper()
	s := &sources{functions: map[string]map[string]bool{}, text: map[string]string{}}
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root))
		folder := filepath.ToSlash(filepath.Dir(name))
		switch {
		case strings.HasSuffix(name, "_test.go"):
			return s.add(folder, path)
		case strings.HasSuffix(name, ".txtar"):
			raw, err := os.ReadFile(path)
			s.text[strings.TrimSuffix(folder, "/testdata/script")] += string(raw)
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *sources) add(pkg, path string) error {
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, raw, 0)
	if err != nil {
		return err
	}
	s.text[pkg] += string(raw)
	if s.functions[pkg] == nil {
		s.functions[pkg] = map[string]bool{}
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
			s.functions[pkg][f.Name.Name] = true
		}
	}
	return nil
}

// missing says what is wrong with the name of a test, PACKAGE.Test or
// PACKAGE.Test/text; "" if there is such a test.
func (s *sources) missing(name string) string {
	dot := strings.LastIndex(name, ".Test")
	if dot < 0 {
		dot = strings.LastIndex(name, ".Fuzz")
	}
	if dot < 0 {
		return "is no PACKAGE.Test"
	}
	pkg, function := name[:dot], name[dot+1:]
	function, text, _ := strings.Cut(function, "/")
	if !s.functions[pkg][function] {
		return "package " + pkg + " has no " + function
	}
	if !strings.Contains(s.text[pkg], text) {
		return "the tests of " + pkg + " do not have the words " + text
	}
	return ""
}
