package inventory

import (
	"encoding/json"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// decoded is the tree of shallowFields by way of a JSON decoder: white space
// in front makes it no plain one.
func decoded(raw string) string {
	kept := shallowFields(metav1.NewFieldsV1(" " + raw))
	if kept == nil {
		return ""
	}
	return kept.GetRawString()
}

var fieldTrees = []string{
	``, `{}`, `null`, `[]`, `{"f:spec":{}}`, `{"f:spec":{"f:a":{},"f:b":{}}}`, `{"f:spec":{"f:b":{},"f:a":{}},"f:metadata":{"f:labels":{".":{},"f:x/y":{}}}}`,
	`{"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Ready\"}":{".":{},"f:status":{}}},"f:phase":{}}}`,
	`{"f:data":{"f:secret-key":{}},"f:spec":{"k:{\"a\":1}":{},"v:1":{},"f:c":{}}}`, `{".":{},"f:metadata":{".":{}}}`,
	`{"f:spec":{"f:a\"b":{},"f:c":{}}}`, `{"f:spec":{"f:<a>":{}}}`, `{"f:spec":{"f:\u00e9":{},"f:caf\u00e9":{}}}`,
	`{"f:spec":{"f:a":{}},"f:spec":{"f:b":{}}}`, `{"f:spec":{"f:a":{},"f:a":{}}}`, `{"x:spec":{"f:a":{}},"f:s":{}}`,
	`{"f:spec":1}`, `{"f:spec":{"f:a":1}}`, `{"f:spec":{"f:a":{}}`, `{"f:spec":{"f:a":{}}}}`, `{"f:spec"}`, `{"f:spec":{"f:a":{},}}`, `{,}`, `{"f:spec":}`, `{"f:a":{}"f:b":{}}`, `{{}}`, `{"f:a":{}}{"f:b":{}}`,
}

func checkFields(t *testing.T, raw string) {
	t.Helper()
	plain, ok := shallowPlain([]byte(raw))
	if !ok || !json.Valid([]byte(raw)) {
		return // of what is no JSON, which no server sends, either may keep what it likes
	}
	if want := decoded(raw); plain != want {
		t.Errorf("%s: kept %s, a decoder keeps %q", raw, plain, want)
	}
}

func TestPlainFieldTreesAreReducedAsDecodedOnesAre(t *testing.T) {
	for _, raw := range fieldTrees {
		checkFields(t, raw)
	}
	const usual = `{"f:status":{"f:conditions":{".":{},"k:{\"type\":\"Ready\"}":{}}}}`
	if kept, ok := shallowPlain([]byte(usual)); !ok || kept != `{"f:status":{"f:conditions":{}}}` || !json.Valid([]byte(kept)) {
		t.Errorf("a usual tree gives %q, %t", kept, ok)
	}
}

func FuzzFieldTrees(f *testing.F) {
	for _, raw := range fieldTrees {
		f.Add(raw)
	}
	f.Fuzz(checkFields)
}
