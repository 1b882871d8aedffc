package levels

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// costLimit stops an expression that loops over loops, after a fraction of a
// second. A loop over a list of 5,000 names takes a fifth of it.
const costLimit = 200_000

// program is a compiled expression.
type program struct {
	run cel.Program
	// facets it reads, as "op.metrics"; whole is set when it reads op or crd
	// as a whole.
	facets []string
	whole  bool
}

// compile checks an expression and reports its mistakes where they stand in
// the file; nil when there is none to compile or it is wrong.
func compile(env *cel.Env, e *expression, want *cel.Type) *program {
	if e.source == "" {
		return nil
	}
	tree, issues := env.Compile(e.source)
	if issues.Err() != nil {
		for _, mistake := range issues.Errors() {
			e.doc.report(e.at(mistake.Location.Line(), mistake.Location.Column()), "%s", plain(mistake.Message))
		}
		return nil
	}
	if got := tree.OutputType(); !got.IsExactType(want) && !(want.Kind() == cel.ListKind && emptyList(got)) {
		e.doc.report(e.at(1, 0), "expected an expression of type %s, this one is %s", want, got)
		return nil
	}
	p := &program{}
	options := []cel.ProgramOption{cel.EvalOptions(cel.OptOptimize, cel.OptPartialEval)}
	if p.inspect(tree.NativeRep()) {
		options = append(options, cel.CostLimit(costLimit))
	}
	run, err := env.Program(tree, options...)
	if err != nil {
		e.doc.report(e.node, "%v", err)
		return nil
	}
	p.run = run
	return p
}

// plain is a message of the CEL library in the words of rules.
func plain(message string) string {
	message = strings.TrimSuffix(message, " (in container '')")
	if message == "undeclared reference to 'crd'" {
		message += ": a criterion of scope operator is judged once, by op alone"
	}
	return message
}

// emptyList is the type of the literal [].
func emptyList(t *cel.Type) bool {
	return t.Kind() == cel.ListKind && t.Parameters()[0].Kind() == cel.DynKind
}

// inspect notes the facets that the expression reads and tells whether it
// loops: one that does not needs no cost limit, and counting takes time.
func (p *program) inspect(tree *ast.AST) (loops bool) {
	var roots, selected int
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		switch e.Kind() {
		case ast.ComprehensionKind:
			loops = true
		case ast.IdentKind:
			if e.AsIdent() == "op" || e.AsIdent() == "crd" {
				roots++
			}
		case ast.SelectKind:
			if of := e.AsSelect().Operand(); of.Kind() == ast.IdentKind && (of.AsIdent() == "op" || of.AsIdent() == "crd") {
				selected++
				p.facets = append(p.facets, of.AsIdent()+"."+e.AsSelect().FieldName())
			}
		}
	}))
	slices.Sort(p.facets)
	p.facets = slices.Compact(p.facets)
	p.whole = roots != selected
	return loops
}

// answer is the value of an expression; without one, the gap says why.
type answer struct {
	value ref.Val
	gap
}

func (a answer) yes() bool     { return a.value == types.True }
func (a answer) unknown() bool { return a.value == nil }

// gap is what kept an expression from a value.
type gap struct {
	unseen []string // facets, as "op.metrics"
	failed error    // the evaluation itself failed
}

func (g *gap) add(other gap) {
	g.unseen = append(g.unseen, other.unseen...)
	if g.failed == nil {
		g.failed = other.failed
	}
}

func (g *gap) empty() bool { return len(g.unseen) == 0 && g.failed == nil }

// eval evaluates the program for a subject.
func (p *program) eval(s *subject) answer {
	value, _, err := p.run.Eval(s.activation(p))
	if err != nil {
		return answer{gap: gap{failed: err}}
	}
	if unknown, ok := value.(*types.Unknown); ok {
		return answer{gap: gap{unseen: facetsOf(unknown)}}
	}
	return answer{value: value}
}

// facetsOf names the facets behind an unknown value: op.metrics.
func facetsOf(unknown *types.Unknown) []string {
	var facets []string
	for _, id := range unknown.IDs() {
		trails, _ := unknown.GetAttributeTrails(id)
		for _, trail := range trails {
			name := trail.Variable()
			if path := trail.QualifierPath(); len(path) > 0 {
				name = fmt.Sprintf("%s.%v", name, path[0])
			}
			facets = append(facets, name)
		}
	}
	slices.Sort(facets)
	return slices.Compact(facets)
}
