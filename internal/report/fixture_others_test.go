package report

import "kubectl-operator-maturity/internal/levels"

// externalSecrets is scaled to zero: what it once wrote proves nothing now.
func externalSecrets() levels.Operator {
	const controller, crd = "Deployment/eso/external-secrets", "externalsecrets.external-secrets.io"
	return levels.Operator{
		Name: "external-secrets", Title: "External Secrets Operator", Archetype: "api-objects", ArchetypeWhy: "the catalogue says so",
		Version: "v2.0.1", Namespace: "eso", State: "down",
		Identity:    levels.Identity{Confidence: "high", Signals: []levels.Signal{{Signal: "catalogue", CRD: crd, Detail: "the catalogue lists its name"}}},
		Controllers: []levels.Controller{deployment("eso", "external-secrets", "down", "0 of 0 replicas ready: it is scaled to zero", 0, 0)},
		CRDs: []levels.CRD{{
			Name: crd, Kind: "ExternalSecret", Scope: "Namespaced", Versions: []string{"v1", "v1beta1"}, StorageVersion: "v1", Deprecated: []string{"v1beta1"},
			StatusSubresource: true, Instances: 12, InstancesComplete: true, Ready: 12, Conditions: "observed", ConditionTypes: []string{"Ready"},
			Finalizers: []string{"externalsecrets.external-secrets.io/externalsecret-cleanup"}, Deleting: 1,
			Controllers: []string{controller}, ControllerState: "down", ControllerWhy: "its Deployment is scaled to zero", Confidence: "high", Orphaned: true,
			LastStatusWrite: "2026-09-11T19:00:00Z", StatusManager: "external-secrets", OwnerReferences: nil,
		}},
		Metrics:      []levels.Metrics{{Workload: controller, Port: "metrics", Service: "eso/external-secrets-metrics", Broken: "ServiceMonitor/eso/external-secrets: no endpoint of Service eso/external-secrets-metrics is ready"}},
		LevelClaimed: &levels.Claim{Level: 4, Name: "Deep Insights", Source: "csv"},
		Levels: []levels.Level{
			level(1, levels.LevelPartial, 2, 4, 0, 1, 7, "crd-has-running-controller", "status-reports-readiness"),
			level(2, levels.LevelNotShown, 0, 2, 0, 0, 3, "stored-versions-migrated"),
			level(3, levels.LevelNotShown, 0, 2, 0, 0, 1, "renewal-observed"),
			level(4, levels.LevelRefuted, 0, 3, 1, 0, 6, "operator-metrics-endpoint"),
			notApplicable(5, "the kinds stand for no workload"),
		},
		Checks: []levels.Check{
			check(1, "crd-has-running-controller", "A running controller reconciles the kind", levels.NotObserved, "", controller+": down", essential, on(crd),
				evidence(controller), fix("Run the controller with all replicas ready.")),
			check(1, "status-reports-readiness", "The status tells whether it is ready", levels.NotObserved, levels.Observed,
				"12 of 12 ExternalSecret objects have a Ready condition, written before the controller went down", essential, stale_, on(crd), fix("Run the controller again.")),
			check(4, "operator-metrics-endpoint", "The operator serves metrics", levels.Refuted, levels.Present, "the Service has no ready endpoint", essential, evidence("Service/eso/external-secrets-metrics")),
		},
		Findings: []levels.Finding{
			{ID: "finalizer-not-stuck", Severity: "critical", Detail: "ExternalSecret shop/old waits since 2026-09-12T10:00:00Z for a finalizer whose controller is down", Objects: []string{"ExternalSecret/shop/old"}},
		},
	}
}

// argo may be either of two projects: the definitions are the same.
func argo() levels.Operator {
	const crd = "applications.argoproj.io"
	return levels.Operator{
		Name: "argo-cd", Title: "Argo CD", Archetype: "api-objects", Version: "", State: "unknown",
		Identity: levels.Identity{Confidence: "ambiguous", Candidates: []string{"argocd-operator"}, Signals: []levels.Signal{
			{Signal: "catalogue", CRD: crd, Detail: "argo-cd lists its name"}, {Signal: "catalogue", CRD: crd, Detail: "argocd-operator lists its name"},
		}},
		CRDs: []levels.CRD{{
			Name: crd, Kind: "Application", Scope: "Namespaced", Versions: []string{"v1alpha1"}, StorageVersion: "v1alpha1",
			InstancesUnseen: "applications.argoproj.io forbidden", Conditions: "schema", ControllerState: "unknown", ControllerWhy: "pods forbidden",
			Confidence: "ambiguous", Candidates: []string{"argocd-operator"},
		}},
		LevelPossible: 5,
		Levels: []levels.Level{
			level(1, levels.LevelUnknown, 0, 4, 4, 0, 5, "crd-has-running-controller"), level(2, levels.LevelUnknown, 0, 2, 2, 0, 2),
			level(3, levels.LevelUnknown, 0, 2, 2, 0, 1), level(4, levels.LevelUnknown, 0, 3, 3, 0, 6), level(5, levels.LevelUnknown, 0, 2, 2, 0, 2),
		},
		Checks: []levels.Check{
			check(1, "crd-has-running-controller", "A running controller reconciles the kind", levels.Unknown, "", "", essential, on(crd), unseenBecause("instances: applications.argoproj.io forbidden"), unseenBecause("controllers: pods forbidden")),
		},
	}
}

// loadBalancer runs in the provider's control plane, and its operands are no
// workloads: by the official text it would stay at level 1.
func loadBalancer() levels.Operator {
	const crd = "targetgroupbindings.elbv2.k8s.aws"
	return levels.Operator{
		Name: "aws-load-balancer-controller", Title: "AWS Load Balancer Controller", Archetype: "external", ArchetypeWhy: "the catalogue says so; status names ARNs",
		Version: "", State: "external",
		Identity: levels.Identity{Confidence: "medium", Signals: []levels.Signal{{Signal: "catalogue", CRD: crd, Detail: "the catalogue lists its group elbv2.k8s.aws"}}},
		CRDs: []levels.CRD{
			{
				Name: crd, Kind: "TargetGroupBinding", Scope: "Namespaced", Versions: []string{"v1beta1"}, StorageVersion: "v1beta1", StatusSubresource: true,
				Instances: 3, InstancesComplete: true, Ready: 2, ReadinessUnknown: 1, Conditions: "observed", Finalizers: []string{"elbv2.k8s.aws/resources"},
				ControllerState: "external", ControllerWhy: "EKS Auto Mode runs it outside the cluster", Confidence: "medium", OwnerReferences: &levels.OwnerReferences{},
				LastStatusWrite: "2026-09-14T08:29:58Z", StatusManager: "eks-auto-mode",
			},
			{
				Name: "ingressclassparams.elbv2.k8s.aws", Kind: "IngressClassParams", Scope: "Cluster", Versions: []string{"v1beta1"}, StorageVersion: "v1beta1",
				Instances: 1, InstancesComplete: true, ReadinessUnknown: 1, Conditions: "none", DataOnly: true, ControllerState: "not-needed", Confidence: "medium", OwnerReferences: &levels.OwnerReferences{},
			},
		},
		Level: 2, LevelIndicated: 2, LevelPossible: 2, SDKLevel: 1,
		Levels: []levels.Level{
			level(1, levels.LevelProven, 3, 3, 0, 3, 5), level(2, levels.LevelProven, 2, 2, 0, 1, 2), level(3, levels.LevelPartial, 1, 2, 0, 0, 1, "drift-corrected"),
			level(4, levels.LevelNotShown, 0, 2, 0, 0, 3, "cr-metrics"), notApplicable(5, "scaling is the product, not a capability"),
		},
		Checks: []levels.Check{
			check(1, "crd-has-running-controller", "A running controller reconciles the kind", levels.Proven, levels.Observed, "the controller runs outside the cluster; eks-auto-mode wrote status at 2026-09-14T08:29:58Z", essential, on(crd)),
			check(3, "drift-corrected", "Drift of the external resource is corrected", levels.NotObserved, "", "no Event and no condition tells of a correction", essential, fix("Tell in an Event or a condition when the external resource was changed back.")),
			check(4, "operator-metrics-endpoint", "The operator serves metrics", levels.NotObserved, "", "no workload on this cluster", essential),
		},
	}
}

// postgres is a workload operator, half up, with more instances than were read.
func postgres() levels.Operator {
	const controller, crd = "Deployment/postgres/postgres-operator", "postgresqls.acid.zalan.do"
	return levels.Operator{
		Name: "postgres-operator", Title: "Postgres Operator (Zalando)", Archetype: "workload", ArchetypeWhy: "its children are StatefulSets", Version: "v1.15.0", Namespace: "postgres", State: "degraded",
		Identity:    levels.Identity{Confidence: "high", Signals: []levels.Signal{{Signal: "status-writer", CRD: crd, Object: controller, Detail: "manager postgres-operator wrote status"}}},
		Controllers: []levels.Controller{deployment("postgres", "postgres-operator", "degraded", "1 of 2 replicas ready", 1, 2)},
		CRDs: []levels.CRD{{
			Name: crd, Kind: "postgresql", Scope: "Namespaced", Versions: []string{"v1"}, StorageVersion: "v1", StatusSubresource: true,
			Instances: 500, InstancesUnseen: "500 read, the rest was left out", Ready: 480, NotReady: 20, Conditions: "none", Finalizers: []string{}, Controllers: []string{controller}, ControllerState: "degraded",
			Confidence: "high", OwnerReferences: &levels.OwnerReferences{Children: 2000, Valid: 1997, Dangling: 3}, Children: 2000, LastStatusWrite: "2026-09-14T08:00:00Z", StatusManager: "postgres-operator",
		}},
		Metrics: []levels.Metrics{{Workload: controller, Port: "8080"}},
		Level:   2, LevelIndicated: 2, LevelPossible: 2, SDKLevel: 2, LevelClaimed: &levels.Claim{Level: 2, Name: "Seamless Upgrades", Source: "chart annotation artifacthub.io/operatorCapabilities"},
		Levels: []levels.Level{
			level(1, levels.LevelProven, 4, 4, 0, 5, 9), level(2, levels.LevelProven, 3, 3, 0, 1, 6), level(3, levels.LevelPartial, 4, 7, 0, 2, 6, "backup-completed", "operand-pdb"),
			level(4, levels.LevelNotShown, 0, 4, 0, 0, 9, "operand-alerts-shipped"), level(5, levels.LevelNotShown, 0, 1, 0, 0, 3, "heals-unhealthy-operand"),
		},
		Checks: []levels.Check{
			check(3, "backup-completed", "A backup of the operand has succeeded", levels.NotObserved, "", "no Job, CronJob or status tells of a finished backup", essential, fix("Configure a backup and let it run once.")),
			check(3, "operand-pdb", "Operands have a PodDisruptionBudget", levels.Refuted, levels.Observed, "12 replicated StatefulSets have none", essential, evidence("StatefulSet/shop/orders-db"), fix("Set enable_pod_disruption_budget.")),
		},
		Findings: []levels.Finding{{ID: "owner-references-valid", Severity: "warning", Detail: "3 children name an owner that is gone", Objects: []string{"Service/shop/a", "Service/shop/b", "Service/shop/c"}}},
	}
}
