package levels

import (
	"reflect"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// What makes facts cheap to read changes no answer: each expression says the
// same as with the library's own provider and adapter.
func TestQuickFactsAnswerAsTheLibraryDoes(t *testing.T) {
	quick, err := newLanguage()
	if err != nil {
		t.Fatal(err)
	}
	op, crd := reflect.TypeFor[facts.Operator](), reflect.TypeFor[facts.CRD]()
	plain, err := cel.NewEnv(ext.NativeTypes(op, crd, ext.ParseStructField(factName)), ext.Strings(), ext.Lists(), namesFunction(),
		cel.Variable("op", cel.ObjectType("facts.Operator")), cel.Variable("crd", cel.ObjectType("facts.CRD")))
	if err != nil {
		t.Fatal(err)
	}
	of := &manyOperators()[0]
	of.Controllers.Refs = []string{"Deployment/ops/a", "Deployment/ops/b"}
	of.CRDs[0].Seen.Examples = map[string]string{"children": "Deployment/shop/a"}
	bound := map[string]any{"op": of, "crd": &of.CRDs[0]}
	for source, want := range map[string]any{
		`op.name + '/' + crd.kind`:                                                                           "operator-0/Kind",
		`op.controllers.refs`:                                                                                []string{"Deployment/ops/a", "Deployment/ops/b"},
		`op.controllers.refs[1]`:                                                                             "Deployment/ops/b",
		`op.controllers.refs + ['x']`:                                                                        []string{"Deployment/ops/a", "Deployment/ops/b", "x"},
		`op.controllers.refs.map(r, r.substring(15))`:                                                        []string{"a", "b"},
		`'Deployment/ops/a' in op.controllers.refs`:                                                          true,
		`op.controllers.refs == ['Deployment/ops/a', 'Deployment/ops/b']`:                                    true,
		`op.controllers.waiting == [] && op.controllers.waiting + ['x'] == ['x']`:                            true,
		`names(op.controllers.waiting)`:                                                                      "none",
		`crd.children.kinds.exists(k, k.kind == 'Service' && k.count > 4)`:                                   true,
		`crd.children.kinds.filter(k, k.group == 'apps').size()`:                                             int64(1),
		`crd.children.kinds.map(k, k.group + '.' + k.kind)`:                                                  []string{"apps.Deployment", ".Service"},
		`crd.children.kinds.map(k, k.count)`:                                                                 []int64{4, 5},
		`crd.children.kinds[1].kind`:                                                                         "Service",
		`crd.children.kinds[0] == crd.children.kinds[0] && crd.children.kinds[0] != crd.children.kinds[1]`:   true,
		`crd.children.kinds == crd.children.kinds && crd.schema == crd.schema && crd.schema in [crd.schema]`: true,
		`crd.children.kinds.map(k, k).all(k, type(k) == type(crd.children.kinds[0]))`:                        true,
		`has(crd.schema.hasSpec) && !has(crd.schema.opaque)`:                                                 true,
		`has(op.controllers.refs) && !has(op.controllers.waiting)`:                                           true,
		`type(crd.schema) != type(op.controllers) && type(op) != type(1)`:                                    true,
		`dyn(crd.schema).hasSpec && has(dyn(crd).schema) && dyn(crd)['kind'] == 'Kind'`:                      true,
		`crd.instances.count + crd.instances.ready`:                                                          int64(10),
		`crd.seen.examples['children'] + (has(crd.seen.examples.instances) ? '!' : '?')`:                     "Deployment/shop/a?",
	} {
		t.Run(source, func(t *testing.T) {
			for name, env := range map[string]*cel.Env{"library": plain, "quick": quick.perCRD} {
				got := valueOf(t, env, source, bound)
				native, err := got.ConvertToNative(reflect.TypeOf(want))
				if err != nil || !reflect.DeepEqual(native, want) {
					t.Errorf("%s: %v (%v), want %v", name, got, err, want)
				}
			}
		})
	}
}

func valueOf(t *testing.T, env *cel.Env, source string, bound map[string]any) ref.Val {
	t.Helper()
	tree, issues := env.Compile(source)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.Program(tree)
	if err != nil {
		t.Fatal(err)
	}
	value, _, err := program.Eval(bound)
	if err != nil {
		t.Fatal(err)
	}
	return value
}
