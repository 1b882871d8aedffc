package facts

import (
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/attribution"
)

// Who did it: an object counts for an operator by an owner reference to one of
// its custom resources, by a managedFields manager of the operator, or since
// it came with the operator's package (release.go). A manager is the
// operator's if it writes the status of its custom resources and no other
// operator answers to that name. Tools of people never count.

// indexManagers finds who writes the status and finalizers of each CRD's
// instances, and sorts out which of these managers are another operator's.
func (o *observer) indexManagers() {
	for _, op := range o.operators {
		op.names = processNames(&op.at)
	}
	for _, op := range o.operators {
		for _, k := range op.kinds {
			for _, obj := range k.objects {
				k.noteWriters(obj)
			}
			if m := k.at.StatusManager; m != "" {
				k.noteWriter(m, k.at.LastStatusWrite, true)
			}
			for manager := range k.writers {
				if !op.answersTo(manager) && o.answeredByOther(op, manager) {
					op.other[manager] = true
				} else {
					op.own[manager] = true
				}
			}
		}
		for manager := range op.own {
			o.managers[manager] = append(o.managers[manager], op)
		}
	}
}

// noteWriters notes the managers, no tools of people, that wrote status or
// finalizers of a custom resource.
func (k *kind) noteWriters(obj *inventory.Object) {
	for i := range obj.ManagedFields {
		f := &obj.ManagedFields[i]
		if !controllerWrite(f) {
			continue
		}
		var at time.Time
		if f.Time != nil {
			at = f.Time.Time
		}
		k.noteWriter(f.Manager, at, wroteStatus(f))
	}
}

func (k *kind) noteWriter(manager string, at time.Time, status bool) {
	w := k.writers[manager]
	if at.After(w.last) {
		w.last = at
	}
	if status {
		w.status = true
		if at.After(w.lastStatus) {
			w.lastStatus = at
		}
	}
	k.writers[manager] = w
}

// writing is what a manager wrote of a kind's instances.
type writing struct {
	status           bool // not only finalizers
	last, lastStatus time.Time
}

// lastWriter is who wrote status last; where nobody did, who set a finalizer.
func (k *kind) lastWriter() (manager string, of writing) {
	for _, m := range slices.Sorted(maps.Keys(k.writers)) {
		w := k.writers[m]
		newer := w.lastStatus.After(of.lastStatus)
		if !w.status {
			newer = w.last.After(of.last)
		}
		if manager == "" || w.status && !of.status || w.status == of.status && newer {
			manager, of = m, w
		}
	}
	return manager, of
}

// controllerWrite tells whether an entry is a controller's write to status or
// finalizers. GitOps tools count only where they write status.
func controllerWrite(f *metav1.ManagedFieldsEntry) bool {
	if f.Manager == "" || inventory.HumanTool(f.Manager) || f.Subresource != "status" && inventory.GitOpsManager(f.Manager) {
		return false
	}
	return wroteStatus(f) || f.Subresource == "" && inventory.Wrote(f, "metadata.finalizers")
}

func wroteStatus(f *metav1.ManagedFieldsEntry) bool {
	return f.Subresource == "status" || f.Subresource == "" && inventory.Wrote(f, "status")
}

// answersTo tells whether a manager's name is one that the operator's
// processes go by: its catalogue managers, its binaries, its workloads.
func (op *operator) answersTo(manager string) bool {
	if op.at.Entry != nil {
		for _, known := range op.at.Entry.Managers {
			if strings.HasPrefix(manager, strings.TrimRight(known, "*")) {
				return true
			}
		}
	}
	for _, name := range op.names {
		if inventory.Squash(name) == inventory.Squash(manager) || strings.HasPrefix(manager, name+"-") {
			return true
		}
	}
	return false
}

func (o *observer) answeredByOther(op *operator, manager string) bool {
	for _, other := range o.operators {
		if other != op && other.answersTo(manager) {
			return true
		}
	}
	return false
}

// wrote tells whether the operator wrote an object itself, its status aside: a
// manager of it, and of no other operator, stands in managedFields.
func (op *operator) wrote(m metav1.Object) bool {
	for _, f := range m.GetManagedFields() {
		if f.Subresource == "" && op.isOwn(f.Manager) {
			return true
		}
	}
	return false
}

// isOwn tells whether a manager is the operator's and nobody else's.
func (op *operator) isOwn(manager string) bool {
	if manager == "" || op.other[manager] || inventory.HumanTool(manager) || inventory.GitOpsManager(manager) {
		return false
	}
	if op.own[manager] {
		return len(op.o.managers[manager]) == 1
	}
	return op.at.Entry != nil && op.answersTo(manager) && len(op.o.managers[manager]) == 0 && !genericNames[manager]
}

// writerList are all managers of the kind, and those of other operators.
func (k *kind) writerList() (all, others []string) {
	for manager := range k.writers {
		all = append(all, manager)
		if k.op.other[manager] {
			others = append(others, manager)
		}
	}
	return sorted(all), sorted(others)
}

// genericNames are names of binaries that say nothing about the operator.
var genericNames = words("manager operator controller main controller-manager app go python python3 java node helm-operator " +
	"ansible-operator okhttp kubernetes-client fabric8-kubernetes-client Swagger-Codegen OpenAPI-Generator Go-http-client")

// processNames are the names that an operator's processes may write under:
// their binaries (client-go's default), images, containers and workloads.
func processNames(op *attribution.Operator) []string {
	var names []string
	add := func(name string) {
		if len(name) > 2 && !genericNames[name] && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for i := range op.Companions {
		add(op.Companions[i].Workload.Name)
	}
	for i := range op.Controllers {
		w := &op.Controllers[i].Workload
		add(w.Name)
		if w.Pod == nil {
			continue
		}
		for _, c := range w.Pod.Containers {
			if rbacProxy(&c) {
				continue
			}
			add(c.Name)
			if len(c.Command) > 0 {
				add(path.Base(c.Command[0]))
			}
			add(imageName(c.Image))
		}
	}
	return names
}

// imageName is the last part of an image's path, without tag and digest.
func imageName(image string) string {
	image, _, _ = strings.Cut(image, "@")
	image, _, _ = strings.Cut(path.Base(image), ":")
	return image
}
