package demo

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// key names an object of the cluster, whatever the version of its API.
type key struct{ group, kind, namespace, name string }

func (k key) String() string {
	return strings.Join([]string{k.group, k.kind, k.namespace, k.name}, "/")
}

func keyOf(o *unstructured.Unstructured) key {
	return key{o.GroupVersionKind().Group, o.GetKind(), o.GetNamespace(), o.GetName()}
}

// item is an object to be written, with its story.
type item struct {
	object        *unstructured.Unstructured
	owner         *item
	manager       string
	statusManager string

	age       time.Duration
	statusAge time.Duration
	changed   time.Duration // when its manager wrote last
	deleted   time.Duration // 0: it was not

	generation     int64 // 0: as the server counts
	storedVersions []string
	rollouts       []rollout
	podAge         time.Duration // 0: that of the last rollout
	ready          int           // -1: all
	waiting        string
	restarts       int64
}

// rollout is one revision of a Deployment.
type rollout struct {
	tag string
	age time.Duration
}

func (i *item) key() key { return keyOf(i.object) }

const prefix = "demo.local/"

// story takes the recorder's annotations off an object.
type story struct {
	values map[string]string
	errs   []string
}

func takeStory(o *unstructured.Unstructured) *story {
	s := &story{values: map[string]string{}}
	annotations := o.GetAnnotations()
	for name, value := range annotations {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			s.values[rest] = value
			delete(annotations, name)
		}
	}
	if len(annotations) == 0 {
		annotations = nil
	}
	o.SetAnnotations(annotations)
	return s
}

func (s *story) text(name string) string {
	value := s.values[name]
	delete(s.values, name)
	return value
}

func (s *story) duration(name string, otherwise time.Duration) time.Duration {
	value := s.text(name)
	if value == "" {
		return otherwise
	}
	d, err := parseAge(value)
	if err != nil {
		s.errs = append(s.errs, name+": "+err.Error())
	}
	return d
}

func (s *story) number(name string, otherwise int64) int64 {
	value := s.text(name)
	if value == "" {
		return otherwise
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		s.errs = append(s.errs, name+": "+err.Error())
	}
	return n
}

func (s *story) list(name string) []string {
	var list []string
	for part := range strings.SplitSeq(s.text(name), ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

// rest is an error about what was not understood.
func (s *story) rest() error {
	for _, name := range slices.Sorted(maps.Keys(s.values)) {
		s.errs = append(s.errs, name+": no such annotation")
	}
	if len(s.errs) == 0 {
		return nil
	}
	return fmt.Errorf("annotations %s…: %s", prefix, strings.Join(s.errs, "; "))
}

// newItem reads the story of an object; find looks for its owner among the objects before it.
func newItem(o *unstructured.Unstructured, d defaults, find func(ref, namespace string) *item) (*item, error) {
	s := takeStory(o)
	i := &item{object: o, ready: int(s.number("ready", -1)), waiting: s.text("waiting"), restarts: s.number("restarts", 0),
		generation: s.number("generation", 0), storedVersions: s.list("stored-versions"),
		deleted: s.duration("deleted", 0), podAge: s.duration("pod-age", 0)}
	age := d.age
	if ref := s.text("owner"); ref != "" {
		if i.owner = find(ref, o.GetNamespace()); i.owner == nil {
			return nil, fmt.Errorf("owner %s does not come before it", ref)
		}
		age, i.manager = i.owner.age, i.owner.statusManager
	}
	i.manager = cmp.Or(s.text("manager"), i.manager, d.manager)
	if i.owner == nil && i.manager == d.manager {
		d.addTo(o)
	}
	i.statusManager = s.text("status-manager")
	if i.statusManager == "" && o.Object["status"] != nil {
		i.statusManager = controllerManager
	}
	if o.GetKind() == "Event" {
		first, _, _ := unstructured.NestedString(o.Object, "firstTimestamp")
		var err error
		if age, err = parseAge(strings.TrimPrefix(first, "ago ")); err != nil {
			return nil, fmt.Errorf("firstTimestamp: %w", err)
		}
	}
	status, newest, err := absolute(o.Object["status"], layoutOf(o.GetKind()))
	if err != nil {
		return nil, err
	}
	if status != nil {
		o.Object["status"] = status
	}
	_, times, err := absolute(o.Object, layoutOf(o.GetKind()))
	if err != nil {
		return nil, err
	}
	i.age = s.duration("age", age)
	i.changed = s.duration("changed", i.age)
	if o.GetKind() == "Lease" {
		i.changed = times
	}
	for _, revision := range s.list("rollouts") {
		tag, at, _ := strings.Cut(revision, "@")
		if d, err := parseAge(at); err != nil {
			s.errs = append(s.errs, err.Error())
		} else {
			i.rollouts = append(i.rollouts, rollout{tag, d})
			i.changed = d
		}
	}
	if newest < 0 {
		newest = i.age
	}
	i.statusAge = s.duration("status-age", newest)
	return i, s.rest()
}

func (d defaults) addTo(o *unstructured.Unstructured) {
	if o.GroupVersionKind().GroupKind() == (schema.GroupKind{Kind: "Namespace"}) {
		return // made by the installer beside the package
	}
	o.SetLabels(merged(d.labels, o.GetLabels()))
	o.SetAnnotations(merged(d.annotations, o.GetAnnotations()))
}

func merged(base, over map[string]string) map[string]string {
	all := map[string]string{}
	for _, from := range []map[string]string{base, over} {
		for name, value := range from {
			all[name] = value
		}
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
