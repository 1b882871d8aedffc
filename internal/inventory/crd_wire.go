package inventory

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Field numbers of the messages around a schema, in the generated.proto of
// k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1.
const (
	fieldSpec          = 2
	fieldSpecVersions  = 7
	fieldVersionSchema = 4
	fieldOpenAPISchema = 1
)

// AddCRDs reads a CustomResourceDefinitionList in Kubernetes' protobuf and puts
// its CRDs into the snapshot, each reduced as ReduceCRD does. Of the schemas
// only what is looked at is decoded: whole ones take twenty times their size
// in memory. It returns the list's metadata and how many CRDs there were; after
// an error none of them is in the snapshot. shared may be nil.
func (s *Snapshot) AddCRDs(page []byte, shared *Shared) (metav1.ListMeta, int, error) {
	r := &schemaReader{shared: shared}
	var read []CRD
	listMeta, err := eachOnWire(page, "CustomResourceDefinitionList", func(item []byte) error {
		read = append(read, r.crd(item))
		return r.err
	})
	if err != nil {
		return metav1.ListMeta{}, 0, err
	}
	s.CRDs = append(s.CRDs, read...)
	return listMeta, len(read), nil
}

// crd decodes and reduces one CRD. Its schemas are cut out first, and looked
// into where they stand.
func (r *schemaReader) crd(message []byte) CRD {
	var rest []byte
	var schemas []node
	r.fail(eachRaw(message, func(field protowire.Number, raw, bytes []byte) {
		if field != fieldSpec {
			rest = append(rest, raw...)
			return
		}
		var spec []byte
		r.fail(eachRaw(bytes, func(field protowire.Number, raw, bytes []byte) {
			if field != fieldSpecVersions {
				spec = append(spec, raw...)
				return
			}
			version, schema := r.withoutSchema(bytes)
			schemas = append(schemas, schema)
			spec = protowire.AppendTag(spec, fieldSpecVersions, protowire.BytesType)
			spec = protowire.AppendBytes(spec, version)
		}))
		rest = protowire.AppendTag(rest, fieldSpec, protowire.BytesType)
		rest = protowire.AppendBytes(rest, spec)
	}))
	var crd apiextensionsv1.CustomResourceDefinition
	if err := crd.Unmarshal(rest); err != nil {
		r.fail(fmt.Errorf("%w: %w", errWire, err))
	}
	if len(schemas) != len(crd.Spec.Versions) {
		r.fail(fmt.Errorf("%w: %d schemas of %d versions", errWire, len(schemas), len(crd.Spec.Versions)))
	}
	if r.err != nil {
		return CRD{}
	}
	reduced := reduceCRD(&crd, r, schemas)
	reduced.ObjectMeta = crd.ObjectMeta
	r.shared.pruneMeta(&reduced.ObjectMeta)
	return reduced
}

// withoutSchema takes the schema out of a version.
func (r *schemaReader) withoutSchema(message []byte) (rest []byte, schema node) {
	r.fail(eachRaw(message, func(field protowire.Number, raw, bytes []byte) {
		if field == fieldVersionSchema {
			schema.wire = r.only(bytes, fieldOpenAPISchema)
			return
		}
		rest = append(rest, raw...)
	}))
	return rest, schema
}

// eachRaw is eachField for those who copy: raw is the field as it stands, with
// its tag.
func eachRaw(message []byte, yield func(field protowire.Number, raw, bytes []byte)) error {
	for len(message) > 0 {
		field, kind, n := protowire.ConsumeField(message)
		if n < 0 {
			return fmt.Errorf("%w: %w", errWire, protowire.ParseError(n))
		}
		var bytes []byte
		if kind == protowire.BytesType {
			_, _, tag := protowire.ConsumeTag(message)
			bytes, _ = protowire.ConsumeBytes(message[tag:])
		}
		yield(field, message[:n], bytes)
		message = message[n:]
	}
	return nil
}
