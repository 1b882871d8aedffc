package main

import (
	"encoding/json"
	"encoding/pem"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
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
	Kubeconfig string   `json:"kubeconfig"`
	Log        string   `json:"log"` // URL to take the request log from
	Kinds      []string `json:"kinds"`
}

// serve is the sub-command that runs the server until it is killed. The server
// is a process of its own, so that its memory is not taken for another's.
func serve(args []string) error {
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	sizeName := flags.String("size", "small", "small, medium or large")
	dir := flags.String("dir", ".", "folder for the kubeconfig")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := sizeNamed(*sizeName)
	if err != nil {
		return err
	}
	c := generate(s, time.Now())
	handler := newServer(c)
	api := httptest.NewUnstartedServer(handler)
	api.EnableHTTP2 = true
	api.StartTLS()
	control := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(handler.log.take())
	}))
	answer := started{Kubeconfig: filepath.Join(*dir, "kubeconfig-"+s.name), Log: control.URL}
	if err := writeKubeconfig(answer.Kubeconfig, api); err != nil {
		return err
	}
	for _, made := range c.collections {
		answer.Kinds = append(answer.Kinds, made.resource.GroupResource().String())
	}
	if err := json.NewEncoder(os.Stdout).Encode(answer); err != nil {
		return fmt.Errorf("saying that the server is ready: %w", err)
	}
	select {}
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
