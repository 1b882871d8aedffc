package manifests

import (
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// head is what routing needs to know of a document. Fields of another type
// than an object of Kubernetes has stay empty.
type head struct {
	APIVersion, Kind string
	// named: there is a name, which need not be a text.
	named           bool
	name, namespace string
	// hook and local are the annotations that take an object out of a scan.
	hook  string
	local bool
	// copied: OLM has copied a ClusterServiceVersion here.
	copied bool
	// items is the JSON of that field.
	items []byte
	times times
}

// times are the newest of the times that say when something was done to an
// object. Other dates, such as when a certificate expires, lie in the future.
type times struct {
	always time.Time
	// renewed is meant so for a Lease alone, events for an Event.
	renewed, events time.Time
}

// headOf reads the head of a document, which must be JSON.
func headOf(raw []byte) head {
	var h head
	_ = (&headScanner{scanner: scanner{text: raw}, head: &h}).object()
	return h
}

func (h head) groupKind() schema.GroupKind {
	group, _, found := strings.Cut(h.APIVersion, "/")
	if !found {
		group = ""
	}
	gk := schema.GroupKind{Group: group, Kind: h.Kind}
	if now, ok := movedGroups[gk]; ok {
		gk.Group = now
	}
	if gk.Kind == csvKind {
		gk.Group = csvGroup // bundles with another apiVersion are published
	}
	return gk
}

// headScanner takes a head out of an object.
type headScanner struct {
	scanner
	head     *head
	deletion string
	grace    float64
}

// object scans a whole object.
func (s *headScanner) object() error {
	err := s.fields(s.field)
	if err == nil && s.deletion != "" {
		// A deletion is stamped with the end of the grace period.
		if t, err := time.Parse(time.RFC3339, s.deletion); err == nil {
			later(&s.head.times.always, t.Add(-time.Duration(s.grace)*time.Second))
		}
	}
	return err
}

func (s *headScanner) field(key []byte) error {
	h := s.head
	switch string(key) {
	case `"apiVersion"`:
		return s.textInto(&h.APIVersion)
	case `"kind"`:
		return s.textInto(&h.Kind)
	case `"metadata"`:
		return s.fields(s.meta)
	case `"spec"`:
		return s.stamps(&h.times.renewed, `"renewTime"`)
	case `"status"`:
		return s.status(true)
	case `"items"`:
		raw, err := s.raw()
		h.items = raw
		return err
	case `"firstTimestamp"`, `"lastTimestamp"`, `"deprecatedLastTimestamp"`, `"eventTime"`:
		return s.stamp(&h.times.events)
	case `"series"`:
		return s.stamps(&h.times.events, `"lastObservedTime"`)
	}
	return s.skip()
}

func (s *headScanner) meta(key []byte) error {
	h := s.head
	switch string(key) {
	case `"name"`:
		raw, err := s.raw()
		if err == nil {
			h.named, h.name = string(raw) != "null" && string(raw) != `""`, ""
			unquoteInto(&h.name, raw)
		}
		return err
	case `"namespace"`:
		return s.textInto(&h.namespace)
	case `"creationTimestamp"`:
		return s.stamp(&h.times.always)
	case `"deletionTimestamp"`:
		return s.textInto(&s.deletion)
	case `"deletionGracePeriodSeconds"`:
		raw, err := s.raw()
		if n, wrong := strconv.ParseFloat(string(raw), 64); wrong == nil {
			s.grace = n
		}
		return err
	case `"annotations"`:
		return s.fields(s.annotation)
	case `"labels"`:
		return s.fields(s.label)
	case `"managedFields"`:
		return s.items(func() error { return s.stamps(&h.times.always, `"time"`) })
	}
	return s.skip()
}

func (s *headScanner) annotation(key []byte) error {
	switch string(key) {
	case `"helm.sh/hook"`:
		s.head.hook = ""
		return s.textInto(&s.head.hook)
	case `"config.kubernetes.io/local-config"`:
		raw, err := s.raw()
		s.head.local = string(raw) == `"true"` || string(raw) == "true"
		return err
	}
	return s.skip()
}

func (s *headScanner) label(key []byte) error {
	if string(key) == `"olm.copiedFrom"` {
		raw, err := s.raw()
		s.head.copied = string(raw) != `""`
		return err
	}
	return s.skip()
}
