package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/intstr"
	appsac "k8s.io/client-go/applyconfigurations/apps/v1"
	batchac "k8s.io/client-go/applyconfigurations/batch/v1"
	coreac "k8s.io/client-go/applyconfigurations/core/v1"
	metaac "k8s.io/client-go/applyconfigurations/meta/v1"
	policyac "k8s.io/client-go/applyconfigurations/policy/v1"
)

const (
	port          = 8000
	defaultImage  = "example.com/demo/widget"
	containerName = "widget"
)

// sizes are the requests of a pod, as CPU and memory.
var sizes = map[string][2]string{
	"small":  {"50m", "64Mi"},
	"medium": {"200m", "256Mi"},
	"large":  {"1", "1Gi"},
}

func labels(w *Widget) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "widget", "app.kubernetes.io/instance": w.Name, "app.kubernetes.io/managed-by": manage}
}

func selector(w *Widget) map[string]string {
	return map[string]string{"app.kubernetes.io/name": "widget", "app.kubernetes.io/instance": w.Name}
}

func owner(w *Widget) *metaac.OwnerReferenceApplyConfiguration {
	return metaac.OwnerReference().WithAPIVersion(group + "/v1").WithKind("Widget").WithName(w.Name).WithUID(w.UID).
		WithController(true).WithBlockOwnerDeletion(true)
}

func image(w *Widget) string {
	repository := w.Spec.Image
	if repository == "" {
		repository = defaultImage
	}
	return repository + ":" + w.Spec.Version
}

func address(w *Widget) string { return fmt.Sprintf("http://%s.%s.svc:%d", w.Name, w.Namespace, port) }

func configMap(w *Widget) *coreac.ConfigMapApplyConfiguration {
	return coreac.ConfigMap(w.Name, w.Namespace).WithLabels(labels(w)).WithOwnerReferences(owner(w)).
		WithData(map[string]string{"size": w.Spec.Size})
}

func service(w *Widget) *coreac.ServiceApplyConfiguration {
	return coreac.Service(w.Name, w.Namespace).WithLabels(labels(w)).WithOwnerReferences(owner(w)).
		WithSpec(coreac.ServiceSpec().WithSelector(selector(w)).
			WithPorts(coreac.ServicePort().WithName("http").WithPort(port).WithTargetPort(intstr.FromString("http"))))
}

func deployment(w *Widget) *appsac.DeploymentApplyConfiguration {
	probe := func(path string) *coreac.ProbeApplyConfiguration {
		return coreac.Probe().WithHTTPGet(coreac.HTTPGetAction().WithPath(path).WithPort(intstr.FromString("http")))
	}
	container := coreac.Container().WithName(containerName).WithImage(image(w)).
		WithPorts(coreac.ContainerPort().WithName("http").WithContainerPort(port)).
		WithEnvFrom(coreac.EnvFromSource().WithConfigMapRef(coreac.ConfigMapEnvSource().WithName(w.Name))).
		WithLivenessProbe(probe("/healthz")).WithReadinessProbe(probe("/readyz")).
		WithResources(requests(w))
	return appsac.Deployment(w.Name, w.Namespace).WithLabels(labels(w)).WithOwnerReferences(owner(w)).
		WithSpec(appsac.DeploymentSpec().
			WithReplicas(w.Spec.Replicas).
			WithSelector(metaac.LabelSelector().WithMatchLabels(selector(w))).
			WithStrategy(appsac.DeploymentStrategy().WithType(appsv1.RollingUpdateDeploymentStrategyType).
				WithRollingUpdate(appsac.RollingUpdateDeployment().WithMaxUnavailable(intstr.FromInt32(0)).WithMaxSurge(intstr.FromInt32(1)))).
			WithTemplate(coreac.PodTemplateSpec().WithLabels(labels(w)).
				WithSpec(coreac.PodSpec().WithContainers(container))))
}

func requests(w *Widget) *coreac.ResourceRequirementsApplyConfiguration {
	size, ok := sizes[w.Spec.Size]
	if !ok {
		size = sizes["small"]
	}
	return coreac.ResourceRequirements().WithRequests(corev1.ResourceList{
		corev1.ResourceCPU:    resource.MustParse(size[0]),
		corev1.ResourceMemory: resource.MustParse(size[1]),
	})
}

func budget(w *Widget) *policyac.PodDisruptionBudgetApplyConfiguration {
	return policyac.PodDisruptionBudget(w.Name, w.Namespace).WithLabels(labels(w)).WithOwnerReferences(owner(w)).
		WithSpec(policyac.PodDisruptionBudgetSpec().WithMaxUnavailable(intstr.FromInt32(1)).
			WithSelector(metaac.LabelSelector().WithMatchLabels(selector(w))))
}

func backup(w *Widget) *batchac.CronJobApplyConfiguration {
	container := coreac.Container().WithName("backup").WithImage(image(w)).
		WithArgs("backup", "--from="+address(w), "--to="+w.Spec.Backup.Destination).WithResources(requests(w))
	template := coreac.PodTemplateSpec().
		WithSpec(coreac.PodSpec().WithRestartPolicy(corev1.RestartPolicyNever).WithContainers(container))
	return batchac.CronJob(w.Name+"-backup", w.Namespace).WithLabels(labels(w)).WithOwnerReferences(owner(w)).
		WithSpec(batchac.CronJobSpec().WithSchedule(w.Spec.Backup.Schedule).WithConcurrencyPolicy(batchv1.ForbidConcurrent).
			WithJobTemplate(batchac.JobTemplateSpec().WithSpec(batchac.JobSpec().WithTemplate(template))))
}
