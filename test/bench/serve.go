package main

import (
	"context"
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// requestLog keeps what the server was asked since it was last read.
type requestLog struct {
	mu       sync.Mutex
	requests []request
}

// request is one that the server was sent.
type request struct {
	Path   string `json:"path"`
	Query  string `json:"query"`
	Accept string `json:"accept"`
}

func (l *requestLog) add(r *http.Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, request{r.URL.Path, r.URL.RawQuery, r.Header.Get("Accept")})
}

// take returns the requests and begins anew.
func (l *requestLog) take() []request {
	l.mu.Lock()
	defer l.mu.Unlock()
	taken := l.requests
	l.requests = nil
	return taken
}

// started is what the server says on its standard output when it is ready.
type started struct {
	Kubeconfig string `json:"kubeconfig"`
	// Logged is a kubeconfig through which requests are logged.
	Logged string   `json:"logged"`
	Log    string   `json:"log"` // URL to take the request log from
	Kinds  []string `json:"kinds"`
}

// serve is the sub-command that runs the server until it is interrupted. The
// server is a process of its own, so that its memory is not taken for another's.
func serve(args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	sizeName := flags.String("size", "small", "small, medium or large")
	kind := flags.String("server", "fake", "fake, which imitates an API server, or real, a control plane that is filled")
	dir := flags.String("dir", ".", "folder for the kubeconfig")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := sizeNamed(*sizeName)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	c := generate(s, time.Now())
	logged := filepath.Join(*dir, "kubeconfig-"+s.name)
	answer := started{Kubeconfig: logged, Logged: logged}
	var log *requestLog
	var api *httptest.Server
	switch *kind {
	case "fake":
		handler := newServer(c)
		log, api = &handler.log, httptest.NewUnstartedServer(handler)
		api.EnableHTTP2 = true
		api.StartTLS()
	case "real":
		data, err := os.MkdirTemp(*dir, "controlplane")
		if err != nil {
			return fmt.Errorf("making a folder for the control plane: %w", err)
		}
		defer os.RemoveAll(data)
		log = &requestLog{}
		cluster, proxy, err := startReal(ctx, data, c, log)
		if err != nil {
			return err
		}
		defer cluster.Close()
		api, answer.Logged = proxy, logged+"-logged"
		answer.Kubeconfig = cluster.Kubeconfig("admin")
	default:
		return fmt.Errorf("no server is called %q: fake and real are", *kind)
	}
	if err := writeKubeconfig(answer.Logged, api); err != nil {
		return err
	}
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(log.take())
	}))
	answer.Log = control.URL
	for _, made := range c.collections {
		answer.Kinds = append(answer.Kinds, made.resource.GroupResource().String())
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		return fmt.Errorf("saying that the server is ready: %w", err)
	}
	if *kind == "real" {
		c.collections, c.crds = nil, nil // they are the control plane's now
	}
	<-ctx.Done()
	return nil
}

func writeKubeconfig(path string, api *httptest.Server) error {
	ca := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: api.Certificate().Raw})
	config := clientcmdapi.NewConfig()
	config.Clusters["bench"] = &clientcmdapi.Cluster{Server: api.URL, CertificateAuthorityData: ca}
	config.AuthInfos["bench"] = &clientcmdapi.AuthInfo{Token: "bench"}
	config.Contexts["bench"] = &clientcmdapi.Context{Cluster: "bench", AuthInfo: "bench"}
	config.CurrentContext = "bench"
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return fmt.Errorf("writing the kubeconfig %s: %w", path, err)
	}
	return nil
}
