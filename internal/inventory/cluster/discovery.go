package cluster

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"

	"kubectl-operator-maturity/internal/inventory"
)

// discoverCRDs finds the names of custom resources where CRDs may not be
// listed (field-cases B3): every API group that is neither built in nor
// aggregated. Schemas, conversion and stored versions stay unknown.
func (c *collector) discoverCRDs(ctx context.Context) {
	if err := c.clients.turn(ctx); err != nil {
		c.unfinished = true
		return
	}
	groups, resources, err := c.clients.discovery.ServerGroupsAndResourcesWithContext(ctx)
	c.unfinished = c.unfinished || err != nil && notFinished(ctx, err)
	c.noteFailedGroups(err)
	byVersion := map[string]*metav1.APIResourceList{}
	for _, list := range resources {
		byVersion[list.GroupVersion] = list
	}
	if err == nil && !slices.ContainsFunc(groups, func(g *metav1.APIGroup) bool { return g.Name != "" }) {
		c.noteOnCRDs("the server names no API group") // every server has some
	}
	aggregated := c.aggregatedGroups()
	for _, g := range groups {
		if !builtinGroups[g.Name] && !aggregated[g.Name] {
			c.noteEmptyVersions(g, byVersion, err)
			c.addDiscovered(discovered(g, byVersion))
		}
	}
}

// noteFailedGroups makes an Access row for each group version that discovery
// could not tell about; stale is another thing than forbidden.
func (c *collector) noteFailedGroups(err error) {
	var failed *discovery.ErrGroupDiscoveryFailed
	switch {
	case err == nil:
	case errors.As(err, &failed):
		versions := slices.SortedFunc(maps.Keys(failed.Groups), func(a, b schema.GroupVersion) int { return cmp.Compare(a.String(), b.String()) })
		for _, gv := range versions {
			c.snapshot.Access = append(c.snapshot.Access, inventory.Access{
				Group: gv.Group, Version: gv.Version, Resource: "*", Access: inventory.Failed,
				Detail: "discovery: " + c.discoveryError(failed.Groups[gv]),
			})
		}
	default:
		c.noteOnCRDs(c.describe(err))
	}
}

// noteOnCRDs adds to the row of the CRDs what became of discovery.
func (c *collector) noteOnCRDs(what string) {
	for i := range c.snapshot.Access {
		if a := &c.snapshot.Access[i]; a.Group == crdResource.Group && a.Resource == crdResource.Resource {
			a.Detail += "; discovery, tried in its place: " + what
		}
	}
}

// noteEmptyVersions makes an Access row for each version of a group that was
// answered without a resource, or without its name: a version is served for the
// sake of some. Those that failed have their row.
func (c *collector) noteEmptyVersions(g *metav1.APIGroup, byVersion map[string]*metav1.APIResourceList, err error) {
	var failed *discovery.ErrGroupDiscoveryFailed
	_ = errors.As(err, &failed)
	for _, v := range g.Versions {
		list := byVersion[v.GroupVersion]
		noted := failed != nil && failed.Groups[schema.GroupVersion{Group: g.Name, Version: v.Version}] != nil
		if !noted && (list == nil || len(list.APIResources) == 0) {
			c.snapshot.Access = append(c.snapshot.Access, inventory.Access{
				Group: g.Name, Version: v.Version, Resource: "*", Access: inventory.Failed, Detail: "discovery: the server names no resource of it",
			})
		}
	}
}

func (c *collector) discoveryError(err error) string {
	var stale discovery.StaleGroupVersionError
	if errors.As(err, &stale) {
		return "stale: the server that serves the group does not answer"
	}
	return c.describe(err)
}

// aggregatedGroups are the groups that APIServices hand to another server.
func (c *collector) aggregatedGroups() map[string]bool {
	groups := map[string]bool{}
	for i := range c.snapshot.APIServices {
		spec := c.snapshot.APIServices[i].Spec.Map()
		if group, ok := spec["group"].(string); ok && spec["service"] != nil {
			groups[group] = true
		}
	}
	return groups
}

// addDiscovered puts the CRDs of one group into the snapshot. What can't be
// listed, such as reviews that can only be created, is no custom resource:
// it gets a row that says so.
func (c *collector) addDiscovered(crds []inventory.CRD, unlistable []inventory.Access) {
	c.snapshot.CRDs = append(c.snapshot.CRDs, crds...)
	c.snapshot.Access = append(c.snapshot.Access, unlistable...)
}

// discovered makes CRDs of the resources of a group. Discovery names a group's
// versions in order of preference.
func discovered(g *metav1.APIGroup, byVersion map[string]*metav1.APIResourceList) ([]inventory.CRD, []inventory.Access) {
	crds := map[string]*inventory.CRD{}
	var unlistable []inventory.Access
	for _, v := range preferredFirst(g) {
		list := byVersion[v.GroupVersion]
		if list == nil {
			continue
		}
		for i := range list.APIResources {
			r := &list.APIResources[i]
			switch {
			case strings.Contains(r.Name, "/"):
			case !slices.Contains(r.Verbs, "list"):
				unlistable = append(unlistable, inventory.Access{Group: g.Name, Version: v.Version, Resource: r.Name,
					Access: inventory.Absent, Detail: "cannot be listed (verbs: " + strings.Join(r.Verbs, ", ") + ")"})
			default:
				addVersion(crds, g.Name, v.Version, r, hasStatus(list, r.Name))
			}
		}
	}
	sorted := make([]inventory.CRD, 0, len(crds))
	for _, crd := range crds {
		sorted = append(sorted, *crd)
	}
	slices.SortFunc(sorted, func(a, b inventory.CRD) int { return cmp.Compare(a.Name, b.Name) })
	return sorted, unlistable
}

func preferredFirst(g *metav1.APIGroup) []metav1.GroupVersionForDiscovery {
	versions := slices.Clone(g.Versions)
	slices.SortStableFunc(versions, func(a, b metav1.GroupVersionForDiscovery) int {
		preferred := func(v metav1.GroupVersionForDiscovery) int {
			if v.Version == g.PreferredVersion.Version {
				return 0
			}
			return 1
		}
		return preferred(a) - preferred(b)
	})
	return versions
}

func addVersion(crds map[string]*inventory.CRD, group, version string, r *metav1.APIResource, status bool) {
	crd := crds[r.Name]
	if crd == nil {
		crd = &inventory.CRD{
			ObjectMeta:    metav1.ObjectMeta{Name: schema.GroupResource{Group: group, Resource: r.Name}.String()},
			Group:         group,
			Scope:         apiextensionsv1.ClusterScoped,
			DiscoveryOnly: true,
			Names: apiextensionsv1.CustomResourceDefinitionNames{
				Plural: r.Name, Singular: r.SingularName, Kind: r.Kind, ShortNames: r.ShortNames, Categories: r.Categories,
			},
		}
		if r.Namespaced {
			crd.Scope = apiextensionsv1.NamespaceScoped
		}
		crds[r.Name] = crd
	}
	crd.Versions = append(crd.Versions, inventory.CRDVersion{Name: version, Served: true, StatusSubresource: status})
}

func hasStatus(list *metav1.APIResourceList, resource string) bool {
	return slices.ContainsFunc(list.APIResources, func(r metav1.APIResource) bool { return r.Name == resource+"/status" })
}
