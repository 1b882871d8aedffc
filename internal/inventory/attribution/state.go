package attribution

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// controllerOf works out whether a workload runs.
func (a *attributor) controllerOf(i int, signals []Signal) Controller {
	w := &a.works[i]
	c := Controller{Workload: w.Workload, Signals: signals}
	c.Lease = a.leaseOf(w)
	switch {
	case !w.Live:
		c.State, c.Why = Declared, w.Ref()+" is declared in a manifest; whether it runs cannot be seen"
	case w.Ready == 0 && leadsElsewhere(w, c.Lease):
		c.State, c.Why = Unknown, fmt.Sprintf("%s has no pod ready, but its leader Lease is kept fresh", w.Ref())
	case w.Desired == 0:
		c.State, c.Why = Down, w.Ref()+" is scaled to 0"
	case w.Ready == 0 && a.s.Taken.Sub(w.Meta.CreationTimestamp.Time) < startGrace && !a.failing(w):
		c.State, c.Why = Unknown, fmt.Sprintf("%s was made at %s and has 0 of %d pods ready: too early to tell", w.Ref(), w.Meta.CreationTimestamp.UTC().Format(time.RFC3339), w.Desired)
	case w.Ready == 0:
		c.State, c.Why = Down, fmt.Sprintf("%s has 0 of %d pods ready%s", w.Ref(), w.Desired, a.waiting(w))
	case w.Ready < w.Desired:
		c.State, c.Why = Degraded, fmt.Sprintf("%s has %d of %d pods ready%s", w.Ref(), w.Ready, w.Desired, a.waiting(w))
	default:
		c.State, c.Why = Running, fmt.Sprintf("%s has %d of %d pods ready", w.Ref(), w.Ready, w.Desired)
	}
	if c.Lease != nil && c.Lease.Fresh && !c.Lease.HeldByPod {
		c.Why += fmt.Sprintf("; %s is fresh and held by %s, which is none of its pods (the leader may run elsewhere)", c.Lease.Object, c.Lease.Holder)
	}
	return c
}

// startGrace is how long a new workload may take to get its first pod ready.
const startGrace = 10 * time.Minute

// leadsElsewhere tells that somebody who is no former pod of the workload keeps
// its leader Lease fresh: the controller runs, though not from here (a
// developer's machine, another cluster). A pod that has just died leaves a
// fresh Lease too, but under its own name.
func leadsElsewhere(w *work, l *LeaseInfo) bool {
	return l != nil && l.Fresh && !l.HeldByPod && !strings.HasPrefix(l.Holder, w.Name+"-")
}

// waiting says why containers of a workload do not start.
func (a *attributor) waiting(w *work) string {
	if reasons := a.waitingReasons(w); len(reasons) > 0 {
		return " (" + strings.Join(reasons, ", ") + ")"
	}
	return ""
}

// failing tells that a container of a workload waits for more than its turn.
func (a *attributor) failing(w *work) bool {
	return slices.ContainsFunc(a.waitingReasons(w), func(reason string) bool {
		return reason != "ContainerCreating" && reason != "PodInitializing"
	})
}

func (a *attributor) waitingReasons(w *work) []string {
	var reasons []string
	for i := range a.s.Pods {
		p := &a.s.Pods[i]
		if p.Namespace != w.Namespace || !selects(w.Labels, p.Labels) {
			continue
		}
		for _, c := range slices.Concat(p.Init, p.Main) {
			if c.Waiting != "" && !slices.Contains(reasons, c.Waiting) {
				reasons = append(reasons, c.Waiting)
			}
		}
	}
	slices.Sort(reasons)
	return reasons
}

// selects tells whether pod labels hold every label of a template.
func selects(template, pod map[string]string) bool {
	if len(template) == 0 {
		return false
	}
	for k, v := range template {
		if pod[k] != v {
			return false
		}
	}
	return true
}

// leaseOf finds the leader election Lease of a workload: in its namespace or
// kube-system, held by one of its pods or named after it. That a Lease exists
// proves nothing; that it is fresh by the server's clock, and held by a pod of
// the workload, does (field-cases E2).
func (a *attributor) leaseOf(w *work) *LeaseInfo {
	var best *LeaseInfo
	for i := range a.s.Leases {
		l := &a.s.Leases[i]
		if l.Namespace != w.Namespace && l.Namespace != "kube-system" || l.Spec.HolderIdentity == nil || *l.Spec.HolderIdentity == "" {
			continue
		}
		info := LeaseInfo{Object: "Lease/" + l.Namespace + "/" + l.Name, Holder: *l.Spec.HolderIdentity}
		info.HeldByPod = a.podOf(w, info.Holder)
		if !info.HeldByPod && !leaseNamed(l.Name, w) {
			continue
		}
		if l.Spec.RenewTime != nil {
			duration := 15 * time.Second
			if l.Spec.LeaseDurationSeconds != nil {
				duration = time.Duration(*l.Spec.LeaseDurationSeconds) * time.Second
			}
			info.Fresh = l.Spec.RenewTime.Add(2 * duration).After(a.s.Taken)
		}
		if best == nil || info.HeldByPod && !best.HeldByPod || info.Fresh && !best.Fresh {
			best = &info
		}
	}
	return best
}

func (a *attributor) podOf(w *work, holder string) bool {
	for i := range a.s.Pods {
		p := &a.s.Pods[i]
		if p.Namespace == w.Namespace && strings.HasPrefix(holder, p.Name) && selects(w.Labels, p.Labels) {
			return true
		}
	}
	return false
}

func leaseNamed(lease string, w *work) bool {
	for _, name := range []string{w.Name, w.Meta.Labels["app.kubernetes.io/name"]} {
		if len(name) > 3 && !genericWorkloads[name] && strings.HasPrefix(lease, name) {
			return true
		}
	}
	return false
}

// stateOrder is from best to worst.
var stateOrder = []State{Running, Degraded, External, Declared, Unknown, Down, Absent, NotNeeded}

// bestState is the best of several.
func bestState(states []State) State {
	for _, s := range stateOrder {
		if slices.Contains(states, s) {
			return s
		}
	}
	return Unknown
}

// recentWrite is how fresh a status write must be to say that a controller
// which is not on the cluster runs elsewhere. A status that nobody needs to
// change grows old, so an older write decides nothing.
const recentWrite = time.Hour

// stateOfCRD works out whether anybody reconciles the CRD, and says why.
func (a *attributor) stateOfCRD(c *CRD, e *evidence, op *Operator, controllers []Controller) {
	if len(controllers) > 0 {
		var states []State
		for _, k := range controllers {
			states = append(states, k.State)
		}
		c.State = bestState(states)
		for _, k := range controllers {
			if k.State == c.State {
				c.Why = k.Why
				break
			}
		}
		return
	}
	switch {
	case c.DataOnly:
		c.State, c.Why = NotNeeded, "nobody writes a status for it: it is read by others, no controller is needed"
	case op.External != "":
		c.State, c.Why = External, "its controller runs outside the cluster: "+op.External
	case a.recentlyWritten(c) && a.allWorkloadsSeen():
		c.State, c.Why = External, fmt.Sprintf("%s wrote its status at %s, but is no workload seen here", c.StatusManager, c.LastStatusWrite.UTC().Format(time.RFC3339))
	default:
		a.absentOrUnknown(c, e, op)
	}
}

func (a *attributor) recentlyWritten(c *CRD) bool {
	return !c.LastStatusWrite.IsZero() && a.s.Taken.Sub(c.LastStatusWrite) < recentWrite
}

// allWorkloadsSeen: only then does "no workload here" mean elsewhere.
func (a *attributor) allWorkloadsSeen() bool {
	whole, _ := a.seenAll(append(slices.Clone(workloadResources), rbacResources...)...)
	return whole
}

func (a *attributor) absentOrUnknown(c *CRD, e *evidence, op *Operator) {
	if whole, why := a.seenAll(append(slices.Clone(workloadResources), rbacResources...)...); !whole {
		c.State, c.Why = Unknown, "no controller found, but not everything could be looked at: "+why
		if a.recentlyWritten(c) {
			c.Why = fmt.Sprintf("%s wrote its status at %s; who that is could not be looked at: %s", c.StatusManager, c.LastStatusWrite.UTC().Format(time.RFC3339), why)
		}
		return
	}
	c.State, c.Why = Absent, "no workload has rights that name "+e.crd.Name
	if len(op.Controllers) > 0 {
		c.Why = op.Controllers[0].Workload.Ref() + " has no rights on " + e.crd.Name
	}
	if c.StatusManager != "" {
		c.Why += "; its status was last written by " + c.StatusManager + " at " + c.LastStatusWrite.UTC().Format(time.RFC3339)
	}
}

// dataOnly tells whether a CRD is made to hold data: the catalogue says so, or
// its schema has no status, and nobody was seen to write one.
func (a *attributor) dataOnly(e *evidence) bool {
	if entry := a.entryOf(e.key); entry != nil && slices.Contains(entry.DataOnly, e.crd.Name) {
		return true
	}
	v := e.crd.StorageVersion()
	if v == nil || e.crd.DiscoveryOnly || !v.Schema.Present || v.Schema.Opaque || v.Schema.HasStatus || v.StatusSubresource {
		return false
	}
	return len(e.writers) == 0
}
