package review

import (
	"fmt"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// builtinGroups are API groups of Kubernetes itself; all others come with a
// CRD or an extension API server.
var builtinGroups = map[string]bool{
	"": true, "*": true, "admissionregistration.k8s.io": true, "apiextensions.k8s.io": true, "apiregistration.k8s.io": true, "apps": true,
	"authentication.k8s.io": true, "authorization.k8s.io": true, "autoscaling": true, "batch": true, "certificates.k8s.io": true,
	"coordination.k8s.io": true, "discovery.k8s.io": true, "events.k8s.io": true, "extensions": true, "flowcontrol.apiserver.k8s.io": true,
	"internal.apiserver.k8s.io": true, "networking.k8s.io": true, "node.k8s.io": true, "policy": true, "rbac.authorization.k8s.io": true,
	"resource.k8s.io": true, "scheduling.k8s.io": true, "storage.k8s.io": true, "storagemigration.k8s.io": true,
}

// dependencies are the foreign groups that its rights name: whether it needs
// them or only makes use of them when they are there, RBAC does not say.
func (s *Subject) dependencies(op operator, here *Scene) {
	own, served := map[string]bool{}, servedGroups(here.Snapshot)
	for i := range op.facts.CRDs {
		own[op.facts.CRDs[i].Group] = true
	}
	named := map[string][]string{}
	for _, g := range op.grants() {
		for _, group := range g.APIGroups {
			if !builtinGroups[group] && !own[group] {
				named[group] = append(named[group], g.Resources...)
			}
		}
	}
	d := &s.Dependencies
	for group, resources := range named {
		what := group + " (" + few(plurals(resources)) + ")"
		if served[group] || candidateServes(op, here, group) {
			d.Present = append(d.Present, what)
		} else {
			d.Absent = append(d.Absent, what)
		}
	}
	d.Present, d.Absent = list(d.Present), list(d.Absent)
	s.unseen("dependencies", op.facts.Unseen["rbac"])
	s.unseen("dependencies", unseenDefinitions(here))
}

// candidateServes: the candidate brings the group along.
func candidateServes(op operator, here *Scene, group string) bool {
	return op.scene != here && servedGroups(op.scene.Snapshot)[group]
}

func servedGroups(s *inventory.Snapshot) map[string]bool {
	served := map[string]bool{}
	for i := range s.CRDs {
		served[s.CRDs[i].Group] = true
	}
	for i := range s.APIServices {
		// v1beta1.metrics.k8s.io
		_, group, _ := strings.Cut(s.APIServices[i].Name, ".")
		served[group] = true
	}
	return served
}

// unseenDefinitions says why the CRDs of the cluster are not all known.
func unseenDefinitions(here *Scene) string {
	if len(here.Snapshot.Access) == 0 && here.Snapshot.Taken.IsZero() {
		return "no cluster was looked at"
	}
	if sight := here.Snapshot.Seen("apiextensions.k8s.io", "customresourcedefinitions"); !sight.Whole {
		return sight.Why
	}
	return ""
}

// plurals are resources without their subresources.
func plurals(resources []string) []string {
	var names []string
	for _, r := range resources {
		plural, _, _ := strings.Cut(r, "/")
		names = append(names, plural)
	}
	return list(names)
}

// few joins the first three and counts the rest.
func few(names []string) string {
	if len(names) <= 3 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
}

// conflicts compares its CRDs with those of others on the cluster.
func (s *Subject) conflicts(op operator, here *Scene) {
	c := &s.Conflicts
	for i := range op.facts.CRDs {
		mine := op.scene.crds[op.facts.CRDs[i].Name]
		if mine == nil {
			continue
		}
		s.taken(op, here, mine)
		for j := range here.Snapshot.CRDs {
			other := &here.Snapshot.CRDs[j]
			if other.Name == mine.Name {
				continue
			}
			names := shared(mine, other)
			if len(names) == 0 || here.ownerOf(other.Name) == op.at.Name {
				continue
			}
			c.Names = append(c.Names, alsoMeans(names, mine, other.Name))
		}
		if names := slices.DeleteFunc(namesOfCRD(mine), func(name string) bool { return builtinNames[name] == "" }); len(names) > 0 {
			c.Names = append(c.Names, alsoMeans(names, mine, builtinNames[names[0]]+" of Kubernetes"))
		}
	}
	c.CRDs, c.Names = list(c.CRDs), list(c.Names)
	s.unseen("conflicts", unseenDefinitions(here))
}

// taken looks for a CRD of a candidate that is on the cluster already.
func (s *Subject) taken(op operator, here *Scene, mine *inventory.CRD) {
	if s.Installed || here.crds[mine.Name] == nil {
		return
	}
	owner := here.ownerOf(mine.Name)
	if owner != op.at.Name {
		if owner == "" {
			owner = "nobody known"
		}
		s.Conflicts.CRDs = append(s.Conflicts.CRDs, mine.Name+" is here already, from "+owner)
		return
	}
	for _, there := range here.operators() {
		if there.at.Name == owner {
			s.Conflicts.Installed = there.card.Version
			if s.Conflicts.Installed == "" {
				s.Conflicts.Installed = "a version that does not show"
			}
		}
	}
}

// shared are the names that kubectl takes for both: `kubectl get pg` then
// answers with whichever comes first.
func shared(a, b *inventory.CRD) []string {
	theirs := namesOfCRD(b)
	return slices.DeleteFunc(namesOfCRD(a), func(name string) bool { return !slices.Contains(theirs, name) })
}

// namesOfCRD are those that people type.
func namesOfCRD(c *inventory.CRD) []string {
	names := list(append([]string{c.Names.Plural, c.Names.Singular}, c.Names.ShortNames...))
	return slices.DeleteFunc(names, func(name string) bool { return name == "" })
}

func alsoMeans(names []string, mine *inventory.CRD, other string) string {
	verb := "mean"
	if len(names) == 1 {
		verb = "means"
	}
	return fmt.Sprintf("%s of %s also %s %s", strings.Join(names, ", "), mine.Name, verb, other)
}
