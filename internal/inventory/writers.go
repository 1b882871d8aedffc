package inventory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shallowFields keeps two levels of a fieldsV1 tree, and only names of fields:
// "who wrote status", "who wrote metadata.finalizers", but no map keys or list
// items, which can be data.
func shallowFields(fields *metav1.FieldsV1) *metav1.FieldsV1 {
	if fields == nil {
		return nil
	}
	var tree map[string]map[string]json.RawMessage
	if err := json.Unmarshal(fields.GetRawBytes(), &tree); err != nil {
		return nil
	}
	kept := map[string]map[string]struct{}{}
	for top, children := range tree {
		if !strings.HasPrefix(top, "f:") {
			continue
		}
		kept[top] = map[string]struct{}{}
		if top == "f:data" || top == "f:binaryData" || top == "f:stringData" {
			continue
		}
		for child := range children {
			if strings.HasPrefix(child, "f:") {
				kept[top][child] = struct{}{}
			}
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return metav1.NewFieldsV1(string(raw))
}

// Wrote tells whether a managedFields entry covers a field, named by its top
// key and optionally one below it: "status", "metadata.finalizers".
func Wrote(entry *metav1.ManagedFieldsEntry, field string) bool {
	if entry.FieldsV1 == nil {
		return entry.Subresource == field
	}
	raw := entry.FieldsV1.GetRawBytes()
	top, child, nested := strings.Cut(field, ".")
	if !nested {
		return bytes.Contains(raw, []byte(`"f:`+top+`":`))
	}
	var tree map[string]map[string]json.RawMessage
	if json.Unmarshal(raw, &tree) != nil {
		return false
	}
	_, ok := tree["f:"+top]["f:"+child]
	return ok
}

// FieldsWritten lists the fields below a top key that an entry covers, sorted.
func FieldsWritten(entry *metav1.ManagedFieldsEntry, top string) []string {
	if entry.FieldsV1 == nil {
		return nil
	}
	var tree map[string]map[string]json.RawMessage
	if json.Unmarshal(entry.FieldsV1.GetRawBytes(), &tree) != nil {
		return nil
	}
	var fields []string
	for child := range tree["f:"+top] {
		fields = append(fields, strings.TrimPrefix(child, "f:"))
	}
	slices.Sort(fields)
	return fields
}
