package report

import (
	"time"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// shop is the scorecard of a small cluster that shows each thing a report has
// to tell apart: a healthy operator, one that is down and left stale evidence,
// an ambiguous one, one that runs outside the cluster, a shared API, a CRD of
// nobody with a stuck deletion, and lists that were refused.
func shop() *levels.Scorecard {
	return &levels.Scorecard{
		APIVersion: "operator-maturity/v1", Kind: "Scorecard",
		Taken: time.Date(2026, 9, 14, 8, 30, 0, 0, time.UTC),
		Source: inventory.Source{
			Type: "cluster", Context: "shop-prod", Server: "https://10.0.0.1:6443", Version: "v1.37.2",
			ClusterUID: "7d0f6c1e-8a52-4c1b-9f1e-2f6c0a3b9e11", Identity: "auditor@shop.example",
		},
		Coverage: levels.Coverage{Resources: []levels.Resource{
			access("", "events", inventory.Forbidden, 0, `events is forbidden: User "auditor@shop.example" cannot list resource "events"`),
			access("", "pods", inventory.Forbidden, 0, `pods is forbidden: User "auditor@shop.example" cannot list resource "pods"`),
			access("acid.zalan.do", "postgresqls", inventory.Partial, 500, "cut at the cap of 500"),
			access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Listed, 11, ""),
			access("apps", "deployments", inventory.Listed, 9, ""),
			access("coordination.k8s.io", "leases", inventory.Failed, 0, "no answer within 30s"),
			access("karpenter.sh", "nodepools", inventory.Absent, 0, ""),
		}},
		Operators: []levels.Operator{argo(), loadBalancer(), certManager(), externalSecrets(), postgres()},
		Unattributed: []levels.CRD{{
			Name: "widgets.myteam.example.com", Kind: "Widget", Scope: "Namespaced", Versions: []string{"v1"}, StorageVersion: "v1",
			Instances: 2, InstancesComplete: true, ReadinessUnknown: 2, Conditions: "none",
			Finalizers: []string{"myteam.example.com/cleanup"}, Deleting: 1,
			Controllers: []string{}, ControllerState: "absent", Orphaned: true,
			ControllerWhy:   "no workload has rights on widgets, and nobody wrote their status",
			OwnerReferences: &levels.OwnerReferences{},
		}},
		SharedAPIs: []levels.SharedAPI{{
			Name: "gateway-api", Implementers: []string{"aws-load-balancer-controller"},
			CRDs: []levels.CRD{
				{
					Name: "gateways.gateway.networking.k8s.io", Kind: "Gateway", Scope: "Namespaced",
					Versions: []string{"v1", "v1beta1"}, StorageVersion: "v1", Deprecated: []string{"v1beta1"}, StatusSubresource: true,
					InstancesComplete: true, Conditions: "schema", ControllerState: "not-needed", OwnerReferences: &levels.OwnerReferences{},
				},
			},
			Signals: []levels.Signal{{Signal: "rbac-status", CRD: "gateways.gateway.networking.k8s.io", Object: "ClusterRole/aws-load-balancer-controller", Detail: "may update gateways/status"}},
		}},
		AggregatedAPIs: []levels.AggregatedAPI{
			{Name: "v1.packages.example.com", Service: "packages/server", Available: true, Operator: "packages", Kinds: []string{"Package", "Repository"}},
			{Name: "v1beta1.metrics.k8s.io", Service: "kube-system/metrics-server", Detail: "MissingEndpoints: endpoints for service/metrics-server in kube-system have no addresses", Kinds: []string{}},
		},
		Findings: []levels.Finding{{
			ID: "crd-without-controller", Severity: "warning",
			Detail:  "2 Widget objects wait for a controller, and none was found: no workload has rights on widgets, and nobody wrote their status",
			Objects: []string{"customresourcedefinitions/widgets.myteam.example.com"},
		}},
	}
}

func access(group, resource string, state inventory.AccessState, count int, detail string) levels.Resource {
	return levels.Resource{Group: group, Version: "v1", Resource: resource, Access: state, Count: count, Detail: detail}
}

// check is a criterion judged; more sets the rest.
func check(level int, id, title string, verdict levels.Verdict, grade levels.Grade, because string, more ...func(*levels.Check)) levels.Check {
	c := levels.Check{
		ID: id, Title: title, Level: level, Verdict: verdict, Grade: grade, Because: because, Source: "builtin", Evidence: []string{},
		Why: "It is part of the definition of the level.", Docs: "https://sdk.operatorframework.io/docs/overview/operator-capabilities/ (the level's features)",
	}
	for _, set := range more {
		set(&c)
	}
	return c
}

func essential(c *levels.Check) { c.Essential = true }
func stale_(c *levels.Check)    { c.Stale = true }

func fix(s string) func(*levels.Check)  { return func(c *levels.Check) { c.Fix = s } }
func on(crd string) func(*levels.Check) { return func(c *levels.Check) { c.CRD = crd } }

func evidence(objects ...string) func(*levels.Check) {
	return func(c *levels.Check) { c.Evidence = objects }
}

func unseenBecause(s string) func(*levels.Check) {
	return func(c *levels.Check) { c.Unseen = append(c.Unseen, s) }
}

func differs(crd string, v levels.Verdict, because string) func(*levels.Check) {
	return func(c *levels.Check) {
		c.PerCRD = append(c.PerCRD, levels.CRDVerdict{CRD: crd, Verdict: v, Because: because})
	}
}

// level is the outcome of one level: met and total of the essential criteria,
// then of the supporting ones.
func level(n int, status levels.Status, met, total, unknown, smet, stotal int, blocking ...string) levels.Level {
	if blocking == nil {
		blocking = []string{}
	}
	return levels.Level{
		Level: n, Name: levels.LevelNames[n], Status: status, Blocking: blocking,
		Essential: levels.Counts{Met: met, Total: total, Unknown: unknown}, Supporting: levels.Counts{Met: smet, Total: stotal},
	}
}

func notApplicable(n int, why string) levels.Level {
	return levels.Level{Level: n, Name: levels.LevelNames[n], Status: levels.LevelNotApplicable, Why: why, Blocking: []string{}}
}

func deployment(namespace, name, state, why string, ready, desired int) levels.Controller {
	return levels.Controller{
		Kind: "Deployment", Namespace: namespace, Name: name, State: state, Why: why, Ready: ready, Desired: desired,
		Signals: []levels.Signal{{Signal: "rbac-status", Object: "ClusterRole/" + name, Detail: "its ServiceAccount may write the status of its kinds"}},
	}
}
