// Command kubectl is kubectl, linked from the Go modules that its project publishes.
//
// The benchmarks compare a scan with `kubectl get`, and the tests of the package run the plugin as users
// do, through kubectl. Built here, nothing but the Go tool chain is needed to have it. It is a module of
// its own because its dependencies are none of the product's.
package main

import (
	"os"

	_ "k8s.io/client-go/plugin/pkg/client/auth"
	"k8s.io/component-base/cli"
	"k8s.io/component-base/logs"
	"k8s.io/kubectl/pkg/cmd"
	"k8s.io/kubectl/pkg/cmd/util"
)

func main() {
	// Plugins are looked for while the command is built, before it parses its flags.
	_, _ = logs.GlogSetter(cmd.GetLogVerbosity(os.Args))
	if err := cli.RunNoErrOutput(cmd.NewDefaultKubectlCommand()); err != nil {
		util.CheckErr(err)
	}
}
