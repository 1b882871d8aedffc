package endtoend

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

// Whatever the program writes as JSON is what docs/schema says, and holds no
// field that is not described there.
func TestOutputsFollowTheirSchemas(t *testing.T) {
	schemas := describedOutputs(t)
	snapshot := demoSnapshot(t)
	sc := score(t, snapshot)
	schemas.check("snapshot", func(w io.Writer) error { return inventory.Encode(w, snapshot) })
	schemas.checkScorecard(sc)
	schemas.check("comparison", func(w io.Writer) error {
		return report.WriteComparison(w, "json", levels.Compare(withoutOne(sc), sc), report.Options{})
	})
	r := newReviewer(t, snapshot)
	for _, topic := range []string{"PostgresCluster", "Widget", "nothing like it"} {
		rec := r.review(topic, "")
		schemas.check("reviewrecord", func(w io.Writer) error { return report.WriteReview(w, "json", rec, report.Options{}) })
	}
	// Of manifests that were never on a server, and of nothing.
	for _, path := range []string{filepath.Join("testdata", "widgets.yaml"), filepath.Join("..", "demo", "manifests"), filepath.Join("..", "..", "deploy", "clusterrole.yaml")} {
		schemas.checkScorecard(score(t, read(t, time.Time{}, path)))
	}
	empty := &inventory.Snapshot{Source: inventory.Source{Type: "files"}, Taken: time.Unix(0, 0).UTC()}
	schemas.check("snapshot", func(w io.Writer) error { return inventory.Encode(w, empty) })
	schemas.checkScorecard(score(t, empty))
}

func TestOutputsOfRecordingsFollowTheirSchemas(t *testing.T) {
	large(t)
	schemas := describedOutputs(t)
	var cards []*levels.Scorecard
	for _, name := range []string{"shop-cluster.json.gz", "shop-cluster-later.json.gz"} {
		snapshot := read(t, time.Time{}, filepath.Join(corpustest.Dir(t), "recordings", name))
		schemas.check("snapshot", func(w io.Writer) error { return inventory.Encode(w, snapshot) })
		cards = append(cards, score(t, snapshot))
		schemas.checkScorecard(cards[len(cards)-1])
	}
	schemas.check("fleetscorecard", func(w io.Writer) error {
		fleet := levels.NewFleet([]levels.FleetCluster{
			{Name: "before", Outcome: levels.Read, Scorecard: cards[0]},
			{Name: "later", Outcome: levels.Read, Scorecard: cards[1]},
			{Name: "gone", Outcome: levels.NotRead, Why: "connection refused"},
		})
		return report.WriteFleet(w, "json", fleet, report.Options{})
	})
	schemas.check("comparison", func(w io.Writer) error {
		return report.WriteComparison(w, "json", levels.Compare(cards[0], cards[1]), report.Options{})
	})
}

// A field of another type, or one that is not described, is told.
func TestSchemasRefuseWhatIsWrong(t *testing.T) {
	schemas := describedOutputs(t)
	for _, wrong := range []string{
		`{"apiVersion":"operator-maturity/v1","kind":"Scorecard"}`,
		`{"apiVersion":"operator-maturity/v2","kind":"Snapshot","taken":"2026-01-01T00:00:00Z","source":{"type":"demo"},"access":[],"items":[]}`,
		`{"apiVersion":"operator-maturity/v1","kind":"Snapshot","taken":"2026-01-01T00:00:00Z","source":{"type":"demo"},"access":[],"items":[{"apiVersion":"v1"}]}`,
		`{"apiVersion":"operator-maturity/v1","kind":"Snapshot","taken":"2026-01-01T00:00:00Z","source":{"type":"demo","color":"red"},"access":[],"items":[]}`,
		`{"apiVersion":"operator-maturity/v1","kind":"Snapshot","taken":"2026-01-01T00:00:00Z","source":{"type":"demo"},"access":[],"items":[{"apiVersion":"operator-maturity/v1","kind":"Exposition","via":"guess"}]}`,
	} {
		kind := "snapshot"
		if strings.Contains(wrong, "Scorecard") {
			kind = "scorecard"
		}
		if err := schemas.validate(kind, []byte(wrong)); err == nil {
			t.Errorf("it was taken: %s", wrong)
		}
	}
}

// withoutOne is a scorecard as it was before one operator came and another
// changed.
func withoutOne(sc *levels.Scorecard) *levels.Scorecard {
	before := *sc
	before.Operators = slices.Clone(sc.Operators[1:])
	before.Operators[0].Level++
	before.Operators[0].Version = "v0.0.1"
	before.Findings = nil
	return &before
}

// described are the schemas of docs/schema, by the names of their files.
type described struct {
	t       *testing.T
	schemas map[string]*jsonschema.Schema
}

func describedOutputs(t *testing.T) *described {
	t.Helper()
	files, err := filepath.Glob("../../docs/schema/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schemas: %v", err)
	}
	d := &described{t, map[string]*jsonschema.Schema{}}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		strict(parsed)
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		if err := compiler.AddResource(name, parsed); err != nil {
			t.Fatal(err)
		}
		for _, part := range []string{"", "#/$defs/Operator", "#/$defs/OwnedCRD"} {
			if compiled, err := compiler.Compile(name + part); err == nil {
				d.schemas[name+part] = compiled
			} else if part == "" {
				t.Fatal(err)
			}
		}
	}
	return d
}

// strict makes every described object refuse what is not described: readers
// must let it pass, but we write nothing of the kind.
func strict(schema any) {
	switch schema := schema.(type) {
	case map[string]any:
		if _, described := schema["properties"]; described && schema["type"] == "object" {
			schema["additionalProperties"] = false
		}
		for _, inner := range schema {
			strict(inner)
		}
	case []any:
		for _, inner := range schema {
			strict(inner)
		}
	}
}

func (d *described) validate(name string, content []byte) error {
	parsed, err := jsonschema.UnmarshalJSON(bytes.NewReader(content))
	if err != nil {
		return err
	}
	return d.schemas[name].Validate(parsed)
}

func (d *described) check(name string, write func(io.Writer) error) {
	d.t.Helper()
	var b bytes.Buffer
	if err := write(&b); err != nil {
		d.t.Fatal(err)
	}
	if err := d.validate(name, b.Bytes()); err != nil {
		d.t.Errorf("%s: %v", name, err)
	}
}

// checkScorecard checks all that is written of a scorecard.
func (d *described) checkScorecard(sc *levels.Scorecard) {
	d.t.Helper()
	d.check("scorecard", func(w io.Writer) error { return report.Write(w, "json", sc, report.Options{}) })
	d.check("crdlist", func(w io.Writer) error { return report.WriteCRDs(w, "json", sc, report.CRDFilter{}, report.Options{}) })
	for i := range sc.Operators {
		d.check("scorecard#/$defs/Operator", func(w io.Writer) error {
			return report.WriteExplainOperator(w, "json", sc, sc.Operators[i].Name, report.Options{})
		})
	}
	for i := range sc.Unattributed {
		d.check("crdlist#/$defs/OwnedCRD", func(w io.Writer) error {
			return report.WriteExplainCRD(w, "json", sc, sc.Unattributed[i].Name, report.Options{})
		})
	}
}
