package attribution

import (
	"maps"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
)

// indexBackends maps Services to the workloads whose pods they select.
func (a *attributor) indexBackends() map[string][]int {
	type podLabel struct{ namespace, key, value string }
	labelled := map[podLabel][]int{}
	for i := range a.works {
		for key, value := range a.works[i].Labels {
			at := podLabel{a.works[i].Namespace, key, value}
			labelled[at] = append(labelled[at], i)
		}
	}
	backends := map[string][]int{}
	for i := range a.s.Services {
		svc := &a.s.Services[i]
		if len(svc.Spec.Selector) == 0 {
			continue
		}
		key := slices.Min(slices.Collect(maps.Keys(svc.Spec.Selector)))
		for _, w := range labelled[podLabel{svc.Namespace, key, svc.Spec.Selector[key]}] {
			if a.works[w].SelectedBy(svc.Spec.Selector) {
				name := svc.Namespace + "/" + svc.Name
				backends[name] = append(backends[name], w)
			}
		}
	}
	return backends
}

// byWebhooks adds the workloads behind the CRD's conversion webhook, and
// behind admission webhooks that name its group. A webhook server knows the
// API, but is often a Deployment of its own beside the controller: it counts
// as belonging to the operator, no more.
func (a *attributor) byWebhooks(e *evidence, add func(int, tier, Signal)) {
	if c := e.crd.Conversion; c != nil && c.Service != nil {
		service := c.Service.Namespace + "/" + c.Service.Name
		for _, w := range a.backends[service] {
			add(w, byPackage, Signal{Signal: "conversion-webhook", CRD: e.crd.Name, Object: "Service/" + service, Detail: "converts between its versions"})
		}
	}
	on := func(config string, client *admissionv1.WebhookClientConfig, rules []admissionv1.RuleWithOperations) {
		if client.Service == nil || !covers(rules, e.crd.Group, e.crd.Names.Plural) {
			return
		}
		for _, w := range a.backends[client.Service.Namespace+"/"+client.Service.Name] {
			add(w, byPackage, Signal{Signal: "webhook", CRD: e.crd.Name, Object: config, Detail: "its webhook checks or changes " + e.crd.Name})
		}
	}
	for i := range a.s.ValidatingWebhookConfigs {
		c := &a.s.ValidatingWebhookConfigs[i]
		for j := range c.Webhooks {
			on("ValidatingWebhookConfiguration/"+c.Name, &c.Webhooks[j].ClientConfig, c.Webhooks[j].Rules)
		}
	}
	for i := range a.s.MutatingWebhookConfigs {
		c := &a.s.MutatingWebhookConfigs[i]
		for j := range c.Webhooks {
			on("MutatingWebhookConfiguration/"+c.Name, &c.Webhooks[j].ClientConfig, c.Webhooks[j].Rules)
		}
	}
}

// covers tells whether webhook rules name a group and cover a resource of it.
// A rule for every group says nothing about whose the group is.
func covers(rules []admissionv1.RuleWithOperations, group, plural string) bool {
	for _, r := range rules {
		if !slices.Contains(r.APIGroups, group) {
			continue
		}
		for _, resource := range r.Resources {
			if resource == plural || resource == "*" || resource == "*/*" || resource == plural+"/*" {
				return true
			}
		}
	}
	return false
}
