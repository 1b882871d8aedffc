// Package testcluster runs a real Kubernetes control plane for a test or for a person: etcd,
// kube-apiserver and, on request, kube-controller-manager, as child processes on loopback ports. There
// are no nodes, so nothing runs in it; what a kubelet or an operator would write, the caller writes.
//
// Paging, refusals, several versions of one kind, managed fields and deletion are the server's own
// behaviour and not an imitation of it, and its audit log shows what a program asked it for.
package testcluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// startTimeout is how long a control plane may take to be ready. Seconds are usual; a busy machine with
// several of them starting at once needs more.
const startTimeout = 2 * time.Minute

// Cluster is a running control plane. Its methods may be called from several goroutines.
type Cluster struct {
	// URL is the address of the API server.
	URL string

	dir       string
	etcdURL   string
	ca        []byte
	tokens    map[string]string // by user
	options   options
	processes []*process
}

// New starts a control plane that keeps its data, keys and logs in dir, which must exist, and returns when
// it answers. ctx limits the start only; the control plane runs until Close. The error is ErrNotFound
// when there is no binary to run.
func New(ctx context.Context, dir string, opts ...Option) (*Cluster, error) {
	find, err := findPrograms()
	if err != nil {
		return nil, err
	}
	dir, err = filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("resolving directory %s: %w", dir, err)
	}
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	// A port is free when it is picked, not when it is used: another process may take it in between.
	for attempt := 1; ; attempt++ {
		c := &Cluster{dir: dir, options: newOptions(opts)}
		err := c.start(ctx, find)
		if err == nil {
			return c, nil
		}
		c.Close()
		if attempt == 3 || !strings.Contains(err.Error(), "address already in use") {
			return nil, err
		}
	}
}

// Close ends the control plane. Its directory stays; what is in it is of no use to another one.
func (c *Cluster) Close() {
	for i := len(c.processes) - 1; i >= 0; i-- {
		c.processes[i].kill()
	}
	c.processes = nil
}

// Admin is a connection as the user "admin", who may do everything.
func (c *Cluster) Admin() *rest.Config { return c.User("admin") }

// User is a connection as one of the users the cluster was started with: "admin", "limited", who has no
// rights but those every authenticated user has, and those of WithUser. It panics for any other name.
func (c *Cluster) User(name string) *rest.Config {
	token := c.tokens[name]
	if token == "" {
		panic(fmt.Sprintf("testcluster: started without a user %q (see WithUser)", name))
	}
	return &rest.Config{
		Host:            c.URL,
		BearerToken:     token,
		TLSClientConfig: rest.TLSClientConfig{CAData: c.ca},
	}
}

// Kubeconfig is the path of a kubeconfig file for a user, whose only and current context is called
// <user>@testcluster. It panics for a user the cluster was not started with.
func (c *Cluster) Kubeconfig(user string) string {
	if c.tokens[user] == "" {
		panic(fmt.Sprintf("testcluster: started without a user %q (see WithUser)", user))
	}
	return c.path("kubeconfig-" + user)
}

func (c *Cluster) path(name string) string { return filepath.Join(c.dir, name) }

func (c *Cluster) start(ctx context.Context, find programs) error {
	ports, err := freePorts(2)
	if err != nil {
		return err
	}
	c.etcdURL = "http://127.0.0.1:" + strconv.Itoa(ports[0])
	c.URL = "https://127.0.0.1:" + strconv.Itoa(ports[1])
	if err := c.writeConfig(); err != nil {
		return err
	}
	if err := c.run(find, "etcd", c.etcdFlags()); err != nil {
		return err
	}
	if err := c.run(find, "kube-apiserver", c.apiServerFlags(ports[1])); err != nil {
		return err
	}
	if err := c.waitReady(ctx); err != nil {
		return err
	}
	if err := c.writeKubeconfigs(); err != nil {
		return err
	}
	if !c.options.controllers {
		return nil
	}
	if err := c.run(find, "kube-controller-manager", c.controllerManagerFlags()); err != nil {
		return err
	}
	return c.waitControllers(ctx)
}

func (c *Cluster) run(find programs, name string, flags []string) error {
	p, err := startProcess(find.command(name, flags), name, c.path(name+".log"))
	if err != nil {
		return err
	}
	c.processes = append(c.processes, p)
	return nil
}

// waitReady waits until the server says it is ready, which includes the built-in roles, and until it has
// made the namespace "default", which it does a moment later.
func (c *Cluster) waitReady(ctx context.Context) error {
	// The server writes its certificate on its first start, before it listens.
	certificate := filepath.Join(c.path("certificates"), "apiserver.crt")
	err := c.poll(ctx, "certificate of kube-apiserver", func(context.Context) error {
		ca, err := os.ReadFile(certificate)
		c.ca = ca
		return err
	})
	if err != nil {
		return err
	}
	client, err := kubernetes.NewForConfig(c.User(self))
	if err != nil {
		return fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	return c.poll(ctx, "kube-apiserver", func(ctx context.Context) error {
		if _, err := client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx); err != nil {
			return err
		}
		_, err := client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceDefault, metav1.GetOptions{})
		return err
	})
}

// waitControllers takes the service account that one of the controllers makes as a sign that they run.
func (c *Cluster) waitControllers(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(c.User(self))
	if err != nil {
		return fmt.Errorf("connecting to kube-apiserver: %w", err)
	}
	return c.poll(ctx, "kube-controller-manager", func(ctx context.Context) error {
		_, err := client.CoreV1().ServiceAccounts(metav1.NamespaceDefault).Get(ctx, "default", metav1.GetOptions{})
		return err
	})
}

// poll asks until there is no error, the context ends, or a process of the control plane has ended.
func (c *Cluster) poll(ctx context.Context, what string, ask func(context.Context) error) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		once, cancel := context.WithTimeout(ctx, 5*time.Second)
		err := ask(once)
		cancel()
		if err == nil {
			return nil
		}
		for _, p := range c.processes {
			if p.ended() {
				return fmt.Errorf("waiting for %s: %s ended by itself; its log ends:\n%s", what, p.name, p.tail())
			}
		}
		select {
		case <-ctx.Done():
			last := c.processes[len(c.processes)-1]
			return fmt.Errorf("waiting for %s: %w (log of %s ends:\n%s)", what, errors.Join(ctx.Err(), err), last.name, last.tail())
		case <-tick.C:
		}
	}
}

// freePorts picks loopback ports that nobody listens on.
func freePorts(n int) ([]int, error) {
	var ports []int
	for range n {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("picking a loopback port: %w", err)
		}
		defer listener.Close() // held until all are picked, so that they differ
		ports = append(ports, listener.Addr().(*net.TCPAddr).Port)
	}
	return ports, nil
}
