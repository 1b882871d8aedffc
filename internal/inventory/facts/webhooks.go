package facts

import (
	"fmt"
	"slices"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// webhook is a validating or mutating webhook in one shape.
type webhook struct {
	ref      string
	client   *admissionv1.WebhookClientConfig
	rules    []admissionv1.RuleWithOperations
	fail     bool
	timeout  int32
	spaces   *metav1.LabelSelector
	objects  *metav1.LabelSelector
	onServer bool
}

func (o *observer) eachWebhook(yield func(*webhook)) {
	for i := range o.s.ValidatingWebhookConfigs {
		c := &o.s.ValidatingWebhookConfigs[i]
		for j := range c.Webhooks {
			w := &c.Webhooks[j]
			yield(&webhook{ref("ValidatingWebhookConfiguration", c) + "/" + w.Name, &w.ClientConfig, w.Rules,
				w.FailurePolicy == nil || *w.FailurePolicy == admissionv1.Fail, seconds(w.TimeoutSeconds), w.NamespaceSelector, w.ObjectSelector, c.UID != ""})
		}
	}
	for i := range o.s.MutatingWebhookConfigs {
		c := &o.s.MutatingWebhookConfigs[i]
		for j := range c.Webhooks {
			w := &c.Webhooks[j]
			yield(&webhook{ref("MutatingWebhookConfiguration", c) + "/" + w.Name, &w.ClientConfig, w.Rules,
				w.FailurePolicy == nil || *w.FailurePolicy == admissionv1.Fail, seconds(w.TimeoutSeconds), w.NamespaceSelector, w.ObjectSelector, c.UID != ""})
		}
	}
}

func seconds(n *int32) int32 {
	if n == nil {
		return 10
	}
	return *n
}

// webhooks looks at the admission webhooks that the operator serves, and at
// those about its groups that no other operator serves; and at the conversion
// webhooks of its CRDs.
func (op *operator) webhooks() {
	f := &op.facts.Webhooks
	groups := map[string]bool{}
	for _, k := range op.kinds {
		groups[k.crd.Group] = true
	}
	live := false
	op.o.eachWebhook(func(w *webhook) {
		own, foreign := w.covers(groups)
		served := op.serves(w.client.Service)
		if !served && !(own && !op.o.servedByOther(op, w.client.Service)) {
			return
		}
		f.Count++
		live = live || w.onServer
		f.OnOwnGroups = f.OnOwnGroups || own
		f.OnForeignGroups = f.OnForeignGroups || served && foreign
		if why := op.o.unanswered(w.client.Service); why != "" {
			f.Broken = append(f.Broken, w.ref+": "+why)
		}
		if w.timeout > 10 {
			f.SlowTimeouts = append(f.SlowTimeouts, fmt.Sprintf("%s: %d s", w.ref, w.timeout))
		}
		if len(w.client.CABundle) == 0 && w.onServer {
			f.NoCABundle = append(f.NoCABundle, w.ref)
		}
		if w.fail && w.catchesSystemPods(op.o.namespaces["kube-system"]) {
			f.FailClosedEverywhere = append(f.FailClosedEverywhere, w.ref)
		}
	})
	for _, k := range op.kinds {
		if c := k.crd.Conversion; c != nil && c.Strategy == "Webhook" {
			f.Count++
			live = live || k.crd.UID != ""
			if why := k.conversionBroken(); why != "" {
				f.Broken = append(f.Broken, "CustomResourceDefinition/"+k.crd.Name+": conversion "+why)
			}
		}
	}
	f.Broken, f.SlowTimeouts, f.NoCABundle, f.FailClosedEverywhere = prose(f.Broken), sorted(f.SlowTimeouts), sorted(f.NoCABundle), sorted(f.FailClosedEverywhere)
	v := op.o.on(webhookConfigs...)
	if live {
		v.on(services, slicesOf)
	} else if op.o.s.Source.Type != "files" || op.o.s.Source.Complete {
		v.on(services) // whose a webhook is, its Service tells
	}
	unseen(op.facts.Unseen, "webhooks", v)
}

// covers tells whether the webhook names one of the operator's groups, and
// whether it covers others.
func (w *webhook) covers(groups map[string]bool) (own, foreign bool) {
	for i := range w.rules {
		for _, g := range w.rules[i].APIGroups {
			own, foreign = own || groups[g], foreign || !groups[g]
		}
	}
	return own, foreign
}

// serves tells whether a Service leads to pods of the operator.
func (op *operator) serves(svc *admissionv1.ServiceReference) bool {
	if svc == nil {
		return false
	}
	found := op.o.service(svc.Namespace, svc.Name)
	if found == nil {
		return false
	}
	for i := range op.at.Controllers {
		if w := &op.at.Controllers[i].Workload; w.Namespace == svc.Namespace && w.SelectedBy(found.Spec.Selector) {
			return true
		}
	}
	for i := range op.at.Companions {
		if w := &op.at.Companions[i].Workload; w.Namespace == svc.Namespace && w.SelectedBy(found.Spec.Selector) {
			return true
		}
	}
	return false
}

func (o *observer) servedByOther(op *operator, svc *admissionv1.ServiceReference) bool {
	return slices.ContainsFunc(o.operators, func(other *operator) bool { return other != op && other.serves(svc) })
}

// unanswered says why a webhook's Service cannot answer; "" if it can, or
// where that cannot be told.
func (o *observer) unanswered(svc *admissionv1.ServiceReference) string {
	if svc == nil {
		return "" // a URL outside the cluster
	}
	return o.silent(svc.Namespace, svc.Name)
}

func (o *observer) silent(namespace, name string) string {
	if o.service(namespace, name) == nil {
		if o.on(services).whole() {
			return "Service " + namespace + "/" + name + " does not exist"
		}
		return ""
	}
	if o.on(slicesOf).whole() && !o.endpoints[namespace+"/"+name] {
		return "Service " + namespace + "/" + name + " has no ready endpoints"
	}
	return ""
}

// catchesSystemPods tells whether the webhook sees pods of kube-system: if it
// does not answer, the cluster cannot mend itself.
func (w *webhook) catchesSystemPods(system map[string]string) bool {
	covers := slices.ContainsFunc(w.rules, func(r admissionv1.RuleWithOperations) bool {
		return (slices.Contains(r.APIGroups, "") || slices.Contains(r.APIGroups, "*")) &&
			slices.ContainsFunc(r.Resources, func(s string) bool { return s == "pods" || s == "*" || s == "*/*" || s == "pods/*" }) &&
			(r.Scope == nil || *r.Scope != admissionv1.ClusterScope)
	})
	if !covers || w.objects != nil && len(w.objects.MatchLabels)+len(w.objects.MatchExpressions) > 0 {
		return false
	}
	if w.spaces == nil {
		return true
	}
	of := labels.Set{"kubernetes.io/metadata.name": "kube-system"}
	for key, value := range system {
		of[key] = value
	}
	selector, ok := selectorOf(w.spaces)
	return ok && selector.Matches(of)
}

// conversionBroken says why a conversion webhook cannot answer.
func (k *kind) conversionBroken() string {
	c := k.crd.Conversion
	switch {
	case c == nil || c.Strategy != "Webhook":
		return ""
	case c.Service == nil && c.URL == "":
		return "webhook names no Service"
	case k.crd.UID != "" && !c.CABundle:
		return "webhook has no CA bundle"
	case c.Service == nil || k.crd.UID == "":
		return ""
	}
	return k.op.o.silent(c.Service.Namespace, c.Service.Name)
}
