package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/exposition"
)

// scraped is what an endpoint, or the API server before it, answered.
type scraped struct {
	outcome  inventory.ExpositionOutcome
	detail   string
	families []inventory.MetricFamily
	// missing: there is nothing at this path.
	missing bool
	// otherScheme: it speaks HTTPS where we spoke HTTP, or the reverse.
	otherScheme bool
	// ours: the API server does not let us ask pods at all.
	ours bool
}

func (s *scraper) unanswered(ctx context.Context, err error) scraped {
	r := scraped{outcome: inventory.Unread, detail: withoutURL(err).Error()}
	var timeout net.Error
	switch {
	case ctx.Err() != nil:
		r.detail = "not finished: " + interruption(ctx).Error()
	case errors.As(err, &timeout) && timeout.Timeout():
		r.detail = fmt.Sprintf("no whole answer within %s", s.clients.timeout)
	}
	return r
}

func (s *scraper) answered(ctx context.Context, resp *http.Response) scraped {
	switch {
	case resp.StatusCode == http.StatusOK && resp.ContentLength > exposition.MaxSize:
		return scraped{outcome: inventory.Unread, detail: exposition.ErrTooLarge.Error()}
	case resp.StatusCode == http.StatusOK:
		families, err := exposition.Parse(resp.Body)
		switch {
		case err == nil:
			return scraped{outcome: inventory.Served, families: families}
		case readingFailed(err):
			return s.unanswered(ctx, err)
		}
		return scraped{outcome: inventory.Unread, detail: "the answer is no metrics exposition: " + err.Error()}
	case resp.StatusCode >= 300 && resp.StatusCode <= 399:
		return scraped{outcome: inventory.Unread, detail: "it redirects to another path, which is not followed"}
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, 16<<10))
	if err != nil {
		return s.unanswered(ctx, err)
	}
	var sent metav1.Status
	if json.Unmarshal(raw, &sent) != nil || sent.Kind != "Status" || sent.APIVersion != "v1" {
		sent = metav1.Status{Message: string(raw)}
	}
	return refusal(resp.StatusCode, &sent)
}

// readingFailed tells whether an error is of the connection, not of the text.
func readingFailed(err error) bool {
	var network net.Error
	return errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// refusal reads an error answer: either the endpoint's own, or the API
// server's words on why it could not reach it.
func refusal(code int, sent *metav1.Status) scraped {
	aboutPod := sent.Details != nil && sent.Details.Kind == "pods"
	r := scraped{outcome: inventory.Unread, detail: fmt.Sprintf("%d: %s", code, sent.Message)}
	switch code {
	case http.StatusForbidden:
		if aboutPod || strings.Contains(sent.Message, "pods/proxy") {
			r.ours, r.detail = true, "the API server forbids it: it needs the right to get pods/proxy"
			return r
		}
		return scraped{outcome: inventory.Protected, detail: "protected: it asks for credentials (403)"}
	case http.StatusUnauthorized:
		return scraped{outcome: inventory.Protected, detail: "protected: it asks for credentials (401)"}
	case http.StatusNotFound:
		if aboutPod {
			r.detail = "the pod is gone"
			return r
		}
		r.missing = true
		return r
	}
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(sent.Message, w) })
	}
	switch {
	case says("HTTP request to an HTTPS server", "gave HTTP response to HTTPS client", "first record does not look like a TLS handshake", "malformed HTTP response", ": EOF"):
		r.otherScheme = true
	case says("connection refused") && says("error trying to reach service"):
		r.outcome, r.detail = inventory.Refused, "nothing listens there: connection refused"
	case says("tls:", "x509:", "certificate"):
		r.outcome, r.detail = inventory.Protected, "protected: it asks for a client certificate (TLS)"
	}
	return r
}

// tally counts pods by what was read of them.
type tally struct {
	read, asked, skipped, forbidden int
	others                          []string
}

func (t *tally) add(pod string, list []inventory.Exposition) {
	t.asked++
	if slices.ContainsFunc(list, func(e inventory.Exposition) bool { return e.Outcome == inventory.Served }) {
		t.read++
		return
	}
	detail := list[len(list)-1].Detail
	for _, e := range list {
		if e.Outcome == inventory.Protected {
			detail = e.Detail
		}
	}
	if strings.Contains(detail, "pods/proxy") {
		t.forbidden++
	}
	t.others = append(t.others, pod+": "+detail)
}

// skip counts pods that were left out since there are so many.
func (t *tally) skip(workload string, pods int) {
	t.asked += pods
	t.skipped += pods
	t.others = append(t.others, fmt.Sprintf("%d more pods of %s, which are too many to ask", pods, workload))
}

func (t *tally) fill(row *inventory.Access) {
	row.Count = t.read
	if len(t.others) == 0 {
		return
	}
	slices.Sort(t.others)
	row.Detail = fmt.Sprintf("%d of %d pods not read: %s", t.asked-t.read, t.asked, strings.Join(t.others[:min(2, len(t.others))], "; "))
	if len(t.others) > 2 {
		row.Detail += "; and more"
	}
	row.Detail = inventory.Text(row.Detail)
	switch {
	case t.read > 0:
		row.Access = inventory.Partial
	case t.forbidden == t.asked-t.skipped:
		row.Access = inventory.Forbidden
	default:
		row.Access = inventory.Failed
	}
}
