package inventory

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// shallowFields keeps two levels of a fieldsV1 tree, and only names of fields:
// "who wrote status", "who wrote metadata.finalizers", but no map keys or list
// items, which can be data.
func shallowFields(fields *metav1.FieldsV1) *metav1.FieldsV1 {
	if fields == nil {
		return nil
	}
	if kept, ok := shallowPlain(fields.GetRawBytes()); ok {
		return metav1.NewFieldsV1(kept)
	}
	var tree map[string]map[string]json.RawMessage
	if err := json.Unmarshal(fields.GetRawBytes(), &tree); err != nil {
		return nil
	}
	kept := map[string]map[string]struct{}{}
	for top, children := range tree {
		if !strings.HasPrefix(top, "f:") {
			continue
		}
		kept[top] = map[string]struct{}{}
		if top == "f:data" || top == "f:binaryData" || top == "f:stringData" {
			continue
		}
		for child := range children {
			if strings.HasPrefix(child, "f:") {
				kept[top][child] = struct{}{}
			}
		}
	}
	raw, err := json.Marshal(kept)
	if err != nil {
		return nil
	}
	return metav1.NewFieldsV1(string(raw))
}

// writersOnly keeps who wrote an object of a built-in kind. When, and which
// fields, is looked at in custom resources and CRDs alone.
func (s *Shared) writersOnly(m *metav1.ObjectMeta) {
	for i := range m.ManagedFields {
		f := &m.ManagedFields[i]
		f.Time, f.FieldsType, f.FieldsV1 = nil, "", nil
	}
	if s == nil || len(m.ManagedFields) == 0 {
		return
	}
	s.buf = s.buf[:0]
	for i := range m.ManagedFields {
		f := &m.ManagedFields[i]
		s.addPair(f.Manager, string(f.Operation))
		s.addPair(f.APIVersion, f.Subresource)
	}
	if known, ok := s.writers[string(s.buf)]; ok {
		m.ManagedFields = known
		return
	}
	for i := range m.ManagedFields {
		s.ownTexts(&m.ManagedFields[i])
	}
	own := m.ManagedFields
	remember(&s.writers, string(s.buf), func(string) []metav1.ManagedFieldsEntry { return own })
}

// Wrote tells whether a managedFields entry covers a field, named by its top
// key and optionally one below it: "status", "metadata.finalizers".
func Wrote(entry *metav1.ManagedFieldsEntry, field string) bool {
	if entry.FieldsV1 == nil {
		return entry.Subresource == field
	}
	top, child, nested := strings.Cut(field, ".")
	raw := entry.FieldsV1.GetRawBytes()
	if !bytes.Contains(raw, []byte(`"f:`+top+`"`)) && bytes.IndexByte(raw, '\\') < 0 {
		return false // what is not there need not be looked for in a tree
	}
	var tree map[string]map[string]json.RawMessage
	if json.Unmarshal(raw, &tree) != nil {
		return false
	}
	below, ok := tree["f:"+top]
	if nested {
		_, ok = below["f:"+child]
	}
	return ok
}

// FieldsWritten lists the fields below a top key that an entry covers, sorted.
func FieldsWritten(entry *metav1.ManagedFieldsEntry, top string) []string {
	if entry.FieldsV1 == nil {
		return nil
	}
	var tree map[string]map[string]json.RawMessage
	if json.Unmarshal(entry.FieldsV1.GetRawBytes(), &tree) != nil {
		return nil
	}
	var fields []string
	for child := range tree["f:"+top] {
		fields = append(fields, strings.TrimPrefix(child, "f:"))
	}
	slices.Sort(fields)
	return fields
}

// humanTools are managedFields managers of people, installers without a
// controller, and Kubernetes itself: what they wrote is no sign of an operator
// at work. An entry that ends in "*" is a prefix.
var humanTools = []string{
	"kubectl*", "helm", "kustomize", "terraform*", "Terraform", "HashiCorp", "pulumi*", "before-first-apply", "Mozilla", "oc",
	"openshift-client*", "k9s", "lens", "node-fetch", "unknown", "kapp", "tanka", "skaffold", "tilt", "eksctl", "clusterctl",
	"kube-controller-manager", "kube-apiserver", "kube-scheduler", "GoogleContainerEngine", "dashboard", "headlamp",
}

// gitOpsManagers apply what is in a repository, finalizers included. Their
// writes count only where they write status: of their own kinds.
var gitOpsManagers = []string{
	"argocd*", "kustomize-controller", "helm-controller", "flux*", "gotk-*", "kapp-controller", "fleetagent", "rancher*", "velero*", "catalog", "olm",
}

// HumanTool tells whether a managedFields manager is a tool of people, an
// installer or a part of Kubernetes itself, and no controller of an operator.
func HumanTool(manager string) bool { return listed(humanTools, manager) }

// GitOpsManager tells whether a manager applies objects from a repository or
// backup, so that its writes to anything but status are no controller's.
func GitOpsManager(manager string) bool { return listed(gitOpsManagers, manager) }

func listed(names []string, manager string) bool {
	for _, name := range names {
		if prefix, ok := strings.CutSuffix(name, "*"); ok && strings.HasPrefix(manager, prefix) || manager == name {
			return true
		}
	}
	return false
}
