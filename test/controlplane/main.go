// Command controlplane is a Kubernetes control plane in one file: etcd, kube-apiserver and
// kube-controller-manager, chosen by the first argument or by the name the file is called by.
//
// Tests of a program that must never write to a cluster need a server that enforces RBAC, validates
// objects and keeps an audit log, and no fake does. The programs are linked here, from the Go modules
// their projects publish, so that nothing but the Go tool chain is needed to have them. It is a module
// of its own because its dependencies are none of the product's.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

// programs maps a name to what runs it. All of them take their arguments from os.Args.
var programs = map[string]func() int{
	"etcd": func() int {
		etcdmain.Main(os.Args)
		return 0
	},
	"kube-apiserver":          func() int { return cli.Run(apiserver.NewAPIServerCommand()) },
	"kube-controller-manager": func() int { return cli.Run(controllermanager.NewControllerManagerCommand()) },
}

func main() {
	name := strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
	if programs[name] == nil && len(os.Args) > 1 {
		name = os.Args[1]
		os.Args = os.Args[1:] // the program sees its own name first, as if it were a file of its own
	}
	run := programs[name]
	if run == nil {
		usage(os.Stderr)
		os.Exit(2)
	}
	os.Exit(run())
}

func usage(w io.Writer) {
	names := make([]string, 0, len(programs))
	for name := range programs {
		names = append(names, name)
	}
	slices.Sort(names)
	fmt.Fprintf(w, "usage: controlplane %s [flags]\n", strings.Join(names, "|"))
}
