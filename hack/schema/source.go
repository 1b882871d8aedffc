package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

const module = "kubectl-operator-maturity"

// source is what reflection does not know of types: comments and constants.
type source struct {
	// comments of types ("package.Type") and fields ("package.Type.Field").
	comments map[string]string
	// values are the constants of a type of strings, in their order.
	values map[string][]any
}

func readSource(root string, packages ...string) (*source, error) {
	s := &source{comments: map[string]string{}, values: map[string][]any{}}
	for _, name := range packages {
		files, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(name), "*.go"))
		if err != nil || len(files) == 0 {
			return nil, fmt.Errorf("no Go files in %s (%v): run it in the root of the checkout", name, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			s.add(path.Join(module, name), parsed)
		}
	}
	return s, nil
}

func (s *source) add(pkg string, file *ast.File) {
	for _, decl := range file.Decls {
		general, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				s.addType(pkg+"."+spec.Name.Name, spec, general)
			case *ast.ValueSpec:
				s.addValue(pkg, spec)
			}
		}
	}
}

func (s *source) addType(name string, spec *ast.TypeSpec, decl *ast.GenDecl) {
	doc := spec.Doc
	if doc == nil {
		doc = decl.Doc
	}
	s.comments[name] = comment(doc)
	structure, ok := spec.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, field := range structure.Fields.List {
		text := comment(field.Doc)
		if behind := comment(field.Comment); behind != "" {
			text = strings.TrimSpace(text + " (" + behind + ")")
			if field.Doc == nil {
				text = behind
			}
		}
		for _, ident := range field.Names {
			s.comments[name+"."+ident.Name] = text
		}
	}
}

// addValue keeps a constant such as `Listed AccessState = "listed"`.
func (s *source) addValue(pkg string, spec *ast.ValueSpec) {
	typ, ok := spec.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, value := range spec.Values {
		if literal, ok := value.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				s.values[pkg+"."+typ.Name] = append(s.values[pkg+"."+typ.Name], text)
			}
		}
	}
}

// comment is its text as one paragraph.
func comment(group *ast.CommentGroup) string {
	return strings.Join(strings.Fields(group.Text()), " ")
}

// of looks a comment up: of a type, or with a field's name of the field.
func (s *source) of(t reflect.Type, field string) string {
	name := typeKey(t)
	if field != "" {
		name += "." + field
	}
	return s.comments[name]
}

// typeKey is the name of a type in its source: without type parameters.
func typeKey(t reflect.Type) string {
	name, _, _ := strings.Cut(t.Name(), "[")
	return t.PkgPath() + "." + name
}
