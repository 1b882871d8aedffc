package cluster

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
)

func TestSource(t *testing.T) {
	f := newFake(t)
	date := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	for p, answer := range f.answers {
		f.answers[p] = func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Date", date.Format(http.TimeFormat))
			answer(w, r)
		}
	}
	o := f.options()
	o.Identity = "jane"
	s := collect(t, o)
	if !s.Taken.Equal(date) {
		t.Errorf("taken %s, want the server's %s", s.Taken, date)
	}
	want := inventory.Source{Type: "cluster", Context: "test", Server: f.URL, ClusterUID: "uid-kube-system", Version: "v1.37.2", Identity: "jane"}
	if got := s.Source; got.Server != want.Server || got.ClusterUID != want.ClusterUID || got.Version != want.Version ||
		got.Identity != want.Identity || got.Context != want.Context || got.Type != want.Type {
		t.Errorf("source %+v, want %+v", got, want)
	}
}

func TestClusterUIDWithoutNamespaces(t *testing.T) {
	f := newFake(t)
	f.on("/api/v1/namespaces", status(403, metav1.StatusReasonForbidden, "no"))
	one := metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadata"}}
	one.UID = "the-uid"
	f.on("/api/v1/namespaces/kube-system", reply(200, one))
	if got := collect(t, f.options()).Source.ClusterUID; got != "the-uid" {
		t.Errorf("cluster uid %q", got)
	}
}

func TestK3Proxy(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	// The server's own path is part of every request.
	proxy := httptest.NewServer(http.StripPrefix("/prefix", f))
	defer proxy.Close()
	to, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	o := f.options()
	o.Config = &rest.Config{Host: "http://nowhere.invalid:8080/prefix", Proxy: http.ProxyURL(to)}
	s := collect(t, o)
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 0, "")
	if s.Source.Version != "v1.37.2" || s.Source.Server != "http://nowhere.invalid:8080/prefix" {
		t.Errorf("source %+v", s.Source)
	}
}

func TestK5Impersonation(t *testing.T) {
	f := noCRDs(t, group("example.io", "v1"))
	f.on("/apis/example.io/v1", reply(200, resources("example.io/v1", metav1.APIResource{Name: "widgets", Kind: "Widget", Verbs: metav1.Verbs{"list"}})))
	f.on(widgetPath, reply(200, targets[0].list("w")))
	o := f.options()
	o.Config.Impersonate = rest.ImpersonationConfig{UserName: "jane", Groups: []string{"dev"}}
	s := collect(t, o)
	if s.Source.Identity != "jane" {
		t.Errorf("identity %q", s.Source.Identity)
	}
	for _, r := range f.sent("") {
		if r.Header.Get("Impersonate-User") != "jane" || r.Header.Get("Impersonate-Group") != "dev" {
			t.Errorf("%s is not sent as jane", r.URL)
		}
		if r.UserAgent() != "kubectl-operator-maturity" {
			t.Errorf("%s is sent by %s", r.URL, r.UserAgent())
		}
	}
	checkGets(t, f)
}

func TestConfigIsNotChanged(t *testing.T) {
	f := newFake(t)
	o := f.options()
	collect(t, o)
	if c := o.Config; c.QPS != 0 || c.Timeout != 0 || c.UserAgent != "" || c.WrapTransport != nil || c.WarningHandler != nil || c.DisableCompression {
		t.Errorf("the caller's configuration was changed: %+v", c)
	}
}

func TestReadOnlyTransport(t *testing.T) {
	f := newFake(t)
	_, config, err := newClients(withDefaults(f.options()), &answers{})
	if err != nil {
		t.Fatal(err)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"} {
		req, err := http.NewRequest(method, f.URL+"/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if resp, err := client.Do(req); err == nil || !strings.Contains(err.Error(), "this program only reads") {
			t.Errorf("%s: %v, %v", method, resp, err)
		}
	}
	if n := len(f.sent("")); n != 0 {
		t.Errorf("%d requests reached the server", n)
	}
}

func TestRedirectsElsewhereAreNotFollowed(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("followed to %s with %q", r.URL, r.Header.Get("Authorization"))
	}))
	defer other.Close()
	f := newFake(t)
	f.on("/api/v1/pods", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, other.URL+"/login", http.StatusFound)
	})
	wantRow(t, row(t, collect(t, f.options()), "", "pods"), inventory.Failed, 0, "the server redirects to")
}

func TestNoServer(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	answer := func(h http.HandlerFunc) string {
		server := httptest.NewServer(h)
		t.Cleanup(server.Close)
		return server.URL
	}
	for _, c := range []struct {
		name, url string
		want      []string
	}{
		{"refused", gone.URL, []string{"cannot reach the API server " + gone.URL, `context "test"`, "check that the cluster runs"}},
		{"certificate", secure.URL, []string{"certificate", "check the certificate authority"}},
		{"https spoken to http", strings.Replace(answer(http.NotFound), "http:", "https:", 1), []string{"check whether the server URL should begin"}},
		{"hang", answer(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }), []string{"cannot reach", "raise --request-timeout"}},
		{"401", answer(status(401, metav1.StatusReasonUnauthorized, "Unauthorized")), []string{"does not know the credentials", "log in again"}},
		{"no API server", answer(http.NotFound), []string{"does not answer as a Kubernetes API server"}},
		{"a web page", answer(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }), []string{"does not answer as a Kubernetes API server", "login page"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := Options{Config: &rest.Config{Host: c.url}, Context: "test"}
			if c.name == "hang" {
				o.RequestTimeout = 400 * time.Millisecond
			}
			s, err := Collect(context.Background(), o)
			if err == nil || s != nil {
				t.Fatalf("Collect gave %v, %v; want an error alone", s, err)
			}
			for _, want := range c.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q does not say %q", err, want)
				}
			}
			t.Log(err)
		})
	}
}

func TestHintOfAnUnknownName(t *testing.T) {
	err := &url.Error{Op: "Get", URL: "https://x", Err: &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "x"}}}
	if got := hint(err); !strings.Contains(got, "VPN") {
		t.Errorf("hint %q", got)
	}
}
