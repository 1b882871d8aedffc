package facts

import (
	"strings"

	"kubectl-operator-maturity/internal/inventory"
)

// backedUpBy tells whether a sibling kind stands for backups or restores of
// this one: by its name, of the same API group, no product, and with a field
// that refers to this kind.
func (k *kind) backedUpBy(s *kind) bool {
	if !s.aboutBackups() || notARun.MatchString(s.crd.Names.Kind) || s.product() {
		return false
	}
	if a, b := s.crd.Group, k.crd.Group; a != b && !strings.HasSuffix(a, "."+b) && !strings.HasSuffix(b, "."+a) {
		return false
	}
	v := s.storage()
	if v == nil {
		return false
	}
	for _, path := range v.Schema.Fields[inventory.TopicReference] {
		if k.namedBy(path[strings.LastIndexByte(path, '.')+1:], s) {
			return true
		}
	}
	return s.refersTo(k)
}

// namedBy tells whether a reference field of a sibling can mean this kind:
// cluster or clusterName for any kind that ends in Cluster. A word that fits
// every kind counts if no other kind can be meant.
func (k *kind) namedBy(field string, s *kind) bool {
	word := strings.ToLower(field)
	for _, end := range []string{"reference", "refs", "ref", "name"} {
		word = strings.TrimSuffix(word, end)
	}
	if generalWords[word] {
		for _, other := range k.op.kinds {
			if other != k && other != s && other.crd.Group == k.crd.Group && !other.aboutBackups() && !other.at.DataOnly {
				return false
			}
		}
		return true
	}
	return word != "" && strings.HasSuffix(strings.ToLower(k.crd.Names.Kind), word)
}

var generalWords = map[string]bool{"": true, "target": true, "source": true, "instance": true, "resource": true, "owner": true, "parent": true, "database": true}

// refersTo tells whether an instance of the kind names an instance of another.
func (s *kind) refersTo(k *kind) bool {
	for i := range s.instances {
		if s.names(i, k) == named {
			return true
		}
	}
	return false
}

type naming int

const (
	unnamed   naming = iota // names nothing that can be told
	named                   // names an instance of the kind
	elsewhere               // names something else
)

// names tells whether the i-th instance refers to an instance of another kind.
func (s *kind) names(i int, k *kind) naming {
	obj := s.instances[i].obj
	for _, owner := range obj.OwnerReferences {
		if owner.Kind == k.crd.Names.Kind && groupOf(owner.APIVersion) == k.crd.Group {
			return named
		}
	}
	found := unnamed
	for key, value := range obj.Spec.Map() {
		name := str(value)
		if m, ok := value.(map[string]any); ok {
			name = str(m["name"])
			if kind := str(m["kind"]); kind != "" && kind != k.crd.Names.Kind {
				continue
			}
		}
		if name == "" || !k.namedBy(key, s) {
			continue
		}
		if k.instanceNamed(obj.Namespace, name) {
			return named
		}
		found = elsewhere
	}
	return found
}

// mentions tells whether a custom resource names another: as its owner, or by
// a field of its spec.
func mentions(obj, other *inventory.Object) bool {
	if obj.Namespace != other.Namespace {
		return false
	}
	for _, value := range obj.Spec.Map() {
		if str(value) == other.Name || str(dig(value, "name")) == other.Name {
			return true
		}
	}
	return ownerRef(obj, other.UID) != nil
}

func (k *kind) instanceNamed(namespace, name string) bool {
	_, found := k.find(namespace, name)
	return found
}
