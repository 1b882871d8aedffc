package levels

import (
	"slices"
	"strings"
	"testing"
)

// rowsOf reads rows such as "proven", "witness:unknown", "episodic:not-observed".
func rowsOf(group string, words ...string) []row {
	var rows []row
	for _, word := range words {
		c := &Criterion{ID: word, Essential: true, Level: 1, Group: group}
		verdict := word
		if rest, ok := strings.CutPrefix(word, "witness:"); ok {
			c.Witness, verdict = true, rest
		} else if rest, ok := strings.CutPrefix(word, "episodic:"); ok {
			c.Episodic, verdict = true, rest
		}
		rows = append(rows, row{c, &Check{ID: word, Verdict: Verdict(verdict), Because: "x"}})
	}
	return rows
}

func TestStatus(t *testing.T) {
	tests := []struct {
		rows []string
		want Status
	}{
		{nil, LevelNotApplicable},
		{[]string{"not-applicable", "witness:not-applicable"}, LevelNotApplicable},
		{[]string{"witness:proven", "refuted"}, LevelRefuted},
		{[]string{"unknown", "refuted"}, LevelRefuted},
		{[]string{"witness:proven", "indicated", "not-applicable"}, LevelProven},
		{[]string{"proven", "witness:indicated"}, LevelIndicated},
		{[]string{"proven", "proven"}, LevelIndicated},
		{[]string{"indicated"}, LevelIndicated},
		{[]string{"witness:proven", "episodic:not-observed"}, LevelIndicated},
		{[]string{"indicated", "episodic:not-observed"}, LevelIndicated},
		{[]string{"episodic:not-observed"}, LevelNotShown},
		{[]string{"witness:unknown"}, LevelUnknown},
		{[]string{"proven", "witness:unknown"}, LevelUnknown},
		{[]string{"unknown", "episodic:not-observed"}, LevelUnknown},
		{[]string{"unknown", "not-observed"}, LevelNotShown},
		{[]string{"unknown", "not-observed", "proven"}, LevelPartial},
		{[]string{"proven", "not-observed"}, LevelPartial},
		{[]string{"not-observed", "not-applicable"}, LevelNotShown},
	}
	for _, tt := range tests {
		if got := status(rowsOf("", tt.rows...)); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.rows, got, tt.want)
		}
	}
}

func TestBlocking(t *testing.T) {
	tests := []struct {
		rows, want []string
	}{
		{[]string{"witness:proven", "indicated"}, []string{}},
		{[]string{"witness:proven", "not-observed", "unknown", "not-applicable"}, []string{"not-observed", "unknown"}},
		{[]string{"witness:indicated", "proven"}, []string{"witness:indicated"}},
		{[]string{"refuted", "witness:proven"}, []string{"refuted"}},
	}
	for _, tt := range tests {
		if got := blocking(rowsOf("", tt.rows...)); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.rows, got, tt.want)
		}
	}
}

// One whole group decides level 5.
func TestGroups(t *testing.T) {
	tests := map[string]struct {
		scale, heal []string
		want        Status
		counts      Counts
	}{
		"one proven":      {[]string{"not-observed", "not-observed"}, []string{"witness:proven"}, LevelProven, Counts{Met: 1, Total: 1}},
		"parts of both":   {[]string{"proven", "not-observed"}, []string{"proven", "not-observed"}, LevelPartial, Counts{Met: 1, Total: 2}},
		"one refuted":     {[]string{"refuted"}, []string{"not-observed"}, LevelNotShown, Counts{Total: 1}},
		"all refuted":     {[]string{"refuted"}, []string{"refuted"}, LevelRefuted, Counts{Total: 1}},
		"one for nobody":  {[]string{"not-applicable"}, []string{"refuted"}, LevelRefuted, Counts{Total: 1}},
		"none applies":    {[]string{"not-applicable"}, []string{"not-applicable"}, LevelNotApplicable, Counts{}},
		"unknown, partly": {[]string{"unknown"}, []string{"proven", "not-observed"}, LevelUnknown, Counts{Total: 1, Unknown: 1}},
		"the nearer one":  {[]string{"not-observed", "not-observed"}, []string{"not-observed"}, LevelNotShown, Counts{Total: 1}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := levelOf(5, append(rowsOf("scale", tt.scale...), rowsOf("heal", tt.heal...)...), nil)
			if l.Status != tt.want || l.Essential != tt.counts {
				t.Errorf("got %s %+v", l.Status, l.Essential)
			}
		})
	}
}

func TestHeadline(t *testing.T) {
	p, i, u, n, na := LevelProven, LevelIndicated, LevelUnknown, LevelNotShown, LevelNotApplicable
	tests := []struct {
		archetype string
		statuses  []Status
		want      headline
	}{
		{"workload", []Status{p, p, i, u, n}, headline{2, 3, 4, 2}},
		{"api-objects", []Status{p, p, i, u, n}, headline{2, 3, 4, 1}},
		{"workload", []Status{n, p, p, p, p}, headline{}},
		{"workload", []Status{p, na, p, p, p}, headline{1, 1, 1, 1}},
		{"workload", []Status{u, p, n, p, p}, headline{0, 0, 2, 0}},
		{"external", []Status{p, p, p, p, p}, headline{5, 5, 5, 1}},
	}
	for _, tt := range tests {
		var levels []Level
		for _, s := range tt.statuses {
			levels = append(levels, Level{Status: s})
		}
		if got := headlineOf(levels, tt.archetype); got != tt.want {
			t.Errorf("%v: got %+v, want %+v", tt.statuses, got, tt.want)
		}
	}
}
