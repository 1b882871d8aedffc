package facts

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// operand looks at the long-running workloads below the instances: at the
// templates of Deployments and the like, and at pods that a custom resource
// owns itself. Each container is counted once, whatever the number of pods.
func (k *kind) operand() {
	f, d := &k.facts.Operand, k.family
	f.Workloads, f.Pods = len(d.workloads), len(d.pods)
	bare := map[int]int{} // pods without a workload, by instance
	for i := range d.workloads {
		w := &d.workloads[i]
		for _, c := range mainContainers(w.Pod) {
			k.container(w, c)
		}
		k.placement(i, w)
		if w.Kind == "Pod" {
			bare[w.instance]++
		} else if w.Desired >= 2 {
			f.MultiReplica++
			f.Several = append(f.Several, w.Ref())
		}
		for _, p := range metricsPorts(w.Pod) {
			f.MetricsPorts = append(f.MetricsPorts, w.Ref()+":"+p.label())
		}
	}
	for i, n := range bare {
		if n >= 2 {
			f.MultiReplica++
			f.Several = append(f.Several, k.ref(i))
		}
	}
	for i := range d.pods {
		if role := roleOf(d.pods[i].Labels); role != "" {
			f.RolePods = append(f.RolePods, ref("Pod", d.pods[i])+" "+role)
		}
	}
	k.images()
	for _, list := range []*[]string{&f.WithoutLiveness, &f.WithoutReadiness, &f.WithoutRequests, &f.RolePods, &f.MetricsPorts, &f.Spread, &f.Scattered, &f.ContainerNames, &f.Several} {
		*list = prose(*list)
	}
	for _, list := range []*[]string{&f.Rolling, &f.OnDelete, &f.Recreate, &f.Images, &f.ImageEnvUsed} {
		*list = sorted(*list)
	}
	unseen(k.facts.Unseen, "operand", k.ofOperand())
}

func (k *kind) container(w *operandWorkload, c *corev1.Container) {
	f := &k.facts.Operand
	name := w.Ref() + "/" + c.Name
	f.Containers++
	f.ContainerNames = append(f.ContainerNames, name)
	count := func(has bool, with *int, without *[]string) {
		if has {
			*with++
		} else {
			*without = append(*without, name)
		}
	}
	count(c.LivenessProbe != nil, &f.WithLiveness, &f.WithoutLiveness)
	count(c.ReadinessProbe != nil || len(w.Pod.ReadinessGates) > 0, &f.WithReadiness, &f.WithoutReadiness)
	count(requests(c), &f.WithRequests, &f.WithoutRequests)
}

// requests tells whether a container asks for CPU or memory. A limit is a
// request too: the server copies it.
func requests(c *corev1.Container) bool {
	for _, list := range []corev1.ResourceList{c.Resources.Requests, c.Resources.Limits} {
		for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
			if q, ok := list[name]; ok && !q.IsZero() {
				return true
			}
		}
	}
	return false
}

// placement looks at how a workload is rolled out and spread.
func (k *kind) placement(i int, w *operandWorkload) {
	f := &k.facts.Operand
	switch {
	case w.Strategy == "RollingUpdate":
		f.Rolling = append(f.Rolling, w.Ref())
	case w.Strategy == "OnDelete":
		f.OnDelete = append(f.OnDelete, w.Ref())
	case w.Strategy == "Recreate" && w.Desired >= 2:
		f.Recreate = append(f.Recreate, w.Ref())
	}
	if a := w.Pod.Affinity; len(w.Pod.TopologySpreadConstraints) > 0 || a != nil && a.PodAntiAffinity != nil {
		f.Spread = append(f.Spread, w.Ref())
		return
	}
	if w.Kind == "DaemonSet" {
		return // one pod a node by its nature
	}
	node := ""
	for _, p := range k.op.o.podsOf[w.Meta.UID] {
		if node != "" && p.NodeName != "" && p.NodeName != node {
			f.Scattered = append(f.Scattered, w.Ref())
			return
		}
		node = p.NodeName
	}
}

var (
	// injected are containers that others put into pods.
	injected = words("istio-proxy linkerd-proxy vault-agent cloud-sql-proxy daprd otc-container fluent-bit aws-otel-collector")
	// helpers are the last words of names of containers that stand beside the
	// main one.
	helpers = []string{"exporter", "reloader", "sidecar", "rbac-proxy", "logging", "log", "logs", "metrics", "agent"}
)

func helper(name string) bool {
	for _, word := range helpers {
		if before, ok := strings.CutSuffix(name, word); ok && (before == "" || strings.HasSuffix(before, "-")) {
			return true
		}
	}
	return false
}

// mainContainers leaves out sidecars, those injected by others and those that
// only help; of a pod of helpers alone all count.
func mainContainers(spec *corev1.PodSpec) []*corev1.Container {
	var all, most []*corev1.Container
	for i := range spec.Containers {
		c := &spec.Containers[i]
		if injected[c.Name] || rbacProxy(c) {
			continue
		}
		all = append(all, c)
		if !helper(c.Name) {
			most = append(most, c)
		}
	}
	if len(most) == 0 {
		return all
	}
	return most
}

func rbacProxy(c *corev1.Container) bool {
	return strings.HasPrefix(c.Name, "kube-rbac-proxy") || strings.Contains(c.Image, "/kube-rbac-proxy")
}

var roleWords = words("primary replica master slave leader follower secondary standby")

// roleOf is the role that a pod's labels give it, "" if none does.
func roleOf(labels map[string]string) string {
	best := ""
	for key, value := range labels {
		name := key[strings.LastIndexByte(key, '/')+1:]
		if roleWords[value] && (name == "role" || strings.HasSuffix(name, "Role") || strings.HasSuffix(name, "-role")) {
			if best == "" || key < best {
				best = key
			}
		}
	}
	if best == "" {
		return ""
	}
	return best + "=" + labels[best]
}

// images finds out whether the operand runs the images that the custom
// resource or the operator's environment names.
func (k *kind) images() {
	f := &k.facts.Operand
	env := map[string]string{} // image: variable
	for _, c := range k.op.at.Controllers {
		if c.Workload.Pod == nil {
			continue
		}
		for i := range c.Workload.Pod.Containers {
			for _, e := range c.Workload.Pod.Containers[i].Env {
				if e.Value != "" && imageEnv.MatchString(e.Name) && (env[e.Value] == "" || e.Name < env[e.Value]) {
					env[e.Value] = e.Name
				}
			}
		}
	}
	wanted := map[int][]string{} // images and versions that a spec names, by instance
	for i := range k.family.workloads {
		w := &k.family.workloads[i]
		named, ok := wanted[w.instance]
		if !ok {
			named = k.op.imagesNamed(k.instances[w.instance].obj.Spec.Map(), 0)
			wanted[w.instance] = named
		}
		for _, c := range mainContainers(w.Pod) {
			f.Images = append(f.Images, c.Image)
			if name := env[c.Image]; name != "" {
				f.ImageEnvUsed = append(f.ImageEnvUsed, name)
				f.ImagesFromSpec = true
			}
			f.ImagesFromSpec = f.ImagesFromSpec || slices.ContainsFunc(named, func(n string) bool { return namesImage(n, c.Image) })
		}
	}
}

var imageEnv = regexp.MustCompile(`(^RELATED_IMAGE_|_IMAGE$|^IMAGE_|_IMAGE_NAME$|_IMAGES$)`)

// imagesNamed are the values of version and image fields of a spec.
func (op *operator) imagesNamed(spec map[string]any, depth int) []string {
	var list []string
	for key, value := range spec {
		switch v := value.(type) {
		case string:
			if v != "" && op.fields.get(key, namesVersion) {
				list = append(list, v)
			}
		case map[string]any:
			if depth < 3 {
				list = append(list, op.imagesNamed(v, depth+1)...)
			}
		}
	}
	return list
}

// namesImage tells whether a value is the image, or the version in its tag.
func namesImage(value, image string) bool {
	if value == image {
		return true
	}
	if !hasDigit.MatchString(value) || strings.Contains(value, "/") {
		return false
	}
	image, _, _ = strings.Cut(image, "@")
	tag := image[strings.LastIndexByte(image, ':')+1:]
	version := strings.TrimPrefix(value, "v")
	return strings.Contains(image, ":") && (strings.TrimPrefix(tag, "v") == version || strings.HasPrefix(strings.TrimPrefix(tag, "v"), version+".") ||
		strings.HasPrefix(strings.TrimPrefix(tag, "v"), version+"-") || strings.HasSuffix(tag, "-"+version))
}
