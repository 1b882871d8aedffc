package main

import (
	"bytes"
	"mime"
	"net/http"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/kubernetes/scheme"
)

// form is how a client wants to be answered.
type form struct {
	mediaType string
	as        string // "", "PartialObjectMetadataList", "Table" …
}

// negotiate chooses the first form of an Accept header that the server has.
func negotiate(accept string, c *collection) (form, bool) {
	for clause := range strings.SplitSeq(accept, ",") {
		mediaType, params, err := mime.ParseMediaType(strings.TrimSpace(clause))
		if err != nil {
			continue
		}
		as := params["as"]
		switch {
		case as != "" && (params["g"] != metav1.GroupName || params["v"] != "v1"):
		case mediaType == "*/*" || mediaType == "application/*":
			return form{runtime.ContentTypeJSON, as}, true
		case mediaType == runtime.ContentTypeJSON:
			return form{mediaType, as}, true
		case mediaType == runtime.ContentTypeProtobuf && as != "Table" && (as != "" || !c.jsonOnly):
			return form{mediaType, as}, true
		}
	}
	return form{runtime.ContentTypeJSON, ""}, accept == ""
}

func (f form) listOf(c *collection, from, to int, m metav1.ListMeta) runtime.Object {
	switch f.as {
	case "PartialObjectMetadataList":
		return partialList(c.objects, from, to, m)
	case "Table":
		return tableList(c.objects, from, to, m)
	default:
		return c.objects.list(c.gvk(), from, to, m)
	}
}

func (f form) objectOf(c *collection, o metav1.Object) runtime.Object {
	if f.as == "PartialObjectMetadata" {
		partial := meta.AsPartialObjectMetadata(o)
		partial.SetGroupVersionKind(metav1.SchemeGroupVersion.WithKind("PartialObjectMetadata"))
		return partial
	}
	object := o.(runtime.Object)
	if _, ok := object.(*unstructured.Unstructured); ok {
		return object
	}
	object = object.DeepCopyObject()
	object.GetObjectKind().SetGroupVersionKind(c.gvk())
	return object
}

// encoders are Kubernetes' own, as an API server sets them up.
type encoders struct{ json, protobuf runtime.Serializer }

func newEncoders() encoders {
	utilruntime.Must(apiextensionsv1.AddToScheme(scheme.Scheme))
	return encoders{
		json: json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
			json.SerializerOptions{StreamingCollectionsEncoding: true}),
		protobuf: protobuf.NewSerializer(scheme.Scheme, scheme.Scheme),
	}
}

func (s *server) write(w http.ResponseWriter, r *http.Request, f form, o runtime.Object) {
	encoder := s.encoders.json
	if f.mediaType == runtime.ContentTypeProtobuf {
		encoder = s.encoders.protobuf
	}
	var body bytes.Buffer
	if err := encoder.Encode(o, &body); err != nil {
		fail(w, http.StatusInternalServerError, metav1.StatusReasonInternalError, err.Error())
		return
	}
	reply(w, r, f.mediaType, &body)
}
