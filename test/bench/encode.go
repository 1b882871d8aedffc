package main

import (
	"bytes"
	"mime"
	"net/http"
	"strings"
	"sync"

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

// statusType is the media type of a refusal: that of the first clause that asks
// for no other form of the object.
func statusType(accept string) string {
	for clause := range strings.SplitSeq(accept, ",") {
		mediaType, params, err := mime.ParseMediaType(strings.TrimSpace(clause))
		if err == nil && params["as"] == "" && mediaType == runtime.ContentTypeProtobuf {
			return mediaType
		}
	}
	return runtime.ContentTypeJSON
}

func (f form) listOf(c *collection, from, to int, m metav1.ListMeta) runtime.Object {
	switch f.as {
	case "PartialObjectMetadataList":
		return partialList(c.objects, from, to, m)
	case "Table":
		return tableList(c, from, to, m)
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

// newEncoders makes them once: making them adds types to the shared scheme.
var newEncoders = sync.OnceValue(func() encoders {
	utilruntime.Must(apiextensionsv1.AddToScheme(scheme.Scheme))
	return encoders{
		json: json.NewSerializerWithOptions(json.DefaultMetaFactory, scheme.Scheme, scheme.Scheme,
			json.SerializerOptions{StreamingCollectionsEncoding: true}),
		protobuf: protobuf.NewSerializer(scheme.Scheme, scheme.Scheme),
	}
})

func fail(w http.ResponseWriter, r *http.Request, code int, reason metav1.StatusReason, message string) {
	status := &metav1.Status{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Status"}, Status: "Failure", Code: int32(code), Reason: reason, Message: message}
	mediaType := statusType(r.Header.Get("Accept"))
	encoder := newEncoders().json
	if mediaType == runtime.ContentTypeProtobuf {
		encoder = newEncoders().protobuf
	}
	w.Header().Set("Content-Type", mediaType)
	w.WriteHeader(code)
	_ = encoder.Encode(status, w) // whoever asked is gone
}

func (s *server) write(w http.ResponseWriter, r *http.Request, f form, o runtime.Object) {
	encoder := s.encoders.json
	if f.mediaType == runtime.ContentTypeProtobuf {
		encoder = s.encoders.protobuf
	}
	var body bytes.Buffer
	if err := encoder.Encode(o, &body); err != nil {
		fail(w, r, http.StatusInternalServerError, metav1.StatusReasonInternalError, err.Error())
		return
	}
	reply(w, r, f.mediaType, &body)
}
