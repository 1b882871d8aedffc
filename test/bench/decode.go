package main

import (
	"fmt"
	"io"
	"mime"
	"net/http"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
)

// decoder decodes answers as client-go's clients do: those of its typed and
// metadata clients from protobuf, those of its dynamic client from JSON. What
// it costs is what a program pays for reading what it asked for, whatever it
// makes of it.
type decoder struct{ protobuf runtime.Decoder }

func newDecoder() decoder {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{clientscheme.AddToScheme, apiextensionsv1.AddToScheme, metav1.AddMetaToScheme} {
		utilruntime.Must(add(scheme))
	}
	known := serializer.NewCodecFactory(scheme).WithoutConversion()
	info, _ := runtime.SerializerInfoForMediaType(known.SupportedMediaTypes(), runtime.ContentTypeProtobuf) // every factory has it
	return decoder{protobuf: known.DecoderToVersion(info.Serializer, nil)}
}

// page decodes an answer and drops the objects.
func (d decoder) page(resp *http.Response) (string, int64, error) {
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", 0, err
	}
	list, err := d.decode(resp.Header.Get("Content-Type"), body)
	if err != nil {
		return "", 0, err
	}
	accessor, err := meta.ListAccessor(list)
	if err != nil {
		return "", 0, fmt.Errorf("the answer is a %T, no list", list)
	}
	return accessor.GetContinue(), int64(len(body)), nil
}

func (d decoder) decode(contentType string, body []byte) (runtime.Object, error) {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return nil, fmt.Errorf("reading the media type %q: %w", contentType, err)
	}
	var with runtime.Decoder
	switch mediaType {
	case runtime.ContentTypeProtobuf:
		with = d.protobuf
	case runtime.ContentTypeJSON:
		with = unstructured.UnstructuredJSONScheme
	default:
		return nil, fmt.Errorf("the answer is %s, which client-go has no decoder for here", mediaType)
	}
	list, _, err := with.Decode(body, nil, nil)
	return list, err
}
