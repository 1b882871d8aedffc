package review

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// uninstall is what happens to its CRDs when what it was installed with is
// removed.
func (s *Subject) uninstall(op operator) {
	u := &s.Uninstall
	u.Tool = op.facts.Packaging.Tool
	for i := range op.facts.CRDs {
		name := op.facts.CRDs[i].Name
		crd := op.scene.crds[name]
		if crd == nil || crd.DiscoveryOnly {
			s.unseen("uninstall", "the definition of "+name+" could not be read")
			continue
		}
		switch {
		case crd.Annotations["helm.sh/resource-policy"] == "keep":
			u.Kept = append(u.Kept, name)
		case crd.Annotations["meta.helm.sh/release-name"] != "", strings.EqualFold(crd.Labels["app.kubernetes.io/managed-by"], "Helm"):
			u.DeletedWithRelease = append(u.DeletedWithRelease, name)
		case u.Tool != "olm" && !op.releasedByHelm():
			u.Unguarded = append(u.Unguarded, name)
		}
	}
	u.Kept, u.DeletedWithRelease, u.Unguarded = list(u.Kept), list(u.DeletedWithRelease), list(u.Unguarded)
	s.unseen("uninstall", op.facts.Unseen["packaging"])
}

// releasedByHelm: Helm marks whatever it installs, so a CRD without its mark is
// not in the release. What was rendered and then applied has no mark at all.
func (op operator) releasedByHelm() bool {
	return slices.ContainsFunc(op.workloads(), func(w *inventory.Workload) bool {
		return w.Meta != nil && w.Meta.Annotations["meta.helm.sh/release-name"] != ""
	})
}
