package review

import (
	"fmt"
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/ext"

	"kubectl-operator-maturity/internal/levels"
)

// TopicSeen is the variable `topic`: what was found near it.
type TopicSeen struct {
	// Here are operators on the cluster; unknown when its CRDs could not be
	// listed. Nobodys are CRDs there that nobody reconciles.
	Here    []string `json:"here"`
	Nobodys []string `json:"nobodys"`
	// Known are operators of the catalogue that are neither here nor given.
	Known      []string `json:"known"`
	Candidates []string `json:"candidates"`
}

// Tally are ids of criteria of one priority by what came of them.
type Tally struct {
	Met      []string `json:"met"`
	Failed   []string `json:"failed"`
	Unknown  []string `json:"unknown"`
	Accepted []string `json:"accepted"`
}

// Outcomes are the names of options by their outcome.
type Outcomes struct {
	Adopt      []string `json:"adopt"`
	Conditions []string `json:"conditions"`
	Trial      []string `json:"trial"`
	Hold       []string `json:"hold"`
}

// language is what each kind of expression may speak of.
type language struct {
	need, option, outcome, verdict *cel.Env
}

func newLanguage() (*language, error) {
	wrap := func(err error) (*language, error) { return nil, fmt.Errorf("the language of review rules: %w", err) }
	need, err := cel.NewEnv(
		ext.NativeTypes(reflect.TypeFor[Subject](), reflect.TypeFor[TopicSeen](), reflect.TypeFor[Tally](), reflect.TypeFor[Outcomes](),
			ext.ParseStructField(levels.FactName)),
		ext.Strings(), ext.Lists(), levels.NamesFunction(), countFunction(),
		cel.Variable("topic", cel.ObjectType("review.TopicSeen")),
	)
	if err != nil {
		return wrap(err)
	}
	option, err := need.Extend(cel.Variable("it", cel.ObjectType("review.Subject")))
	if err != nil {
		return wrap(err)
	}
	tally := cel.ObjectType("review.Tally")
	outcome, err := option.Extend(cel.Variable("must", tally), cel.Variable("should", tally), cel.Variable("could", tally))
	if err != nil {
		return wrap(err)
	}
	verdict, err := need.Extend(
		cel.Variable("need", cel.MapType(cel.StringType, cel.StringType)),
		cel.Variable("must", tally),
		cel.Variable("reasons", cel.ListType(cel.StringType)),
		cel.Variable("options", cel.ObjectType("review.Outcomes")),
	)
	if err != nil {
		return wrap(err)
	}
	return &language{need, option, outcome, verdict}, nil
}

// of is the language of a criterion.
func (l *language) of(about string) *cel.Env {
	if about == aboutNeed {
		return l.need
	}
	return l.option
}

// countFunction is count(2, "webhook"): "2 webhooks". One that does not end in
// s is made plural by it.
func countFunction() cel.EnvOption {
	return cel.Function("count", cel.Overload("count_int_string",
		[]*cel.Type{cel.IntType, cel.StringType}, cel.StringType,
		cel.BinaryBinding(func(n, what ref.Val) ref.Val {
			number, noun := n.(types.Int), string(what.(types.String))
			if number != 1 {
				noun += "s"
			}
			return types.String(fmt.Sprintf("%d %s", number, noun))
		})))
}
