package endtoend

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"

	"kubectl-operator-maturity/internal/levels"
)

const (
	calibrationFile = "testdata/calibration.yaml"
	calibrationDoc  = "../../docs/calibration.md"
)

// calibration is what the maintainers of some operators would say to the
// verdicts on a recording, judged by hand.
type calibration struct {
	Recording string
	Operators map[string]judgements
}

type judgements struct {
	Criteria      map[string]judgement
	NotApplicable grouped `yaml:"notApplicable"`
	Unknown       grouped
}

type judgement struct {
	Verdict levels.Verdict
	Agree   bool
	Note    string
}

// grouped are criteria with one verdict for one reason.
type grouped struct {
	Note     string
	Criteria []string
}

func readCalibration(t *testing.T) calibration {
	t.Helper()
	raw, err := os.ReadFile(calibrationFile)
	if err != nil {
		t.Fatal(err)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	decoder.KnownFields(true)
	var c calibration
	if err := decoder.Decode(&c); err != nil {
		t.Fatalf("%s: %v", calibrationFile, err)
	}
	return c
}

// verdicts are all judgements of an operator by criterion.
func (j *judgements) verdicts() map[string]levels.Verdict {
	all := map[string]levels.Verdict{}
	for id, row := range j.Criteria {
		all[id] = row.Verdict
	}
	for _, id := range j.NotApplicable.Criteria {
		all[id] = levels.NotApplicable
	}
	for _, id := range j.Unknown.Criteria {
		all[id] = levels.Unknown
	}
	return all
}

// TestRecordingVerdictsAreCalibrated holds every verdict on the operators of
// the calibration against the judgement by hand.
func TestRecordingVerdictsAreCalibrated(t *testing.T) {
	c := readCalibration(t)
	sc := recording(t, c.Recording)
	for name, judged := range c.Operators {
		o := operator(t, sc, name)
		want := judged.verdicts()
		for _, check := range o.Checks {
			switch verdict, known := want[check.ID]; {
			case !known:
				t.Errorf("%s %s is %s and was not judged by hand (%s)", name, check.ID, check.Verdict, check.Because)
			case verdict != check.Verdict:
				t.Errorf("%s %s is %s, judged was %s: look at the dump and change the judgement or the rule (%s)", name, check.ID, check.Verdict, verdict, check.Because)
			}
			delete(want, check.ID)
		}
		for id := range want {
			t.Errorf("%s %s was judged, and there is no such criterion", name, id)
		}
	}
}

// TestCalibrationAgreesWithEveryProof: no proof stands that a maintainer of the
// operator would reject.
func TestCalibrationAgreesWithEveryProof(t *testing.T) {
	for name, judged := range readCalibration(t).Operators {
		for id, row := range judged.Criteria {
			if row.Note == "" || row.Verdict == levels.NotApplicable || row.Verdict == levels.Unknown {
				t.Errorf("%s %s: a judgement needs a verdict of substance and a note", name, id)
			}
			if !row.Agree && (row.Verdict == levels.Proven || row.Verdict == levels.Refuted) {
				t.Errorf("%s %s is %s and would be rejected (%s): mend the facts or the rule", name, id, row.Verdict, row.Note)
			}
		}
	}
}

func TestCalibrationDocIsCurrent(t *testing.T) {
	current(t, calibrationDoc, calibrationReport(readCalibration(t), builtinRules(t).Criteria()))
}

// current compares a file with what it should hold, or writes it with
// UPDATE_GOLDEN=1.
func current(t *testing.T, path string, want []byte) {
	t.Helper()
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is stale: run UPDATE_GOLDEN=1 go test ./test/endtoend -run %s", filepath.Base(path), t.Name())
	}
}

// calibrationReport is docs/calibration.md.
func calibrationReport(c calibration, criteria []levels.Criterion) []byte {
	var b bytes.Buffer
	names := make([]string, 0, len(c.Operators))
	for name := range c.Operators {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Fprintf(&b, `# Calibration

What a maintainer of the operator would say to each verdict, judged by hand, object by object, against one recording of a
cluster (%s: installs of real operators, of which four reconciled). Written by
`+"`UPDATE_GOLDEN=1 go test ./test/endtoend -run TestCalibrationDocIsCurrent`"+` from test/endtoend/testdata/calibration.yaml; a test
compares each verdict with a scan of the recording, and fails where a proof or a refutation stands that the maintainer would reject.

A disputed verdict is one that shows less than the operator can do: what was not seen there is no proof.

`, strings.TrimSuffix(c.Recording, ".json.gz"))
	b.WriteString("| operator | judged | proven | indicated | not observed | refuted | disputed |\n|---|---|---|---|---|---|---|\n")
	for _, name := range names {
		count, disputed := map[levels.Verdict]int{}, 0
		for _, row := range c.Operators[name].Criteria {
			count[row.Verdict]++
			if !row.Agree {
				disputed++
			}
		}
		fmt.Fprintf(&b, "| [%s](#%s) | %d | %d | %d | %d | %d | %d |\n", name, name, len(c.Operators[name].Criteria),
			count[levels.Proven], count[levels.Indicated], count[levels.NotObserved], count[levels.Refuted], disputed)
	}
	for _, name := range names {
		writeJudgements(&b, name, c.Operators[name], criteria)
	}
	return b.Bytes()
}

func writeJudgements(b *bytes.Buffer, name string, j judgements, criteria []levels.Criterion) {
	fmt.Fprintf(b, "\n## %s\n\n| level | criterion | verdict | agree | why |\n|---|---|---|---|---|\n", name)
	ordered := slices.Clone(criteria)
	slices.SortStableFunc(ordered, func(a, b levels.Criterion) int { return cmp.Compare(lastIfZero(a.Level), lastIfZero(b.Level)) })
	for i := range ordered {
		row, ok := j.Criteria[ordered[i].ID]
		if !ok {
			continue
		}
		level, agree := fmt.Sprint(ordered[i].Level), "yes"
		if ordered[i].Level == 0 {
			level = "hygiene"
		}
		if !row.Agree {
			agree = "**no**"
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", level, ordered[i].ID, row.Verdict, agree, strings.NewReplacer("|", `\|`, "*", `\*`, "<", `\<`).Replace(row.Note))
	}
	for _, group := range []struct {
		verdict levels.Verdict
		grouped
	}{{levels.NotApplicable, j.NotApplicable}, {levels.Unknown, j.Unknown}} {
		if len(group.Criteria) > 0 {
			fmt.Fprintf(b, "\n%s (%s): %s.\n", strings.ReplaceAll(string(group.verdict), "-", " "), group.Note, strings.Join(group.Criteria, ", "))
		}
	}
}

// lastIfZero puts hygiene behind the levels.
func lastIfZero(level int) int {
	if level == 0 {
		return 9
	}
	return level
}
