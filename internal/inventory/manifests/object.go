package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"kubectl-operator-maturity/internal/inventory"
)

// maxListDepth bounds lists within lists.
const maxListDepth = 8

// object takes one object: an item of a list, or a document of its own.
func (r *reader) object(d document, h head, depth int) error {
	if isList(h) {
		return r.expand(d, h, depth)
	}
	switch {
	case !h.named:
		return nil // values, configuration of other tools, generateName
	case h.APIVersion == "" && h.Kind == "":
		return r.nameless(d)
	case h.APIVersion == "" || h.Kind == "":
		r.fail(d.at, errors.New("an object without apiVersion or kind"))
		return nil
	case h.groupKind() == secret:
		return nil // never kept, and not looked at any further
	case h.name == "":
		r.failKind(d.at, h.groupKind(), fmt.Errorf("%s: metadata.name is no text: put it in quotes", h.Kind))
		return nil
	case strings.Contains(h.name, "{{"):
		r.fail(d.at, errTemplate)
		return nil
	case passedOver(h):
		return nil
	}
	gk := h.groupKind()
	r.observe(h.times, gk)
	if r.store.passes(gk, h) {
		return nil
	}
	switch kind := inventory.KindFor(gk.Group, gk.Kind); {
	case gk == crdKind:
		return r.crd(d, h)
	case kind != nil:
		return r.builtin(d, h, kind)
	case builtinGroup(gk.Group):
		return nil
	default:
		return r.custom(d, h, gk)
	}
}

var (
	secret  = schema.GroupKind{Kind: "Secret"}
	crdKind = schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}
)

// isList tells whether a document is a list of objects. Kinds such as
// AllowList end in "List" too, but have a name.
func isList(h head) bool {
	return strings.HasSuffix(h.Kind, "List") && !h.named && len(h.items) > 0 && h.items[0] == '['
}

func (r *reader) expand(d document, h head, depth int) error {
	if depth >= maxListDepth {
		r.fail(d.at, fmt.Errorf("lists are nested more than %d deep", maxListDepth))
		return nil
	}
	var items []json.RawMessage
	if err := json.Unmarshal(h.items, &items); err != nil {
		r.fail(d.at, err)
		return nil
	}
	for _, raw := range items {
		if err := r.object(document{raw, d.at}, headOf(raw).inherit(h), depth+1); err != nil {
			return err
		}
	}
	return nil
}

// passedOver tells whether an object is meant for a tool and not for a
// cluster, or is there for a test alone.
func passedOver(h head) bool {
	for part := range strings.SplitSeq(h.hook, ",") {
		if strings.HasPrefix(strings.TrimSpace(part), "test") {
			return true
		}
	}
	return h.local || slices.Contains(toolGroups, h.groupKind().Group)
}

// toolGroups are API groups of files that tools read and no server serves.
var toolGroups = []string{
	"kustomize.config.k8s.io", "scorecard.operatorframework.io", "kind.x-k8s.io", "kubeadm.k8s.io", "kubelet.config.k8s.io",
	"kubescheduler.config.k8s.io", "kuttl.dev", "chainsaw.kyverno.io", "cli.kyverno.io", "krew.googlecontainertools.github.com", "component.kubebuilder.io",
}

// builtinGroup tells whether a group is one of Kubernetes' own. A group of a
// CRD always has a dot.
func builtinGroup(group string) bool {
	return !strings.Contains(group, ".") || slices.Contains(builtinGroups, group)
}

var builtinGroups = []string{
	"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "authentication.k8s.io", "authorization.k8s.io",
	"certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io", "flowcontrol.apiserver.k8s.io",
	"imagepolicy.k8s.io", "internal.apiserver.k8s.io", "metrics.k8s.io", "custom.metrics.k8s.io", "external.metrics.k8s.io",
	"networking.k8s.io", "node.k8s.io", "rbac.authorization.k8s.io", "resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
}

// builtin takes an object of a kind of Kubernetes' own that a scan reads.
func (r *reader) builtin(d document, h head, kind *inventory.Kind) error {
	raw, err := modern(d.raw, h)
	if err == nil {
		obj := kind.New()
		if err = lenient(raw, obj); err == nil {
			obj.GetObjectKind().SetGroupVersionKind(kind.GroupKind().WithVersion(kind.Version))
			return r.store.add(&entry{group: kind.Group, kind: kind.Kind, builtin: kind, object: obj, at: d.at})
		}
	}
	r.failKind(d.at, kind.GroupKind(), typeError(h, err))
	return nil
}

// custom takes an object of any other kind.
func (r *reader) custom(d document, h head, gk schema.GroupKind) error {
	apiVersion := h.APIVersion
	if gk.Kind == csvKind {
		apiVersion = csvGroup + "/v1alpha1"
	}
	obj, err := customObject(d.raw, apiVersion, h.Kind, &r.store.shared)
	if err != nil {
		r.failKind(d.at, gk, typeError(h, err))
		return nil
	}
	if gk.Kind == csvKind {
		r.bundle(d.raw, obj)
	}
	return r.store.add(&entry{group: gk.Group, kind: gk.Kind, object: obj, at: d.at, uncapped: expands(gk, h)})
}

// crd takes a CustomResourceDefinition.
func (r *reader) crd(d document, h head) error {
	definition, err := readCRD(d.raw, h.APIVersion)
	if err != nil {
		r.failKind(d.at, crdKind, typeError(h, err))
		return nil
	}
	reduced := inventory.ReduceCRD(definition, compactSize(d.raw))
	return r.store.add(&entry{group: crdKind.Group, kind: crdKind.Kind, crd: &reduced, at: d.at})
}

// compactSize is the length of a document as somebody would apply it: not
// indented, and without what a server and kubectl apply add in a dump, which is
// as long again.
func compactSize(raw []byte) int {
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		return len(raw)
	}
	delete(object, "status")
	if meta, ok := object["metadata"].(map[string]any); ok {
		for _, key := range []string{"managedFields", "uid", "resourceVersion", "generation", "creationTimestamp"} {
			delete(meta, key)
		}
		if annotations, ok := meta["annotations"].(map[string]any); ok {
			delete(annotations, "kubectl.kubernetes.io/last-applied-configuration")
		}
	}
	var compact bytes.Buffer
	encoder := json.NewEncoder(&compact)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		return len(raw)
	}
	return compact.Len() - 1 // the line break
}

// typeError says of which object a field has the wrong type.
func typeError(h head, err error) error {
	name := h.Kind + " " + strings.TrimPrefix(h.namespace+"/"+h.name, "/")
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return fmt.Errorf("%s: %s: %s found where %s is wanted", name, wrong.Field, wrong.Value, wrong.Type)
	}
	return fmt.Errorf("%s: %w", name, err)
}
