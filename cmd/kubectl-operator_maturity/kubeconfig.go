package main

import (
	"errors"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"
)

// inCluster is the context of a scan that a pod does of its own cluster.
const inCluster = "in-cluster"

// contextName is the context in use: the flag's, or the kubeconfig's current.
func contextName(kube *genericclioptions.ConfigFlags) string {
	if kube.Context != nil && *kube.Context != "" {
		return *kube.Context
	}
	if withoutKubeconfig(kube) {
		return inCluster
	}
	raw, err := kube.ToRawKubeConfigLoader().RawConfig()
	if err != nil {
		return ""
	}
	return raw.CurrentContext
}

// checkKubeconfig refuses a connection that nobody asked for: without a
// kubeconfig, and outside a pod, client-go goes on to ask localhost:8080.
func checkKubeconfig(kube *genericclioptions.ConfigFlags, config *rest.Config) error {
	if withoutKubeconfig(kube) && config.BearerTokenFile == "" {
		return errors.New("none was found, and this is no pod of a cluster")
	}
	return nil
}

// withoutKubeconfig: neither a file nor a flag says which server to ask.
func withoutKubeconfig(kube *genericclioptions.ConfigFlags) bool {
	raw, err := kube.ToRawKubeConfigLoader().RawConfig()
	flag := kube.APIServer != nil && *kube.APIServer != ""
	return err == nil && !flag && raw.CurrentContext == "" && len(raw.Clusters) == 0
}
