package inventory

import (
	"regexp"
	"strings"
)

// flagValues are the command-line flags whose values are kept: they say where
// metrics are served, whether there is leader election, what is watched.
var flagValues = regexp.MustCompile(`^--?(metrics?[-a-zA-Z]*|[^=]*metrics[-.]?(bind-)?(addr|address|port)[^=]*|telemetry-?(port|host)|` +
	`[^=]*leader-?elect[a-zA-Z-]*|leader-election[a-zA-Z-]*|(watch-)?namespaces?|` +
	`watched?-namespaces?|source|provider|health-?probe[-a-zA-Z]*|controller-class|feature-gates|replicas|secure-listen-address|upstream)(=|$)`)

// flagsOf keeps the names of flags, and the values of those in flagValues.
// Before the first flag, what looks like a word of a command stays; behind it
// a word may be the value of a flag.
func flagsOf(args []string) []string {
	var kept []string
	keepNext, flags := false, false
	for _, a := range args {
		isFlag := strings.HasPrefix(a, "-")
		flags = flags || isFlag
		switch {
		case isFlag && flagValues.MatchString(a):
			kept = append(kept, cut(Text(a), 200))
			keepNext = !strings.Contains(a, "=")
			continue
		case isFlag:
			kept = append(kept, flagName.FindString(a))
		case keepNext:
			kept = append(kept, cut(Text(a), 80))
		case !flags && commandWord.MatchString(a):
			kept = append(kept, a)
		}
		keepNext = false
	}
	return kept
}

var (
	// flagName is the name of a flag. After a single dash it may be a letter
	// with the value right behind it: -psecret.
	flagName = regexp.MustCompile(`^(--[A-Za-z0-9][A-Za-z0-9._-]{0,77}|--?[A-Za-z0-9]?)`)
	// commandWord is an executable or a sub-command: "/manager", "controller".
	commandWord = regexp.MustCompile(`^[a-z/][a-z/_-]{1,60}$`)
)
