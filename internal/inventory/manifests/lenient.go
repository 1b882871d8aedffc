package manifests

import (
	"encoding/json"
	"errors"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"kubectl-operator-maturity/internal/inventory"
)

// lenient decodes an object of Kubernetes' own. If a field has the wrong type
// it is tried once more with what YAML 1.1 makes of words put right.
func lenient(raw []byte, into inventory.TypedObject) error {
	err := utiljson.Unmarshal(raw, into)
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return err
	}
	var tree map[string]any
	if utiljson.Unmarshal(raw, &tree) != nil {
		return err
	}
	plainConditions(tree["status"], 0)
	repaired, marshalErr := json.Marshal(tree)
	if marshalErr != nil {
		return err
	}
	return utiljson.Unmarshal(repaired, into)
}

// customObject decodes a custom resource of a type and prunes it. Whole numbers
// stay whole; a spec that is no map breaks the convention and tells nothing.
func customObject(raw []byte, apiVersion, kind string, shared *inventory.Shared) (*inventory.Object, error) {
	var in struct {
		Metadata metav1.ObjectMeta `json:"metadata"`
		Spec     any               `json:"spec"`
		Status   any               `json:"status"`
	}
	if err := utiljson.Unmarshal(raw, &in); err != nil {
		return nil, err
	}
	plainConditions(in.Status, 0)
	o := &inventory.Object{APIVersion: apiVersion, Kind: kind, ObjectMeta: in.Metadata}
	shared.PruneCustom(o, in.Spec, in.Status)
	return o, nil
}

// plainConditions makes the status of conditions a word again where YAML made
// it a boolean: status: True.
func plainConditions(status any, depth int) {
	if depth > 4 {
		return
	}
	switch status := status.(type) {
	case map[string]any:
		for key, value := range status {
			list, _ := value.([]any)
			for _, item := range list {
				if condition, ok := item.(map[string]any); ok && key == "conditions" {
					plainStatus(condition)
				}
			}
			plainConditions(value, depth+1)
		}
	case []any:
		for _, item := range status {
			plainConditions(item, depth+1)
		}
	}
}

func plainStatus(condition map[string]any) {
	switch condition["status"] {
	case true:
		condition["status"] = "True"
	case false:
		condition["status"] = "False"
	}
}
