package facts

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// settle is how much later than the first a rollout must be to be another one.
const settle = time.Minute

// rolledOut reads the history of the controllers: the ReplicaSets of their
// Deployments, the ControllerRevisions of StatefulSets and DaemonSets.
func (op *operator) rolledOut() {
	f := &op.facts.Rollout
	v := op.ofWorkloads()
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		var made []time.Time
		images := map[string]bool{}
		switch w.Kind {
		case "Deployment":
			v.on(replicasets)
			for _, rs := range op.o.replicaSet[w.Meta.UID] {
				made = append(made, rs.CreationTimestamp.Time)
				var names []string
				for _, c := range rs.Spec.Containers {
					names = append(names, c.Image)
				}
				images[strings.Join(names, " ")] = true
			}
		case "StatefulSet", "DaemonSet":
			v.on(revisions)
			made = op.o.revisionsOf(w)
		}
		op.rolloutOf(w, made, len(images))
	}
	f.Newest = stamp(op.rollout)
	unseen(op.facts.Unseen, "rollout", v)
}

func (op *operator) rolloutOf(w *inventory.Workload, made []time.Time, images int) {
	f := &op.facts.Rollout
	if len(made) == 0 || w.Meta.UID == "" {
		return
	}
	newest, oldest := slices.MaxFunc(made, time.Time.Compare), slices.MinFunc(made, time.Time.Compare)
	if created := w.Meta.CreationTimestamp.Time; !created.IsZero() && created.Before(oldest) {
		oldest = created // older ReplicaSets may have been cleared away
	}
	f.Revisions, f.Images = max(f.Revisions, len(made)), max(f.Images, images)
	f.AfterInstall = f.AfterInstall || newest.Sub(oldest) > settle
	if newest.After(op.rollout) {
		op.rollout = newest
	}
}

func (o *observer) revisionsOf(w *inventory.Workload) []time.Time {
	var made []time.Time
	for _, owned := range o.owners.Children(w.Meta.UID) {
		if owned.Kind == "ControllerRevision" {
			made = append(made, owned.Object.GetCreationTimestamp().Time)
		}
	}
	return made
}

// upgrade compares the newest rollout of the operator with its operands.
// Nothing survives under a controller that is gone: what its instances say was
// left behind.
func (k *kind) upgrade() {
	f := &k.facts.Upgrade
	f.OperatorRolled = k.op.facts.Rollout.AfterInstall
	runs := k.at.State == attribution.Running || k.at.State == attribution.Degraded
	if f.OperatorRolled && runs {
		k.survivors()
	}
	v := k.op.ofWorkloads()
	if why, unknown := k.op.facts.Unseen["rollout"]; unknown {
		v.why(why)
	}
	if !k.noInstances() {
		v.and(k.ofOperand())
	}
	unseen(k.facts.Unseen, "upgrade", v)
}

func (k *kind) survivors() {
	f, rollout := &k.facts.Upgrade, k.op.rollout
	older := func(m metav1.Object) bool {
		at := m.GetCreationTimestamp()
		return !at.IsZero() && at.Time.Before(rollout)
	}
	for i := range k.instances {
		in := &k.instances[i]
		switch {
		case !older(in.obj):
		case in.reading.Health == Ready:
			f.CRSurvivors = append(f.CRSurvivors, k.ref(i))
		case in.reading.Health == NotReady && brokenSince(&in.reading, rollout):
			f.Broken = append(f.Broken, k.ref(i)+": "+in.reading.Why)
		}
	}
	for i := range k.family.pods {
		p := &k.family.pods[i]
		at := p.Started
		if at == nil {
			at = &p.CreationTimestamp
		}
		root := k.family.workloads[p.workload].instance
		switch {
		case !at.Time.Before(rollout) || p.Ready != corev1.ConditionTrue:
		case k.instances[root].reading.Health == Ready:
			f.Survivors = append(f.Survivors, ref("Pod", p))
		default:
			f.Unjudged = append(f.Unjudged, ref("Pod", p))
		}
	}
	f.Survivors, f.Unjudged, f.CRSurvivors, f.Broken = prose(f.Survivors), prose(f.Unjudged), prose(f.CRSurvivors), prose(f.Broken)
}

// aftermath is how long after a rollout what breaks is put down to it.
const aftermath = 30 * time.Minute

// brokenSince tells whether a condition that says not ready came soon after a
// rollout. What broke later has another cause.
func brokenSince(r *Reading, since time.Time) bool {
	for i := range r.Conditions {
		c := &r.Conditions[i]
		bad := polarityOf(c.Type) == positive && c.Status == "False" || polarityOf(c.Type) == negative && c.Status == "True"
		if bad && c.Changed.After(since) && c.Changed.Sub(since) < aftermath {
			return true
		}
	}
	return false
}
