package manifests

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// finish does what needs all files to be read, and makes the snapshot.
func (r *reader) finish() (*inventory.Snapshot, error) {
	if err := r.nameAll(); err != nil {
		return nil, err
	}
	if r.snapshot != nil {
		return r.saved()
	}
	r.store.cut()
	if err := r.expandBundles(); err != nil {
		return nil, err
	}
	s := &inventory.Snapshot{
		Taken: r.newest,
		Source: inventory.Source{
			Type: "files", Files: r.options.Paths,
			// A document that could not be read may have been of any kind.
			Complete: r.options.Complete && !r.failures.unknown,
		},
	}
	if !r.options.AsOf.IsZero() {
		s.Taken = r.options.AsOf.UTC()
	}
	if e := r.store.byName["/Namespace//kube-system"]; e != nil {
		s.Source.ClusterUID = string(e.object.GetUID())
	}
	s.Access = append(r.access(), r.failures.access()...)
	r.store.fill(s)
	s.Sort()
	return s, nil
}

// saved returns the snapshot that was among the files.
func (r *reader) saved() (*inventory.Snapshot, error) {
	if len(r.store.entries) > 0 {
		return nil, fmt.Errorf("%s is a snapshot and %s is not: a snapshot is read alone", r.snapshotFile, r.store.entries[0].at)
	}
	s := r.snapshot
	s.Access = append(s.Access, r.failures.access()...)
	if !r.options.AsOf.IsZero() {
		s.Taken = r.options.AsOf.UTC()
	}
	s.Sort()
	return s, nil
}

// tally is what was read of one kind.
type tally struct {
	version string
	count   int
	derived string
}

// access makes an Access row for each kind that has objects in the files. A
// kind without any has none: files say nothing of what they leave out.
func (r *reader) access() []inventory.Access {
	kinds := map[schema.GroupKind]*tally{}
	plurals := map[schema.GroupKind]string{}
	var old []string
	for _, e := range r.store.entries {
		gk := schema.GroupKind{Group: e.group, Kind: e.kind}
		t := kinds[gk]
		if t == nil {
			t = &tally{version: e.version()}
			kinds[gk] = t
		}
		t.count++
		t.derived = cmp.Or(t.derived, e.derived)
		if e.crd != nil {
			plurals[schema.GroupKind{Group: e.crd.Group, Kind: e.crd.Names.Kind}] = e.crd.Names.Plural
			if _, ok := e.crd.Annotations[AnnotationV1beta1]; ok {
				old = append(old, e.crd.Name)
			}
		}
	}
	for gk := range r.failures.kinds {
		if kinds[gk] == nil {
			kinds[gk] = &tally{} // none could be read
			if k := inventory.KindFor(gk.Group, gk.Kind); k != nil {
				kinds[gk].version = k.Version
			}
		}
	}
	rows := make([]inventory.Access, 0, len(kinds))
	for gk, t := range kinds {
		rows = append(rows, r.row(gk, t, plurals, old))
	}
	return rows
}

func (r *reader) row(gk schema.GroupKind, t *tally, plurals map[schema.GroupKind]string, old []string) inventory.Access {
	row := inventory.Access{Group: gk.Group, Version: t.version, Access: inventory.Listed, Count: t.count}
	var guessed bool
	row.Resource, guessed = pluralOf(gk, plurals)
	var details []string
	if left := r.store.left(gk); left > 0 {
		row.Access, row.Remaining = inventory.Partial, left
		// The same object may be in the files twice.
		details = append(details, fmt.Sprintf("sampled: first %d of about %d", row.Count, int64(row.Count)+left))
	}
	if guessed {
		details = append(details, "the plural is a guess: no CRD of the kind "+gk.Kind+" is in the files")
	}
	if gk == crdKind && len(old) > 0 {
		slices.Sort(old)
		details = append(details, fmt.Sprintf("%d are apiextensions.k8s.io/v1beta1, which no API server from Kubernetes 1.22 on accepts: %s", len(old), strings.Join(old, ", ")))
	}
	if t.derived != "" && r.live(t.derived) {
		row.Access = inventory.Partial
		details = append(details, "not exported; as ClusterServiceVersion "+t.derived+" says")
	}
	if why := r.failures.kinds[gk]; why != "" {
		row.Access = inventory.Partial
		details = append(details, why)
	}
	row.Detail = inventory.Text(strings.Join(details, "; "))
	return row
}

// live tells whether a ClusterServiceVersion comes from a cluster.
func (r *reader) live(csv string) bool {
	for _, b := range r.bundles {
		if b.object.Name == csv && b.object.UID != "" {
			return true
		}
	}
	return false
}

// pluralOf names the resource of a kind. Only the CRD knows it for sure.
func pluralOf(gk schema.GroupKind, plurals map[schema.GroupKind]string) (plural string, guessed bool) {
	if gk == crdKind {
		return "customresourcedefinitions", false
	}
	if k := inventory.KindFor(gk.Group, gk.Kind); k != nil {
		return k.Resource, false
	}
	if plural := plurals[gk]; plural != "" {
		return plural, false
	}
	return strings.ToLower(gk.Kind) + "s", true
}

// version is the API version of an entry, without its group.
func (e *entry) version() string {
	switch {
	case e.crd != nil:
		return "v1"
	case e.builtin != nil:
		return e.builtin.Version
	}
	apiVersion := e.object.(*inventory.Object).APIVersion
	return apiVersion[strings.Index(apiVersion, "/")+1:]
}
