// Command bench measures a scan of clusters of three sizes.
//
// A cluster is generated, the same in every run, and served as an API server
// serves it. Against it run, in turn and each as a process of its own, the
// plugin, a bare client that reads the same lists and throws the answers away
// (the floor), the same one decoding them first, and kubectl get of all the
// kinds in one call. docs/performance.md says how to read the figures. The server imitates an API server, or is a real
// control plane, which the same cluster is written to.
//
//	bench -plugin FILE [-kubectl FILE] [-sizes small,medium,large] [-server fake,real] [-pin] [-runs 3]
//	bench files -plugin FILE [-dumps json-list:1000,yaml:200] [-runs 1]
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
)

// commands are the parts of the benchmark that run as processes of their own.
var commands = map[string]func([]string) error{"serve": serve, "floor": floor, "score": score, "profile": profile,
	"dump": dump, "files": measureFiles, "yardstick": yardstick}

func main() {
	args, command := os.Args[1:], measureAll
	if len(args) > 0 && commands[args[0]] != nil {
		command, args = commands[args[0]], args[1:]
	}
	if err := command(args); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measureAll(args []string) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	names := flags.String("sizes", "small,medium,large", "the sizes to measure")
	plugin := flags.String("plugin", "", "the plugin")
	kubectl := flags.String("kubectl", "", "kubectl, to compare with kubectl get; empty leaves it out")
	servers := flags.String("server", "fake", "fake, which imitates an API server, real, a control plane that is filled, or fake,real to measure in turn")
	pin := flags.Bool("pin", false, "run the server and the programs on different processors (Linux)")
	runs := flags.Int("runs", 3, "runs of each program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	chosen, err := sizesNamed(*names)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding this program: %w", err)
	}
	dir, err := os.MkdirTemp("", "operator-maturity-bench")
	if err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	defer os.RemoveAll(dir)
	b := &bench{plugin: *plugin, kubectl: *kubectl, servers: strings.Split(*servers, ","), runs: max(*runs, 1), dir: dir, self: self}
	if *pin {
		if b.pin, err = newPinning(); err != nil {
			return err
		}
	}
	var results []result
	for _, s := range chosen {
		res, err := b.measure(s, os.Stderr)
		if err != nil {
			return err
		}
		results = append(results, res...)
	}
	return write(os.Stdout, results)
}
