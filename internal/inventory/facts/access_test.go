package facts

import (
	"testing"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
	"kubectl-operator-maturity/internal/inventory/catalogue"
)

// A group that another API server serves may have resources that no CRD has.
func TestResourcesOfAnExtensionAPIServerAreNotMissing(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.grant("role", rule("example.io", "widgets,gadgets", "get,update"))
	api := func(name string, spec map[string]any) {
		w.s.APIServices = append(w.s.APIServices, inventory.Object{APIVersion: "apiregistration.k8s.io/v1", Kind: "APIService",
			ObjectMeta: w.meta("", name), Spec: inventory.Pack(spec)})
	}
	api("v1.example.io", map[string]any{"group": "example.io", "version": "v1", "service": nil})
	equal(t, "served by the API server itself", w.observe().OwnRights.Missing, "gadgets.example.io")
	api("v2.example.io", map[string]any{"group": "example.io", "version": "v2", "service": map[string]any{"namespace": "ops", "name": "api"}})
	equal(t, "served by another too", w.observe().OwnRights.Missing)
}

func TestRBAC(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.grant("role", rule("example.io", "widgets,widgets/status,gadgets", "get,list,watch,update"), rule("apps", "deployments", "create"),
		rule("policy", "poddisruptionbudgets", "*"), rule("", "secrets", "get,list"), rule("", "configmaps,events", "get"),
		rule("rbac.authorization.k8s.io", "roles", "bind"), rule("example.io", "signers", "approve"))
	// The scaffold's Role for leader election lets it write events, too.
	w.s.Roles = append(w.s.Roles, rbacv1.Role{ObjectMeta: w.meta("ops", "leader"), Rules: []rbacv1.PolicyRule{
		rule("coordination.k8s.io", "leases", "create,update"), rule("", "events", "create,patch")}})
	bind := rbacv1.RoleBinding{ObjectMeta: w.meta("ops", "leader"), RoleRef: rbacv1.RoleRef{Kind: "Role", Name: "leader"},
		Subjects: []rbacv1.Subject{{Kind: "ServiceAccount", Namespace: "ops", Name: "widget-operator"}}}
	w.s.RoleBindings = append(w.s.RoleBindings, bind)
	op := w.observe()
	f := op.RBAC
	equal(t, "writes", f.Writes, "deployments.apps", "events", "gadgets.example.io", "leases.coordination.k8s.io", "widgets.example.io")
	equal(t, "makes", f.Makes, "deployments.apps", "gadgets.example.io", "widgets.example.io")
	is(t, "workloads, budgets", [2]bool{f.WritesWorkloads, f.WritesPDBs}, [2]bool{true, false})
	is(t, "events only for the election", f.EventsOutsideElection, false)
	equal(t, "missing", op.OwnRights.Missing, "gadgets.example.io")
	equal(t, "missing from", op.OwnRights.From, "ClusterRole/role")
	equal(t, "stars", f.Wildcards, "ClusterRole/role: * on poddisruptionbudgets of policy")
	equal(t, "escalates", f.Escalates, "bind roles by ClusterRole/role")
	equal(t, "secrets", f.SecretsClusterWide, "ClusterRole/role: get,list on secrets of core")
	is(t, "elects", op.Leader.Declared, true)
	c := op.CRDs[0].Controller
	is(t, "rights", [4]bool{c.Watch, c.Write, c.Status, c.Finalizers}, [4]bool{true, true, true, false})
	equal(t, "from", c.From, "ClusterRole/role")

	w.grant("recorder", rule("", "events", "create"))
	is(t, "events by a ClusterRole", w.observe().RBAC.EventsOutsideElection, true)
	w.access("rbac.authorization.k8s.io", "roles", inventory.Forbidden)
	op = w.observe()
	is(t, "unseen", op.Unseen["rbac"] != "" && op.CRDs[0].Unseen["rights"] != "" && op.RBAC.Writes == nil, true)
	is(t, "lower bound", op.Seen.EventsOutsideElection, true)
}

func TestWebhooks(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	w.service("ops", "webhook", operatorLabels, nil)
	hook := func(name, service string, groups, resources string, change func(*admissionv1.ValidatingWebhook)) {
		slow := int32(30)
		h := admissionv1.ValidatingWebhook{Name: name, TimeoutSeconds: &slow,
			ClientConfig: admissionv1.WebhookClientConfig{CABundle: []byte("set"), Service: &admissionv1.ServiceReference{Namespace: "ops", Name: service}},
			Rules:        []admissionv1.RuleWithOperations{{Rule: admissionv1.Rule{APIGroups: []string{groups}, Resources: []string{resources}}}}}
		if change != nil {
			change(&h)
		}
		w.s.ValidatingWebhookConfigs = append(w.s.ValidatingWebhookConfigs,
			admissionv1.ValidatingWebhookConfiguration{ObjectMeta: w.meta("", name), Webhooks: []admissionv1.ValidatingWebhook{h}})
	}
	hook("own", "webhook", "example.io", "widgets", nil)
	hook("pods", "webhook", "", "pods", func(h *admissionv1.ValidatingWebhook) { h.ClientConfig.CABundle = nil })
	hook("spared", "webhook", "", "pods", func(h *admissionv1.ValidatingWebhook) {
		h.NamespaceSelector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{
			{Key: "kubernetes.io/metadata.name", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"kube-system"}}}}
	})
	hook("gone", "nothing", "example.io", "widgets", nil)
	hook("foreign", "nothing", "other.io", "things", nil)
	f := w.observe().Webhooks
	is(t, "count", f.Count, 4)
	is(t, "own, foreign", [2]bool{f.OnOwnGroups, f.OnForeignGroups}, [2]bool{true, true})
	contains(t, "missing", f.Broken, "ValidatingWebhookConfiguration/gone/gone: Service ops/nothing does not exist")
	contains(t, "no endpoints", f.Broken, "ValidatingWebhookConfiguration/own/own: Service ops/webhook has no ready endpoints")
	equal(t, "no CA", f.NoCABundle, "ValidatingWebhookConfiguration/pods/pods")
	equal(t, "everywhere", f.FailClosedEverywhere, "ValidatingWebhookConfiguration/pods/pods")
	is(t, "slow", len(f.SlowTimeouts), 4)
	w.endpoints("ops", "webhook")
	is(t, "answered", len(w.observe().Webhooks.Broken), 1)
	w.access("discovery.k8s.io", "endpointslices", inventory.Forbidden)
	is(t, "unseen", w.observe().Unseen["webhooks"] != "", true)
}

// TestVersionsThatSayOtherThings: the description is kept of one version only.
func TestVersionsThatSayOtherThings(t *testing.T) {
	w := newWorld()
	w.crd(widget, func(c *inventory.CRD) {
		old := c.Versions[0]
		old.Name, old.Storage = "v1beta1", false
		c.Versions[0].Schema.Description = "A widget."
		c.Versions = append(c.Versions, old)
	})
	w.cr(widget, "a", ready, writtenBy("widget-op/status"))
	is(t, "differ", w.observe().CRDs[0].Versions.DifferentSchemas, false)
}

func TestVersions(t *testing.T) {
	w := newWorld()
	w.crd(widget, func(c *inventory.CRD) {
		c.Versions = append(c.Versions, inventory.CRDVersion{Name: "v1beta1", Served: true, Schema: inventory.SchemaFacts{Present: true, SpecLeaves: 4}},
			inventory.CRDVersion{Name: "v1alpha1", Served: false})
		c.StoredVersions = []string{"v1alpha1", "v1"}
		c.Conversion = &inventory.Conversion{Strategy: "Webhook", CABundle: true, Service: &inventory.ServiceRef{Namespace: "ops", Name: "convert"}}
		c.ManagedFields = by("widget-op", "helm")
		early := ago(time.Hour)
		c.ManagedFields[0].Time = &early
	})
	w.cr(widget, "a", ready, writtenBy("widget-op/status"))
	op := w.observe()
	f := op.CRDs[0].Versions
	equal(t, "served", f.Served, "v1", "v1beta1")
	equal(t, "stored, not served", f.StoredNotServed, "v1alpha1")
	equal(t, "unflagged", f.UnflaggedOld, "v1beta1")
	is(t, "differ", f.DifferentSchemas, true)
	is(t, "conversion", f.ConversionBroken, "Service ops/convert does not exist")
	contains(t, "and as a webhook", op.Webhooks.Broken, "CustomResourceDefinition/widgets.example.io: conversion Service ops/convert does not exist")
	is(t, "creator", f.CreatedBy, "widget-op")
	is(t, "by the operator", f.CreatedByOperator, true)
}

// TestLeader: field-cases E2.
func TestLeader(t *testing.T) {
	lease := func(w *world, namespace, name, holder string, age time.Duration) {
		renewed, seconds := metav1.NewMicroTime(now.Add(-age)), int32(15)
		l := coordinationv1.Lease{ObjectMeta: w.meta(namespace, name)}
		l.Spec.HolderIdentity, l.Spec.RenewTime, l.Spec.LeaseDurationSeconds = &holder, &renewed, &seconds
		w.s.Leases = append(w.s.Leases, l)
	}
	w := newWorld()
	w.crd(widget)
	w.container().Args = []string{"--leader-elect"}
	is(t, "declared alone", w.observe().Leader, Leader{Declared: true})
	lease(w, "ops", "1a2b3c.example.io", "widget-operator-x_uuid", 9*24*time.Hour)
	is(t, "old", w.observe().Leader, Leader{Declared: true, Lease: "ops/1a2b3c.example.io"})
	w.s.Leases = nil
	lease(w, "ops", "1a2b3c.example.io", "elsewhere_uuid", 5*time.Second)
	is(t, "fresh, held by no pod", w.observe().Leader, Leader{Declared: true, Lease: "ops/1a2b3c.example.io", Fresh: true})
	w.s.Leases = nil
	w.metadata("ConfigMap", "kube-system", "widget-operator-leader", func(o *inventory.Object) {
		o.Annotations = map[string]string{legacyAnnotation: `{"holderIdentity":"x","leaseDurationSeconds":15,"renewTime":"2026-11-30T11:59:55Z"}`}
	})
	is(t, "legacy", w.observe().Leader, Leader{Declared: true, Lease: "kube-system/widget-operator-leader", Fresh: true, Legacy: true})
}

func TestPackaging(t *testing.T) {
	w := newWorld()
	w.crd(widget, func(c *inventory.CRD) {
		c.Annotations = map[string]string{"meta.helm.sh/release-name": "x", "helm.sh/resource-policy": "keep"}
	})
	w.op.Release = &attribution.Release{Tool: "helm", Name: "x"}
	w.catalogue(catalogue.Operator{Claimed: &catalogue.Claim{Level: 2, Source: "CSV x"}})
	f := w.observe().Packaging
	is(t, "helm", [3]string{f.Tool, f.Package, f.ClaimedSource}, [3]string{"helm", "x", "catalogue: CSV x"})
	is(t, "kept", [2]int{f.CRDsInRelease, f.CRDsKept}, [2]int{1, 1})

	for _, kind := range []string{"ClusterServiceVersion", "Subscription", "OperatorCondition"} {
		w.define(kind + ".operators.coreos.com")
	}
	csv := func(name string, change func(*inventory.Object)) {
		w.cr("ClusterServiceVersion.operators.coreos.com", name, func(o *inventory.Object) {
			o.Annotations = map[string]string{"capabilities": "Auto Pilot"}
			o.Spec = inventory.Pack(map[string]any{"replaces": "old", "relatedImages": []any{map[string]any{"image": "example.io/widget-operator:v1.2.3"}},
				"customresourcedefinitions": map[string]any{"owned": []any{map[string]any{"name": "widgets.example.io"}}}})
			o.Status = inventory.Pack(map[string]any{"phase": "Succeeded"})
		}, change)
	}
	csv("widget.v1", func(*inventory.Object) {})
	csv("widget.v9", func(o *inventory.Object) { o.Labels = map[string]string{"olm.copiedFrom": "ops"} })
	w.cr("Subscription.operators.coreos.com", "widget", status(map[string]any{"installedCSV": "widget.v1"}))
	w.cr("OperatorCondition.operators.coreos.com", "widget.v1", conditions("Upgradeable", "False"))
	op := w.observe()
	f = op.Packaging
	is(t, "olm", op.OLM, true)
	is(t, "csv", [4]string{f.CSV, f.CSVPhase, f.Subscription, f.Upgradeable}, [4]string{"widget.v1", "Succeeded", "shop/widget", "False"})
	is(t, "claim", f.ClaimedLevel, 5)
	is(t, "images", f.ImagesCovered && f.Replaces && f.RelatedImages == 1, true)
	w.access("operators.coreos.com", "subscriptions", inventory.Forbidden)
	is(t, "unseen", w.observe().Unseen["packaging"] != "", true)
}

func TestPodHygiene(t *testing.T) {
	w := newWorld()
	w.crd(widget)
	f := w.observe().Pod
	const name = "Deployment/ops/widget-operator/manager"
	equal(t, "probes", f.WithoutProbes, name)
	equal(t, "requests", f.WithoutRequests, name)
	equal(t, "root", f.MayRunAsRoot, name)
	equal(t, "images", f.UnpinnedImages)
	yes := true
	w.container().SecurityContext = nil
	w.s.Deployments[0].Spec.Template.Spec.SecurityContext = podSecurity(&yes)
	w.container().Image = "localhost:5000/widget"
	f = w.observe().Pod
	equal(t, "root", f.MayRunAsRoot)
	contains(t, "images", f.UnpinnedImages, "localhost:5000/widget")
	for image, want := range map[string]bool{"a:latest": true, "a": true, "a:1": false, "r:5000/a:1": false, "a@sha256:0": false} {
		is(t, image, unpinned(image), want)
	}
}
