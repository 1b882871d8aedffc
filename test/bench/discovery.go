package main

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"

	apidiscoveryv2 "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// discovery is what the server says it serves, aggregated as servers have
// done since Kubernetes 1.30.
type discovery struct {
	core, groups apidiscoveryv2.APIGroupDiscoveryList
}

const aggregatedType = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList"

func discoveryOf(collections []*collection) discovery {
	var d discovery
	byGroup := map[schema.GroupVersion][]apidiscoveryv2.APIResourceDiscovery{}
	var order []schema.GroupVersion
	for _, c := range collections {
		gv := c.resource.GroupVersion()
		if byGroup[gv] == nil {
			order = append(order, gv)
		}
		scope := apidiscoveryv2.ScopeCluster
		if c.namespaced {
			scope = apidiscoveryv2.ScopeNamespace
		}
		byGroup[gv] = append(byGroup[gv], apidiscoveryv2.APIResourceDiscovery{
			Resource: c.resource.Resource, Scope: scope, SingularResource: singular(c.resource.Resource),
			ResponseKind: &metav1.GroupVersionKind{Group: gv.Group, Version: gv.Version, Kind: c.kind},
			Verbs:        []string{"delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"},
		})
	}
	for _, gv := range order {
		group := apidiscoveryv2.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: gv.Group},
			Versions: []apidiscoveryv2.APIVersionDiscovery{{Version: gv.Version, Resources: byGroup[gv], Freshness: apidiscoveryv2.DiscoveryFreshnessCurrent}}}
		into := &d.groups
		if gv.Group == "" {
			into = &d.core
		}
		into.Items = append(into.Items, group)
	}
	for _, list := range []*apidiscoveryv2.APIGroupDiscoveryList{&d.core, &d.groups} {
		list.TypeMeta = metav1.TypeMeta{APIVersion: "apidiscovery.k8s.io/v2", Kind: "APIGroupDiscoveryList"}
	}
	return d
}

// serve answers /version and discovery. It tells whether it did.
func (d *discovery) serve(w http.ResponseWriter, r *http.Request) bool {
	contentType := aggregatedType
	var answer any
	switch {
	case r.URL.Path == "/version":
		contentType, answer = "application/json", map[string]string{"major": "1", "minor": "37", "gitVersion": "v1.37.2"}
	case r.URL.Path != "/api" && r.URL.Path != "/apis":
		return false
	case !strings.Contains(r.Header.Get("Accept"), "as=APIGroupDiscoveryList"):
		fail(w, r, http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, "discovery is served aggregated alone")
		return true
	case r.URL.Path == "/api":
		answer = d.core
	default:
		answer = d.groups
	}
	var body bytes.Buffer
	_ = json.NewEncoder(&body).Encode(answer) // plain data always has a JSON form
	reply(w, r, contentType, &body)
	return true
}
