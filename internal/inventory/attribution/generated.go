package attribution

import "strings"

// identifyGenerated gives CRDs that a custom resource owns to the operator of
// that resource: Crossplane's XRDs, kro's and Gatekeeper's templates.
func (a *attributor) identifyGenerated() {
	byKind := map[[2]string]*evidence{}
	for _, e := range a.crds {
		byKind[[2]string{e.crd.Group, e.crd.Names.Kind}] = e
	}
	for _, e := range a.crds {
		if e.owner == nil || len(e.csvs) > 0 {
			continue
		}
		generator := byKind[[2]string{e.owner.group, e.owner.kind}]
		if generator == nil || generator.key == "" || generator == e {
			continue
		}
		e.identity = append(e.identity, e.owner.signal)
		if e.match != nil && e.match.By != "generated" && e.match.By != "suffix" {
			continue // the catalogue knows its group better than the package that brought it
		}
		if strings.HasSuffix(e.owner.kind, "Revision") {
			// A package manager's revision: the package is the project.
			if e.match == nil {
				e.key, e.confidence = "install:package:/"+packageName(e.owner), High
			}
			continue
		}
		e.key, e.confidence = generator.key, High
	}
}

// packageName is the name of a package behind one of its revisions, which
// carry a hash: provider-aws-5f2f4d.
func packageName(o *liveOwner) string {
	if o.custom != nil {
		if name := o.custom.Labels["pkg.crossplane.io/package"]; name != "" {
			return name
		}
	}
	if i := strings.LastIndex(o.name, "-"); i > 0 {
		return o.name[:i]
	}
	return o.name
}
