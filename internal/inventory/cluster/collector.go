package cluster

import (
	"context"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// collector is one look at a cluster.
type collector struct {
	options Options
	clients *clients
	answers *answers
	source  inventory.Source

	// Filled by readBasics, only read after.
	versionErr      error
	crds            outcome
	namespaces      []string
	namespacesWhole bool
	missing         []string // namespaces that were named and do not exist
	builtinsRead    bool     // beside the CRDs

	// mu guards what the workers put together.
	mu          sync.Mutex
	snapshot    inventory.Snapshot
	deleted     map[string]bool
	unfinished  bool
	done, total int
}

func newCollector(o Options) (*collector, error) {
	seen := &answers{}
	clients, config, err := newClients(o, seen)
	if err != nil {
		return nil, err
	}
	return &collector{
		options: o, clients: clients, answers: seen, deleted: map[string]bool{},
		source: inventory.Source{
			Type: "cluster", Context: o.Context, Server: ServerURL(config),
			Identity: o.Identity, Namespaces: o.Namespaces,
		},
		total: len(inventory.Kinds()) + 1,
	}, nil
}

// basic are the kinds that are read before the others: which namespaces there
// are decides how lists are retried, which APIs are aggregated decides what
// discovery tells of CRDs.
func basic(k *inventory.Kind) bool { return k.Kind == "Namespace" || k.Kind == "APIService" }

// readBasics reads the CRDs, page after page, and beside them the version, what
// the other lists need, and the lists of built-in kinds: only those of custom
// resources must wait for the CRDs.
func (c *collector) readBasics(ctx context.Context) {
	var work errgroup.Group
	work.Go(func() error {
		c.crds = c.readList(ctx, &list{resource: crdResource, pageSize: crdPageSize, read: c.clients.crdReader})
		c.keep(ctx, &c.crds)
		return nil
	})
	if c.readFirst(ctx) {
		c.readLists(ctx, c.builtinLists(), max(c.options.Workers-1, 1))
		c.builtinsRead = true
	}
	_ = work.Wait()
	if c.source.ClusterUID == "" {
		c.askClusterUID(ctx)
	}
}

// readFirst reads the version, the namespaces and the APIServices. It tells
// whether there is an API server that knows us, and the namespaces that were
// named: if not, nothing more need be asked.
func (c *collector) readFirst(ctx context.Context) (known bool) {
	var work errgroup.Group
	work.Go(func() error {
		c.source.Version, c.versionErr = c.clients.version(ctx)
		return nil
	})
	kinds := inventory.Kinds()
	for i := range kinds {
		if k := &kinds[i]; basic(k) {
			work.Go(func() error {
				out := c.readList(ctx, c.builtinList(k))
				if k.Kind == "Namespace" {
					c.useNamespaces(&out)
					c.checkNamed(ctx, &out)
					known = out.access.Access == inventory.Listed && len(c.missing) == 0
				}
				c.keep(ctx, &out)
				return nil
			})
		}
	}
	_ = work.Wait()
	return known
}

func (c *collector) useNamespaces(out *outcome) {
	for i := range out.objects.Others {
		ns := &out.objects.Others[i]
		c.namespaces = append(c.namespaces, ns.Name)
		if ns.Name == metav1.NamespaceSystem {
			c.source.ClusterUID = string(ns.UID)
		}
	}
	slices.Sort(c.namespaces)
	c.namespacesWhole = out.access.Access == inventory.Listed
}

// askClusterUID asks for the one namespace where all could not be listed. It
// may fail: the snapshot then has no uid.
func (c *collector) askClusterUID(ctx context.Context) {
	if total, _, _ := c.answers.counts(); total == 0 {
		return
	}
	ns, err := c.clients.meta(ctx, resourceOf(inventory.KindFor("", "Namespace")), metav1.NamespaceSystem)
	if err == nil {
		c.source.ClusterUID = string(ns.UID)
	}
}

// readRest reads the lists that are left.
func (c *collector) readRest(ctx context.Context) {
	lists := c.customLists()
	if !c.builtinsRead {
		lists = append(c.builtinLists(), lists...)
	}
	c.mu.Lock()
	c.total = c.done + len(lists)
	c.mu.Unlock()
	c.readLists(ctx, lists, c.options.Workers)
}

// readLists reads lists, some at a time. When time runs out, each that is left
// still gets its Access row.
func (c *collector) readLists(ctx context.Context, lists []*list, workers int) {
	var work errgroup.Group
	work.SetLimit(workers)
	for _, l := range lists {
		work.Go(func() error {
			out := c.readList(ctx, l)
			c.keep(ctx, &out)
			return nil
		})
	}
	_ = work.Wait()
}

// builtinLists are those of the built-in kinds but for the basic ones.
func (c *collector) builtinLists() []*list {
	var lists []*list
	kinds := inventory.Kinds()
	for i := range kinds {
		if k := &kinds[i]; !basic(k) {
			lists = append(lists, c.builtinList(k))
		}
	}
	if c.options.Secrets {
		lists = append(lists, c.builtinList(inventory.Secrets()))
	}
	return lists
}

func (c *collector) customLists() []*list {
	lists := make([]*list, 0, len(c.snapshot.CRDs))
	for i := range c.snapshot.CRDs {
		lists = append(lists, c.customList(&c.snapshot.CRDs[i]))
	}
	return lists
}

func (c *collector) builtinList(k *inventory.Kind) *list {
	l := &list{resource: resourceOf(k), namespaced: k.Namespaced(), pageSize: c.options.PageSize, read: c.clients.builtin(k)}
	if k.Kind == "Event" {
		l.most = maxEvents
	}
	return l
}

// keep puts the outcome of a list into the snapshot.
func (c *collector) keep(ctx context.Context, out *outcome) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.snapshot.Merge(&out.objects)
	out.objects = inventory.Snapshot{}
	c.snapshot.Access = append(c.snapshot.Access, out.access)
	name := out.access.Resource
	if out.access.Group != "" {
		name += "." + out.access.Group
	}
	if out.deleted {
		c.deleted[name] = true
	}
	if out.err != nil && notFinished(ctx, out.err) {
		c.unfinished = true
	}
	c.done++
	c.options.Progress(c.done, c.total, name)
}

// finish makes the snapshot of what was read.
func (c *collector) finish(ctx context.Context) *inventory.Snapshot {
	s := &c.snapshot
	s.CRDs = slices.DeleteFunc(s.CRDs, func(crd inventory.CRD) bool { return c.deleted[crd.Name] })
	s.Source = c.source
	s.Taken = c.answers.now()
	s.Sort()
	return s
}
