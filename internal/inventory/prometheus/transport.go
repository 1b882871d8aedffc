package prometheus

import (
	"errors"
	"io"
	"net/http"
)

// maxAnswer bounds an answer: a row a family is small.
const maxAnswer = 16 << 20

// getOnly sends nothing but GET. The client library tries POST first and goes
// on with GET where a server does not know POST, which is what it hears here.
type getOnly struct {
	next  http.RoundTripper
	agent string
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
	if t.agent != "" {
		req = req.Clone(req.Context())
		req.Header.Set("User-Agent", t.agent)
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
