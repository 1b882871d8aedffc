package facts

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var (
	healingReason  = regexp.MustCompile(`Restart|Recreat|Fail(ing|ed)?[Oo]ver|Healed|Healing|SelfHeal|AutoHeal|Repair|Rebuil|Remediat`)
	failoverReason = regexp.MustCompile(`(?i)fail(ing|ed)?over|switchover|promot`)
)

// events counts what the operator reported on instances of the kind: neither
// Kubernetes' own controllers, nor another operator that answers to the
// reporter's name. Events on Leases, which leader election leaves, are on
// another kind. An instance may be gone since.
func (k *kind) events() {
	f := &k.facts.Events
	list := slices.Clone(k.op.o.events[schema.GroupKind{Group: k.crd.Group, Kind: k.crd.Names.Kind}])
	slices.SortStableFunc(list, func(a, b *corev1.Event) int { return strings.Compare(nameOf(a), nameOf(b)) })
	for _, e := range list {
		reporter := reporterOf(e)
		if builtinReporters[reporter] || reporter == "" || e.Reason == "LeaderElection" || k.op.foreign(reporter) {
			continue
		}
		on := k.crd.Names.Kind + "/" + strings.TrimPrefix(e.InvolvedObject.Namespace+"/"+e.InvolvedObject.Name, "/")
		f.Count++
		k.see("events", &k.facts.Seen.Events, e.Reason+" by "+reporter+" on "+on)
		f.Reporters = append(f.Reporters, reporter)
		f.Reasons = append(f.Reasons, e.Reason)
		if e.Type == corev1.EventTypeWarning {
			f.Warnings++
		} else {
			f.Normals++
		}
		if healingReason.MatchString(e.Reason) {
			f.Healing = append(f.Healing, e.Reason+" on "+on)
		}
		if failoverReason.MatchString(e.Reason) {
			f.Failover = append(f.Failover, e.Reason+" on "+on)
		}
	}
	f.Reporters, f.Reasons, f.Healing, f.Failover = sorted(f.Reporters), sorted(f.Reasons), prose(f.Healing), prose(f.Failover)
	unseen(k.facts.Unseen, "events", k.op.o.on(events))
}

func reporterOf(e *corev1.Event) string { return cmpOr(e.ReportingController, e.Source.Component) }

// builtinReporters are parts of Kubernetes that report on any object.
var builtinReporters = words(`kubelet default-scheduler kube-scheduler controllermanager kube-controller-manager kube-apiserver apiserver
	deployment-controller replicaset-controller statefulset-controller daemonset-controller job-controller cronjob-controller
	persistentvolume-controller node-controller horizontal-pod-autoscaler garbage-collector-controller namespace-controller
	endpoint-controller endpoint-slice-controller service-controller attachdetach-controller taint-eviction-controller
	resourcequota-controller disruption-controller podautoscaler cluster-autoscaler vpa-updater kubectl`)

// foreign tells whether a reporter is surely another operator's: one answers
// to that name and this one does not.
func (op *operator) foreign(reporter string) bool {
	if op.answersTo(reporter) || op.own[reporter] {
		return false
	}
	for _, other := range op.o.operators {
		if other != op && (other.own[reporter] || other.answersTo(reporter)) {
			return true
		}
	}
	return false
}
