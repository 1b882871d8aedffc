package prometheus_test

import (
	"context"
	"encoding/pem"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/prometheus"
)

const vectorOfOne = `{"status":"success","data":{"resultType":"vector","result":[{"metric":{},"value":[1796057191.5,"1"]}]}}`

// protected is a Prometheus behind TLS that wants a bearer token.
func protected(t *testing.T) (server *httptest.Server, ca []byte) {
	t.Helper()
	server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			http.Error(w, "Unauthorized", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, vectorOfOne)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // refused handshakes
	server.StartTLS()
	t.Cleanup(server.Close)
	return server, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

func TestAProtectedPrometheusIsAsked(t *testing.T) {
	server, ca := protected(t)
	for name, c := range map[string]struct {
		options prometheus.Options
		access  inventory.AccessState
		detail  string
	}{
		"token and authority": {prometheus.Options{Token: "s3cret", CA: ca}, inventory.Listed, ""},
		"no token":            {prometheus.Options{CA: ca}, inventory.Failed, "401"},
		"no authority":        {prometheus.Options{Token: "s3cret"}, inventory.Failed, "certificate signed by unknown authority"},
	} {
		c.options.URL = server.URL
		_, row, err := prometheus.Ask(context.Background(), c.options, nil)
		if err != nil || row.Access != c.access || !strings.Contains(row.Detail, c.detail) || strings.Contains(row.Detail, "s3cret") {
			t.Errorf("%s: %v, row %+v", name, err, row)
		}
	}
}

// A redirect to another server does not take the token along.
func TestTheTokenStaysWithItsServer(t *testing.T) {
	var leaked, asked atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Store(true)
		if r.Header.Get("Authorization") != "" {
			leaked.Store(true)
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, vectorOfOne)
	}))
	t.Cleanup(elsewhere.Close)
	redirecting := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
	}))
	t.Cleanup(redirecting.Close)
	if _, row, err := prometheus.Ask(context.Background(), prometheus.Options{URL: redirecting.URL, Token: "s3cret"}, nil); err != nil || row.Access != inventory.Listed {
		t.Errorf("%v, row %+v", err, row)
	}
	if !asked.Load() || leaked.Load() {
		t.Errorf("asked elsewhere: %v, with the token: %v", asked.Load(), leaked.Load())
	}
}

func TestCheckOfCredentials(t *testing.T) {
	_, ca := protected(t)
	for name, c := range map[string]struct {
		options prometheus.Options
		want    string // "" is fine
	}{
		"encrypted":       {prometheus.Options{URL: "https://p.example", Token: "t", CA: ca}, ""},
		"on this machine": {prometheus.Options{URL: "http://127.0.0.1:9090", Token: "t"}, ""},
		"localhost":       {prometheus.Options{URL: "http://localhost:9090", Token: "t"}, ""},
		"in the clear":    {prometheus.Options{URL: "http://p.example", Token: "t"}, "unencrypted"},
		"two credentials": {prometheus.Options{URL: "https://u:pw@p.example", Token: "t"}, "only one"},
		"no certificate":  {prometheus.Options{URL: "https://p.example", CA: []byte("hello")}, "no PEM certificate"},
	} {
		err := c.options.Check()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}
