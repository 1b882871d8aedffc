package inventory

import (
	"regexp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

func (s *Shared) pruneTemplate(t *corev1.PodTemplateSpec) {
	s.pruneMeta(&t.ObjectMeta)
	prunePodSpec(&t.Spec)
	if s != nil {
		t.Spec = *s.podSpec(&t.Spec)
	}
}

// imagesOnly keeps the names and images of the containers of a pod spec.
func imagesOnly(spec corev1.PodSpec) corev1.PodSpec {
	var kept corev1.PodSpec
	for _, c := range spec.Containers {
		kept.Containers = append(kept.Containers, corev1.Container{Name: c.Name, Image: c.Image})
	}
	return kept
}

// prunePodSpec keeps names, images, ports, probes, resources, security
// contexts, the placement rules, and the claims that pods mount.
func prunePodSpec(spec *corev1.PodSpec) {
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			pruneContainer(&list[i])
		}
	}
	spec.EphemeralContainers = nil
	var volumes []corev1.Volume
	for _, v := range spec.Volumes {
		if v.PersistentVolumeClaim != nil || v.Ephemeral != nil {
			kept := corev1.Volume{Name: v.Name}
			kept.PersistentVolumeClaim = v.PersistentVolumeClaim
			if v.Ephemeral != nil {
				kept.Ephemeral = &corev1.EphemeralVolumeSource{}
			}
			volumes = append(volumes, kept)
		}
	}
	spec.Volumes = volumes
	spec.HostAliases, spec.ImagePullSecrets, spec.Tolerations, spec.NodeSelector, spec.DNSConfig = nil, nil, nil, nil, nil
}

func pruneContainer(c *corev1.Container) {
	c.Command, c.Args = flagsOf(c.Command), flagsOf(c.Args)
	var env []corev1.EnvVar
	for _, e := range c.Env {
		env = append(env, corev1.EnvVar{Name: e.Name, Value: envFact(e.Name, e.Value)})
	}
	c.Env, c.EnvFrom = env, nil
	c.VolumeMounts, c.VolumeDevices, c.Lifecycle, c.WorkingDir = nil, nil, nil, ""
	for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		pruneProbe(p)
	}
}

// pruneProbe keeps that there is a probe and what kind it is; its command,
// path and headers may hold credentials.
func pruneProbe(p *corev1.Probe) {
	if p == nil {
		return
	}
	if p.Exec != nil {
		p.Exec = &corev1.ExecAction{}
	}
	if p.HTTPGet != nil {
		p.HTTPGet.HTTPHeaders, p.HTTPGet.Path = nil, ""
	}
}

var (
	imageEnv     = regexp.MustCompile(`(^RELATED_IMAGE_|_IMAGE$|^IMAGE_|_IMAGE_NAME$)`)
	imageValue   = regexp.MustCompile(`^[a-z0-9][a-zA-Z0-9._:/@-]*[:/@][a-zA-Z0-9._:/@-]+$`)
	namespaceEnv = regexp.MustCompile(`^(WATCH_NAMESPACES?|WATCHED_NAMESPACES?|OPERATOR_NAMESPACE|STRIMZI_NAMESPACE)$`)
	nameList     = regexp.MustCompile(`^[a-z0-9*,\s-]*$`)
)

// credentialName is a part of names that hold credentials, whatever else they
// speak of: IMAGE_PULL_TOKEN.
var credentialName = regexp.MustCompile(`(?i)pass|secret|token|auth|cred|key`)

// envFact is the value of an environment variable that names an image or the
// namespaces to watch; "" for every other variable.
func envFact(name, value string) string {
	switch {
	case value == "" || !strings.Contains(name, "IMAGE") && !strings.Contains(name, "NAMESPACE"):
		// Most variables: no pattern below fits them.
	case credentialName.MatchString(name):
	case imageEnv.MatchString(name) && imageValue.MatchString(value) && !strings.Contains(value, "://") && len(value) < 300:
		return value
	case namespaceEnv.MatchString(name) && nameList.MatchString(value):
		return value
	}
	return ""
}
