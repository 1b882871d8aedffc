package review

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// pod is how its containers run, those of companions included: a webhook is
// part of what is installed.
func (s *Subject) pod(op operator) {
	p := &s.Pod
	for _, w := range op.workloads() {
		if w.Pod == nil {
			continue
		}
		if w.ServiceAccount() == "default" {
			p.DefaultAccount = append(p.DefaultAccount, w.Ref())
		}
		for i := range w.Pod.Containers {
			p.container(w, &w.Pod.Containers[i])
		}
	}
	p.MayRunAsRoot = list(op.facts.Pod.MayRunAsRoot)
	for _, l := range []*[]string{&p.Privileged, &p.WritableRoot, &p.MayEscalate, &p.WithoutRequests, &p.WithoutLimits, &p.Unpinned, &p.ByTag, &p.DefaultAccount} {
		*l = list(*l)
	}
	s.Seen.Privileged = p.Privileged
	s.unseen("pod", op.facts.Unseen["pod"])
	if p.Containers == 0 {
		s.unseen("pod", "no workload of it was seen")
	}
}

func (p *Pod) container(w *inventory.Workload, c *corev1.Container) {
	name := w.Ref() + "/" + c.Name
	p.Containers++
	put := func(to *[]string, holds bool, what string) {
		if holds {
			*to = append(*to, what)
		}
	}
	context := c.SecurityContext
	if context == nil {
		context = &corev1.SecurityContext{}
	}
	is := func(b *bool) bool { return b != nil && *b }
	put(&p.Privileged, is(context.Privileged), name+": privileged")
	put(&p.Privileged, w.Pod.HostNetwork, name+": network of the host")
	put(&p.Privileged, w.Pod.HostPID, name+": processes of the host")
	put(&p.WritableRoot, !is(context.ReadOnlyRootFilesystem), name)
	put(&p.MayEscalate, context.AllowPrivilegeEscalation == nil || *context.AllowPrivilegeEscalation, name)
	_, cpu := c.Resources.Requests[corev1.ResourceCPU]
	_, memory := c.Resources.Requests[corev1.ResourceMemory]
	_, limit := c.Resources.Limits[corev1.ResourceMemory]
	// A limit without a request is a request too.
	put(&p.WithoutRequests, !(memory || limit) || !cpu && c.Resources.Limits.Cpu().IsZero(), name)
	put(&p.WithoutLimits, !limit, name)
	digest := strings.Contains(c.Image, "@sha256:")
	tag := strings.TrimPrefix(c.Image, repository(c.Image))
	put(&p.Unpinned, !digest && (tag == "" || tag == ":latest"), name+": "+c.Image)
	put(&p.ByTag, !digest && tag != "" && tag != ":latest", name+": "+c.Image)
}

// repository is an image without its tag.
func repository(image string) string {
	if i := strings.LastIndex(image, ":"); i > strings.LastIndex(image, "/") {
		return image[:i]
	}
	return image
}

var (
	watchVariable = regexp.MustCompile(`^(WATCH_NAMESPACES?|WATCHED_NAMESPACES?|STRIMZI_NAMESPACE|PGO_TARGET_NAMESPACES?)$`)
	watchFlag     = regexp.MustCompile(`^--?(watch-)?namespaces?(=|$)|^--?watched?-namespaces?(=|$)`)
)

// watchSettings are the variables and flags that restrict a controller to
// namespaces.
func watchSettings(env []corev1.EnvVar, args []string) []string {
	var found []string
	for i := range env {
		if watchVariable.MatchString(env[i].Name) {
			found = append(found, strings.TrimSuffix(env[i].Name+"="+env[i].Value, "="))
		}
	}
	for _, a := range args {
		if watchFlag.MatchString(a) {
			found = append(found, a)
		}
	}
	slices.Sort(found)
	return found
}
