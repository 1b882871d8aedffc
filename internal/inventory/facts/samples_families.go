package facts

import (
	"regexp"
	"slices"
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// framework are families that come with a language, a library or a framework,
// and say nothing about what an operator does.
var framework = regexp.MustCompile(`^(go|process|promhttp|controller_runtime|workqueue|rest_client|client_go|leader_election|certwatcher|apiserver|authentication|authorization|` +
	`kubernetes_feature|kubernetes_build|otel|net_conntrack|grpc|python|jvm|system|disk|executor|http_server|http_client|logback|vertx|base|vendor|` +
	`reconciliations|operator_sdk|ansible_operator|helm_operator|cardinality_enforcement|disabled_metrics|hidden_metrics|registered_metrics)_|` +
	`(^|_)build_info$|^target_info$|^custom_resources$`)

func ofFramework(name string) bool { return framework.MatchString(name) }

// pairs are labels that name an object together.
var pairs = [][2]string{{"name", "namespace"}, {"resource_name", "resource_namespace"}, {"cr_name", "cr_namespace"}, {"name", "exported_namespace"}}

// machinery are families whose labels name queues, leases and the like, not
// objects.
var machinery = regexp.MustCompile(`(^|_)(workqueue|leader_election|rest_client|clientset|client_go|feature_gate)_|_feature_gate$|^(go|process|controller_runtime|apiserver)_`)

// builtinNoun are words of families about objects of Kubernetes' own.
var builtinNoun = regexp.MustCompile(`(^|_)(pods?|nodes?|containers?|secrets?|configmaps?|deployments?|statefulsets?|daemonsets?|replicasets?|jobs?|services?|ingress(es)?)(_|$)`)

// namesResources tells whether the labels of a family name single custom
// resources of the operator: name and namespace; the kind as a label; or a
// name in a family that is called for the kind.
func (op *operator) namesResources(f *inventory.MetricFamily) bool {
	has := func(label string) bool { return slices.Contains(f.Labels, label) }
	if machinery.MatchString(f.Name) || (has("verb") || has("method")) && (has("code") || has("status_code")) {
		return false
	}
	if !builtinNoun.MatchString(f.Name) && slices.ContainsFunc(pairs, func(p [2]string) bool { return has(p[0]) && has(p[1]) }) {
		return true
	}
	name := joined(op.withoutPrefix(f.Name))
	for _, k := range op.kinds {
		kind := strings.ToLower(k.crd.Names.Kind)
		if has("name") && (has("kind") || strings.Contains(name, kind)) {
			return true
		}
		if slices.ContainsFunc(f.Labels, func(l string) bool { return joined(l) == kind || joined(l) == kind+"name" }) {
			return true
		}
	}
	return false
}

// withoutPrefix cuts the operator's own name off, which may be that of a kind:
// prometheus_operator_… is not about Prometheus objects.
func (op *operator) withoutPrefix(family string) string {
	name := strings.ReplaceAll(strings.ToLower(op.at.Name), "-", "_")
	for _, prefix := range []string{name, joined(name)} {
		if rest, ok := strings.CutPrefix(family, prefix+"_"); ok && prefix != "" {
			return rest
		}
	}
	return family
}

func joined(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }
