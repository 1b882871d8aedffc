package levels

import (
	"os"
	"sync"
	"testing"
)

// builtinRoot is the folder of the program's own rules.
const builtinRoot = "../../rules"

// loadBuiltin loads the program's own rules once for all tests.
var loadBuiltin = sync.OnceValues(func() (*Rules, error) {
	return Load(Layer{Name: builtinRoot + "/levels", FS: os.DirFS(builtinRoot + "/levels")})
})

func builtinRules(t testing.TB) *Rules {
	t.Helper()
	rules, err := loadBuiltin()
	if err != nil {
		t.Fatalf("%v", err)
	}
	return rules
}

// TestBuiltinRules runs the tests beside the rules.
func TestBuiltinRules(t *testing.T) {
	rules := builtinRules(t)
	results, err := RunTests(rules, os.DirFS(builtinRoot+"/tests"))
	if err != nil {
		t.Errorf("%v", err)
	}
	for _, result := range results {
		for _, failure := range result.Failures {
			t.Errorf("%s/tests/%s:%d: %s (%s): %s", builtinRoot, result.File, result.Line, result.Name, result.Criterion, failure)
		}
	}
	for _, gap := range Gaps(rules, results) {
		t.Errorf("%s", gap)
	}
	t.Logf("%d criteria, %d tests", len(rules.rules), len(results))
}
