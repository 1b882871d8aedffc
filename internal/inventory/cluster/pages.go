package cluster

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// list is one resource to be read.
type list struct {
	resource   schema.GroupVersionResource
	namespaced bool
	pageSize   int64
	// most caps the number of objects; 0 is no cap.
	most int
	read reader
	// missing judges a 404; nil: the server does not serve the resource.
	missing func(context.Context) outcome
}

// outcome is what became of a list call with all its pages.
type outcome struct {
	access  inventory.Access
	objects inventory.Snapshot
	err     error
	// deleted: the CRD of the list is gone.
	deleted bool
}

func (o *outcome) end(state inventory.AccessState, detail string) outcome {
	o.access.Access, o.access.Detail = state, detail
	return *o
}

// pager reads the pages of a list. It never asks for a list without a limit:
// what an expired token makes impossible is read in part.
type pager struct {
	*collector
	list      *list
	namespace string
	most      int

	outcome   outcome
	token     string
	seen      map[string]bool
	continued bool
	restarted bool
}

// pages reads a list in one namespace, or in all ("").
func (c *collector) pages(ctx context.Context, l *list, namespace string, most int) outcome {
	p := pager{collector: c, list: l, namespace: namespace, most: most}
	p.restart()
	return p.run(ctx)
}

func (p *pager) restart() {
	r := p.list.resource
	p.outcome = outcome{access: inventory.Access{Group: r.Group, Version: r.Version, Resource: r.Resource}}
	p.token, p.seen = "", map[string]bool{}
}

func (p *pager) run(ctx context.Context) outcome {
	access := &p.outcome.access
	for range maxPages {
		got, err := p.next(ctx)
		if err != nil {
			if p.renew(err) {
				continue
			}
			return p.failed(ctx, err)
		}
		access.Count += got.items
		access.Remaining = got.remaining
		switch {
		case got.next == "":
			access.Remaining = 0
			if p.continued {
				p.distinct() // a list that goes on with newer objects may show one twice
			}
			return p.outcome.end(inventory.Listed, "")
		case p.seen[got.next]:
			p.distinct()
			return p.outcome.end(inventory.Partial, fmt.Sprintf("stopped after %d objects: the server's pages repeat", access.Count))
		case p.most > 0 && access.Count >= p.most:
			return p.outcome.end(inventory.Partial, sampled(access))
		}
		p.token = got.next
		p.seen[p.token] = true
	}
	return p.outcome.end(inventory.Partial, fmt.Sprintf("stopped after %d objects: the server's pages do not end", access.Count))
}

// distinct leaves out what the server has sent twice.
func (p *pager) distinct() { p.outcome.access.Count -= p.outcome.objects.Distinct() }

// next reads the page that comes now.
func (p *pager) next(ctx context.Context) (page, error) {
	if err := p.clients.turn(ctx); err != nil {
		return page{}, err
	}
	limit := p.list.pageSize
	if p.most > 0 {
		limit = min(limit, int64(p.most-p.outcome.access.Count))
	}
	return p.list.read(ctx, ask{p.namespace, p.token, limit}, &p.outcome.objects)
}

// renew makes another try possible after a continue token has expired (410):
// once with the token that the server offers, which continues with newer
// objects, and once from the start.
func (p *pager) renew(err error) bool {
	token, ok := expired(err)
	switch {
	case !ok || p.token == "":
		return false
	case token != "" && !p.continued:
		p.continued = true
		p.token = token
		return true
	case !p.restarted:
		p.restarted = true
		p.restart()
		return true
	}
	return false
}

// failed ends a list by an error. Pages that were read stay.
func (p *pager) failed(ctx context.Context, err error) outcome {
	state, detail := p.classify(ctx, err)
	if count := p.outcome.access.Count; count > 0 {
		state, detail = inventory.Partial, fmt.Sprintf("stopped after %d objects: %s", count, detail)
	}
	p.outcome.err = err
	return p.outcome.end(state, detail)
}

// sampled says how much of a capped list was read.
func sampled(a *inventory.Access) string {
	if a.Remaining == 0 {
		return fmt.Sprintf("sampled: first %d, there are more", a.Count)
	}
	return fmt.Sprintf("sampled: first %d of about %d", a.Count, int64(a.Count)+a.Remaining)
}
