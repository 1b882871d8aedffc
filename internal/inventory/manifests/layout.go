package manifests

import (
	"errors"
	"path"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// must-gather writes an object's type into its path:
//
//	cluster-scoped-resources/<group>/<plural>/<name>.yaml
//	namespaces/<namespace>/<group>/<plural>.yaml
//	namespaces/<namespace>/<group>/<plural>/<name>.yaml
//
// with "core" for the core group; other tools write <plural>.<group>, or leave
// the core group out. Some of the files do not repeat it.

// resourceName is a resource as a path names it.
type resourceName struct{ group, plural string }

// resourcesIn lists what a path may mean, the likeliest first.
func resourcesIn(file string) []resourceName {
	file = strings.TrimSuffix(file, ".gz")
	parts := strings.Split(strings.TrimSuffix(file, path.Ext(file)), "/")
	skip := -1
	for i, part := range slices.Backward(parts) {
		if part == "cluster-scoped-resources" {
			skip = i + 1
			break
		}
		if part == "namespaces" && i+2 < len(parts) {
			skip = i + 2
			break
		}
	}
	if skip < 0 || skip >= len(parts) {
		return nil
	}
	parts = parts[skip:]
	var list []resourceName
	if len(parts) > 1 {
		group := parts[0]
		if group == "core" {
			group = ""
		}
		plural, _, _ := strings.Cut(parts[1], ".")
		list = append(list, resourceName{group, plural})
	}
	plural, group, _ := strings.Cut(parts[0], ".")
	return append(list, resourceName{group, plural})
}

// nameless takes an object that does not say what it is. CRDs that could tell
// may come later.
func (r *reader) nameless(d document) error {
	if len(resourcesIn(d.at.file)) == 0 {
		return nil // nothing says that it is an object of Kubernetes
	}
	if !r.unnamed.add(d) {
		r.fail(d.at, errors.New("too many objects without apiVersion and kind"))
	}
	return nil
}

// nameAll gives the objects that wait for it the type that their path tells.
func (r *reader) nameAll() error {
	waiting := r.unnamed.documents
	r.unnamed.documents = nil
	if len(waiting) == 0 {
		return nil
	}
	crds := map[resourceName]*inventory.CRD{}
	for _, e := range r.store.entries {
		if e.crd != nil {
			crds[resourceName{e.crd.Group, e.crd.Names.Plural}] = e.crd
		}
	}
	for _, d := range waiting {
		h := headOf(d.raw)
		if h.APIVersion, h.Kind = typeOf(d.at.file, crds); h.Kind == "" {
			r.fail(d.at, errors.New("an object without apiVersion and kind, and no CRD says what its folder holds"))
			continue
		}
		if err := r.object(d, h, 0); err != nil {
			return err
		}
	}
	return nil
}

// typeOf finds the kind that a path speaks of, among the built-in kinds and
// the CRDs read.
func typeOf(file string, crds map[resourceName]*inventory.CRD) (apiVersion, kind string) {
	kinds := inventory.Kinds()
	for _, name := range resourcesIn(file) {
		for i := range kinds {
			if k := &kinds[i]; k.Group == name.group && k.Resource == name.plural {
				return strings.TrimPrefix(k.Group+"/"+k.Version, "/"), k.Kind
			}
		}
		if crd := crds[name]; crd != nil {
			return crd.Group + "/" + anyVersion(crd), crd.Names.Kind
		}
	}
	return "", ""
}

func anyVersion(crd *inventory.CRD) string {
	if v := crd.ListVersion(); v != "" {
		return v
	}
	if len(crd.Versions) > 0 {
		return crd.Versions[0].Name
	}
	return "v1"
}
