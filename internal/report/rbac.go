package report

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// Rights are what a ClusterRole for a scan is made for.
type Rights struct {
	// Name is the ClusterRole's; "operator-maturity" if empty.
	Name string
	// Groups are the API groups of the custom resources to read.
	Groups []string
	// Metrics adds the right to read /metrics of pods (scan --metrics).
	Metrics bool
}

const rbacHead = `# The rights that a scan needs, and no more: lists of what it reads. No write, no
# watch, no Secret. Made by "kubectl operator-maturity rbac".
#
# Rights on custom resources go by API group. "*" for all groups would take in
# the core group, and Secrets with it. A CRD of a group that is not here shows as
# forbidden in the report, and what rests on it as unknown;
# "kubectl operator-maturity rbac --cluster" writes the groups of a cluster.
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: %s
  labels: {app.kubernetes.io/name: operator-maturity}
rules:
`

// WriteClusterRole writes the ClusterRole that a scan needs, with a comment why
// for each kind. It follows the table of kinds that scans follow.
func WriteClusterRole(w io.Writer, r Rights) error {
	var b bytes.Buffer
	name := r.Name
	if name == "" {
		name = "operator-maturity"
	}
	fmt.Fprintf(&b, rbacHead, name)
	byGroup := map[string][]inventory.Kind{}
	for _, k := range inventory.Kinds() {
		byGroup[k.Group] = append(byGroup[k.Group], k)
	}
	groups := make([]string, 0, len(byGroup))
	for group, kinds := range byGroup {
		groups = append(groups, group)
		slices.SortFunc(kinds, func(a, b inventory.Kind) int { return strings.Compare(a.Resource, b.Resource) })
	}
	slices.Sort(groups)
	for _, group := range groups {
		fmt.Fprintf(&b, "  - apiGroups: [%q]\n    verbs: [list]\n    resources:\n", group)
		for _, k := range byGroup[group] {
			fmt.Fprintf(&b, "      - %s # %s\n", k.Resource, k.Why)
		}
	}
	b.WriteString("  - apiGroups: [\"\"] # the uid of kube-system, by which a cluster is known\n    verbs: [get]\n    resources: [namespaces]\n    resourceNames: [kube-system]\n")
	if r.Metrics {
		b.WriteString("  - apiGroups: [\"\"] # scan --metrics: the operators' own /metrics, through the API server\n    verbs: [get]\n    resources: [pods/proxy]\n")
	}
	b.WriteString("  - apiGroups: [apiextensions.k8s.io]\n    verbs: [list]\n    resources: [customresourcedefinitions]\n")
	if custom := customGroups(r.Groups, byGroup); len(custom) > 0 {
		b.WriteString("  - verbs: [list] # custom resources\n    resources: [\"*\"]\n    apiGroups:\n")
		for _, group := range custom {
			fmt.Fprintf(&b, "      - %s\n", group)
		}
	}
	return writeAll(w, b.Bytes())
}

// groupName is a DNS name, as API groups are.
var groupName = regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$`)

// customGroups are the groups, sorted, without those that are Kubernetes' own
// and those that are no name of a group: "*" must not get in.
func customGroups[T any](groups []string, builtin map[string][]T) []string {
	var list []string
	for _, group := range groups {
		if _, own := builtin[group]; !own && groupName.MatchString(group) && strings.Contains(group, ".") {
			list = append(list, group)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}
