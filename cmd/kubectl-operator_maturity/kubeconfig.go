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
	if given(kube.Context) {
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
// kubeconfig and outside a pod, or with a context that leads nowhere, client-go
// goes on to ask localhost:8080.
func checkKubeconfig(kube *genericclioptions.ConfigFlags, config *rest.Config) error {
	switch name := contextName(kube); {
	case withoutKubeconfig(kube) && config.BearerTokenFile == "":
		return errors.New("none was found, and this is no pod of a cluster")
	case name != "" && name != inCluster && !given(kube.APIServer) && !given(kube.ClusterName) && !given(kube.AuthInfoName):
		return checkContext(kube, name)
	}
	return nil
}

func given(flag *string) bool { return flag != nil && *flag != "" }

// withoutKubeconfig: neither a file nor a flag says which server to ask.
func withoutKubeconfig(kube *genericclioptions.ConfigFlags) bool {
	raw, err := kube.ToRawKubeConfigLoader().RawConfig()
	return err == nil && !given(kube.APIServer) && raw.CurrentContext == "" && len(raw.Clusters) == 0
}
