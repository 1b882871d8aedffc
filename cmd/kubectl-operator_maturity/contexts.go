package main

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// allContexts is the word for every context of the kubeconfig.
const allContexts = "all"

// oneConnection are the flags that say which server to ask, or with which
// credentials. Over several contexts they would send what is meant for one
// cluster to all of them.
var oneConnection = []string{
	"context", "cluster", "server", "tls-server-name", "certificate-authority",
	"user", "token", "username", "password", "client-certificate", "client-key",
}

// refuseOneConnection finds flags that do not go with --contexts.
func refuseOneConnection(cmd *cobra.Command) error {
	for _, name := range oneConnection {
		if flag := cmd.Flag(name); flag != nil && flag.Changed {
			return withHint(fmt.Errorf("--%s is about one cluster and --contexts about several", name),
				"the kubeconfig says for each context which server it leads to, and as whom; --as goes with --contexts")
		}
	}
	return nil
}

// chosenContexts are the contexts of the kubeconfig that were asked for: by
// name, by a pattern in which * stands for anything, or all of them. Each comes
// once, in the order asked for, those of a pattern by name.
func chosenContexts(kube *genericclioptions.ConfigFlags, asked []string) ([]string, error) {
	raw, err := kube.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return nil, withHint(fmt.Errorf("reading the kubeconfig: %w", err), "check with kubectl config get-contexts")
	}
	known := slices.Sorted(maps.Keys(raw.Contexts))
	if len(known) == 0 {
		return nil, withHint(errors.New("--contexts: the kubeconfig has no context"),
			"name a file with --kubeconfig or KUBECONFIG; without --contexts, the cluster that a pod runs in can be scanned")
	}
	var chosen []string
	for _, name := range asked {
		name = strings.TrimSpace(name)
		found, err := contextsNamed(known, name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, found...)
	}
	if len(chosen) == 0 {
		return nil, errors.New("--contexts is empty: name contexts, or say all")
	}
	once := map[string]bool{}
	return slices.DeleteFunc(chosen, func(name string) bool {
		again := once[name]
		once[name] = true
		return again
	}), nil
}

func contextsNamed(known []string, name string) ([]string, error) {
	switch {
	case name == "":
		return nil, nil
	case name == allContexts:
		return known, nil
	case slices.Contains(known, name):
		return []string{name}, nil
	}
	var found []string
	for _, k := range known {
		if matches(name, k) {
			found = append(found, k)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("--contexts: the kubeconfig has no context %q: known are %s", name, quotedNames(known))
	}
	return found, nil
}

// matches is path.Match for names in which a slash is a character like others:
// those of some clouds have one.
func matches(pattern, name string) bool {
	plain := strings.NewReplacer("/", "\x00")
	ok, err := path.Match(plain.Replace(pattern), plain.Replace(name))
	return ok && err == nil
}

// quotedNames are names as they can be typed back, with what a terminal would
// act on made visible.
func quotedNames(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = fmt.Sprintf("%q", name)
	}
	return strings.Join(list, ", ")
}

// forContext is a connection to another context, with all else as given.
func forContext(kube *genericclioptions.ConfigFlags, name string) *genericclioptions.ConfigFlags {
	one := genericclioptions.NewConfigFlags(true)
	one.CacheDir, one.KubeConfig, one.Namespace, one.Timeout = kube.CacheDir, kube.KubeConfig, kube.Namespace, kube.Timeout
	one.Insecure, one.DisableCompression, one.ProxyURL = kube.Insecure, kube.DisableCompression, kube.ProxyURL
	one.Impersonate, one.ImpersonateUID, one.ImpersonateGroup, one.ImpersonateUserExtra = kube.Impersonate, kube.ImpersonateUID, kube.ImpersonateGroup, kube.ImpersonateUserExtra
	one.WrapConfigFn = kube.WrapConfigFn
	one.Context = &name
	return one
}

// checkContext finds a context that leads nowhere. Without it, one whose
// cluster is missing would be scanned at the client's default address.
func checkContext(kube *genericclioptions.ConfigFlags, name string) error {
	raw, err := kube.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return fmt.Errorf("reading the kubeconfig: %w", err)
	}
	entry := raw.Contexts[name]
	if entry == nil {
		return fmt.Errorf("the kubeconfig has no context %q", name)
	}
	switch cluster := raw.Clusters[entry.Cluster]; {
	case cluster == nil:
		return fmt.Errorf("the context names the cluster %q, which the kubeconfig does not have", entry.Cluster)
	case cluster.Server == "":
		return fmt.Errorf("the cluster %q of the context has no server in the kubeconfig", entry.Cluster)
	case entry.AuthInfo != "" && raw.AuthInfos[entry.AuthInfo] == nil:
		return fmt.Errorf("the context names the user %q, whom the kubeconfig does not have", entry.AuthInfo)
	}
	return nil
}
