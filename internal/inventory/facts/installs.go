package facts

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// Installs tells whether the operator is on the cluster more than once: the
// same program in the same kind of workload, in several namespaces.
type Installs struct {
	// Count is the number of namespaces with an install; Workloads are one
	// controller of each.
	Count     int      `json:"count"`
	Workloads []string `json:"workloads"`
	// ClusterWide are those that reach its resources in all namespaces, and
	// are not told to watch single ones.
	ClusterWide []string `json:"clusterWide"`
	// Overlapping says of each two that reach the same namespaces which.
	Overlapping []string `json:"overlapping"`
	// Told: every install is told which namespaces to watch, by a flag or its
	// environment, and no two are told the same.
	Told bool `json:"told"`
}

// install is one of several copies of a controller.
type install struct {
	*inventory.Workload
	told   bool
	all    bool            // reaches all namespaces
	spaces map[string]bool // else these
}

func (op *operator) installs() {
	f := &op.facts.Installs
	list := op.copies()
	f.Count = len(list)
	for i := range list {
		a := &list[i]
		f.Workloads = append(f.Workloads, a.Ref())
		if a.all {
			f.ClusterWide = append(f.ClusterWide, a.Ref())
		}
		for j := range list[:i] {
			if where := list[j].meets(a); where != "" {
				f.Overlapping = append(f.Overlapping, list[j].Ref()+" and "+a.Ref()+" "+where)
			}
		}
	}
	f.Told = len(list) > 1 && len(f.Overlapping) == 0 && !slices.ContainsFunc(list, func(i install) bool { return !i.told })
	f.Workloads, f.ClusterWide, f.Overlapping = sorted(f.Workloads), sorted(f.ClusterWide), prose(f.Overlapping)
	v := op.ofControllers()
	if len(op.at.Controllers) > 0 {
		v.on(deployments, statefulsets, daemonsets)
	}
	if len(list) > 1 {
		v.on(rbac...)
	}
	unseen(op.facts.Unseen, "installs", v)
}

// copies are the workloads that run the program of a controller, one a
// namespace: of several controllers the one that is there most often.
func (op *operator) copies() []install {
	var best map[string]*inventory.Workload
	for i := range op.at.Controllers {
		c := &op.at.Controllers[i].Workload
		found := map[string]*inventory.Workload{c.Namespace: c}
		if p := programOf(c); p != "" {
			for _, w := range op.o.byProgram[p] {
				if found[w.Namespace] == nil {
					found[w.Namespace] = w
				}
			}
		}
		if len(found) > len(best) {
			best = found
		}
	}
	var list []install
	for _, w := range slices.SortedFunc(maps.Values(best), func(a, b *inventory.Workload) int { return cmp.Compare(a.Ref(), b.Ref()) }) {
		list = append(list, op.reach(w))
	}
	return list
}

// indexPrograms finds the workloads of nobody by what they run.
func (o *observer) indexPrograms() {
	o.byProgram = map[string][]*inventory.Workload{}
	for i := range o.works {
		w := &o.works[i]
		if p := programOf(w); p != "" && len(w.Meta.OwnerReferences) == 0 {
			o.byProgram[p] = append(o.byProgram[p], w)
		}
	}
}

// programOf is the same for workloads that are of one kind and run the same
// image, whatever its registry and version, in a container of the same name
// with the same command; "" if there is no container.
func programOf(w *inventory.Workload) string {
	if w.Pod == nil {
		return ""
	}
	main := mainContainers(w.Pod)
	if len(main) == 0 {
		return ""
	}
	return w.Kind + " " + program(main[0])
}

func program(c *corev1.Container) string {
	image, _, _ := strings.Cut(c.Image, "@")
	folder := path.Base(path.Dir(image))
	command := ""
	if len(c.Command) > 0 {
		command = path.Base(c.Command[0])
	}
	return strings.Join([]string{folder, imageName(image), c.Name, command}, " ")
}

// reach finds out in which namespaces an install looks after its resources: as
// it is told, else as far as its rights go.
func (op *operator) reach(w *inventory.Workload) install {
	a := install{Workload: w, spaces: map[string]bool{}}
	for _, namespace := range watched(w) {
		a.told = true
		a.spaces[namespace] = true
	}
	if a.told {
		return a
	}
	for _, g := range op.o.rights.Of(w.Namespace, w.ServiceAccount()) {
		switch {
		case !op.aboutResources(&g):
		case g.Namespace == "":
			a.all = true
		default:
			a.spaces[g.Namespace] = true
		}
	}
	return a
}

// aboutResources tells whether a rule lets an install see the operator's custom
// resources; of an operator without CRDs, whether it lets it write anything.
func (op *operator) aboutResources(g *inventory.Grant) bool {
	for _, k := range op.kinds {
		for _, verb := range []string{"list", "watch", "update", "patch"} {
			if covers, _ := g.Covers(k.crd.Group, k.crd.Names.Plural, verb); covers {
				return true
			}
		}
	}
	return len(op.kinds) == 0 && len(grant{g}.writes()) > 0
}

var (
	watchEnv  = words("WATCH_NAMESPACE WATCH_NAMESPACES WATCHED_NAMESPACE WATCHED_NAMESPACES STRIMZI_NAMESPACE")
	watchFlag = words("namespace namespaces watch-namespace watch-namespaces watched-namespace watched-namespaces")
)

// watched are the namespaces that a workload is told to watch; none if all, or
// if that is not known.
func watched(w *inventory.Workload) []string {
	if w.Pod == nil {
		return nil
	}
	var list []string
	add := func(value string) {
		for _, name := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' }) {
			if name != "*" {
				list = append(list, name)
			}
		}
	}
	for _, c := range mainContainers(w.Pod) {
		for _, e := range c.Env {
			if watchEnv[e.Name] {
				add(e.Value)
			}
		}
		eachFlag(c, func(name, value string) {
			if watchFlag[name] {
				add(value)
			}
		})
	}
	return list
}

// meets says where two installs both look; "" if nowhere.
func (a *install) meets(b *install) string {
	switch {
	case a.all && b.all:
		return "both reach all namespaces"
	case a.all && len(b.spaces) > 0:
		return "both reach namespace " + slices.Min(slices.Collect(maps.Keys(b.spaces)))
	case b.all && len(a.spaces) > 0:
		return "both reach namespace " + slices.Min(slices.Collect(maps.Keys(a.spaces)))
	}
	for _, namespace := range slices.Sorted(maps.Keys(a.spaces)) {
		if b.spaces[namespace] {
			return "both reach namespace " + namespace
		}
	}
	return ""
}
