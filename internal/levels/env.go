package levels

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"

	"kubectl-operator-maturity/internal/inventory/facts"
)

// language is what expressions are compiled against: `op` alone for a
// criterion that is judged once an operator, `op` and `crd` for one a CRD.
type language struct {
	perOperator, perCRD *cel.Env
}

func newLanguage() (*language, error) {
	op, crd := reflect.TypeFor[facts.Operator](), reflect.TypeFor[facts.CRD]()
	perOperator, err := cel.NewEnv(
		ext.NativeTypes(op, crd, ext.ParseStructField(factName)),
		withQuickFacts(op, crd),
		ext.Strings(),
		ext.Lists(),
		cel.Variable("op", cel.ObjectType("facts.Operator")),
		namesFunction(),
	)
	if err != nil {
		return nil, fmt.Errorf("the language of rules: %w", err)
	}
	perCRD, err := perOperator.Extend(cel.Variable("crd", cel.ObjectType("facts.CRD")))
	if err != nil {
		return nil, fmt.Errorf("the language of rules: %w", err)
	}
	return &language{perOperator, perCRD}, nil
}

func (l *language) of(scope Scope) *cel.Env {
	if scope == PerOperator {
		return l.perOperator
	}
	return l.perCRD
}

// factName is the name of a Go field in expressions: its json name. Fields
// that JSON leaves out get names that no expression can spell.
func factName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" || name == "-" {
		return "-" + f.Name
	}
	return name
}

// namesFunction is names(list of strings): a short enumeration for people.
func namesFunction() cel.EnvOption {
	return cel.Function("names", cel.Overload("names_list_string",
		[]*cel.Type{cel.ListType(cel.StringType)}, cel.StringType,
		cel.UnaryBinding(func(list ref.Val) ref.Val {
			native, err := list.ConvertToNative(reflect.TypeFor[[]string]())
			if err != nil {
				return types.WrapErr(err)
			}
			return types.String(names(native.([]string)))
		})))
}

// names joins the first three and counts the rest.
func names(list []string) string {
	const shown = 3
	switch {
	case len(list) == 0:
		return "none"
	case len(list) <= shown:
		return strings.Join(list, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(list[:shown], ", "), len(list)-shown)
}
