package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"syscall"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kubectl-operator-maturity/internal/inventory"
)

// classify turns the error of a list call into the state of its Access row,
// and into words. A 404 is Absent here; a CRD's list asks further (crs.go).
func (c *collector) classify(ctx context.Context, err error) (inventory.AccessState, string) {
	switch {
	case notFinished(ctx, err):
		return inventory.Failed, "not finished: " + interruption(ctx).Error()
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return inventory.Forbidden, inventory.Text(err.Error())
	case apierrors.IsNotFound(err):
		return inventory.Absent, "not served (404)"
	default:
		return inventory.Failed, c.describe(err)
	}
}

// notFinished tells whether a request was given up by us.
func notFinished(ctx context.Context, err error) bool {
	return ctx.Err() != nil || errors.Is(err, errNoTime)
}

// describe says what happened, without the URL: the row names the resource.
func (c *collector) describe(err error) string {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return inventory.Text(fmt.Sprintf("%d: %s", status.Status().Code, status.Status().Message))
	}
	var timeout net.Error
	if errors.As(err, &timeout) && timeout.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return fmt.Sprintf("no whole answer within %s", c.options.RequestTimeout)
	}
	return inventory.Text(withoutURL(err).Error())
}

func withoutURL(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// expired tells whether a continue token is too old, and gives the token that
// the server offers in its place; it continues an inconsistent list.
func expired(err error) (next string, ok bool) {
	if !apierrors.IsResourceExpired(err) && !apierrors.IsGone(err) {
		return "", false
	}
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return status.Status().ListMeta.Continue, true
	}
	return "", true
}

// checkServer returns an error if the first requests show that there is
// nothing to read: no server, none that knows us, or no API server. /version
// may be open to everybody, so its answer does not count.
func (c *collector) checkServer() error {
	total, unauthorized, foreign := c.answers.counts()
	if total == 0 {
		return fmt.Errorf("cannot reach the API server %s: %w; %s", c.where(), withoutURL(c.versionErr), hint(c.versionErr))
	}
	if c.versionErr == nil {
		total--
	}
	switch {
	case total > 0 && unauthorized == total:
		return fmt.Errorf("the API server %s does not know the credentials (401 to every request): log in again, or choose another --context: %w", c.where(), c.crds.err)
	case total > 0 && foreign == total:
		return fmt.Errorf("%s does not answer as a Kubernetes API server: is the server URL of the context right, path included? %w", c.where(), withoutURL(c.crds.err))
	}
	return nil
}

func (c *collector) where() string {
	if c.options.Context == "" {
		return c.source.Server
	}
	return fmt.Sprintf("%s (context %q)", c.source.Server, c.options.Context)
}

// hint says what to look at when a server cannot be reached.
func hint(err error) string {
	var (
		timeout   net.Error
		name      *net.DNSError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		verify    *tls.CertificateVerificationError
		record    tls.RecordHeaderError
	)
	switch {
	case errors.As(err, &verify), errors.As(err, &authority), errors.As(err, &host), errors.As(err, &invalid):
		return "check the certificate authority and the server name of the cluster in the kubeconfig"
	case errors.As(err, &record), errors.Is(err, http.ErrSchemeMismatch):
		return "check whether the server URL should begin with http:// or https://"
	case errors.As(err, &name):
		return "check the server's name in the kubeconfig, and whether a VPN is needed"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "check that the cluster runs, and the port of the server URL"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "check that the server can be reached from here (VPN, firewall, proxy), or raise --request-timeout"
	default:
		return "check that kubectl version works with the same flags"
	}
}
