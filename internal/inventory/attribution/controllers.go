package attribution

import (
	"slices"
	"strings"
)

// controllersOf chooses the workloads that reconcile a CRD: of its own
// operator those with the strongest signals; if its operator has none, those
// that belong to nobody else; else those of another operator, which then is
// named as a candidate.
func (a *attributor) controllersOf(e *evidence) []candidate {
	var own, neutral, foreign []candidate
	for _, c := range e.candidates {
		key := a.workKey(c.work)
		switch {
		case key == e.key:
			own = append(own, c)
		case c.tier > byWatch:
		case a.works[c.work].entry == nil && a.works[c.work].csv == nil && !a.ownsOtherCRDs(key, e):
			neutral = append(neutral, c)
		case c.tier == byBehaviour:
			foreign = append(foreign, c)
		}
	}
	if named := a.namedControllers(e, own); len(named) > 0 {
		return named
	}
	if entry := a.entryOf(e.key); entry != nil && len(entry.Controllers) > 0 && a.dataOnly(e) {
		return nil // read by a server of the operator, reconciled by nobody
	}
	if best := a.preferred(strongest(own, byWildcard)); len(best) > 0 {
		return best
	}
	if e.confidence == Ambiguous && strings.HasPrefix(e.key, "group:") {
		return strongest(e.candidates, byWatch)
	}
	if best := strongest(neutral, byWatch); len(best) > 0 {
		return best
	}
	if best := strongest(foreign, byBehaviour); len(best) > 0 && len(a.mainWorkloads(e.key)) == 0 {
		for _, c := range best {
			if name := a.nameOf(a.workKey(c.work)); !slices.Contains(e.rivals, name) {
				e.rivals = append(e.rivals, name)
			}
		}
		return best
	}
	if whole, _ := a.seenAll(rbacResources...); !whole {
		return a.byPackageAlone(e)
	}
	return nil
}

// ownsOtherCRDs tells whether a key is that of CRDs of other groups: then its
// workloads are somebody's already.
func (a *attributor) ownsOtherCRDs(key string, e *evidence) bool {
	for _, other := range a.crds {
		if other.key == key && other.crd.Group != e.crd.Group {
			return true
		}
	}
	return false
}

// byPackageAlone: RBAC could not be read, so the operator's own workloads are
// all that can be named.
func (a *attributor) byPackageAlone(e *evidence) []candidate {
	var list []candidate
	for _, i := range a.mainWorkloads(e.key) {
		list = append(list, candidate{work: i, tier: byPackage, signals: []Signal{{Signal: "release", CRD: e.crd.Name, Object: a.works[i].Ref(),
			Detail: "is a workload of " + a.nameOf(e.key) + "; its rights could not be looked at"}}})
	}
	return list
}

// namedControllers are the candidates that the catalogue names as controllers,
// if they may watch the CRD: an operator in several parts (a recommender and
// an updater) needs all of them.
func (a *attributor) namedControllers(e *evidence, own []candidate) []candidate {
	entry := a.entryOf(e.key)
	if entry == nil || len(entry.Controllers) == 0 {
		return nil
	}
	return filter(own, func(c candidate) bool {
		return c.tier <= byWatch && slices.Contains(entry.Controllers, a.works[c.work].Name)
	})
}

// preferred leaves out of equal candidates those that are plainly something
// else than a controller.
func (a *attributor) preferred(list []candidate) []candidate {
	if len(list) < 2 {
		return list
	}
	if plain := filter(list, func(c candidate) bool { return !helperName(&a.works[c.work]) }); len(plain) > 0 {
		return plain
	}
	return list
}

func filter(list []candidate, keep func(candidate) bool) []candidate {
	var kept []candidate
	for _, c := range list {
		if keep(c) {
			kept = append(kept, c)
		}
	}
	return kept
}

// helperWords mark workloads that stand beside a controller.
var helperWords = []string{"webhook", "cainjector", "cert-controller", "dashboard", "-ui", "-server", "notifications", "repo-server", "proxy", "agent", "exporter", "dex", "redis", "console"}

func helperName(w *work) bool {
	for _, word := range helperWords {
		if strings.Contains(w.Name, word) || strings.Contains(w.Meta.Labels["app.kubernetes.io/component"], word) {
			return true
		}
	}
	return false
}

// mainWorkloads are the workloads of an operator that look like controllers.
func (a *attributor) mainWorkloads(key string) []int {
	entry := a.entryOf(key)
	var all, plain, named []int
	for i := range a.works {
		if a.workKey(i) != key || a.works[i].operand {
			continue
		}
		all = append(all, i)
		if entry != nil && slices.Contains(entry.Controllers, a.works[i].Name) {
			named = append(named, i)
		}
		if !helperName(&a.works[i]) {
			plain = append(plain, i)
		}
	}
	switch {
	case len(named) > 0:
		return named
	case len(plain) > 0:
		return plain
	}
	return all
}

// companions are the other workloads of the same operator or release.
func (a *attributor) companions(key string, controllers []int) []Controller {
	installs := map[installID]bool{}
	for _, i := range controllers {
		if in := a.works[i].install; in.name != "" && !in.coarse() {
			installs[in.id()] = true
		}
	}
	var list []Controller
	for i := range a.works {
		w := &a.works[i]
		if w.operand || slices.Contains(controllers, i) {
			continue
		}
		if a.workKey(i) == key || installs[w.install.id()] && (w.entry == nil || !a.present[w.entry]) {
			list = append(list, a.controllerOf(i, nil))
		}
	}
	return list
}
