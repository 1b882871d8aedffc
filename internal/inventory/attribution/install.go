package attribution

import (
	"cmp"
	"regexp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
)

// install is how an object was brought onto the cluster, as its labels and
// annotations say. The zero value says nothing.
type install struct {
	tool      string
	namespace string
	name      string
	signal    Signal
}

// key tells installs apart; "" when nothing is known.
// installID is the key of an install to look things up with: it is not put
// together.
type installID struct{ tool, namespace, name string }

func (i install) id() installID {
	if i.name == "" {
		return installID{}
	}
	return installID{i.tool, i.namespace, i.name}
}

func (i install) key() string {
	if i.name == "" {
		return ""
	}
	return i.tool + ":" + i.namespace + "/" + i.name
}

// installOf reads the marks of installers, the most exact first.
func installOf(m *metav1.ObjectMeta) install {
	found := func(tool, namespace, name, mark string) install {
		return install{tool, namespace, name, Signal{Signal: "release", Detail: mark}}
	}
	if name := m.Annotations["meta.helm.sh/release-name"]; name != "" {
		ns := m.Annotations["meta.helm.sh/release-namespace"]
		return found("helm", ns, name, "Helm release "+ns+"/"+name)
	}
	if owner := m.Labels["olm.owner"]; owner != "" {
		return found("olm", m.Labels["olm.owner.namespace"], csvVersion.ReplaceAllString(owner, ""), "OLM: owned by "+owner)
	}
	for key := range m.Labels {
		if rest, ok := strings.CutPrefix(key, "operators.coreos.com/"); ok {
			pkg, ns, _ := strings.Cut(rest, ".")
			return found("olm", ns, pkg, "OLM: label "+key)
		}
	}
	if name := m.Labels["helm.toolkit.fluxcd.io/name"]; name != "" {
		return found("flux", m.Labels["helm.toolkit.fluxcd.io/namespace"], name, "Flux HelmRelease "+name)
	}
	if id := m.Annotations["argocd.argoproj.io/tracking-id"]; id != "" {
		app, _, _ := strings.Cut(id, ":")
		return found("argocd", "", app, "Argo CD application "+app)
	}
	if app := m.Labels["argocd.argoproj.io/instance"]; app != "" {
		return found("argocd", "", app, "Argo CD application "+app)
	}
	if name := m.Labels["kustomize.toolkit.fluxcd.io/name"]; name != "" {
		return found("flux", m.Labels["kustomize.toolkit.fluxcd.io/namespace"], name, "Flux Kustomization "+name)
	}
	if app := m.Labels["kapp.k14s.io/app"]; app != "" {
		return found("kapp", "", app, "kapp application "+app)
	}
	if part := m.Labels["app.kubernetes.io/part-of"]; part != "" {
		return found("part-of", "", part, "label app.kubernetes.io/part-of: "+part)
	}
	if instance := m.Labels["app.kubernetes.io/instance"]; instance != "" && m.Labels["app.kubernetes.io/managed-by"] != "" {
		return found("instance", "", instance, "label app.kubernetes.io/instance: "+instance)
	}
	return install{}
}

// coarse tells whether the install may hold several operators: a GitOps
// application or a platform's part-of label often brings a whole set.
func (i install) coarse() bool { return i.tool == "argocd" || i.tool == "flux" || i.tool == "kapp" }

// packageOf is the chart or package of a workload with its version, and the
// version of the operator itself: what the image's tag says, since labels often
// carry the version of the chart.
func packageOf(w *work) (pkg, version string) {
	pkg = w.Meta.Labels["helm.sh/chart"]
	if w.csv != nil {
		pkg = w.csv.name
		if w.csv.version != "" {
			return pkg, w.csv.version
		}
	}
	tag := ""
	if w.Pod != nil && len(w.Pod.Containers) > 0 {
		tag = imageTag(w.Pod.Containers[0].Image)
	}
	if versionTag.MatchString(tag) {
		return pkg, tag
	}
	return pkg, cmp.Or(w.Meta.Labels["app.kubernetes.io/version"], tag)
}

var versionTag = regexp.MustCompile(`^v?\d+(\.\d+)+`)

func imageTag(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if i := strings.LastIndex(image, ":"); i > strings.LastIndex(image, "/") {
		return image[i+1:]
	}
	return ""
}

// liveOwner is an object that exists and owns a CRD.
type liveOwner struct {
	kind, group, name string
	custom            *inventory.Object
	signal            Signal
}

// liveOwnerOf follows the CRD's owner references. An owner that is not among
// the objects of a kind that was read whole is dead, and no evidence
// (field-cases D2).
func (a *attributor) liveOwnerOf(crd *inventory.CRD) (*liveOwner, []Signal) {
	var dead []Signal
	var live *liveOwner
	for _, ref := range crd.OwnerReferences {
		group, _, grouped := strings.Cut(ref.APIVersion, "/")
		if !grouped {
			group = ""
		}
		object := ref.Kind + "/" + ref.Name
		owned, ok := a.owners.Get(ref.UID)
		if !ok {
			dead = append(dead, Signal{Signal: "owner-reference", CRD: crd.Name, Object: object,
				Detail: "names owner " + object + " (uid " + string(ref.UID) + "), which is not among the objects seen"})
			continue
		}
		if live != nil && !(ref.Controller != nil && *ref.Controller) {
			continue
		}
		custom, _ := owned.Object.(*inventory.Object)
		live = &liveOwner{kind: ref.Kind, group: group, name: ref.Name, custom: custom,
			signal: Signal{Signal: "owner-reference", CRD: crd.Name, Object: object, Detail: "is owned by " + object + ", which exists"}}
	}
	return live, dead
}
