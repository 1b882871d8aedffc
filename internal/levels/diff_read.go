package levels

import (
	"encoding/json"
	"fmt"
	"strings"
)

// IsScorecard tells whether JSON says of itself that it is a scorecard.
func IsScorecard(raw []byte) bool { return isKind(raw, "Scorecard") }

func isKind(raw []byte, kind string) bool {
	var head struct {
		Kind       string `json:"kind"`
		APIVersion string `json:"apiVersion"`
	}
	return json.Unmarshal(raw, &head) == nil && head.Kind == kind && strings.HasPrefix(head.APIVersion, "operator-maturity/")
}

// DecodeScorecard reads the JSON output of a scan. It is lenient on fields that
// it does not know, and refuses a version that it does not know.
func DecodeScorecard(raw []byte) (*Scorecard, error) {
	var sc Scorecard
	if err := json.Unmarshal(raw, &sc); err != nil {
		return nil, fmt.Errorf("reading the scorecard: %w", err)
	}
	if sc.APIVersion != "operator-maturity/v1" {
		return nil, fmt.Errorf("the scorecard has version %q, and this program reads operator-maturity/v1: scan again with -o json, or use a newer program", sc.APIVersion)
	}
	return &sc, nil
}
