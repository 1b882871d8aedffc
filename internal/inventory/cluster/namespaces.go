package cluster

import (
	"context"
	"errors"
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"kubectl-operator-maturity/internal/inventory"
)

// readList reads a resource wherever this user may.
func (c *collector) readList(ctx context.Context, l *list) outcome {
	if l.namespaced && len(c.options.Namespaces) > 0 {
		return c.judge404(ctx, l, c.readNamespaces(ctx, l, c.options.Namespaces).restricted(c.options.Namespaces))
	}
	out := c.pages(ctx, l, "", l.most)
	// A 401 is the same in every namespace, a 403 need not be.
	if apierrors.IsForbidden(out.err) && out.access.Count == 0 && l.namespaced && len(c.namespaces) > 0 {
		tried := c.namespaces[:min(len(c.namespaces), maxNamespaces)]
		return c.readNamespaces(ctx, l, tried).inPlaceOf(out, len(c.namespaces), c.namespacesWhole)
	}
	return c.judge404(ctx, l, out)
}

func (c *collector) judge404(ctx context.Context, l *list, out outcome) outcome {
	if out.access.Access == inventory.Absent && l.missing == nil {
		// Every server has the built-in kinds. One that does not answer for
		// them (an older API version, a gateway) may hold such objects all the
		// same: not being served is not being absent.
		return out.end(inventory.Failed, "not served (404), so its objects cannot be seen")
	}
	if out.access.Access == inventory.Absent && l.missing != nil {
		return l.missing(ctx)
	}
	return out
}

// byNamespace is a list that was read namespace by namespace.
type byNamespace struct {
	outcome
	tried int
	// whole namespaces were read to the end; all were if whole == tried.
	whole int
	// refused namespaces were forbidden, missing ones answered 404.
	refused, missing int
	// problem is what went wrong first, with its namespace.
	problem string
}

// readNamespaces reads a list in each of the namespaces, one after the other:
// the workers are shared by lists, not by namespaces.
func (c *collector) readNamespaces(ctx context.Context, l *list, names []string) byNamespace {
	r := l.resource
	all := byNamespace{tried: len(names)}
	all.access = inventory.Access{Group: r.Group, Version: r.Version, Resource: r.Resource}
	for _, name := range names {
		most := l.most
		if most > 0 {
			if most -= all.access.Count; most <= 0 {
				all.note(name, "not read: the cap of objects was reached")
				break
			}
		}
		all.add(name, c.pages(ctx, l, name, most))
		if ctx.Err() != nil {
			break
		}
	}
	return all
}

func (b *byNamespace) add(name string, out outcome) {
	b.objects.Merge(&out.objects)
	b.access.Count += out.access.Count
	b.access.Remaining += out.access.Remaining
	switch out.access.Access {
	case inventory.Listed:
		b.whole++
		return
	case inventory.Forbidden:
		b.refused++
	case inventory.Absent:
		b.missing++
	}
	b.note(name, out.access.Detail)
	b.err = errors.Join(b.err, out.err)
}

func (b *byNamespace) note(name, what string) {
	if b.problem == "" {
		b.problem = name + ": " + what
	}
}

// nothing is the state of a list of which no namespace could be read.
func (b *byNamespace) nothing() inventory.AccessState {
	switch b.tried {
	case b.refused:
		return inventory.Forbidden
	case b.missing:
		return inventory.Absent
	default:
		return inventory.Failed
	}
}

// restricted is the outcome where the user named the namespaces: never whole,
// since nobody looked elsewhere.
func (b byNamespace) restricted(names []string) outcome {
	if b.whole == 0 && b.access.Count == 0 {
		return b.end(b.nothing(), b.problem)
	}
	const elsewhere = "the rest of the cluster was not looked at"
	if b.whole == b.tried {
		return b.end(inventory.Partial, fmt.Sprintf("namespaces %s; %s", some(names), elsewhere))
	}
	return b.end(inventory.Partial, fmt.Sprintf("%d of the namespaces %s (%s); %s", b.whole, some(names), b.problem, elsewhere))
}

// inPlaceOf is the outcome where the list over all namespaces was forbidden,
// of which exist are known; known says that there are no others.
func (b byNamespace) inPlaceOf(forbidden outcome, exist int, known bool) outcome {
	switch {
	case b.whole == 0 && b.access.Count == 0:
		forbidden.err = errors.Join(forbidden.err, b.err)
		if b.refused < b.tried {
			forbidden.access.Detail = inventory.Text(forbidden.access.Detail + "; by namespace: " + b.problem)
		}
		return forbidden
	case b.whole == exist && known:
		return b.end(inventory.Listed, "")
	}
	detail := fmt.Sprintf("%d of %d namespaces", b.whole, exist)
	if b.tried < exist {
		detail += fmt.Sprintf(" (the first %d were tried: name others)", b.tried)
	}
	if !known {
		detail += "; there may be more namespaces"
	}
	if b.problem != "" {
		detail += "; " + b.problem
	}
	return b.end(inventory.Partial, inventory.Text(detail))
}

// some joins names, the first few of many.
func some(names []string) string {
	const most = 8
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
