package report

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// Machine formats hold the data and nothing else.
func TestMachineFormatsArePure(t *testing.T) {
	for _, sc := range []*levels.Scorecard{shop(), hostile(), {}} {
		for name, out := range outputs(t, sc, Options{Color: true, Verbose: true}) {
			var v any
			var err error
			switch kindOf(name) {
			case "json":
				d := json.NewDecoder(strings.NewReader(out))
				if err = d.Decode(&v); err == nil && d.More() {
					err = fmt.Errorf("more than one value")
				}
			case "yaml":
				err = yaml.UnmarshalStrict([]byte(out), &v)
			case "csv":
				_, err = csv.NewReader(strings.NewReader(out)).ReadAll()
			}
			if err != nil || strings.Contains(out, "NaN") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestJSONIsTheScorecard(t *testing.T) {
	for _, format := range []string{"json", "yaml"} {
		var got levels.Scorecard
		if err := yaml.Unmarshal([]byte(outputs(t, shop(), Options{})[format]), &got); err != nil {
			t.Fatal(err)
		}
		if want, _ := json.Marshal(shop()); !jsonEqual(t, want, &got) {
			t.Errorf("%s read back is another scorecard", format)
		}
	}
}

func jsonEqual(t *testing.T, want []byte, got any) bool {
	t.Helper()
	b, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Equal(want, b)
}

// Redaction happens in the model (inventory.Text), before any printer; no
// printer has a second source of text.
func TestNoPrinterLeaksCredentials(t *testing.T) {
	secret := inventory.Text("get https://user:hunter2@vault.example/x: denied for AKIAIOSFODNN7EXAMPLE, token=s3cr3tvalue")
	sc := shop()
	sc.Operators[2].Findings[1].Detail = secret
	sc.Operators[2].Checks[0].Because = secret
	sc.Operators[2].CRDs[0].ControllerWhy = secret
	sc.Coverage.Resources[0].Detail = secret
	for name, out := range outputs(t, sc, Options{Verbose: true}) {
		for _, s := range []string{"hunter2", "AKIAIOSFODNN7EXAMPLE", "s3cr3tvalue"} {
			if strings.Contains(out, s) {
				t.Errorf("%s leaks %s", name, s)
			}
		}
	}
}

func TestReportsDoNotChangeTheirInput(t *testing.T) {
	sc := shop()
	outputs(t, sc, Options{Verbose: true, Color: true, Width: 80})
	if want, _ := json.Marshal(shop()); !jsonEqual(t, want, sc) {
		t.Error("a report changed the scorecard")
	}
}
