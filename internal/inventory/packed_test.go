package inventory

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// values that JSON can hold, at the edges of what packing tells apart.
var packable = []any{
	nil, true, false, "", "text", "ünï", string(make([]byte, 300)), int64(0), int64(-1), int64(63), int64(-64), int64(64),
	int64(math.MaxInt64), int64(math.MinInt64), 0.5, -0.25, 1e300,
	[]any{}, map[string]any{}, []any{nil, []any{}, map[string]any{}},
	map[string]any{"": "", "a": nil, "b": []any{"x", int64(1), map[string]any{"": false}}, string(make([]byte, 200)): true},
}

func TestAPackedValueIsTheValue(t *testing.T) {
	for _, v := range packable {
		if diff := cmp.Diff(v, Pack(v).Value()); diff != "" {
			t.Errorf("%v: %s", v, diff)
		}
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		var p Packed
		if err := json.Unmarshal(raw, &p); err != nil {
			t.Fatal(err)
		}
		var want any // as decoders of Kubernetes read it
		if err := utiljson.Unmarshal(raw, &want); err != nil {
			t.Fatal(err)
		}
		if again, err := json.Marshal(p); err != nil || string(again) != string(raw) {
			t.Errorf("%s became %s, %v", raw, again, err)
		}
		if diff := cmp.Diff(number(want), p.Value()); diff != "" {
			t.Errorf("%s: %s", raw, diff)
		}
	}
}

func TestAtFollowsFieldNames(t *testing.T) {
	p := Pack(map[string]any{"": "empty", "a": map[string]any{"b": []any{int64(1)}, "c": "text"}, "n": nil, "f": 0.5, "s": "a"})
	for _, c := range []struct {
		path []string
		want any
	}{
		{nil, p.Value()}, {[]string{""}, "empty"}, {[]string{"a", "b"}, []any{int64(1)}}, {[]string{"a", "c"}, "text"}, {[]string{"n"}, nil},
		{[]string{"s"}, "a"}, {[]string{"f"}, 0.5}, {[]string{"s", "a"}, nil}, {[]string{"a", "c", "d"}, nil}, {[]string{"z"}, nil}, {[]string{"a", "z"}, nil},
	} {
		if diff := cmp.Diff(c.want, p.At(c.path...)); diff != "" {
			t.Errorf("%q: %s", c.path, diff)
		}
	}
	for _, none := range []Packed{{}, Pack("text"), Pack([]any{"a"})} {
		if none.At("a") != nil || none.Map() != nil {
			t.Errorf("%q has fields", none)
		}
	}
}

// Names that become one when they are cleaned stand twice in what is packed:
// the last one counts, as in maps and in every decoder of JSON.
func TestOfTwoFieldsWithOneNameTheLastOneCounts(t *testing.T) {
	p := Packed{string(append(appendText(appendName(appendText(appendName([]byte{packedObject}, "a"), "first"), "a"), "last"), packedEnd))}
	if p.At("a") != "last" || p.Map()["a"] != "last" {
		t.Errorf("got %v and %v", p.At("a"), p.Map())
	}
}
