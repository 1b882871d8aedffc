package levels

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/facts"
)

// eachRules runs a test over the rules in testdata and, where they exist, the
// program's own.
func eachRules(t *testing.T, test func(t *testing.T, rules *Rules)) {
	t.Run("testdata", func(t *testing.T) {
		rules, err := Load(Layer{Name: "testdata/rules", FS: os.DirFS("testdata/rules")})
		if err != nil {
			t.Fatal(err)
		}
		test(t, rules)
	})
	t.Run("builtin", func(t *testing.T) { test(t, builtinRules(t)) })
}

func TestRulesHoldTheirProperties(t *testing.T) {
	eachRules(t, func(t *testing.T, rules *Rules) {
		for _, violation := range rules.Violations() {
			t.Error(violation)
		}
	})
}

// fill sets every field below v, so that a rule that changes one is found out.
// Lists are not sorted, so that sorting one in place is seen too.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 3, 3))
		for i := range 3 {
			fill(v.Index(i))
			if v.Index(i).Kind() == reflect.String {
				v.Index(i).SetString(fmt.Sprintf("item-%d", 3-i))
			}
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{}))
	case reflect.String:
		v.SetString("text")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(2)
	case reflect.Float64:
		v.SetFloat(0.5)
	}
}

// filledOperators are three operators with three CRDs each, with every fact
// set and here and there a facet unseen.
func filledOperators() []facts.Operator {
	ops := make([]facts.Operator, 3)
	for i := range ops {
		op := &ops[i]
		fill(reflect.ValueOf(op).Elem())
		op.Name, op.Archetype = fmt.Sprintf("operator-%d", i), Archetypes[i]
		op.Unseen["samples"] = "not asked for"
		for j := range op.CRDs {
			crd := &op.CRDs[j]
			crd.Name, crd.Kind = fmt.Sprintf("kind%d.group%d", j, i), fmt.Sprintf("Kind%d", j)
			crd.DataOnly, crd.Product, crd.Reconciled.Gone = false, j == 1, j == 2
			if j == 0 {
				crd.Unseen["children"] = "pods forbidden"
			}
		}
	}
	return ops
}

func TestEvaluationChangesNoFact(t *testing.T) {
	eachRules(t, func(t *testing.T, rules *Rules) {
		ops := filledOperators()
		for i := range ops {
			rules.assess(&ops[i])
		}
		if diff := cmp.Diff(filledOperators(), ops); diff != "" {
			t.Error(diff)
		}
	})
}

// attributionOf is an attribution that fits facts.
func attributionOf(ops []facts.Operator) *attribution.Result {
	a := &attribution.Result{}
	for i := range ops {
		op := attribution.Operator{Name: ops[i].Name, Confidence: attribution.High}
		for j := range ops[i].CRDs {
			op.CRDs = append(op.CRDs, attribution.CRD{Name: ops[i].CRDs[j].Name, State: attribution.Running})
		}
		a.Operators = append(a.Operators, op)
	}
	a.Unattributed = []attribution.CRD{{Name: "widgets.a"}, {Name: "widgets.b"}}
	return a
}

func TestOrderOfInputDoesNotMatter(t *testing.T) {
	eachRules(t, func(t *testing.T, rules *Rules) {
		score := func(shuffle bool) string {
			ops := filledOperators()
			a := attributionOf(ops)
			s := &inventory.Snapshot{Access: []inventory.Access{{Resource: "pods", Access: inventory.Listed}, {Resource: "nodes", Access: inventory.Forbidden}}}
			if shuffle {
				shuffled(ops)
				shuffled(a.Operators)
				shuffled(a.Unattributed)
				shuffled(s.Access)
				for i := range ops {
					shuffled(ops[i].CRDs)
					shuffled(a.Operators[i].CRDs)
				}
			}
			data, err := json.Marshal(Score(s, a, ops, rules))
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
		want := score(false)
		for range 5 {
			if diff := cmp.Diff(want, score(true)); diff != "" {
				t.Fatal(diff)
			}
		}
	})
}

func shuffled[T any](list []T) {
	slices.Reverse(list)
	rand.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}
