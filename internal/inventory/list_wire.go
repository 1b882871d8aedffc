package inventory

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Field numbers that the lists of all kinds have in Kubernetes' protobuf.
const (
	fieldListMeta  = 1
	fieldListItems = 2
)

// protobufMagic begins every object of Kubernetes in protobuf.
const protobufMagic = "k8s\x00"

// IsProtobuf tells whether bytes begin as objects of Kubernetes in protobuf do.
func IsProtobuf(page []byte) bool {
	return len(page) >= len(protobufMagic) && string(page[:len(protobufMagic)]) == protobufMagic
}

// AddList reads a list of the kind in Kubernetes' protobuf and puts its
// objects, pruned, into the snapshot; a kind that is known by its metadata
// comes as a PartialObjectMetadataList. It returns the list's metadata and how
// many objects there were; after an error none of them is in the snapshot.
// shared may be nil.
func (k *Kind) AddList(s *Snapshot, page []byte, shared *Shared) (metav1.ListMeta, int, error) {
	want := k.Kind + "List"
	if k.MetadataOnly {
		want = "PartialObjectMetadataList"
	}
	var read []TypedObject
	listMeta, err := eachOnWire(page, want, func(item []byte) error {
		obj, err := k.decode(item)
		if err != nil {
			return fmt.Errorf("%w: item %d: %w", errWire, len(read)+1, err)
		}
		shared.Prune(obj)
		read = append(read, obj)
		return nil
	})
	if err != nil {
		return metav1.ListMeta{}, 0, err
	}
	for _, obj := range read {
		k.slot.add(s, obj, shared)
	}
	return listMeta, len(read), nil
}

// decode makes an object of its protobuf.
func (k *Kind) decode(item []byte) (TypedObject, error) {
	if k.MetadataOnly {
		var partial metav1.PartialObjectMetadata
		if err := partial.Unmarshal(item); err != nil {
			return nil, err
		}
		apiVersion := k.Version
		if k.Group != "" {
			apiVersion = k.Group + "/" + k.Version
		}
		return &Object{APIVersion: apiVersion, Kind: k.Kind, ObjectMeta: partial.ObjectMeta}, nil
	}
	obj := k.New()
	message, ok := obj.(interface{ Unmarshal([]byte) error })
	if !ok {
		return nil, fmt.Errorf("%T is not known in protobuf", obj)
	}
	return obj, message.Unmarshal(item)
}

// eachOnWire calls item with each item of a list, as it stands in its page.
func eachOnWire(page []byte, kind string, item func([]byte) error) (listMeta metav1.ListMeta, err error) {
	body, err := bodyOf(page, kind)
	if err != nil {
		return listMeta, err
	}
	whole := false // lists always have metadata, be they empty
	var failed error
	err = eachField(body, func(field protowire.Number, bytes []byte, _ uint64) {
		switch {
		case failed != nil:
		case field == fieldListMeta:
			whole = true
			failed = listMeta.Unmarshal(bytes)
		case field == fieldListItems:
			failed = item(bytes)
		}
	})
	switch {
	case err != nil:
		return listMeta, err
	case failed == nil && !whole:
		return listMeta, fmt.Errorf("%w: it has no list in it", errWire)
	}
	return listMeta, failed
}

// bodyOf takes an object of a kind out of the envelope that Kubernetes puts
// round protobuf (runtime.Unknown).
func bodyOf(page []byte, kind string) ([]byte, error) {
	if !IsProtobuf(page) {
		return nil, fmt.Errorf("%w: it does not begin as objects of Kubernetes do", errWire)
	}
	var typeMeta runtime.TypeMeta
	var body []byte
	var typeErr error
	err := eachField(page[len(protobufMagic):], func(field protowire.Number, bytes []byte, _ uint64) {
		switch field {
		case 1:
			typeErr = typeMeta.Unmarshal(bytes)
		case 2:
			body = bytes
		}
	})
	switch {
	case err != nil:
		return nil, err
	case typeErr != nil:
		return nil, fmt.Errorf("%w: %w", errWire, typeErr)
	case typeMeta.Kind != kind:
		return nil, fmt.Errorf("the answer is a %q, no %s", typeMeta.Kind, kind)
	}
	return body, nil
}
