package facts

import (
	"regexp"
	"strings"
	"time"
)

// stuckAfter is how long a deletion may take.
const stuckAfter = 15 * time.Minute

func (t *tally) finalizers(i int) {
	k, f := t.k, t.f
	obj := k.instances[i].obj
	gone := k.facts.Reconciled.Gone
	var own []string
	for _, name := range obj.Finalizers {
		if ofOperator(name, k.crd.Group) {
			own = append(own, name)
			if !k.op.qualified.get(name, qualifiedFinalizer) {
				t.unqualified = append(t.unqualified, name)
			}
		}
	}
	t.finalizerNames = append(t.finalizerNames, own...)
	if len(own) > 0 {
		f.WithOperatorFinalizer++
		if gone {
			f.LatentDeadlock++
		}
	}
	if obj.DeletionTimestamp == nil {
		return
	}
	f.Deleting++
	age := k.op.o.age(obj.DeletionTimestamp.Time)
	switch {
	case len(own) > 0 && gone:
		t.stuck = append(t.stuck, k.ref(i)+" waits for finalizer "+own[0]+", whose controller is gone")
	case age > stuckAfter && len(obj.Finalizers) > 0:
		t.stuck = append(t.stuck, k.ref(i)+" has been deleting for "+span(age)+", waiting for finalizer "+obj.Finalizers[0])
	case age > stuckAfter:
		t.stuck = append(t.stuck, k.ref(i)+" has been deleting for "+span(age))
	}
}

// ofOperator tells whether a finalizer is an operator's: neither Kubernetes'
// own nor a GitOps tool's, unless the CRD is of that tool.
func ofOperator(finalizer, group string) bool {
	domain, _, _ := strings.Cut(finalizer, "/")
	switch {
	case finalizer == "foregroundDeletion", finalizer == "orphan", finalizer == "kubernetes":
		return false
	case domain == "kubernetes.io" || domain == "batch.kubernetes.io" || domain == "k8s.io":
		return false
	}
	for _, tool := range []string{"argocd.argoproj.io", "fluxcd.io", "kapp.k14s.io", "fleet.cattle.io"} {
		if domain == tool || strings.HasSuffix(domain, "."+tool) {
			return related(tool, group)
		}
	}
	return true
}

var dottedName = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)+$`)

// qualifiedFinalizer tells whether a finalizer says whose it is: domain/name,
// or a dotted name by itself.
func qualifiedFinalizer(name string) bool {
	domain, _, _ := strings.Cut(name, "/")
	return dottedName.MatchString(domain)
}

// related tells whether a label key or domain belongs to the project of an API
// group: cnpg.io/cluster and postgresql.cnpg.io. The domains of Kubernetes
// itself belong to everybody.
func related(key, group string) bool {
	domain, _, _ := strings.Cut(key, "/")
	if domain == "" || group == "" {
		return false
	}
	if domain == group || strings.HasSuffix(domain, "."+group) {
		return true
	}
	a, b := registrable(domain), registrable(group)
	return a == b && a != ""
}

// registrable is the last two labels of a domain, "" for those that many
// projects share.
func registrable(domain string) string {
	parts := strings.Split(domain, ".")
	if len(parts) < 2 {
		return ""
	}
	last := strings.Join(parts[len(parts)-2:], ".")
	switch last {
	case "k8s.io", "kubernetes.io", "x-k8s.io", "github.io", "github.com", "openshift.io", "amazonaws.com", "google.com", "azure.com", "helm.sh":
		return ""
	}
	return last
}
