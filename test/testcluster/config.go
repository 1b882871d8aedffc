package testcluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/csv"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// auditPolicy records every request once, when it is answered. RequestReceived would double each of them.
const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
`

func (c *Cluster) etcdFlags() []string {
	return []string{
		"--data-dir=" + c.path("etcd"),
		"--listen-client-urls=" + c.etcdURL,
		"--advertise-client-urls=" + c.etcdURL,
		"--listen-peer-urls=http://127.0.0.1:0",
		"--unsafe-no-fsync", // nothing here outlives the process
		"--log-level=warn",
	}
}

func (c *Cluster) apiServerFlags(port int) []string {
	return append([]string{
		"--etcd-servers=" + c.etcdURL,
		"--bind-address=127.0.0.1",
		"--advertise-address=127.0.0.1", // not looked up: there may be no other interface
		"--secure-port=" + strconv.Itoa(port),
		"--cert-dir=" + c.path("certificates"),
		"--authorization-mode=RBAC",
		"--token-auth-file=" + c.path("tokens.csv"),
		"--disable-admission-plugins=ServiceAccount", // Pods are accepted where no controller makes accounts
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range=10.0.0.0/16",
		"--service-account-issuer=https://testcluster.invalid",
		"--service-account-key-file=" + c.path("service-account.key"),
		"--service-account-signing-key-file=" + c.path("service-account.key"),
		"--allow-privileged",
		"--audit-policy-file=" + c.path("audit-policy.yaml"),
		"--audit-log-path=" + c.path("audit.log"),
		"--audit-log-mode=blocking", // written before the answer ends, so that Requests need not wait
	}, c.options.serverFlags...)
}

func (c *Cluster) controllerManagerFlags() []string {
	off := []string{
		"*",
		"-node-lifecycle-controller", "-taint-eviction-controller", "-device-taint-eviction-controller",
		"-pod-garbage-collector-controller", "-persistentvolume-attach-detach-controller",
		"-kube-apiserver-serving-clustertrustbundle-publisher-controller", // wants a certificate authority
	}
	return append([]string{
		"--kubeconfig=" + c.path("kubeconfig-"+controllerManager),
		"--leader-elect=false",
		"--secure-port=0",
		"--service-account-private-key-file=" + c.path("service-account.key"),
		"--root-ca-file=" + filepath.Join(c.path("certificates"), "apiserver.crt"),
		"--kube-api-qps=500",
		"--kube-api-burst=1000",
		"--controllers=" + strings.Join(off, ","),
	}, c.options.controllerFlags...)
}

// writeConfig writes what the programs read at their start.
func (c *Cluster) writeConfig() error {
	c.tokens = map[string]string{}
	var tokens strings.Builder
	w := csv.NewWriter(&tokens)
	for user, groups := range c.options.users {
		c.tokens[user] = rand.Text()
		w.Write([]string{c.tokens[user], user, user, strings.Join(groups, ",")}) // a Builder takes everything
	}
	w.Flush()

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("generating service account key: %w", err)
	}
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("encoding service account key: %w", err)
	}
	files := map[string][]byte{
		"tokens.csv":          []byte(tokens.String()),
		"audit-policy.yaml":   []byte(auditPolicy),
		"service-account.key": pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}),
	}
	for name, data := range files {
		if err := os.WriteFile(c.path(name), data, 0o600); err != nil {
			return fmt.Errorf("writing control plane configuration: %w", err)
		}
	}
	return nil
}

func (c *Cluster) writeKubeconfigs() error {
	for user, token := range c.tokens {
		context := user + "@testcluster"
		config := clientcmdapi.NewConfig()
		config.Clusters["testcluster"] = &clientcmdapi.Cluster{Server: c.URL, CertificateAuthorityData: c.ca}
		config.AuthInfos[user] = &clientcmdapi.AuthInfo{Token: token}
		config.Contexts[context] = &clientcmdapi.Context{Cluster: "testcluster", AuthInfo: user}
		config.CurrentContext = context
		if err := clientcmd.WriteToFile(*config, c.Kubeconfig(user)); err != nil {
			return fmt.Errorf("writing kubeconfig of %s: %w", user, err)
		}
	}
	return nil
}
