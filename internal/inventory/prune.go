package inventory

import (
	"regexp"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Prune removes from an object all that a snapshot must not keep (values of
// annotations, environment, arguments, volumes, certificates) and what nothing
// rests on. It works in place and twice is the same as once.
func Prune(obj TypedObject) { (*Shared)(nil).Prune(obj) }

// Prune is Prune. What other objects said already is shared with them, so none
// of it may be changed any more.
func (s *Shared) Prune(obj TypedObject) {
	switch o := obj.(type) {
	case *appsv1.Deployment:
		s.pruneTemplate(&o.Spec.Template)
		o.Spec.Selector, o.Status.Conditions = nil, nil
	case *appsv1.StatefulSet:
		s.pruneTemplate(&o.Spec.Template)
		for i := range o.Spec.VolumeClaimTemplates {
			c := &o.Spec.VolumeClaimTemplates[i]
			*c = corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: c.Name}}
		}
		o.Spec.Selector, o.Status.Conditions = nil, nil
	case *appsv1.DaemonSet:
		s.pruneTemplate(&o.Spec.Template)
		o.Spec.Selector, o.Status.Conditions = nil, nil
	case *appsv1.ReplicaSet:
		if madeByWorkload(&o.ObjectMeta) {
			// Labels, annotations and the template are those of the Deployment; of
			// older ones only the images tell something: which versions there were.
			o.Labels, o.Annotations = nil, nil
			o.Spec.Template = corev1.PodTemplateSpec{Spec: imagesOnly(o.Spec.Template.Spec)}
		}
		s.pruneMeta(&o.Spec.Template.ObjectMeta)
		prunePodSpec(&o.Spec.Template.Spec)
	case *corev1.Pod:
		prunePodSpec(&o.Spec)
	case *batchv1.Job:
		s.pruneTemplate(&o.Spec.Template)
		o.Spec.Selector, o.Status.Conditions = nil, nil
	case *batchv1.CronJob:
		job := &o.Spec.JobTemplate
		s.pruneTemplate(&job.Spec.Template)
		job.Annotations, job.Spec.Selector = nil, nil
	case *autoscalingv2.HorizontalPodAutoscaler:
		for i := range o.Status.Conditions {
			s.pruneMessage(&o.Status.Conditions[i].Message)
		}
	case *policyv1.PodDisruptionBudget:
		o.Status.Conditions = nil
		if o.Spec.Selector != nil {
			pruneSelector(o.Spec.Selector.MatchLabels)
		}
	case *corev1.Service:
		o.Status.Conditions = nil
		pruneSelector(o.Spec.Selector)
	case *discoveryv1.EndpointSlice:
		o.Endpoints, o.Ports = oneEndpoint(o.Endpoints), nil
	case *corev1.Event:
		s.pruneMessage(&o.Message)
		o.ManagedFields = nil
	case *admissionv1.MutatingWebhookConfiguration:
		for i := range o.Webhooks {
			pruneClientConfig(&o.Webhooks[i].ClientConfig)
		}
	case *admissionv1.ValidatingWebhookConfiguration:
		for i := range o.Webhooks {
			pruneClientConfig(&o.Webhooks[i].ClientConfig)
		}
	case *Object:
		pruneBuiltin(o)
	}
	if m := metaOf(obj); m != nil {
		s.writersOnly(m)
		s.pruneMeta(m)
	}
}

// oneEndpoint keeps whether there are endpoints, and whether one is ready (no
// answer means yes).
func oneEndpoint(list []discoveryv1.Endpoint) []discoveryv1.Endpoint {
	if len(list) == 0 {
		return nil
	}
	best := slices.IndexFunc(list, func(e discoveryv1.Endpoint) bool { return e.Conditions.Ready == nil || *e.Conditions.Ready })
	return []discoveryv1.Endpoint{{Conditions: discoveryv1.EndpointConditions{Ready: list[max(best, 0)].Conditions.Ready}}}
}

// metaOf is the metadata of an object of a built-in kind.
func metaOf(obj TypedObject) *metav1.ObjectMeta {
	if with, ok := obj.(metav1.ObjectMetaAccessor); ok {
		m, _ := with.GetObjectMeta().(*metav1.ObjectMeta)
		return m
	}
	return nil
}

func (s *Shared) pruneMessage(message *string) { *message = s.clean(*message) }

// pruneBuiltin keeps the few fields of metadata-only kinds that are looked at.
func pruneBuiltin(o *Object) {
	if o.Kind != "APIService" {
		o.Spec, o.SpecPaths, o.Status = Packed{}, nil, Packed{}
		return
	}
	kept := map[string]any{}
	for _, key := range []string{"service", "group", "version", "kinds"} {
		if v := o.Spec.At(key); v != nil {
			kept[key] = v
		}
	}
	o.Spec, o.SpecPaths = Pack(kept), nil
	o.Status = (*Shared)(nil).pruneStatus(valueOf(o.Status.Value()))
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

func pruneMeta(m *metav1.ObjectMeta) { (*Shared)(nil).pruneMeta(m) }

func (s *Shared) pruneMeta(m *metav1.ObjectMeta) {
	pruneHashes(m.Labels)
	for key, value := range m.Annotations {
		if kept, ok := s.annotation(key, value); ok {
			m.Annotations[key] = kept
		} else {
			delete(m.Annotations, key)
		}
	}
	for i := range m.ManagedFields {
		if f := &m.ManagedFields[i]; f.FieldsV1 != nil {
			f.FieldsV1 = s.tree(f.FieldsV1.GetRawString())
		}
	}
	if s != nil {
		s.shareMeta(m)
	}
}

// annotation is what is kept of the value of an annotation; not ok where the
// annotation is not kept at all.
func (s *Shared) annotation(key, value string) (kept string, ok bool) {
	switch {
	case key == "kubectl.kubernetes.io/last-applied-configuration":
		return "", false
	case key == leaderAnnotation && len(value) < 1000: // JSON: a cut would break it
		return value, true
	case !hasAnyPrefix(key, annotationValues):
		return "", true
	}
	return cut(s.clean(value), 512), true
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

var schemeAndHost = regexp.MustCompile(`^[a-zA-Z]+://[^/?#]*`)

// pruneClientConfig keeps whether a CA bundle is set, not the bundle, and of a
// URL the host: its path may hold a token.
func pruneClientConfig(c *admissionv1.WebhookClientConfig) {
	if c.URL != nil {
		host := Text(schemeAndHost.FindString(*c.URL))
		c.URL = &host
	}
	if len(c.CABundle) > 0 {
		c.CABundle = []byte("set")
	}
}
