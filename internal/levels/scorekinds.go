package levels

import (
	"cmp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/facts"
)

type groupKind struct{ group, kind string }

// kindNames are the kinds behind resources such as deployments.apps.
type kindNames map[string]groupKind

// unscanned are kinds that a scan does not read but that operators write; of
// the custom ones the CRD may not be there, in manifests for instance.
var unscanned = map[string]string{
	"secrets":                                        "Secret",
	"endpoints":                                      "Endpoints",
	"persistentvolumes":                              "PersistentVolume",
	"resourcequotas":                                 "ResourceQuota",
	"limitranges":                                    "LimitRange",
	"podtemplates":                                   "PodTemplate",
	"ingressclasses.networking.k8s.io":               "IngressClass",
	"storageclasses.storage.k8s.io":                  "StorageClass",
	"volumeattachments.storage.k8s.io":               "VolumeAttachment",
	"csidrivers.storage.k8s.io":                      "CSIDriver",
	"priorityclasses.scheduling.k8s.io":              "PriorityClass",
	"runtimeclasses.node.k8s.io":                     "RuntimeClass",
	"certificatesigningrequests.certificates.k8s.io": "CertificateSigningRequest",
	"customresourcedefinitions.apiextensions.k8s.io": "CustomResourceDefinition",
	"servicemonitors.monitoring.coreos.com":          "ServiceMonitor",
	"podmonitors.monitoring.coreos.com":              "PodMonitor",
	"prometheusrules.monitoring.coreos.com":          "PrometheusRule",
	"scaledobjects.keda.sh":                          "ScaledObject",
	"verticalpodautoscalers.autoscaling.k8s.io":      "VerticalPodAutoscaler",
	"volumesnapshots.snapshot.storage.k8s.io":        "VolumeSnapshot",
	"routes.route.openshift.io":                      "Route",
}

// bookkeeping are resources that a controller writes for its own running, not
// for what it looks after.
var bookkeeping = map[string]bool{
	"events": true, "events.events.k8s.io": true, "leases.coordination.k8s.io": true,
	"tokenreviews.authentication.k8s.io": true, "subjectaccessreviews.authorization.k8s.io": true,
	"localsubjectaccessreviews.authorization.k8s.io": true, "selfsubjectaccessreviews.authorization.k8s.io": true,
	"selfsubjectrulesreviews.authorization.k8s.io": true,
}

func kindsOf(s *inventory.Snapshot) kindNames {
	kinds := kindNames{}
	for resource, kind := range unscanned {
		_, group, _ := strings.Cut(resource, ".")
		kinds[resource] = groupKind{group, kind}
	}
	for _, k := range inventory.Kinds() {
		kinds[qualified(k.Resource, k.Group)] = groupKind{k.Group, k.Kind}
	}
	for i := range s.CRDs {
		kinds[qualified(s.CRDs[i].Names.Plural, s.CRDs[i].Group)] = groupKind{s.CRDs[i].Group, s.CRDs[i].Names.Kind}
	}
	return kinds
}

// qualified is the name that kubectl uses: deployments.apps, pods.
func qualified(resource, group string) string {
	if group == "" {
		return resource
	}
	return resource + "." + group
}

// kind is the kind behind a resource; of one that nobody knows here, the
// resource itself.
func (k kindNames) kind(resource string) groupKind {
	if known, ok := k[resource]; ok {
		return known
	}
	name, group, _ := strings.Cut(resource, ".")
	return groupKind{group, name}
}

// manages lists what an operator makes and looks after: kinds seen as children
// of its resources, and kinds that its rights let it write. Its own kinds are
// among them only as children: every controller may write those.
func (sc *scoring) manages(op *facts.Operator) []Managed {
	rows := map[groupKind]*Managed{}
	row := func(k groupKind) *Managed {
		if rows[k] == nil {
			rows[k] = &Managed{Kind: k.kind, Group: k.group}
		}
		return rows[k]
	}
	own := map[groupKind]bool{}
	for i := range op.CRDs {
		crd := &op.CRDs[i]
		own[groupKind{crd.Group, crd.Kind}] = true
		for _, child := range crd.Children.Kinds {
			row(groupKind{child.Group, child.Kind}).Observed += child.Count
		}
	}
	for _, resource := range op.RBAC.Writes {
		k := sc.kinds.kind(resource)
		if bookkeeping[resource] || strings.ContainsAny(resource, "/*") || own[k] && rows[k] == nil {
			continue
		}
		row(k).Granted = true
	}
	list := make([]Managed, 0, len(rows))
	for _, m := range rows {
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b Managed) int { return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Kind, b.Kind)) })
	return list
}
