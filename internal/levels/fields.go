package levels

import (
	"reflect"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// quickFields makes reading facts cheap. The provider of the library searches
// a field by its name each time and copies what it finds; this one knows the
// index and hands out a value of expressions, or a pointer to a struct. On a
// large cluster that saves a third of the time that rules take, and three
// quarters of the memory.
type quickFields struct {
	types.Provider
	structs map[string]reflect.Type // by name, as "facts.Operator"
	values  *quickValues
}

// withQuickFacts puts quickFields and quickValues over the provider and the
// adapter that are there.
func withQuickFacts(roots ...reflect.Type) cel.EnvOption {
	return func(env *cel.Env) (*cel.Env, error) {
		fields := &quickFields{env.CELTypeProvider(), map[string]reflect.Type{}, &quickValues{Adapter: env.CELTypeAdapter(), structs: map[reflect.Type]bool{}}}
		for _, root := range roots {
			fields.walk(root)
		}
		for _, t := range fields.structs {
			fields.values.structs[t] = true
		}
		env, err := cel.CustomTypeProvider(fields)(env)
		if err != nil {
			return nil, err
		}
		return cel.CustomTypeAdapter(fields.values)(env)
	}
}

func (q *quickFields) walk(t reflect.Type) {
	switch t.Kind() {
	case reflect.Slice, reflect.Map:
		q.walk(t.Elem())
	case reflect.Struct:
		q.structs[t.String()] = t
		for i := range t.NumField() {
			if f := t.Field(i); q.structs[f.Type.String()] == nil {
				q.walk(f.Type)
			}
		}
	}
}

// FindStructFieldType implements types.Provider.
func (q *quickFields) FindStructFieldType(name, field string) (*types.FieldType, bool) {
	found, ok := q.Provider.FindStructFieldType(name, field)
	t := q.structs[name]
	if !ok || t == nil {
		return found, ok
	}
	for i := range t.NumField() {
		if factName(t.Field(i)) == field {
			quick := *found
			at := func(object any) reflect.Value { return reflect.Indirect(reflect.ValueOf(object)).Field(i) }
			quick.IsSet = func(object any) bool { return !at(object).IsZero() }
			quick.GetFrom = func(object any) (any, error) { return q.values.field(at(object)), nil }
			return &quick, true
		}
	}
	return found, ok
}
