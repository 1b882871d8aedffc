package review

// builtinNames are what kubectl takes for kinds of Kubernetes itself, by
// plural, singular and short name, as `kubectl api-resources` lists them for
// Kubernetes 1.37: a CRD with one of them is reached by its full name only.
var builtinNames = namesOfKinds([][]string{
	{"ConfigMap", "configmaps", "configmap", "cm"},
	{"Endpoints", "endpoints", "ep"},
	{"Event", "events", "event", "ev"},
	{"LimitRange", "limitranges", "limitrange", "limits"},
	{"Namespace", "namespaces", "namespace", "ns"},
	{"Node", "nodes", "node", "no"},
	{"PersistentVolumeClaim", "persistentvolumeclaims", "persistentvolumeclaim", "pvc"},
	{"PersistentVolume", "persistentvolumes", "persistentvolume", "pv"},
	{"Pod", "pods", "pod", "po"},
	{"ReplicationController", "replicationcontrollers", "replicationcontroller", "rc"},
	{"ResourceQuota", "resourcequotas", "resourcequota", "quota"},
	{"Secret", "secrets", "secret"},
	{"ServiceAccount", "serviceaccounts", "serviceaccount", "sa"},
	{"Service", "services", "service", "svc"},
	{"CustomResourceDefinition", "customresourcedefinitions", "customresourcedefinition", "crd", "crds"},
	{"APIService", "apiservices", "apiservice"},
	{"DaemonSet", "daemonsets", "daemonset", "ds"},
	{"Deployment", "deployments", "deployment", "deploy"},
	{"ReplicaSet", "replicasets", "replicaset", "rs"},
	{"StatefulSet", "statefulsets", "statefulset", "sts"},
	{"HorizontalPodAutoscaler", "horizontalpodautoscalers", "horizontalpodautoscaler", "hpa"},
	{"CronJob", "cronjobs", "cronjob", "cj"},
	{"Job", "jobs", "job"},
	{"CertificateSigningRequest", "certificatesigningrequests", "certificatesigningrequest", "csr"},
	{"Lease", "leases", "lease"},
	{"EndpointSlice", "endpointslices", "endpointslice"},
	{"Ingress", "ingresses", "ingress", "ing"},
	{"IngressClass", "ingressclasses", "ingressclass"},
	{"NetworkPolicy", "networkpolicies", "networkpolicy", "netpol"},
	{"IPAddress", "ipaddresses", "ipaddress", "ip"},
	{"PodDisruptionBudget", "poddisruptionbudgets", "poddisruptionbudget", "pdb"},
	{"ClusterRole", "clusterroles", "clusterrole"},
	{"Role", "roles", "role"},
	{"RoleBinding", "rolebindings", "rolebinding"},
	{"PriorityClass", "priorityclasses", "priorityclass", "pc"},
	{"StorageClass", "storageclasses", "storageclass", "sc"},
	{"VolumeAttachment", "volumeattachments", "volumeattachment"},
	{"RuntimeClass", "runtimeclasses", "runtimeclass"},
})

func namesOfKinds(kinds [][]string) map[string]string {
	byName := map[string]string{}
	for _, k := range kinds {
		for _, name := range k[1:] {
			byName[name] = k[0]
		}
	}
	return byName
}
