package review

import (
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// webhooks are the admission webhooks that its workloads serve, or that are
// about its groups.
func (s *Subject) webhooks(op operator) {
	w := &s.Webhooks
	w.FailClosedEverywhere, w.Broken = list(op.facts.Webhooks.FailClosedEverywhere), list(op.facts.Webhooks.Broken)
	if !s.Installed {
		w.Broken = []string{} // endpoints come with running pods
	}
	groups := map[string]bool{}
	for i := range op.facts.CRDs {
		groups[op.facts.CRDs[i].Group] = true
	}
	see := func(config, name string, client *admissionv1.WebhookClientConfig, policy *admissionv1.FailurePolicyType, rules []admissionv1.RuleWithOperations) {
		serving := op.serving(client.Service)
		if len(serving) == 0 && !about(rules, groups) {
			return
		}
		w.Count++
		if policy != nil && *policy == admissionv1.Ignore {
			w.FailOpen = append(w.FailOpen, config+"/"+name)
			return
		}
		w.FailClosed = append(w.FailClosed, config+"/"+name)
		for _, load := range serving {
			if load.Desired == 1 {
				w.OneReplica = append(w.OneReplica, load.Ref())
			}
		}
	}
	for i := range op.scene.Snapshot.MutatingWebhookConfigs {
		c := &op.scene.Snapshot.MutatingWebhookConfigs[i]
		for j := range c.Webhooks {
			h := &c.Webhooks[j]
			see("Mutating/"+c.Name, h.Name, &h.ClientConfig, h.FailurePolicy, h.Rules)
		}
	}
	for i := range op.scene.Snapshot.ValidatingWebhookConfigs {
		c := &op.scene.Snapshot.ValidatingWebhookConfigs[i]
		for j := range c.Webhooks {
			h := &c.Webhooks[j]
			see("Validating/"+c.Name, h.Name, &h.ClientConfig, h.FailurePolicy, h.Rules)
		}
	}
	w.FailClosed, w.FailOpen, w.OneReplica = list(w.FailClosed), list(w.FailOpen), list(w.OneReplica)
	s.unseen("webhooks", op.facts.Unseen["webhooks"])
}

// serving are its workloads behind a Service.
func (op operator) serving(of *admissionv1.ServiceReference) []*inventory.Workload {
	if of == nil {
		return nil
	}
	var found []*inventory.Workload
	services := op.scene.Snapshot.Services
	for i := range services {
		if services[i].Namespace != of.Namespace || services[i].Name != of.Name {
			continue
		}
		for _, w := range op.workloads() {
			if w.Namespace == of.Namespace && w.SelectedBy(services[i].Spec.Selector) {
				found = append(found, w)
			}
		}
	}
	return found
}

// about tells whether a rule names one of the groups.
func about(rules []admissionv1.RuleWithOperations, groups map[string]bool) bool {
	for i := range rules {
		if slices.ContainsFunc(rules[i].APIGroups, func(g string) bool { return groups[g] }) {
			return true
		}
	}
	return false
}
