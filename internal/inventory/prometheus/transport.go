package prometheus

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/prometheus/client_golang/api"
)

// maxAnswer bounds an answer: a row a family is small.
const maxAnswer = 16 << 20

// getOnly sends nothing but GET. The client library tries POST first and goes
// on with GET where a server does not know POST, which is what it hears here.
type getOnly struct {
	next  http.RoundTripper
	agent string
	// token goes to origin alone, so that a redirect does not take it elsewhere.
	token  string
	origin *url.URL
}

// transport is how requests are sent.
func (o Options) transport() (http.RoundTripper, error) {
	t := &getOnly{next: api.DefaultRoundTripper, agent: o.UserAgent, token: o.Token}
	var err error
	if t.origin, err = url.Parse(o.URL); err != nil {
		return nil, errors.New("it is no URL")
	}
	if len(o.CA) == 0 {
		return t, nil
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(o.CA) {
		return nil, errors.New("there is no PEM certificate in the file of the certificate authority")
	}
	next := http.DefaultTransport.(*http.Transport).Clone()
	next.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	t.next = next
	return t, nil
}

// RoundTrip implements http.RoundTripper.
func (t *getOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		if req.Body != nil {
			req.Body.Close()
		}
		return &http.Response{StatusCode: http.StatusMethodNotAllowed, Status: "405 Method Not Allowed", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
			Header: http.Header{}, Body: http.NoBody, Request: req}, nil
	}
	req = req.Clone(req.Context())
	if t.agent != "" {
		req.Header.Set("User-Agent", t.agent)
	}
	if t.token != "" && req.URL.Scheme == t.origin.Scheme && req.URL.Host == t.origin.Host {
		req.Header.Set("Authorization", "Bearer "+t.token)
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &bounded{resp.Body, maxAnswer + 1}
	return resp, nil
}

// errLarge is an answer beyond the bound.
var errLarge = errors.New("the answer is larger than 16 MiB")

type bounded struct {
	io.ReadCloser
	left int
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLarge
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
