package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/levels"
)

// The charts are SVG with fixed numbers: colours come as attributes, so that
// they hold where a stricter policy than ours drops the style, and as classes,
// which the style overrides for light and dark.

// htmlSegment is a piece of a bar.
type htmlSegment struct {
	X, Width int
	Middle   int // where its label stands
	Class    string
	Label    string
	Title    string
}

// htmlBar is a line of a chart.
type htmlBar struct {
	Y        int
	Name     string
	Segments []htmlSegment
}

const (
	chartLeft  = 150 // room for the names
	chartWidth = 480
	barHeight  = 34
)

// htmlChart is a chart of bars. Height is all of it.
type htmlChart struct {
	Title  string
	Bars   []htmlBar
	Height int
}

// levelsChart counts for each level how many operators have which status.
func levelsChart(sc *levels.Scorecard) htmlChart {
	chart := htmlChart{Title: "How the operators stand on each level"}
	all := len(sc.Operators)
	for n := 1; n <= 5 && all > 0; n++ {
		counts := map[levels.Status]int{}
		for _, op := range sc.Operators {
			counts[knownStatus(levelOf(op, n).Status)]++
		}
		bar := htmlBar{Y: (n - 1) * barHeight, Name: fmt.Sprintf("%d %s", n, levelName(n))}
		done := 0
		for _, m := range levelMarks {
			count := counts[m.status]
			if count == 0 {
				continue
			}
			// Edges are rounded, not widths: the bars then end at one line.
			from, to := done*chartWidth/all, (done+count)*chartWidth/all
			done += count
			bar.Segments = append(bar.Segments, htmlSegment{
				X: chartLeft + from, Width: to - from, Middle: chartLeft + (from+to)/2, Class: string(m.status), Label: fmt.Sprint(count),
				Title: fmt.Sprintf("%s: %s %s", bar.Name, counted(count, "operator"), m.word),
			})
		}
		chart.Bars = append(chart.Bars, bar)
	}
	chart.Height = len(chart.Bars) * barHeight
	return chart
}

// knownStatus is a status that has a mark: anything else is unknown.
func knownStatus(s levels.Status) levels.Status {
	for _, m := range levelMarks {
		if m.status == s {
			return s
		}
	}
	return levels.LevelUnknown
}

// headlineChart counts the operators by the level that is proven without a gap.
func headlineChart(sc *levels.Scorecard) htmlChart {
	chart := htmlChart{Title: "Operators by level, proven without a gap"}
	counts, most := [6]int{}, 1
	for _, op := range sc.Operators {
		n := min(max(op.Level, 0), 5)
		counts[n]++
		most = max(most, counts[n])
	}
	for n := 5; n >= 0 && len(sc.Operators) > 0; n-- {
		name := "no level"
		if n > 0 {
			name = fmt.Sprintf("level %d", n)
		}
		bar := htmlBar{Y: len(chart.Bars) * barHeight, Name: name}
		class := string(levels.LevelProven)
		if n == 0 {
			class = string(levels.LevelNotShown)
		}
		width := max(2, counts[n]*(chartWidth-40)/most)
		bar.Segments = []htmlSegment{{
			X: chartLeft, Width: width, Middle: chartLeft + width + 16, Class: class, Label: fmt.Sprint(counts[n]),
			Title: fmt.Sprintf("%s: %s", name, counted(counts[n], "operator")),
		}}
		chart.Bars = append(chart.Bars, bar)
	}
	chart.Height = len(chart.Bars) * barHeight
	return chart
}

// htmlTrack sets the claim of an operator against its evidence: five boxes,
// and a mark above the one that is claimed.
type htmlTrack struct {
	Boxes []htmlSegment
	// Claim is where the mark stands; 0 when nothing is claimed.
	Claim int
	Label string
}

const trackBox = 20

func trackOf(op levels.Operator) htmlTrack {
	var t htmlTrack
	for n := 1; n <= 5; n++ {
		class := "none"
		switch {
		case n <= op.Level:
			class = string(levels.LevelProven)
		case n <= op.LevelIndicated:
			class = string(levels.LevelIndicated)
		case n <= op.LevelPossible:
			class = string(levels.LevelUnknown)
		}
		t.Boxes = append(t.Boxes, htmlSegment{X: 2 + (n-1)*trackBox, Width: trackBox - 3, Class: class})
	}
	parts := []string{"proven: " + upTo(op.Level)}
	if op.LevelIndicated > op.Level {
		parts = append(parts, fmt.Sprintf("up to %d if what is indicated holds", op.LevelIndicated))
	}
	if op.LevelPossible > max(op.Level, op.LevelIndicated) {
		parts = append(parts, fmt.Sprintf("up to %d if what could not be looked at holds", op.LevelPossible))
	}
	if c := op.LevelClaimed; c != nil && c.Level >= 1 && c.Level <= 5 {
		t.Claim = 2 + (c.Level-1)*trackBox + (trackBox-3)/2
		parts = append(parts, fmt.Sprintf("claimed: level %d", c.Level))
	} else {
		parts = append(parts, "nothing is claimed")
	}
	t.Label = strings.Join(parts, "; ")
	return t
}

// Mark is the triangle above the claimed box, as the points of a polygon.
func (t htmlTrack) Mark() string {
	return fmt.Sprintf("%d,1 %d,1 %d,7", t.Claim-4, t.Claim+4, t.Claim)
}
