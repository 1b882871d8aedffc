package levels

import (
	"fmt"
	"os"
	"testing"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// manyOperators are 100 operators with 20 CRDs each. On request only facets
// are unseen, as in every ordinary scan.
func manyOperators() []facts.Operator {
	ops := make([]facts.Operator, 100)
	for i := range ops {
		op := &ops[i]
		*op = facts.Operator{
			Name: fmt.Sprintf("operator-%d", i), Archetype: "workload", HasCRDs: true, Live: true,
			Controllers: facts.Controllers{State: "running", Count: 1},
			Unseen:      map[string]string{"samples": "not asked for"},
		}
		for j := range 20 {
			op.CRDs = append(op.CRDs, facts.CRD{
				Name: fmt.Sprintf("kind%d.group%d.example.com", j, i), Kind: "Kind", Plural: "kinds",
				Reconciled: facts.Reconciled{State: "running", StatusManager: "manager"},
				Schema:     facts.Schema{Present: true, HasSpec: true, HasStatus: true, HasConditions: true},
				Instances:  facts.Instances{Count: 5, Complete: true, Ready: 5},
				Children:   facts.Children{Total: 9, Valid: 9, Kinds: []facts.ChildKind{{Group: "apps", Kind: "Deployment", Count: 4}, {Kind: "Service", Count: 5}}},
				Unseen:     map[string]string{"secretChildren": "not asked for"},
			})
		}
	}
	return ops
}

func BenchmarkAssess(b *testing.B) {
	rules := builtinRules(b)
	ops := manyOperators()
	b.ReportAllocs()
	for b.Loop() {
		for i := range ops {
			rules.assess(&ops[i])
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for b.Loop() {
		if _, err := Load(Layer{Name: builtinRoot, FS: os.DirFS(builtinRoot + "/levels")}); err != nil {
			b.Fatal(err)
		}
	}
}
