package cluster

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kubectl-operator-maturity/internal/inventory"
)

// ErrNoNamespace is wrapped by the error of Collect when a namespace that the
// options name does not exist: an empty report would read as "nothing there".
var ErrNoNamespace = errors.New("there is no such namespace")

// checkNamed finds out whether the namespaces that the user named exist: from
// the list of all, or where that is forbidden by a GET of each. What could not
// be checked is said in the row of the namespaces.
func (c *collector) checkNamed(ctx context.Context, list *outcome) {
	for _, name := range c.options.Namespaces {
		if slices.Contains(c.namespaces, name) {
			continue
		}
		err := fmt.Errorf("namespace %q: %w", name, ErrNoNamespace)
		if !c.namespacesWhole {
			_, err = c.clients.meta(ctx, resourceOf(inventory.KindFor("", "Namespace")), name)
		}
		switch {
		case err == nil:
		case errors.Is(err, ErrNoNamespace):
			c.missing = append(c.missing, name)
		case notFound(err, name):
			c.missing = append(c.missing, name)
		default:
			_, why := c.classify(ctx, err)
			list.access.Detail = inventory.Text(fmt.Sprintf("%s; whether namespace %s exists could not be checked: %s", list.access.Detail, name, why))
		}
	}
}

// notFound tells whether an API server says so of the object: a gateway's 404
// names none.
func notFound(err error, name string) bool {
	var status apierrors.APIStatus
	return apierrors.IsNotFound(err) && errors.As(err, &status) && status.Status().Details != nil && status.Status().Details.Name == name
}

// missingNamespaces is the error about named namespaces that do not exist.
func (c *collector) missingNamespaces() error {
	if len(c.missing) == 0 {
		return nil
	}
	return fmt.Errorf("looking into %s on %s: %w (kubectl get namespaces lists them)", some(c.missing), c.where(), ErrNoNamespace)
}
