package facts

import (
	"fmt"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory/attribution"
)

// controller keeps the long name out of the code.
type controller = attribution.Controller

// archetype decides what kind of operator it is: what the catalogue says, else
// what was seen, the surest first.
func (op *operator) archetype() {
	f := op.facts
	f.Archetype, f.ArchetypeWhy = op.decideArchetype()
}

func (op *operator) decideArchetype() (archetype, why string) {
	f := op.facts
	if e := op.at.Entry; e != nil && e.Archetype != "" {
		return e.Archetype, "the catalogue says so"
	}
	if len(f.CRDs) > 0 && !slices.ContainsFunc(f.CRDs, func(c CRD) bool { return !c.DataOnly }) {
		return "data-only", "nobody writes a status for its kinds"
	}
	apiChild := ""
	for _, k := range op.kinds {
		if n := len(k.family.workloads); n > 0 {
			return "workload", fmt.Sprintf("%s own %d workloads, such as %s", k.crd.Names.Kind, n, k.family.workloads[0].Ref())
		}
		if apiChild == "" && len(k.family.children) > 0 {
			apiChild = k.family.children[0].ref()
		}
	}
	if account := op.cloudIdentity(); account != "" {
		return "external", "ServiceAccount " + account + " has a cloud identity"
	}
	for i := range f.CRDs {
		c := &f.CRDs[i]
		if c.Seen.ExternalIDs > 0 && apiChild == "" {
			return "external", c.Seen.Examples["externalIDs"] + " names something outside the cluster"
		}
	}
	switch {
	case apiChild != "":
		return "api-objects", "its children are objects of the API, such as " + apiChild
	case f.Webhooks.OnForeignGroups && !f.RBAC.WritesWorkloads:
		return "policy", "its webhooks cover resources of others and it writes no workloads"
	}
	for _, r := range []string{"statefulsets.apps", "deployments.apps", "daemonsets.apps"} {
		if slices.Contains(f.RBAC.Writes, r) {
			return "workload", "no children seen, but it may write " + r
		}
	}
	for _, r := range f.RBAC.Writes {
		if r == "secrets" || r == "configmaps" {
			return "api-objects", "no children seen, but it may write " + r + " and no workloads"
		}
	}
	return "workload", "nothing tells otherwise: the commonest is assumed"
}

// cloudAnnotations give a ServiceAccount an identity at a cloud provider.
var cloudAnnotations = []string{"eks.amazonaws.com/role-arn", "azure.workload.identity/client-id", "iam.gke.io/gcp-service-account"}

func (op *operator) cloudIdentity() string {
	for _, sa := range op.o.accounts {
		if !slices.ContainsFunc(op.at.Controllers, func(c controller) bool {
			return c.Workload.Namespace == sa.Namespace && c.Workload.ServiceAccount() == sa.Name
		}) {
			continue
		}
		for key := range sa.Annotations {
			if slices.ContainsFunc(cloudAnnotations, func(a string) bool { return strings.EqualFold(a, key) }) {
				return nameOf(sa)
			}
		}
	}
	return ""
}
