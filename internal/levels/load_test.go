package levels

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory/facts"
)

var update = flag.Bool("update", false, "write golden files anew")

// golden compares with a file below testdata, or writes it.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := "testdata/" + name
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("differs from %s (go test -update writes it):\n%s", path, diff)
	}
}

func TestEveryMistakeIsReportedWithItsPlace(t *testing.T) {
	_, err := Load(Layer{Name: "bad", FS: os.DirFS("testdata/bad")})
	var problems Problems
	if !errors.As(err, &problems) {
		t.Fatalf("no Problems but %v", err)
	}
	golden(t, "bad.golden", err.Error()+"\n")
}

// load loads one file of rules.
func load(t testing.TB, yaml string) (*Rules, error) {
	t.Helper()
	return Load(Layer{Name: Builtin, FS: fstest.MapFS{"levels/rules.yaml": {Data: []byte(yaml)}}})
}

func mustLoad(t testing.TB, yaml string) *Rules {
	t.Helper()
	rules, err := load(t, yaml)
	if err != nil {
		t.Fatal(err)
	}
	return rules
}

// The place of a mistake is that of the word in the file, however YAML wrote
// the expression.
func TestPlaceInExpressions(t *testing.T) {
	styles := map[string]string{
		"plain":         "op.live && op.wrong",
		"plain, folded": "op.live\n       && op.wrong",
		"single quotes": `'op.name == ''x'' && op.wrong'`,
		"double quotes": `"op.name == \"x\" && op.wrong"`,
		"double, lines": "\"op.live &&\n        op.wrong\"",
		"literal":       "|\n      op.live\n\n        && op.wrong\n",
		"literal, keep": "|2+\n      op.live && op.wrong\n\n",
		"umlauts":       `op.name == "äöü" && op.wrong`,
	}
	for name, written := range styles {
		t.Run(name, func(t *testing.T) {
			file := "level: 1\ncriteria:\n  - id: a\n    title: a\n    scope: operator\n    because: op.name\n    proven: " + written + "\n"
			_, err := load(t, file)
			var problems Problems
			if !errors.As(err, &problems) || len(problems) != 1 {
				t.Fatalf("not one problem but %v", err)
			}
			lines := strings.Split(file, "\n")
			rest := lines[problems[0].Line-1][problems[0].Column-1:]
			if !strings.HasPrefix(rest, ".wrong") {
				t.Errorf("%v points at %q", err, rest)
			}
		})
	}
}

const twoRules = `
level: 1
criteria:
  - {id: a, title: A, scope: operator, proven: op.live, because: op.name}
  - {id: b, title: B, scope: operator, proven: op.live, because: op.name}
`

func TestLayers(t *testing.T) {
	layer := func(yaml string) Layer {
		return Layer{Name: "/home/me/rules", FS: fstest.MapFS{"mine.yaml": {Data: []byte(yaml)}}}
	}
	tests := map[string]struct {
		layer string
		want  string // ids with their sources, or the beginning of the mistake
	}{
		"a new id adds": {
			"level: 2\ncriteria:\n  - {id: c, title: C, scope: operator, proven: op.live, because: op.name}",
			"a:1:builtin b:1:builtin c:2:/home/me/rules/mine.yaml",
		},
		"an override replaces": {
			"level: 3\ncriteria:\n  - {id: a, override: true, title: C, scope: operator, proven: op.live, because: op.name}",
			"b:1:builtin a:3:/home/me/rules/mine.yaml",
		},
		"disable removes": {"disable: [a]", "b:1:builtin"},
		"the same id":     {"level: 3\ncriteria:\n  - {id: a, title: C, scope: operator, proven: op.live, because: op.name}", `/home/me/rules/mine.yaml:3:10: the id "a" is taken by builtin/levels/rules.yaml:4: say override: true to replace it`},
		"nothing to override": {
			"level: 3\ncriteria:\n  - {id: c, override: true, title: C, scope: operator, proven: op.live, because: op.name}",
			`/home/me/rules/mine.yaml:3:23: override: no criterion has the id "c"`,
		},
		"nothing to disable": {"disable: [c]", `/home/me/rules/mine.yaml:1:11: disable: no criterion has the id "c"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			rules, err := Load(Layer{Name: Builtin, FS: fstest.MapFS{
				"levels/rules.yaml":    {Data: []byte(twoRules)},
				"operators/other.yaml": {Data: []byte("name: other")},
				"tests/test.yaml":      {Data: []byte("tests: []")},
			}}, layer(tt.layer))
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				var list []string
				for _, c := range rules.Criteria() {
					list = append(list, c.ID+":"+string(rune('0'+c.Level))+":"+c.Source)
				}
				got = strings.Join(list, " ")
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func FuzzLoad(f *testing.F) {
	for _, name := range []string{"testdata/bad/criteria.yaml", "testdata/rules/levels/1-basic-install.yaml"} {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data))
	}
	f.Add("criteria: &x [*x]")
	f.Fuzz(func(t *testing.T, data string) {
		if len(data) > 2000 {
			return
		}
		if rules, err := load(t, data); err == nil {
			op := facts.Operator{CRDs: []facts.CRD{{}}}
			rules.assess(&op)
		}
	})
}

// lineEnds are all that YAML takes for the end of a line.
var lineEnds = regexp.MustCompile("[\n\r\u0085\u2028\u2029]")

// FuzzConfig holds that no config file ends the program, and that what is
// wrong with it has a place in it.
func FuzzConfig(f *testing.F) {
	f.Add("minLevel: 1\nfailOn: [critical]\nexceptions:\n  - {operator: shop, id: x, reason: y, expires: 2026-06-30}\n")
	f.Add("minLevels:\n  - operator: a\n    level: 9\nrules: [a.yaml]\nstrict: maybe\n")
	f.Add("minLevel: &a [*a]\n? {a: b}\n: x\n")
	f.Add("baseline: |\n  a\n--- \n...\n%YAML 9\n")
	f.Fuzz(func(t *testing.T, content string) {
		config, err := ParseConfig("gates.yaml", []byte(content))
		var problems Problems
		switch {
		case (err == nil) != (config != nil):
			t.Errorf("config %v and error %v", config, err)
		case err == nil:
			config.Gate.Judge(&Scorecard{Operators: []Operator{{Name: "shop"}}}, nil)
		case !errors.As(err, &problems):
			t.Errorf("%v has no place", err)
		}
		for _, p := range problems {
			if p.File != "gates.yaml" || p.Line > 2+len(lineEnds.FindAllString(content, -1)) {
				t.Errorf("%v is not in the file", p)
			}
		}
	})
}

// A few hundred bytes of YAML can stand for terabytes.
func TestConfigRefusesABomb(t *testing.T) {
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		fmt.Fprintf(&bomb, "a%d: &a%d [*a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d, *a%d]\n", i+1, i+1, i, i, i, i, i, i, i, i, i, i)
	}
	bomb.WriteString("failOn: *a12\n")
	var problems Problems
	if _, err := ParseConfig("gates.yaml", []byte(bomb.String())); !errors.As(err, &problems) {
		t.Errorf("a bomb as a config: %v", err)
	}
	if _, err := load(t, bomb.String()); !errors.As(err, &problems) {
		t.Errorf("a bomb as rules: %v", err)
	}
}
