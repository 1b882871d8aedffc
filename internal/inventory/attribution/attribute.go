package attribution

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// Attribute attributes every CRD of a snapshot to its operator and finds the
// workloads that reconcile it. cat may be nil: then names come from packages,
// workloads and groups alone.
//
// The order of trust (DESIGN §6): what is authoritative (a CSV, a live owner),
// then behaviour (who writes status, who has named rights), then packaging,
// then the catalogue, then names, which alone decide nothing.
func Attribute(s *inventory.Snapshot, cat *catalogue.Catalogue) *Result {
	a := newAttributor(s, cat)
	a.crds = make([]*evidence, len(s.CRDs))
	var work errgroup.Group
	work.SetLimit(runtime.GOMAXPROCS(0))
	for i := range s.CRDs {
		work.Go(func() error {
			a.crds[i] = a.gather(&s.CRDs[i])
			return nil
		})
	}
	_ = work.Wait()
	a.identify()
	return a.result()
}

// attributor holds the indexes and the evidence while attributing.
type attributor struct {
	s        *inventory.Snapshot
	cat      *catalogue.Catalogue
	rights   *inventory.Rights
	owners   *inventory.Owners
	works    []work
	byRef    map[string]int
	accounts map[string]accountRights
	writers  map[string][]writer // by CRD name
	csvs     []csv
	backends map[string][]int // Service namespace/name -> workloads
	crds     []*evidence
	// present are the entries that a CRD of this cluster matches.
	present map[*catalogue.Operator]bool

	// Indexes for what is asked once a CRD: a cluster has thousands of both
	// CRDs and workloads.
	granted     []int // workloads whose account has rights
	bySquash    map[string][]int
	installedAs map[string]*catalogue.Operator // by key of an install
	workKeys    []string
}

// work is a workload that may be a controller, with what is known of it alone.
type work struct {
	inventory.Workload
	install install
	// entry is the catalogue's operator by image, or by name and rights.
	entry   *catalogue.Operator
	entryBy Signal
	csv     *csv
	names   []string // names its process may use in managedFields
	// operand: it was made for a custom resource, of group operandOf. It may
	// still be a controller (an Argo CD instance is), but is no part of a
	// package, and does not reconcile the kind it stands for.
	operand   bool
	operandOf string
}

// evidence is what was gathered about one CRD.
type evidence struct {
	crd     *inventory.CRD
	match   *catalogue.Match
	csvs    []*csv
	install install
	owner   *liveOwner
	// candidates are workloads with any signal, by strength.
	candidates []candidate
	writers    []writer
	dead       []Signal // owner references to objects that are gone

	key        string // operator it was attributed to; "" for nobody
	confidence Confidence
	identity   []Signal
	rivals     []string
}

// candidate is a workload that may reconcile a CRD.
type candidate struct {
	work    int
	tier    tier
	signals []Signal
}

// tier orders how well a signal tells a controller. Only tiers are compared:
// there are no weights.
type tier int

const (
	// byBehaviour: its CSV owns the CRD, it writes status, or a rule that
	// names the group lets it write status.
	byBehaviour tier = iota
	// byWrite: named rights to watch and write the resource.
	byWrite
	// byWatch: named rights to list and watch it.
	byWatch
	// byRead: named rights to get it only.
	byRead
	// byWildcard: only "*" rules cover it. Counts for its own operator alone.
	byWildcard
	// byPackage: it belongs to the operator, but has no rights on the CRD.
	byPackage
)

func newAttributor(s *inventory.Snapshot, cat *catalogue.Catalogue) *attributor {
	a := &attributor{
		s: s, cat: cat,
		byRef: map[string]int{}, accounts: map[string]accountRights{},
	}
	// Each walks through all objects, and none needs another.
	var indexes sync.WaitGroup
	indexes.Go(func() { a.rights = inventory.NewRights(s) })
	indexes.Go(func() { a.writers = statusWriters(s) })
	indexes.Go(func() { a.owners = inventory.NewOwners(s) })
	a.present = map[*catalogue.Operator]bool{}
	for i := range s.CRDs {
		if m := cat.ForCRD(s.CRDs[i].Name, s.CRDs[i].Group); m != nil {
			for _, entry := range append([]*catalogue.Operator{m.Operator}, m.Others...) {
				a.present[entry] = true
			}
		}
	}
	a.csvs = readCSVs(s, cat)
	indexes.Wait()
	for _, w := range s.Workloads() {
		a.byRef[w.Ref()] = len(a.works)
		a.works = append(a.works, a.describe(w))
	}
	a.indexAccounts()
	a.matchByName()
	a.indexWorks()
	a.backends = a.indexBackends()
	return a
}

// indexWorks makes the indexes over the workloads, when all is known of each.
func (a *attributor) indexWorks() {
	a.bySquash, a.installedAs = map[string][]int{}, a.installEntries()
	for i := range a.works {
		w := &a.works[i]
		if r := a.accounts[account(w)]; len(r.groups) > 0 || len(r.wildcard) > 0 {
			a.granted = append(a.granted, i)
		}
		for _, name := range w.names {
			if squashed := inventory.Squash(name); !genericManagers[name] && !slices.Contains(a.bySquash[squashed], i) {
				a.bySquash[squashed] = append(a.bySquash[squashed], i)
			}
		}
		a.workKeys = append(a.workKeys, a.keyOfWork(w))
	}
}

// describe finds what a workload says of itself.
func (a *attributor) describe(w inventory.Workload) work {
	d := work{Workload: w, install: installOf(w.Meta), names: processNames(&w)}
	d.operandOf, d.operand = a.madeForCustomResource(&w)
	for i := range a.csvs {
		if a.csvs[i].deploys(&w) {
			d.csv = &a.csvs[i]
		}
	}
	if w.Pod != nil {
		for _, c := range w.Pod.Containers {
			if entry := a.cat.ForImage(c.Image); entry != nil {
				d.entry = entry
				d.entryBy = Signal{Signal: "catalogue", Object: w.Ref(), Detail: "runs image " + catalogue.Repository(c.Image)}
				break
			}
		}
	}
	return d
}

func (a *attributor) madeForCustomResource(w *inventory.Workload) (group string, ok bool) {
	for _, ref := range w.Meta.OwnerReferences {
		if owned, ok := a.owners.Get(ref.UID); ok && owned.Custom && owned.Kind != "ClusterServiceVersion" {
			return owned.Group, true
		}
	}
	return "", false
}

// matchByName gives workloads whose image is unknown an entry by their name,
// but only if they also have named rights on a group of that entry: a name
// alone is no evidence (field-cases D1), and several projects may use it.
func (a *attributor) matchByName() {
	if a.cat == nil {
		return
	}
	named := map[string][]*catalogue.Operator{}
	for _, entry := range a.cat.Operators {
		for _, name := range slices.Concat([]string{entry.Name}, entry.Aliases, entry.Workloads) {
			named[name] = append(named[name], entry)
		}
	}
	for i := range a.works {
		w := &a.works[i]
		for _, name := range []string{w.Meta.Labels["app.kubernetes.io/name"], w.Name, w.Meta.Labels["app.kubernetes.io/part-of"]} {
			for _, entry := range named[name] {
				if w.entry == nil && name != "" && a.touches(w, entry) {
					w.entry = entry
					w.entryBy = Signal{Signal: "catalogue", Object: w.Ref(), Detail: "is named " + name + " and has rights on groups of " + entry.Name}
				}
			}
		}
	}
}

// touches tells whether a workload's account has named rights on a group of an
// entry. An entry without CRDs is recognised by its image alone.
func (a *attributor) touches(w *work, entry *catalogue.Operator) bool {
	rights := a.accounts[account(w)]
	for group := range rights.groups {
		if m := a.cat.ForCRD("", group); m != nil && m.Operator == entry {
			return true
		}
		for _, crd := range entry.CRDs {
			if strings.HasSuffix(crd, "."+group) {
				return true
			}
		}
	}
	return false
}

// gather collects the signals about one CRD.
func (a *attributor) gather(crd *inventory.CRD) *evidence {
	e := &evidence{crd: crd, match: a.cat.ForCRD(crd.Name, crd.Group), install: installOf(&crd.ObjectMeta), writers: a.writers[crd.Name]}
	for i := range a.csvs {
		if a.csvs[i].owns(crd.Name) {
			e.csvs = append(e.csvs, &a.csvs[i])
		}
	}
	e.owner, e.dead = a.liveOwnerOf(crd)
	found := map[int]*candidate{}
	add := func(i int, t tier, sig Signal) {
		if a.works[i].operand && a.works[i].operandOf == crd.Group {
			return
		}
		c := found[i]
		if c == nil {
			c = &candidate{work: i, tier: t}
			found[i] = c
		}
		c.tier = min(c.tier, t)
		c.signals = append(c.signals, sig)
	}
	a.byCSV(e, add)
	a.byRights(e, add)
	a.byWebhooks(e, add)
	a.byWriters(e, found, add)
	for _, c := range found {
		e.candidates = append(e.candidates, *c)
	}
	slices.SortFunc(e.candidates, func(x, y candidate) int {
		return cmp.Or(cmp.Compare(x.tier, y.tier), cmp.Compare(a.works[x.work].Ref(), a.works[y.work].Ref()))
	})
	return e
}
