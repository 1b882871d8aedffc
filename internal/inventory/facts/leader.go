package facts

import (
	"encoding/json"
	"regexp"
	"strings"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
)

var electFlag = regexp.MustCompile(`(?i)^(enable-?)?leader-?elect(ion)?$|^leader-?election-?(id|namespace|resource.*|lease.*)$|^leaderElect(ion)?$`)

// leader looks for leader election: flags, rights to leases, and the lock. That
// a lock exists proves nothing; that it was renewed by the snapshot's clock
// does. A fresh lock that no pod of the operator holds is neutral (E2).
func (op *operator) leader() {
	f := &op.facts.Leader
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		if w.Pod != nil {
			for j := range w.Pod.Containers {
				f.Declared = f.Declared || elects(&w.Pod.Containers[j])
			}
		}
		if l := op.at.Controllers[i].Lease; l != nil && (f.Lease == "" || l.Fresh && !f.Fresh || l.HeldByPod && !f.HeldByPod) {
			f.Lease, f.Fresh, f.HeldByPod = strings.TrimPrefix(l.Object, "Lease/"), l.Fresh, l.HeldByPod
		}
	}
	grants := op.grants(nil)
	for i := range grants {
		g := grant{&grants[i]}
		f.Declared = f.Declared || g.grants("coordination.k8s.io", "leases", "create", "update")
	}
	if f.Lease == "" {
		op.leaseByDomain()
	}
	v := op.ofWorkloads().on(leases)
	if f.Lease == "" && len(op.at.Controllers) > 0 {
		op.legacyLock()
		if !f.Legacy {
			v.on(configmaps)
		}
	}
	if f.Lease == "" && !f.Legacy && !f.Declared {
		v.on(rbac...) // a right to Leases would declare it
	}
	unseen(op.facts.Unseen, "leader", v)
}

func elects(c *corev1.Container) bool {
	found := false
	eachFlag(c, func(name, value string) {
		if electFlag.MatchString(name) && value != "false" {
			found = true
		}
	})
	for i := range c.Env {
		if name := strings.ToUpper(c.Env[i].Name); strings.Contains(name, "LEADER_ELECT") {
			found = true
		}
	}
	return found
}

// leaseByDomain finds a Lease in a controller's namespace that is named after
// the domain of the operator's API groups, as Kubebuilder does: 1a2b3c.cnpg.io.
func (op *operator) leaseByDomain() {
	f := &op.facts.Leader
	for i := range op.o.s.Leases {
		l := &op.o.s.Leases[i]
		if !op.inNamespace(l.Namespace) || l.Spec.HolderIdentity == nil || *l.Spec.HolderIdentity == "" || !op.ofDomain(l.Name) {
			continue
		}
		if fresh := op.o.fresh(l); f.Lease == "" || fresh && !f.Fresh {
			f.Lease, f.Fresh, f.HeldByPod = nameOf(l), fresh, op.holds(*l.Spec.HolderIdentity)
		}
	}
}

func (op *operator) inNamespace(namespace string) bool {
	for i := range op.at.Controllers {
		if op.at.Controllers[i].Workload.Namespace == namespace {
			return true
		}
	}
	return false
}

func (op *operator) ofDomain(name string) bool {
	for _, k := range op.kinds {
		if _, domain, ok := strings.Cut(name, "."); ok && (related(domain, k.crd.Group) || strings.HasSuffix(name, "."+k.crd.Group)) {
			return true
		}
	}
	return false
}

// holds tells whether a lock's holder is a pod of the operator.
func (op *operator) holds(holder string) bool {
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		if w.Meta == nil || w.Meta.UID == "" {
			continue
		}
		for _, p := range op.o.podsOf[w.Meta.UID] {
			if strings.HasPrefix(holder, p.Name) {
				return true
			}
		}
	}
	return false
}

// fresh tells whether a Lease was renewed within twice its duration.
func (o *observer) fresh(l *coordinationv1.Lease) bool {
	duration := 15 * time.Second
	if d := l.Spec.LeaseDurationSeconds; d != nil {
		duration = time.Duration(*d) * time.Second
	}
	return l.Spec.RenewTime != nil && !l.Spec.RenewTime.Add(2*duration).Before(o.now)
}

const legacyAnnotation = "control-plane.alpha.kubernetes.io/leader"

// legacyLock finds a lock in the annotation of a ConfigMap, which is how
// leaders were elected before there were Leases.
func (op *operator) legacyLock() {
	f := &op.facts.Leader
	for _, c := range op.o.locks {
		if !op.inNamespace(c.Namespace) && c.Namespace != "kube-system" {
			continue
		}
		var lock struct {
			Holder   string    `json:"holderIdentity"`
			Duration int       `json:"leaseDurationSeconds"`
			Renewed  time.Time `json:"renewTime"`
		}
		if json.Unmarshal([]byte(c.Annotations[legacyAnnotation]), &lock) != nil {
			continue
		}
		held := op.holds(lock.Holder)
		if !held && !op.lockNamed(c.Name) {
			continue
		}
		f.Legacy, f.HeldByPod, f.Lease = true, held, nameOf(c)
		f.Fresh = !lock.Renewed.Add(2 * time.Duration(lock.Duration) * time.Second).Before(op.o.now)
		if held {
			return
		}
	}
}

// lockNamed tells whether a lock bears the name of a controller.
func (op *operator) lockNamed(name string) bool {
	for i := range op.at.Controllers {
		if w := op.at.Controllers[i].Workload.Name; len(w) > 3 && (strings.HasPrefix(name, w) || strings.HasPrefix(w, name)) {
			return true
		}
	}
	return op.ofDomain(name)
}
