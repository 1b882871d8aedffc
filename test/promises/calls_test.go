package promises

import (
	"bytes"
	"fmt"
)

// otherCalls is what test/faults found of calls that are no lists.
type otherCalls struct {
	Calls []struct {
		Call       string `yaml:"call"`
		Same       int    `yaml:"same"`
		Unknown    int    `yaml:"unknown"`
		Scorecards int    `yaml:"scorecards"`
		ToUnknown  int    `yaml:"toUnknown"`
	} `yaml:"calls"`
}

func writeOtherCalls(b *bytes.Buffer, other otherCalls) {
	b.WriteString(`
The other calls of a scan, which are no lists, go wrong in the ways that need no pages, and by an answer without content, in each situation
that makes a scan ask them (` + "`TestEveryFaultOfEveryOtherCallIsNamed`" + `). Every request of a scan belongs to one of the two tables
(` + "`TestEveryCallOfAScanGoesWrongInATest`" + `). Better, worse or more certain: 0.

| call | faults after which all is known | faults after which something is unknown | scorecards compared | verdicts that became unknown |
|---|---|---|---|---|
`)
	for _, c := range other.Calls {
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d |\n", c.Call, c.Same, c.Unknown, c.Scorecards, c.ToUnknown)
	}
}
