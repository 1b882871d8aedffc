package report

import "kubectl-operator-maturity/internal/levels"

// certManager has level 1 proven and level 2 indicated; its package claims 3.
func certManager() levels.Operator {
	const controller = "Deployment/cert-manager/cert-manager"
	certificates, orders := "certificates.cert-manager.io", "orders.acme.cert-manager.io"
	return levels.Operator{
		Name: "cert-manager", Title: "cert-manager", Archetype: "api-objects", ArchetypeWhy: "the catalogue says so; its children are Secrets and CertificateRequests",
		Version: "v1.21.1", Namespace: "cert-manager", State: "running",
		Identity: levels.Identity{Confidence: "high", Signals: []levels.Signal{
			{Signal: "release", Object: "Deployment/cert-manager/cert-manager", Detail: "Helm release cert-manager/cert-manager, chart cert-manager-v1.21.1"},
			{Signal: "catalogue", CRD: certificates, Detail: "the catalogue lists its name"},
			{Signal: "catalogue", CRD: orders, Detail: "the catalogue lists its name"},
		}},
		Controllers: []levels.Controller{deployment("cert-manager", "cert-manager", "running", "1 of 1 replicas ready; its Lease was renewed 4s ago", 1, 1)},
		Companions:  []levels.Controller{deployment("cert-manager", "cert-manager-webhook", "running", "1 of 1 replicas ready", 1, 1)},
		CRDs: []levels.CRD{
			{
				Name: certificates, Kind: "Certificate", Scope: "Namespaced", Versions: []string{"v1"}, StorageVersion: "v1", StatusSubresource: true,
				Instances: 5, InstancesComplete: true, Ready: 4, NotReady: 1, Conditions: "observed", ConditionTypes: []string{"Issuing", "Ready"},
				Finalizers: []string{}, Controllers: []string{controller}, ControllerState: "running", Confidence: "high",
				OwnerReferences: &levels.OwnerReferences{Children: 7, Valid: 7}, Children: 7,
				LastStatusWrite: "2026-09-14T08:12:40Z", StatusManager: "cert-manager-certificates-readiness",
				Signals: []levels.Signal{
					{Signal: "status-writer", CRD: certificates, Object: controller, Detail: "manager cert-manager-certificates-readiness wrote status of 5 of 5"},
					{Signal: "catalogue", CRD: certificates, Detail: "the catalogue lists its name"},
				},
			},
			{
				Name: orders, Kind: "Order", Scope: "Namespaced", Versions: []string{"v1"}, StorageVersion: "v1", StatusSubresource: true,
				InstancesComplete: true, Conditions: "none", Finalizers: []string{}, Controllers: []string{controller},
				ControllerState: "running", Confidence: "high", OwnerReferences: &levels.OwnerReferences{},
			},
		},
		Metrics: []levels.Metrics{
			{Workload: controller, Port: "http-metrics", Service: "cert-manager/cert-manager", Monitor: "ServiceMonitor/cert-manager/cert-manager"},
			{Workload: "Deployment/cert-manager/cert-manager-webhook", Port: "http-metrics", Broken: "no Service selects its pods on this port"},
		},
		Manages: []levels.Managed{
			{Kind: "CertificateRequest", Group: "cert-manager.io", Observed: 7, Granted: true},
			{Kind: "Ingress", Group: "networking.k8s.io", Granted: true}, {Kind: "Secret", Granted: true},
		},
		Level: 1, LevelIndicated: 2, LevelPossible: 3, SDKLevel: 1,
		LevelClaimed: &levels.Claim{Level: 3, Name: "Full Lifecycle", Source: "catalogue: community-operators, 2026-08"},
		Levels: []levels.Level{
			level(1, levels.LevelProven, 4, 4, 0, 6, 7),
			level(2, levels.LevelIndicated, 1, 2, 0, 2, 4, "cr-survived-operator-upgrade"),
			level(3, levels.LevelUnknown, 1, 2, 1, 0, 1, "renewal-observed"),
			level(4, levels.LevelPartial, 1, 3, 1, 2, 6, "cr-metrics", "emits-custom-events"),
			level(5, levels.LevelNotShown, 0, 2, 0, 0, 2, "operand-autoscaler-created", "autoscale-on-operand-metric"),
		},
		Checks: []levels.Check{
			check(1, "crd-has-running-controller", "A running controller reconciles the kind", levels.Proven, levels.Observed,
				controller+": running; cert-manager-certificates-readiness wrote status at 2026-09-14T08:12:40Z",
				essential, on(certificates), evidence(controller), differs(orders, levels.Indicated, "its rights name orders; there is no instance")),
			check(1, "status-reports-readiness", "The status tells whether it is ready", levels.Proven, levels.Observed,
				"5 of 5 Certificate objects have a Ready condition", essential, on(certificates), evidence("Certificate/shop/www", "Certificate/shop/api")),
			check(1, "operand-image-overridable", "The operand's image can be set", levels.NotApplicable, "", "It manages no workload."),
			check(2, "stored-versions-migrated", "No stale storage version is left", levels.Proven, levels.Present,
				"storedVersions is [v1] for both definitions", essential, evidence("customresourcedefinitions/"+certificates)),
			check(2, "cr-survived-operator-upgrade", "Custom resources stayed ready over an operator upgrade", levels.NotObserved, "",
				"the Deployment has one ReplicaSet: no upgrade has happened yet", essential, fix("Upgrade the operator once and keep its old ReplicaSet, so that the age of the resources can be compared with it.")),
			check(3, "renewal-observed", "What it made was renewed before it expired", levels.Unknown, "", "", essential,
				unseenBecause(`events: events forbidden: User "auditor@shop.example" cannot list resource "events"`), fix("Let a certificate come to its renewal time.")),
			check(4, "cr-metrics", "Metrics name single custom resources", levels.NotObserved, "", "no scraped family has a label with a resource's name",
				essential, fix("Export a gauge with the resource's name and namespace, such as certmanager_certificate_ready_status.")),
			check(4, "emits-custom-events", "It tells what it does in Events", levels.Unknown, "", "", essential,
				unseenBecause(`events: events forbidden: User "auditor@shop.example" cannot list resource "events"`)),
			check(0, "printer-columns", "kubectl get shows the status", levels.Proven, levels.Present, "both definitions have a Ready column"),
			check(0, "operator-ha", "The operator runs more than one replica", levels.Refuted, levels.Present, "1 replica of cert-manager",
				evidence(controller), fix("Run two replicas with leader election.")),
		},
		Findings: []levels.Finding{
			{ID: "operator-ha", Severity: "info", Detail: "1 replica of cert-manager", Objects: []string{controller}},
			{ID: "cr-not-ready", Severity: "warning", Detail: "Certificate shop/legacy is not ready for 3 days: Issuer “old-ca” does not exist", Objects: []string{"Certificate/shop/legacy"}},
		},
	}
}
