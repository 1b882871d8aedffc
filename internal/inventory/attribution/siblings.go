package attribution

import (
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// sameGroup and family are what siblings have in common: the API group, or
// the domain that the group stands in.
func sameGroup(e *evidence) string { return e.crd.Group }

// sharedDomains hold groups of many projects, so a domain alone ties nothing.
var sharedDomains = []string{"k8s.io", "x-k8s.io", "github.io", "github.com", "openshift.io", "coreos.com", "redhat.com", "ibm.com", "oracle.com", "google.com", "amazonaws.com", "k8s.aws", "azure.com", "apache.org", "cncf.io", "example.com", "gitlab.com", "redhat.io", "charts.helm.k8s.io"}

func family(e *evidence) string {
	labels := strings.Split(e.crd.Group, ".")
	if len(labels) < 2 {
		return ""
	}
	domain := strings.Join(labels[len(labels)-2:], ".")
	if slices.Contains(sharedDomains, domain) {
		return ""
	}
	return domain
}

// identifyBySiblings gives a CRD that says nothing itself, or is ambiguous
// between several, to the operator that has all its siblings that do.
func (a *attributor) identifyBySiblings(of func(*evidence) string, what string) {
	owners := map[string][]string{}
	for _, e := range a.crds {
		if common := of(e); common != "" && e.key != "" && e.confidence != Ambiguous && e.confidence != Low && !slices.Contains(owners[common], e.key) {
			owners[common] = append(owners[common], e.key)
		}
	}
	for _, e := range a.crds {
		keys := owners[of(e)]
		undecided := e.confidence == Ambiguous && strings.HasPrefix(e.key, "group:")
		if of(e) == "" || len(keys) != 1 || e.key != "" && !undecided {
			continue
		}
		if undecided && !slices.Contains(e.rivals, a.nameOf(keys[0])) {
			continue
		}
		e.key, e.confidence, e.rivals = keys[0], Low, nil
		e.identity = append(e.identity, Signal{Signal: "group", CRD: e.crd.Name, Object: "CustomResourceDefinition/" + e.crd.Name,
			Detail: "all other CRDs of its " + what + " " + of(e) + " belong to " + a.nameOf(e.key)})
	}
}

// identifyByLookAlike takes a like name together with rights: a workload that
// may do anything ("*") or read the CRD, and is named like the CRD's group. A
// name alone decides nothing (field-cases D1), and this never gives more than
// low confidence.
func (a *attributor) identifyByLookAlike(e *evidence) {
	if e.key != "" {
		return
	}
	word := inventory.Squash(strings.TrimSuffix(strings.TrimSuffix(strings.Split(e.crd.Group, ".")[0], "-operator"), "-controller"))
	if domain := family(e); domain != "" {
		word = inventory.Squash(strings.Split(domain, ".")[0])
	}
	if len(word) < 4 {
		return
	}
	key := ""
	for _, c := range e.candidates {
		w := &a.works[c.work]
		if !strings.HasPrefix(inventory.Squash(w.Name), word) && inventory.Squash(w.Namespace) != word {
			continue
		}
		if key != "" && a.workKey(c.work) != key {
			return
		}
		key = a.workKey(c.work)
		e.identity = append(e.identity, append([]Signal{{Signal: "name", CRD: e.crd.Name, Object: w.Ref(), Detail: "is named like group " + e.crd.Group}}, c.signals...)...)
	}
	if key != "" {
		e.key, e.confidence = key, Low
	}
}
