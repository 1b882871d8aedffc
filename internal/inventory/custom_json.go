package inventory

import (
	"encoding/json"
	"errors"
	"fmt"
)

// AddCustomJSON puts a custom resource into the snapshot, reduced as
// PruneCustom does. raw is JSON that is known to be valid, such as an item of a
// list that was read token by token. apiVersion and kind are those of the list,
// for items that leave them out. shared may be nil. It is an error when raw is
// no object, or its metadata is not what Kubernetes' metadata is.
func (s *Snapshot) AddCustomJSON(raw []byte, apiVersion, kind string, shared *Shared) error {
	if shared == nil {
		shared = &Shared{}
	}
	// A text of our own: what is kept of it is copied out, the rest goes.
	item := shared.json.read(string(raw), "fieldsV1")
	if item.kind != objectValue {
		return errors.New("an item is no object")
	}
	o := Object{APIVersion: shared.str(apiVersion), Kind: shared.str(kind)}
	ownVersion, ownKind := item.field("apiVersion"), item.field("kind")
	for _, v := range []value{ownVersion, ownKind} {
		if v.kind != stringValue && v.kind != nullValue {
			return fmt.Errorf("apiVersion or kind of an item is %.40s, no text", v.text)
		}
	}
	if ownVersion.text != "" && ownKind.text != "" && ownVersion.kind == stringValue && ownKind.kind == stringValue {
		o.APIVersion, o.Kind = shared.str(ownVersion.text), shared.str(ownKind.text)
	}
	if err := shared.readMeta(&o, item.field("metadata")); err != nil {
		return err
	}
	shared.pruneCustom(&o, item.field("spec"), item.field("status"))
	s.CustomResources = append(s.CustomResources, o)
	return nil
}

// readMeta reads metadata and prunes it. What does not look as it should is
// left to the decoder of Kubernetes' own type, and its errors.
func (s *Shared) readMeta(o *Object, v value) error {
	if v.kind == nullValue {
		return nil
	}
	if s.meta(&o.ObjectMeta, &v) {
		return nil
	}
	o.ObjectMeta = emptyMeta
	if err := json.Unmarshal([]byte(v.text), &o.ObjectMeta); err != nil {
		return fmt.Errorf("metadata of an item: %w", err)
	}
	pruneMeta(&o.ObjectMeta)
	return nil
}
