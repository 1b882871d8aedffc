package inventory

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// APIVersion is the version of the snapshot and scorecard formats.
const APIVersion = "operator-maturity/v1"

// SnapshotKind is the kind of a snapshot on disk.
const SnapshotKind = "Snapshot"

const crdAPIVersion, crdKind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"

type header struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"`
	Taken      time.Time `json:"taken"`
	Source     Source    `json:"source"`
	Access     []Access  `json:"access"`
}

// SnapshotTypes are values of the types that stand in a snapshot on disk: its
// fields beside items, and the kinds of items that are ours. The schema is
// made from them; other items are Kubernetes objects.
func SnapshotTypes() (head any, items []any) {
	return header{}, []any{crdItem{}, expositionItem{}}
}

// Encode writes a snapshot as JSON, an item a line, in canonical order: equal
// snapshots give equal bytes, and Decode of them gives an equal snapshot.
// s is brought into that order if it is not in it yet.
func Encode(w io.Writer, s *Snapshot) error {
	s.Sort()
	out := bufio.NewWriter(w)
	access := s.Access
	if access == nil {
		access = []Access{} // a list, not null
	}
	head, err := json.Marshal(header{APIVersion, SnapshotKind, s.Taken, s.Source, access})
	if err != nil {
		return fmt.Errorf("encoding the snapshot's header: %w", err)
	}
	out.Write(head[:len(head)-1])
	out.WriteString(`,"items":[`)
	first := true
	write := func(item any, what string) error {
		raw, err := json.Marshal(item)
		if err != nil {
			return fmt.Errorf("encoding %s: %w", what, err)
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteByte('\n')
		_, err = out.Write(raw)
		return err
	}
	if err := eachItem(s, write); err != nil {
		return err
	}
	out.WriteString("\n]}\n")
	return out.Flush()
}

// crdItem is a reduced CRD as an item: the CRD's fields beside its type.
type crdItem struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	CRD
}

func eachItem(s *Snapshot, write func(item any, what string) error) error {
	for i := range s.CRDs {
		if err := write(crdItem{crdAPIVersion, crdKind, s.CRDs[i]}, s.CRDs[i].Name); err != nil {
			return err
		}
	}
	for _, k := range storedKinds() {
		gvk := schema.GroupVersionKind{Group: k.Group, Version: k.Version, Kind: k.Kind}
		var failed error
		k.Each(s, func(obj TypedObject) {
			if failed == nil {
				typed := obj.DeepCopyObject()
				typed.GetObjectKind().SetGroupVersionKind(gvk)
				failed = write(typed, k.Kind+" "+obj.GetNamespace()+"/"+obj.GetName())
			}
		})
		if failed != nil {
			return failed
		}
	}
	for i := range s.CustomResources {
		o := &s.CustomResources[i]
		if err := write(o, o.Kind+" "+o.Namespace+"/"+o.Name); err != nil {
			return err
		}
	}
	return s.eachExposition(write)
}

// ErrNotSnapshot is returned by Decode for input that is not a snapshot.
var ErrNotSnapshot = errors.New("not a snapshot")

// Decode reads what Encode wrote. It is lenient about unknown fields, and
// refuses a newer format version with what to do.
func Decode(r io.Reader) (*Snapshot, error) {
	in := json.NewDecoder(bufio.NewReader(r))
	if err := expectDelim(in, '{'); err != nil {
		return nil, ErrNotSnapshot
	}
	s := &Snapshot{}
	var head header
	fields := map[string]any{"apiVersion": &head.APIVersion, "kind": &head.Kind, "taken": &head.Taken, "source": &head.Source, "access": &head.Access}
	for in.More() {
		key, err := in.Token()
		if err != nil {
			return nil, fmt.Errorf("reading the snapshot: %w", cutShort(err))
		}
		name, _ := key.(string)
		switch {
		case name == "items":
			if err := checkHeader(&head); err != nil {
				return nil, err
			}
			if err := decodeItems(in, s); err != nil {
				return nil, err
			}
		case fields[name] != nil:
			if err := in.Decode(fields[name]); err != nil {
				return nil, fmt.Errorf("reading the snapshot's %s: %w", name, cutShort(err))
			}
		default:
			var skipped json.RawMessage
			if err := in.Decode(&skipped); err != nil {
				return nil, fmt.Errorf("reading the snapshot's %s: %w", name, cutShort(err))
			}
		}
	}
	if err := expectDelim(in, '}'); err != nil {
		return nil, fmt.Errorf("reading the end of the snapshot: %w", cutShort(err))
	}
	if err := checkHeader(&head); err != nil {
		return nil, err
	}
	s.Taken, s.Source = head.Taken, head.Source
	if len(head.Access) > 0 {
		s.Access = head.Access
	}
	s.Sort()
	return s, nil
}

func checkHeader(h *header) error {
	if h.Kind != SnapshotKind {
		return ErrNotSnapshot
	}
	if h.APIVersion != APIVersion {
		return fmt.Errorf("the snapshot has format %q, this program reads %q: take it again with this version, or update kubectl operator-maturity", h.APIVersion, APIVersion)
	}
	return nil
}

func expectDelim(in *json.Decoder, want json.Delim) error {
	token, err := in.Token()
	if err != nil {
		return err
	}
	if token != want {
		return fmt.Errorf("found %v where %v was expected", token, want)
	}
	return nil
}

func decodeItems(in *json.Decoder, s *Snapshot) error {
	if err := expectDelim(in, '['); err != nil {
		return fmt.Errorf("reading the snapshot's items: %w", cutShort(err))
	}
	var shared Shared
	for n := 1; in.More(); n++ {
		var raw json.RawMessage
		if err := in.Decode(&raw); err != nil {
			return fmt.Errorf("reading item %d of the snapshot: %w", n, cutShort(err))
		}
		if err := decodeItem(raw, s, &shared); err != nil {
			return fmt.Errorf("reading item %d of the snapshot: %w", n, err)
		}
	}
	if err := expectDelim(in, ']'); err != nil {
		return fmt.Errorf("reading the end of the snapshot's items: %w", cutShort(err))
	}
	return nil
}

// cutShort says what the end of the file in the middle of a value means.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("the file ends early: it was cut short, take or copy it again")
	}
	return err
}

func decodeItem(raw json.RawMessage, s *Snapshot, shared *Shared) error {
	var o struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
	}
	if err := json.Unmarshal(raw, &o); err != nil {
		return err
	}
	if o.APIVersion == crdAPIVersion && o.Kind == crdKind {
		var item crdItem
		if err := json.Unmarshal(raw, &item); err != nil {
			return err
		}
		shared.pruneMeta(&item.ObjectMeta)
		s.CRDs = append(s.CRDs, item.CRD)
		return nil
	}
	if o.APIVersion == APIVersion && o.Kind == expositionKind {
		return s.decodeExposition(raw)
	}
	if k := storedKind(groupOf(o.APIVersion), o.Kind); k != nil {
		obj := k.New()
		if err := json.Unmarshal(raw, obj); err != nil {
			return fmt.Errorf("%s: %w", o.Kind, err)
		}
		k.AddShared(s, obj, shared)
		return nil
	}
	var custom Object
	if err := utiljson.Unmarshal(raw, &custom); err != nil {
		return err
	}
	shared.PruneCustom(&custom, custom.Spec.Value(), custom.Status.Value())
	s.CustomResources = append(s.CustomResources, custom)
	return nil
}

// AddCustom prunes a custom resource and puts it into the snapshot.
func (s *Snapshot) AddCustom(o Object) {
	PruneCustom(&o, o.Spec.Value(), o.Status.Value())
	s.CustomResources = append(s.CustomResources, o)
}
