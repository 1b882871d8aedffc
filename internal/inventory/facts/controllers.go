package facts

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// stateOrder is from best to worst.
var stateOrder = []attribution.State{attribution.Running, attribution.Degraded, attribution.External, attribution.Declared,
	attribution.Unknown, attribution.Down, attribution.Absent, attribution.NotNeeded}

func (op *operator) controllers() {
	f := &op.facts.Controllers
	var states []attribution.State
	for i := range op.at.Controllers {
		c := &op.at.Controllers[i]
		w := &c.Workload
		states = append(states, c.State)
		f.Count++
		f.Refs = append(f.Refs, w.Ref())
		f.Ready += int(w.Ready)
		f.Desired += int(w.Desired)
		f.MaxReplicas = max(f.MaxReplicas, int(w.Desired))
		if w.ServiceAccount() == "default" {
			f.DefaultServiceAccount = append(f.DefaultServiceAccount, w.Ref())
		}
		op.pods(w)
	}
	v := op.ofControllers()
	f.State = string(op.state(states, v.whole()))
	f.Refs, f.Waiting, f.DefaultServiceAccount = sorted(f.Refs), sorted(f.Waiting), sorted(f.DefaultServiceAccount)
	unseen(op.facts.Unseen, "controllers", v)
	if len(states) > 0 && f.State == string(attribution.Unknown) {
		// They were seen, but not whether they run: just made, or led elsewhere.
		op.facts.Unseen["controllers"] = op.at.Controllers[0].Why
	}
}

func (op *operator) state(states []attribution.State, whole bool) attribution.State {
	if len(states) == 0 {
		for _, k := range op.kinds {
			states = append(states, k.at.State)
		}
	}
	for _, s := range stateOrder {
		if slices.Contains(states, s) {
			return s
		}
	}
	switch {
	case op.at.External != "":
		return attribution.External
	case whole:
		return attribution.Absent
	}
	return attribution.Unknown
}

// pods looks at the pods of a controller: restarts, and containers that cannot
// start.
func (op *operator) pods(w *inventory.Workload) {
	f := &op.facts.Controllers
	if w.Meta == nil || w.Meta.UID == "" {
		return
	}
	for _, p := range op.o.podsOf[w.Meta.UID] {
		for _, c := range slices.Concat(p.Init, p.Main) {
			f.Restarts += int(c.Restarts)
			if c.Waiting != "" && c.Waiting != "PodInitializing" && c.Waiting != "ContainerCreating" {
				f.Waiting = append(f.Waiting, c.Waiting+" ("+w.Ref()+")")
			}
		}
	}
}

// pod looks at the hygiene of the controllers' pod templates.
func (op *operator) pod() {
	f := &op.facts.Pod
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		if w.Pod == nil {
			continue
		}
		for j := range w.Pod.Containers {
			op.containerHygiene(w, &w.Pod.Containers[j])
		}
	}
	for _, list := range []*[]string{&f.WithoutProbes, &f.WithoutRequests, &f.MayRunAsRoot, &f.UnpinnedImages, &f.KubeRBACProxy, &f.ImageEnv, &f.Images} {
		*list = sorted(*list)
	}
	unseen(op.facts.Unseen, "pod", op.ofWorkloads())
}

func (op *operator) containerHygiene(w *inventory.Workload, c *corev1.Container) {
	f := &op.facts.Pod
	name := w.Ref() + "/" + c.Name
	f.Containers++
	f.Images = append(f.Images, c.Image)
	if !requests(c) {
		f.WithoutRequests = append(f.WithoutRequests, name)
	}
	if mayRunAsRoot(w.Pod, c) {
		f.MayRunAsRoot = append(f.MayRunAsRoot, name)
	}
	if unpinned(c.Image) {
		f.UnpinnedImages = append(f.UnpinnedImages, name+": "+c.Image)
	}
	for _, e := range c.Env {
		if imageEnv.MatchString(e.Name) {
			f.ImageEnv = append(f.ImageEnv, e.Name)
		}
	}
	switch {
	case rbacProxy(c):
		f.KubeRBACProxy = append(f.KubeRBACProxy, name)
	case injected[c.Name]:
	case c.LivenessProbe == nil && c.ReadinessProbe == nil:
		f.WithoutProbes = append(f.WithoutProbes, name)
	}
}

// mayRunAsRoot tells whether nothing forbids a container to run as root. The
// image may name another user; that is not seen here.
func mayRunAsRoot(spec *corev1.PodSpec, c *corev1.Container) bool {
	var user *int64
	var nonRoot *bool
	if s := spec.SecurityContext; s != nil {
		user, nonRoot = s.RunAsUser, s.RunAsNonRoot
	}
	if s := c.SecurityContext; s != nil {
		if s.RunAsUser != nil {
			user = s.RunAsUser
		}
		if s.RunAsNonRoot != nil {
			nonRoot = s.RunAsNonRoot
		}
	}
	return (nonRoot == nil || !*nonRoot) && (user == nil || *user == 0)
}

var tagged = regexp.MustCompile(`:[^/:]+$`)

// unpinned tells whether an image may change under its name: no tag and no
// digest, or :latest.
func unpinned(image string) bool {
	if strings.Contains(image, "@") {
		return false
	}
	return !tagged.MatchString(image) || strings.HasSuffix(image, ":latest")
}
