package facts

import (
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// An object came with the operator's package if it bears the same marks of an
// installer as the operator's workloads. Marks that name one release hold
// anywhere; labels that many objects share, and GitOps applications, which may
// bring a whole platform, hold in the controllers' namespaces only.

// exactMarks name one release of one package.
func exactMarks(m metav1.Object) []string {
	var marks []string
	a, l := m.GetAnnotations(), m.GetLabels()
	if name := a["meta.helm.sh/release-name"]; name != "" {
		marks = append(marks, "helm:"+a["meta.helm.sh/release-namespace"]+"/"+name)
	}
	if owner := l["olm.owner"]; owner != "" {
		marks = append(marks, "olm:"+l["olm.owner.namespace"]+"/"+owner)
	}
	for key := range l {
		if strings.HasPrefix(key, "operators.coreos.com/") {
			marks = append(marks, key)
		}
	}
	if name := l["helm.toolkit.fluxcd.io/name"]; name != "" {
		marks = append(marks, "flux:"+l["helm.toolkit.fluxcd.io/namespace"]+"/"+name)
	}
	return marks
}

// looseMarks are labels that need the same namespace to tell anything.
var looseMarks = []string{"app.kubernetes.io/part-of", "app.kubernetes.io/instance", "app.kubernetes.io/name", "app",
	"argocd.argoproj.io/instance", "kapp.k14s.io/app", "kustomize.toolkit.fluxcd.io/name"}

// ofRelease tells whether an object came with the operator's package.
func (op *operator) ofRelease(m metav1.Object) bool {
	for i := range op.at.Controllers {
		w := &op.at.Controllers[i].Workload
		if sharesRelease(w.Meta, w.Namespace, m) {
			return true
		}
	}
	return false
}

func sharesRelease(w metav1.Object, namespace string, m metav1.Object) bool {
	theirs := exactMarks(w)
	for _, mark := range exactMarks(m) {
		for _, their := range theirs {
			if mark == their {
				return true
			}
		}
	}
	if m.GetNamespace() != namespace || namespace == "" {
		return false
	}
	for _, key := range looseMarks {
		if v := m.GetLabels()[key]; v != "" && v == w.GetLabels()[key] {
			return true
		}
	}
	return strings.HasPrefix(m.GetName(), w.GetName())
}
