package attribution

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// workKey is the key of the operator that a workload belongs to by itself.
func (a *attributor) workKey(i int) string { return a.workKeys[i] }

func (a *attributor) keyOfWork(w *work) string {
	switch {
	case w.csv != nil:
		return csvKey(w.csv)
	case w.entry != nil:
		return "entry:" + w.entry.Name
	}
	if key := a.installKey(w.install); key != "" && !w.install.coarse() {
		return key
	}
	if w.ServiceAccount() != "default" {
		return "account:" + account(w)
	}
	return "account:" + w.Namespace + "/" + w.Name
}

// installKey is the key for an install: the catalogue's entry when its
// workloads have one, so that a chart's CRDs and its controller meet.
func (a *attributor) installKey(i install) string {
	if i.key() == "" {
		return ""
	}
	if entry := a.installEntry(i); entry != nil {
		return "entry:" + entry.Name
	}
	return "install:" + i.key()
}

// installEntry is the one catalogue entry, of those with CRDs here, that the
// workloads of an install have; nil if none or several. Entries without CRDs
// do not count: Argo CD's package brings a dex.
func (a *attributor) installEntry(i install) *catalogue.Operator { return a.installedAs[i.key()] }

// installEntries finds the entry of every install.
func (a *attributor) installEntries() map[string]*catalogue.Operator {
	entries := map[string]*catalogue.Operator{}
	for i := range a.works {
		w := &a.works[i]
		key := w.install.key()
		if key == "" || w.entry == nil || !a.present[w.entry] {
			continue
		}
		if known, ok := entries[key]; ok && known != w.entry {
			entries[key] = nil // several
			continue
		}
		entries[key] = w.entry
	}
	return entries
}

func (a *attributor) keysOf(list []candidate) []string {
	var keys []string
	for _, c := range list {
		if key := a.workKey(c.work); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// nameOf is the name of the operator with a key, for people: CSV, release,
// part-of, workload, group, in this order of preference by the kind of key.
func (a *attributor) nameOf(key string) string {
	kind, rest, _ := strings.Cut(key, ":")
	switch kind {
	case "install":
		if i := strings.LastIndex(rest, "/"); i >= 0 {
			return rest[i+1:]
		}
		return rest
	case "account":
		return a.workloadName(rest)
	}
	return rest
}

// workloadName names an operator after its workload, or after the namespace
// where the workload is called controller-manager or the like.
func (a *attributor) workloadName(acc string) string {
	var same []string
	for i := range a.works {
		if account(&a.works[i]) == acc && !a.works[i].operand {
			same = append(same, a.works[i].Name)
		}
	}
	if prefix := commonPrefix(same); len(same) > 1 && len(prefix) > 3 {
		return prefix
	}
	for i := range a.works {
		w := &a.works[i]
		if account(w) != acc && w.Namespace+"/"+w.Name != acc {
			continue
		}
		if name := w.Meta.Labels["app.kubernetes.io/name"]; name != "" && !genericWorkloads[name] {
			return name
		}
		if genericWorkloads[w.Name] {
			return strings.TrimSuffix(w.Namespace, "-system")
		}
		return strings.TrimSuffix(w.Name, "-controller-manager")
	}
	_, name, _ := strings.Cut(acc, "/")
	return name
}

var genericWorkloads = map[string]bool{
	"controller-manager": true, "manager": true, "operator": true, "controller": true, "operator-controller-manager": true, "webhook": true, "server": true,
}

// entryOf is the catalogue entry of a key; nil if it has none.
func (a *attributor) entryOf(key string) *catalogue.Operator {
	if name, ok := strings.CutPrefix(key, "entry:"); ok {
		return a.cat.ByName(name)
	}
	return nil
}

// commonPrefix is what names share up to a dash: gatekeeper-audit and
// gatekeeper-controller-manager share gatekeeper.
func commonPrefix(names []string) string {
	if len(names) == 0 {
		return ""
	}
	prefix := names[0]
	for _, name := range names[1:] {
		for !strings.HasPrefix(name, prefix) {
			prefix = prefix[:len(prefix)-1]
		}
	}
	if i := strings.LastIndex(prefix, "-"); i > 0 && prefix != names[0] {
		prefix = prefix[:i]
	}
	return strings.Trim(prefix, "-")
}
