package cluster

import (
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"sync"
	"time"
)

// answers is what the transport has seen of the server's answers, of all
// requests together.
type answers struct {
	mu           sync.Mutex
	clock        time.Time
	total        int
	unauthorized int
	// foreign answers are none that an API server gives to a list: 404, a
	// redirect, or no Kubernetes content.
	foreign int
}

func (a *answers) wrap(next http.RoundTripper) http.RoundTripper { return &readOnly{next, a} }

func (a *answers) note(resp *http.Response, foreign bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.total++
	if resp.StatusCode == http.StatusUnauthorized {
		a.unauthorized++
	}
	redirect := resp.StatusCode >= 300 && resp.StatusCode <= 399
	if foreign || redirect || resp.StatusCode == http.StatusNotFound {
		a.foreign++
	}
	if a.clock.IsZero() {
		if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
			a.clock = date.UTC()
		}
	}
}

// now is the one clock reading of a snapshot: what the server's first answer
// said. Only a server without a Date header makes us look at our own clock.
func (a *answers) now() time.Time {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.clock.IsZero() {
		a.clock = time.Now().UTC().Truncate(time.Second)
	}
	return a.clock
}

// counts are the numbers of all answers, of those that were 401, and of those
// that do not come from an API server.
func (a *answers) counts() (total, unauthorized, foreign int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.total, a.unauthorized, a.foreign
}

// readOnly lets GET requests through, and only answers in a format of
// Kubernetes back.
type readOnly struct {
	next http.RoundTripper
	seen *answers
}

// RoundTrip implements http.RoundTripper.
func (t *readOnly) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, fmt.Errorf("refusing to send %s %s: this program only reads", req.Method, req.URL.Path)
	}
	resp, err := t.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	foreign := !proxied.MatchString(req.URL.Path) && foreignContent(resp)
	t.seen.note(resp, foreign)
	if foreign {
		resp.Body.Close()
		return nil, fmt.Errorf("the server answered with content type %q, not with Kubernetes objects (is a proxy or a login page in between?)",
			resp.Header.Get("Content-Type"))
	}
	return resp, nil
}

// proxied are requests that a pod answers, through the API server.
var proxied = regexp.MustCompile(`/api/v1/namespaces/[^/]+/pods/[^/]+/proxy/`)

// WrappedRoundTripper lets client-go find the transport below.
func (t *readOnly) WrappedRoundTripper() http.RoundTripper { return t.next }

// foreignContent tells whether a successful answer is nothing that an API
// server sends. Decoders would report it as a broken object, or worse take it
// for an empty list.
func foreignContent(resp *http.Response) bool {
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return false
	}
	mediaType, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if err != nil {
		return true
	}
	return mediaType != "application/json" && mediaType != "application/vnd.kubernetes.protobuf"
}
