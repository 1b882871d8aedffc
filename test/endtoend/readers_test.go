package endtoend

import (
	"bytes"
	"encoding/xml"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/jstemmer/go-junit-report/v2/junit"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kubectl-operator-maturity/internal/levels"
	"kubectl-operator-maturity/internal/report"
)

// The reports of the demo and of both recordings are what their own readers
// take: the SARIF schema as it was published, a reader of JUnit, promtool.
func TestReadersTakeTheReports(t *testing.T) {
	large(t)
	sarif := sarifSchema(t)
	if err := sarif.Validate(map[string]any{"version": "2.1.0", "runs": []any{map[string]any{}}}); err == nil {
		t.Error("a run without a tool is taken for SARIF")
	}
	everyScorecard(t, func(t *testing.T, sc *levels.Scorecard) {
		written, err := jsonschema.UnmarshalJSON(bytes.NewReader(rendered(t, sc, "sarif")))
		if err != nil {
			t.Fatal(err)
		}
		if err := sarif.Validate(written); err != nil {
			t.Errorf("sarif: %v", err)
		}
		checkJUnit(t, sc)
		checkMetrics(t, rendered(t, sc, "prometheus"))
	})
}

func rendered(t *testing.T, sc *levels.Scorecard, format string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, format, sc, report.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// sarifSchema is the schema of OASIS, which the SARIF library has in its source.
func sarifSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	dir, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3").Output()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(strings.TrimSpace(string(dir)), "pkg", "report", "v210", "sarif", "schema.go")
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var text string
	ast.Inspect(parsed, func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING && len(literal.Value) > len(text) {
			text = literal.Value
		}
		return true
	})
	if text, err = strconv.Unquote(text); err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("sarif.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("sarif.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// checkJUnit reads a suite for each operator, with as many failures as it says.
func checkJUnit(t *testing.T, sc *levels.Scorecard) {
	t.Helper()
	var suites junit.Testsuites
	if err := xml.Unmarshal(rendered(t, sc, "junit"), &suites); err != nil {
		t.Fatalf("junit: %v", err)
	}
	named := map[string]bool{}
	for _, suite := range suites.Suites {
		named[suite.Name] = true
		failures := 0
		for _, c := range suite.Testcases {
			if c.Failure != nil {
				failures++
			}
		}
		if failures != suite.Failures || len(suite.Testcases) != suite.Tests {
			t.Errorf("junit: suite %s says %d of %d, and has %d of %d", suite.Name, suite.Failures, suite.Tests, failures, len(suite.Testcases))
		}
	}
	for i := range sc.Operators {
		if !named[sc.Operators[i].Name] {
			t.Errorf("junit: no suite of %s", sc.Operators[i].Name)
		}
	}
}

func checkMetrics(t *testing.T, text []byte) {
	t.Helper()
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		if ci, _ := strconv.ParseBool(os.Getenv("CI")); ci {
			t.Fatal("no promtool on the PATH (Debian: apt-get install prometheus)")
		}
		t.Log("no promtool on the PATH (Debian: apt-get install prometheus): the metrics were not checked")
		return
	}
	cmd := exec.CommandContext(t.Context(), promtool, "check", "metrics")
	cmd.Stdin = bytes.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, out)
	}
}
