package manifests

import (
	"slices"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// status takes the times of conditions, which stand in the status or, for
// routes of the gateway API, once for each parent.
func (s *headScanner) status(parents bool) error {
	return s.fields(func(key []byte) error {
		switch {
		case string(key) == `"conditions"`:
			return s.items(func() error {
				return s.stamps(&s.head.times.always, `"lastTransitionTime"`, `"lastUpdateTime"`, `"lastProbeTime"`, `"lastHeartbeatTime"`)
			})
		case parents && string(key) == `"parents"`:
			return s.items(func() error { return s.status(false) })
		}
		return s.skip()
	})
}

// stamps takes an object and the times in some of its fields.
func (s *headScanner) stamps(newest *time.Time, keys ...string) error {
	return s.fields(func(key []byte) error {
		if slices.Contains(keys, string(key)) {
			return s.stamp(newest)
		}
		return s.skip()
	})
}

// stamp takes a value that may be a time. One that is none tells nothing.
func (s *headScanner) stamp(newest *time.Time) error {
	raw, err := s.raw()
	if err != nil || raw[0] != '"' || len(raw) > 64 || !utf8.Valid(raw) {
		return err
	}
	if t, err := time.Parse(time.RFC3339, unquote(raw)); err == nil { // takes fractions of a second too
		later(newest, t)
	}
	return nil
}

// textInto takes a value into a field that holds texts.
func (s *headScanner) textInto(into *string) error {
	raw, err := s.raw()
	if err == nil {
		unquoteInto(into, raw)
	}
	return err
}

// observe moves the newest time seen forward. Objects that are not kept count
// too: what is judged must not depend on how many are.
func (r *reader) observe(t times, gk schema.GroupKind) {
	later(&r.newest, t.always)
	switch gk.Kind {
	case "Lease":
		later(&r.newest, t.renewed)
	case "Event":
		later(&r.newest, t.events)
	}
}

func later(newest *time.Time, t time.Time) {
	if t = t.UTC(); t.After(*newest) {
		*newest = t
	}
}
