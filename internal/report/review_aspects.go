package report

import (
	"fmt"
	"strings"

	"kubectl-operator-maturity/internal/review"
)

func levelsAspect(s *review.Subject) string {
	l := &s.Levels
	head := fmt.Sprintf("level %d proven", l.Proven)
	switch {
	case !s.Installed:
		head = fmt.Sprintf("level %d indicated; files prove nothing", l.Indicated)
	case l.Possible > l.Proven:
		head = fmt.Sprintf("level %d proven, up to %d with what is indicated or unknown", l.Proven, l.Possible)
	}
	var each []string
	for i, status := range l.Statuses {
		each = append(each, fmt.Sprintf("L%d %s", i+1, status))
	}
	return parts(head, head, strings.Join(each, ", "))
}

func claimedAspect(s *review.Subject) string {
	if s.Levels.Claimed == 0 {
		return "none"
	}
	return fmt.Sprintf("%d (%s)", s.Levels.Claimed, s.Levels.ClaimSource)
}

func runningAspect(s *review.Subject) string {
	r := &s.Running
	if !s.Installed {
		return "never ran here"
	}
	state := r.State
	if r.Desired > 0 {
		state = fmt.Sprintf("%s, %d of %d ready", r.State, r.Ready, r.Desired)
	}
	restarts := ""
	if r.Restarts > 0 {
		restarts = counted(r.Restarts, "restart")
	}
	return parts(state, state, restarts, ifAny(r.Waiting, "waiting: "))
}

func useAspect(s *review.Subject) string {
	u := &s.Use
	switch {
	case !s.Installed:
		return nothing
	case u.Instances == 0:
		return "none: installed and not used"
	}
	text := fmt.Sprintf("%d: %d ready", u.Instances, u.Ready)
	if u.NotReady > 0 {
		text += fmt.Sprintf(", %d not ready", u.NotReady)
	}
	if u.Unknown > 0 {
		text += fmt.Sprintf(", %d of unknown readiness", u.Unknown)
	}
	return text
}

func apiAspect(s *review.Subject) string {
	a := &s.API
	if a.CRDs == 0 {
		return "no CRD"
	}
	return parts("", counted(a.CRDs, "CRD"), orElse(ifAny(a.AlphaOnly, "alpha only: "), "none alpha only"),
		ifAny(a.Deprecated, "deprecated: "), ifAny(a.UnflaggedOld, "old versions still served: "),
		ifAny(a.StoredNotServed, "stored, not served: "), ifAny(a.NoSchema, "no schema that says something: "), ifAny(a.CreatedAtRunTime, "made by the operator at run time: "))
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

func conversionAspect(s *review.Subject) string {
	a := &s.API
	return parts("none needed", ifAny(a.ConversionWebhooks, "webhook: "), ifAny(a.ConversionBroken, "does not answer: "), ifAny(a.UnconvertedSchemas, "versions differ, nothing converts: "))
}

func statusAspect(s *review.Subject) string {
	a := &s.API
	if a.CRDs == 0 {
		return nothing
	}
	return parts("status and conditions on every kind", ifAny(a.TakenAsData, "without status, taken as data: "), ifAny(a.NoStatus, "no status subresource: "), ifAny(a.NoConditions, "no conditions: "))
}

func rightsAspect(s *review.Subject) string {
	r := &s.Rights
	if !r.Found {
		return "no rule found"
	}
	scope := "in its own namespaces only"
	if r.ClusterWide {
		scope = fmt.Sprintf("writes %s by name, %d of them in the whole cluster", counted(r.Writes, "resource"), r.WritesEverywhere)
		if r.Writes == r.WritesEverywhere {
			scope = fmt.Sprintf("writes %s by name in the whole cluster", counted(r.Writes, "resource"))
		}
	}
	every := ""
	switch {
	case len(r.Everything) > 0:
		every = "everything"
	case len(r.Secrets) > 0:
		every = "Secrets of every namespace"
	}
	wild := ""
	if len(r.Wildcards) > 0 {
		wild = counted(len(r.Wildcards), "rule") + " with *"
	}
	escalates := ""
	if len(r.Escalates) > 0 {
		escalates = "can widen its own rights"
	}
	return parts("", every, escalates, wild, scope)
}

func scopeAspect(s *review.Subject) string {
	kinds := fmt.Sprintf("%d namespaced and %d cluster kinds", s.Scope.NamespacedCRDs, s.Scope.ClusterCRDs)
	return parts("", kinds, orElse(ifAny(s.Scope.Restrictable, "restricted by "), "no setting to restrict it shows"))
}

func webhooksAspect(s *review.Subject) string {
	w := &s.Webhooks
	if w.Count == 0 {
		return "none"
	}
	fail := fmt.Sprintf("%d: %d fail closed, %d open", w.Count, len(w.FailClosed), len(w.FailOpen))
	return parts("", fail, ifAny(w.FailClosedEverywhere, "also on kube-system: "), ifAny(w.OneReplica, "one replica: "), ifAny(w.Broken, "broken: "))
}

func deletionAspect(s *review.Subject) string {
	d := &s.Deletion
	switch {
	case !s.Installed:
		return nothing
	case s.Use.Instances == 0:
		return noResource
	}
	deadlock := ""
	if d.LatentDeadlock > 0 {
		deadlock = fmt.Sprintf("%d wait for a controller that is gone", d.LatentDeadlock)
	}
	return parts("nothing hangs; none has a finalizer of the operator", ifAny(d.Stuck, "hangs: "), deadlock, ifAny(d.Finalizers, "finalizers: "))
}

func uninstallAspect(s *review.Subject) string {
	u := &s.Uninstall
	kept := ""
	if len(u.Kept) > 0 {
		kept = counted(len(u.Kept), "CRD") + " kept by policy"
	}
	unguarded := ""
	if len(u.Unguarded) > 0 {
		unguarded = "deleting its manifests deletes " + counted(len(u.Unguarded), "CRD")
	}
	return parts("its CRDs stay", ifAny(u.DeletedWithRelease, "helm uninstall deletes "), unguarded, kept)
}

func podAspect(s *review.Subject) string {
	p := &s.Pod
	return parts("no root, no gain of rights, read-only", ifAny(p.Privileged, "PRIVILEGED: "), fraction(p.MayRunAsRoot, p.Containers, "may run as root"),
		fraction(p.MayEscalate, p.Containers, "may gain rights"), fraction(p.WritableRoot, p.Containers, "can write their file system"), ifAny(p.DefaultAccount, "default ServiceAccount: "))
}

func fraction(names []string, of int, what string) string {
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d containers %s", len(names), of, what)
}

func resourcesAspect(s *review.Subject) string {
	p := &s.Pod
	return parts("all have requests and a memory limit", fraction(p.WithoutRequests, p.Containers, "without requests"), fraction(p.WithoutLimits, p.Containers, "without memory limit"))
}

func imagesAspect(s *review.Subject) string {
	p := &s.Pod
	return parts("by digest", ifAny(p.Unpinned, "not pinned: "), fraction(p.ByTag, p.Containers, "by tag"))
}

func metricsAspect(s *review.Subject) string {
	m := &s.Metrics
	state := "not declared"
	switch {
	case m.Disabled:
		state = "switched off"
	case m.Scraped:
		state = "a monitor selects them"
	case m.Declared:
		state = "served, no monitor found"
	}
	return parts(state, state, ifAny(m.Broken, "broken: "))
}

func sizeAspect(s *review.Subject) string {
	if len(s.Size.OverLimit) > 0 {
		return "needs server-side apply: " + some(s.Size.OverLimit, "")
	}
	if s.Size.Largest == "" {
		return nothing
	}
	return fmt.Sprintf("largest %d bytes: any apply works", s.Size.LargestBytes)
}

// noResource stands where only a custom resource would tell.
const noResource = "no resource here to tell by"

func writeBackAspect(s *review.Subject) string {
	if s.Use.Instances == 0 {
		return noResource
	}
	return some(s.WriteBack.Fields, "no field seen")
}

func dependenciesAspect(s *review.Subject) string {
	d := &s.Dependencies
	return parts("none", ifAny(d.Present, "here: "), ifAny(d.Absent, "not here: "))
}

func conflictsAspect(s *review.Subject) string {
	c := &s.Conflicts
	installed := ""
	if c.Installed != "" {
		installed = "the same operator is here in version " + c.Installed
	}
	return parts("none", installed, ifAny(c.CRDs, ""), ifAny(c.Names, "names: "))
}
