package main

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// completionTime bounds what a shell waits for: whoever presses Tab goes on
// typing when nothing comes.
const completionTime = 2 * time.Second

const noFiles = cobra.ShellCompDirectiveNoFileComp

// completer offers what fits while a command is typed. What can't be found out
// in time is not offered, and nothing is said about it: a message would land
// in the middle of the line.
type completer struct {
	kube *genericclioptions.ConfigFlags
}

// register gives every command's flags their completions, by the names of the
// flags: one name means the same everywhere.
func (c *completer) register(cmd *cobra.Command) {
	for name, complete := range map[string]cobra.CompletionFunc{
		"context":      c.contexts,
		"contexts":     commaList(c.contexts),
		"cluster":      c.clusters,
		"user":         c.users,
		"namespace":    c.namespaces,
		"operator":     c.operators,
		"group":        c.groups,
		"min-level":    c.minLevels,
		"fail-on":      c.failOn,
		"color":        offer("auto", "always", "never"),
		"sort":         offer("name", "operator", "instances", "group"),
		"metrics-from": onlyFolders,
	} {
		if flag := cmd.Flag(name); flag != nil && flag.Value.Type() != "bool" {
			// Flags that commands share are there already.
			_ = cmd.RegisterFlagCompletionFunc(name, complete)
		}
	}
	for _, sub := range cmd.Commands() {
		c.register(sub)
	}
}

func offer(values ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(values, noFiles|cobra.ShellCompDirectiveKeepOrder)
}

func onlyFolders(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// commaList completes the last item of a list, without those before it.
func commaList(one cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		cut := strings.LastIndex(typed, ",") + 1
		names, directive := one(cmd, args, typed[cut:])
		given := strings.Split(typed[:cut], ",")
		var list []string
		for _, name := range names {
			if !slices.Contains(given, name) {
				list = append(list, typed[:cut]+name)
			}
		}
		return beginningWith(typed, list), directive | cobra.ShellCompDirectiveNoSpace
	}
}

// beginningWith are the values that go on from what was typed, sorted, each
// once. A description may stand behind a tab. A name from a dump that holds
// other control characters is no name: it would break the line.
func beginningWith(typed string, values []string) []string {
	control := func(r rune) bool { return r != '\t' && !unicode.IsPrint(r) }
	values = slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !strings.HasPrefix(v, typed) || strings.ContainsFunc(v, control) })
	slices.Sort(values)
	return slices.Compact(values)
}

func (c *completer) contexts(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	config, _ := c.kube.ToRawKubeConfigLoader().RawConfig()
	return beginningWith(typed, slices.Collect(maps.Keys(config.Contexts))), noFiles
}

func (c *completer) clusters(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	config, _ := c.kube.ToRawKubeConfigLoader().RawConfig()
	return beginningWith(typed, slices.Collect(maps.Keys(config.Clusters))), noFiles
}

func (c *completer) users(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	config, _ := c.kube.ToRawKubeConfigLoader().RawConfig()
	return beginningWith(typed, slices.Collect(maps.Keys(config.AuthInfos))), noFiles
}

// minLevels completes N and OPERATOR=N.
func (c *completer) minLevels(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
	levels := []string{"0", "1", "2", "3", "4", "5"}
	if operator, _, named := strings.Cut(typed, "="); named {
		for i := range levels {
			levels[i] = operator + "=" + levels[i]
		}
		return beginningWith(typed, levels), noFiles
	}
	operators, _ := c.operators(cmd, args, typed)
	for i := range operators {
		operators[i] += "="
	}
	return append(beginningWith(typed, levels), operators...), noFiles | cobra.ShellCompDirectiveNoSpace
}

// failOn completes severities and the ids of findings; diff knows one word.
func (c *completer) failOn(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	if cmd.Name() == "diff" {
		return []string{"worse"}, noFiles
	}
	ids := []string{"critical\tseverity", "warning\tseverity", "info\tseverity"}
	if criteria, err := knowledgeOf(cmd).loadRules(); err == nil {
		ids = append(ids, criteria.FindingIDs()...)
	}
	return beginningWith(typed, ids), noFiles
}

// inTime is the context of a completion.
func inTime(cmd *cobra.Command) (context.Context, context.CancelFunc) {
	return context.WithTimeout(cmd.Context(), completionTime)
}
