package inventory

import (
	"regexp"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Prune removes from an object all that a snapshot must not keep (values of
// annotations, environment, arguments, volumes, certificates) and what nothing
// rests on. It works in place and twice is the same as once.
func Prune(obj TypedObject) {
	switch o := obj.(type) {
	case *appsv1.Deployment:
		pruneMeta(&o.ObjectMeta)
		pruneTemplate(&o.Spec.Template)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *appsv1.StatefulSet:
		pruneMeta(&o.ObjectMeta)
		pruneTemplate(&o.Spec.Template)
		for i := range o.Spec.VolumeClaimTemplates {
			c := &o.Spec.VolumeClaimTemplates[i]
			*c = corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: c.Name}}
		}
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *appsv1.DaemonSet:
		pruneMeta(&o.ObjectMeta)
		pruneTemplate(&o.Spec.Template)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *appsv1.ReplicaSet:
		pruneMeta(&o.ObjectMeta)
		if madeByWorkload(&o.ObjectMeta) {
			// The template is that of the Deployment; of older ones only the
			// images tell something: which versions there were.
			o.Spec.Template = corev1.PodTemplateSpec{Spec: imagesOnly(o.Spec.Template.Spec)}
		}
		pruneTemplate(&o.Spec.Template)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *corev1.Pod:
		pruneMeta(&o.ObjectMeta)
		prunePodSpec(&o.Spec)
		prunePodStatus(&o.Status)
	case *batchv1.Job:
		pruneMeta(&o.ObjectMeta)
		pruneTemplate(&o.Spec.Template)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *batchv1.CronJob:
		pruneMeta(&o.ObjectMeta)
		pruneTemplate(&o.Spec.JobTemplate.Spec.Template)
		o.Spec.JobTemplate.Annotations = nil
	case *autoscalingv2.HorizontalPodAutoscaler:
		pruneMeta(&o.ObjectMeta)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *policyv1.PodDisruptionBudget:
		pruneMeta(&o.ObjectMeta)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *corev1.Service:
		pruneMeta(&o.ObjectMeta)
		for i := range o.Status.Conditions {
			pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *corev1.Event:
		pruneMeta(&o.ObjectMeta)
		pruneMessage(&o.Message)
		o.ManagedFields = nil
	case *admissionv1.MutatingWebhookConfiguration:
		pruneMeta(&o.ObjectMeta)
		for i := range o.Webhooks {
			pruneClientConfig(&o.Webhooks[i].ClientConfig)
		}
	case *admissionv1.ValidatingWebhookConfiguration:
		pruneMeta(&o.ObjectMeta)
		for i := range o.Webhooks {
			pruneClientConfig(&o.Webhooks[i].ClientConfig)
		}
	case *Object:
		pruneMeta(&o.ObjectMeta)
		pruneBuiltin(o)
	default:
		if with, ok := obj.(metav1.ObjectMetaAccessor); ok {
			if m, ok := with.GetObjectMeta().(*metav1.ObjectMeta); ok {
				pruneMeta(m)
			}
		}
	}
}

func pruneMessage(message *string) { *message = Text(*message) }

// pruneBuiltin keeps the few fields of metadata-only kinds that are looked at.
func pruneBuiltin(o *Object) {
	if o.Kind != "APIService" {
		o.Spec, o.SpecPaths, o.Status = nil, nil, nil
		return
	}
	kept := map[string]any{}
	for _, key := range []string{"service", "group", "version"} {
		if v, ok := o.Spec[key]; ok {
			kept[key] = v
		}
	}
	o.Spec, o.SpecPaths = kept, nil
	o.Status = pruneStatus(o.Status)
}

// annotationValues are the annotations whose values are kept: they say how an
// object was installed, how it is scraped, and who holds a legacy lock. Of all
// others only the key stays.
var annotationValues = []string{
	"meta.helm.sh/", "helm.sh/", "olm.", "operators.coreos.com/", "operatorframework.io/", "operators.operatorframework.io/",
	"capabilities", "argocd.argoproj.io/tracking-id", "argocd.argoproj.io/installation-id",
	"kapp.k14s.io/", "config.kubernetes.io/origin", "prometheus.io/", "deployment.kubernetes.io/revision",
	"controller-gen.kubebuilder.io/version", "api-approved.kubernetes.io",
	"artifacthub.io/operatorCapabilities", "cert-manager.io/", "service.beta.openshift.io/inject-cabundle",
	"kopf.zalando.org/", "k8s.io/initial-events-end",
}

const leaderAnnotation = "control-plane.alpha.kubernetes.io/leader"

func pruneMeta(m *metav1.ObjectMeta) {
	for key := range m.Annotations {
		switch {
		case key == "kubectl.kubernetes.io/last-applied-configuration":
			delete(m.Annotations, key)
		case key == leaderAnnotation && len(m.Annotations[key]) < 1000: // JSON: a cut would break it
		case !hasAnyPrefix(key, annotationValues):
			m.Annotations[key] = ""
		default:
			m.Annotations[key] = cut(Text(m.Annotations[key]), 512)
		}
	}
	for i := range m.ManagedFields {
		f := &m.ManagedFields[i]
		f.FieldsV1 = shallowFields(f.FieldsV1)
	}
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

func pruneTemplate(t *corev1.PodTemplateSpec) {
	pruneMeta(&t.ObjectMeta)
	prunePodSpec(&t.Spec)
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
	c.VolumeMounts, c.VolumeDevices, c.Lifecycle = nil, nil, nil
	for _, p := range []*corev1.Probe{c.LivenessProbe, c.ReadinessProbe, c.StartupProbe} {
		pruneProbe(p)
	}
}

// pruneProbe keeps that there is a probe and what kind it is; its command and
// headers may hold credentials.
func pruneProbe(p *corev1.Probe) {
	if p == nil {
		return
	}
	if p.Exec != nil {
		p.Exec = &corev1.ExecAction{}
	}
	if p.HTTPGet != nil {
		p.HTTPGet.HTTPHeaders = nil
		p.HTTPGet.Path, _, _ = strings.Cut(p.HTTPGet.Path, "?")
	}
}

func prunePodStatus(s *corev1.PodStatus) {
	for i := range s.Conditions {
		s.Conditions[i].Message = Text(s.Conditions[i].Message)
	}
	s.Message = Text(s.Message)
	s.HostIP, s.HostIPs, s.PodIPs = "", nil, nil
	s.EphemeralContainerStatuses = nil
	for _, list := range [][]corev1.ContainerStatus{s.InitContainerStatuses, s.ContainerStatuses} {
		for i := range list {
			c := &list[i]
			c.VolumeMounts, c.AllocatedResources, c.Resources = nil, nil, nil
			for _, st := range []*corev1.ContainerState{&c.State, &c.LastTerminationState} {
				if st.Waiting != nil {
					st.Waiting.Message = Text(st.Waiting.Message)
				}
				if st.Terminated != nil {
					st.Terminated.Message = ""
				}
			}
		}
	}
}

// pruneClientConfig keeps whether a CA bundle is set, not the bundle, and of a
// URL where it leads.
func pruneClientConfig(c *admissionv1.WebhookClientConfig) {
	if c.URL != nil {
		url, _, _ := strings.Cut(*c.URL, "?")
		url = Text(url)
		c.URL = &url
	}
	if len(c.CABundle) > 0 {
		c.CABundle = []byte("set")
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
	case credentialName.MatchString(name):
	case imageEnv.MatchString(name) && imageValue.MatchString(value) && !strings.Contains(value, "://") && len(value) < 300:
		return value
	case namespaceEnv.MatchString(name) && nameList.MatchString(value):
		return value
	}
	return ""
}
