package attribution

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// writer is a managedFields manager, no human tool, that wrote the status or
// the finalizers of custom resources.
type writer struct {
	manager string
	status  bool // wrote status, not only finalizers
	last    time.Time
	objects int
	example string
}

// statusWriters collects, by CRD name, who wrote status or finalizers of its
// instances. The newest writer comes first.
func statusWriters(s *inventory.Snapshot) map[string][]writer {
	crds := map[[2]string]string{} // group, kind
	for i := range s.CRDs {
		crds[[2]string{s.CRDs[i].Group, s.CRDs[i].Names.Kind}] = s.CRDs[i].Name
	}
	type key struct{ crd, manager string }
	found := map[key]*writer{}
	for i := range s.CustomResources {
		o := &s.CustomResources[i]
		crd, ok := crds[[2]string{o.Group(), o.Kind}]
		if !ok {
			continue
		}
		for j := range o.ManagedFields {
			f := &o.ManagedFields[j]
			status := f.Subresource == "status" || f.Subresource == "" && inventory.Wrote(f, "status")
			if f.Manager == "" || inventory.HumanTool(f.Manager) || f.Subresource != "status" && inventory.GitOpsManager(f.Manager) {
				continue
			}
			if !status && !inventory.Wrote(f, "metadata.finalizers") {
				continue
			}
			w := found[key{crd, f.Manager}]
			if w == nil {
				w = &writer{manager: f.Manager}
				found[key{crd, f.Manager}] = w
			}
			w.objects++
			w.status = w.status || status
			if f.Time != nil && f.Time.After(w.last) {
				w.last = f.Time.Time
			}
			if w.example == "" {
				w.example = o.Kind + " " + strings.TrimPrefix(o.Namespace+"/"+o.Name, "/")
			}
		}
	}
	byCRD := map[string][]writer{}
	for k, w := range found {
		byCRD[k.crd] = append(byCRD[k.crd], *w)
	}
	for _, list := range byCRD {
		slices.SortFunc(list, func(a, b writer) int {
			return cmp.Or(-a.last.Compare(b.last), cmp.Compare(a.manager, b.manager))
		})
	}
	return byCRD
}

// byWriters ties status writers to workloads: by the names that a process may
// go by, else to the only workload whose named rights allow it.
func (a *attributor) byWriters(e *evidence, found map[int]*candidate, add func(int, tier, Signal)) {
	for _, w := range e.writers {
		matched := false
		// Others than these cannot go by the name.
		maybe := slices.Concat(a.bySquash[inventory.Squash(w.manager)], slices.Collect(maps.Keys(found)))
		slices.Sort(maybe)
		for _, i := range slices.Compact(maybe) {
			if !a.isManager(w.manager, i, found) {
				continue
			}
			matched = true
			add(i, byBehaviour, w.signal(e.crd.Name, a.works[i].Ref()+" goes by that name"))
		}
		if matched {
			continue
		}
		if i, ok := onlyWriter(found); ok {
			add(i, byBehaviour, w.signal(e.crd.Name, "only "+a.works[i].Ref()+" has named rights to"))
		}
	}
}

func (w *writer) signal(crd, why string) Signal {
	what := "status"
	if !w.status {
		what = "finalizers"
	}
	detail := w.manager + " wrote " + what + " of " + w.example
	if !w.last.IsZero() {
		detail += " at " + w.last.UTC().Format(time.RFC3339)
	}
	return Signal{Signal: "status-writer", CRD: crd, Object: w.example, Detail: detail + "; " + why}
}

// isManager tells whether a workload goes by the name of a manager. The
// default name of generated operators, "manager", and like words, fit many
// binaries: they count only for workloads that have named rights already.
func (a *attributor) isManager(manager string, i int, found map[int]*candidate) bool {
	w := &a.works[i]
	if genericManagers[manager] {
		c := found[i]
		return c != nil && c.tier <= byWrite && slices.Contains(w.names, manager)
	}
	for _, name := range w.names {
		if genericManagers[name] {
			continue
		}
		if inventory.Squash(name) == inventory.Squash(manager) || strings.HasPrefix(manager, name+"-") && found[i] != nil && found[i].tier < byWildcard {
			return true
		}
	}
	if w.entry != nil {
		for _, known := range w.entry.Managers {
			if prefix := strings.TrimRight(known, "*"); prefix == manager || strings.HasSuffix(prefix, "-") && strings.HasPrefix(manager, prefix) || prefix != known && strings.HasPrefix(manager, prefix) {
				return found[i] != nil && found[i].tier <= byWildcard
			}
		}
	}
	return false
}

// genericManagers are names that say nothing about the operator.
var genericManagers = map[string]bool{
	"manager": true, "operator": true, "controller": true, "main": true, "controller-manager": true, "app": true,
	"go": true, "python": true, "python3": true, "java": true, "node": true, "helm-operator": true, "ansible-operator": true,
	"okhttp": true, "Swagger-Codegen": true, "OpenAPI-Generator": true, "kubernetes-client": true, "fabric8-kubernetes-client": true,
}

// onlyWriter is the single workload with named rights to write, if there is
// just one.
func onlyWriter(found map[int]*candidate) (int, bool) {
	only, n := 0, 0
	for i, c := range found {
		if c.tier <= byWrite {
			only, n = i, n+1
		}
	}
	return only, n == 1
}

// processNames are the names that a workload's process may give itself as a
// managedFields manager: its binary (client-go's default), image, container,
// workload, account and labels.
func processNames(w *inventory.Workload) []string {
	var names []string
	add := func(n string) {
		if n != "" && len(n) > 2 && !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	add(w.Name)
	add(w.Meta.Labels["app.kubernetes.io/name"])
	add(w.Meta.Labels["app.kubernetes.io/component"])
	if w.Pod == nil {
		return names
	}
	if account := w.ServiceAccount(); account != "default" {
		add(account)
	}
	for _, c := range w.Pod.Containers {
		if len(c.Command) > 0 {
			add(path.Base(c.Command[0]))
		} else if len(c.Args) > 0 && !strings.HasPrefix(c.Args[0], "-") {
			add(path.Base(c.Args[0]))
		}
		image, _, _ := strings.Cut(c.Image, "@")
		image, _, _ = strings.Cut(path.Base(image), ":")
		add(image)
		add(c.Name)
	}
	if len(names) > 0 && (len(w.Pod.Containers) > 0 && len(w.Pod.Containers[0].Command) == 0) {
		// Kubebuilder's binary is called manager, and its images name it as
		// entry point, which manifests do not show.
		names = append(names, "manager")
	}
	return names
}
