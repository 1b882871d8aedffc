package cluster

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	policyv1 "k8s.io/api/policy/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/util/flowcontrol"

	"kubectl-operator-maturity/internal/inventory"
)

// clients ask the server; all go through one http.Client and take turns.
type clients struct {
	objects   *rest.RESTClient
	discovery *discovery.DiscoveryClient
	limiter   flowcontrol.RateLimiter
	// timeout bounds one request, the waits that the server asks for included.
	timeout time.Duration
	shared  inventory.Sharing
	// buffers are *bytes.Buffer for pages that are read whole.
	buffers sync.Pool
	decoder runtime.Decoder // for pages that are no protobuf
}

func newClients(o Options, seen *answers) (*clients, *rest.Config, error) {
	config := restConfig(o, seen)
	client, err := httpClient(config)
	if err != nil {
		return nil, nil, fmt.Errorf("setting up the connection: %w", err)
	}
	typed := rest.CopyConfig(config)
	typed.GroupVersion = &schema.GroupVersion{}
	codecs := serializer.NewCodecFactory(newScheme())
	typed.NegotiatedSerializer = codecs.WithoutConversion()
	typed.ContentType = runtime.ContentTypeProtobuf
	typed.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	objects, err := rest.RESTClientForConfigAndClient(typed, client)
	if err != nil {
		return nil, nil, fmt.Errorf("setting up the client: %w", err)
	}
	groups, err := discovery.NewDiscoveryClientForConfigAndClient(config, client)
	if err != nil {
		return nil, nil, fmt.Errorf("setting up the client for discovery: %w", err)
	}
	c := &clients{objects: objects, discovery: groups,
		decoder: codecs.UniversalDeserializer(),
		limiter: flowcontrol.NewFakeAlwaysRateLimiter(), timeout: o.RequestTimeout}
	c.buffers.New = func() any { return &bytes.Buffer{} }
	if o.QPS > 0 {
		c.limiter = flowcontrol.NewTokenBucketRateLimiter(o.QPS, max(o.Burst, 1))
	}
	return c, config, nil
}

// errNoTime is a request that was not begun, since its turn would come after
// the time limit.
var errNoTime = errors.New("the time limit does not allow another request")

// turn waits until the next request may be sent.
func (c *clients) turn(ctx context.Context) error {
	if err := c.limiter.Wait(ctx); err != nil {
		return fmt.Errorf("%w: %w", errNoTime, err)
	}
	return ctx.Err()
}

// version asks for the version of the server.
func (c *clients) version(ctx context.Context) (string, error) {
	raw, err := c.objects.Get().AbsPath("/version").Do(ctx).Raw()
	if err != nil {
		return "", err
	}
	var info struct {
		GitVersion string `json:"gitVersion"`
	}
	if err := json.Unmarshal(raw, &info); err != nil {
		return "", fmt.Errorf("decoding the server's version: %w", err)
	}
	return info.GitVersion, nil
}

// meta asks for the metadata of one cluster-scoped object.
func (c *clients) meta(ctx context.Context, r schema.GroupVersionResource, name string) (*metav1.PartialObjectMetadata, error) {
	if err := c.turn(ctx); err != nil {
		return nil, err
	}
	obj, err := c.objects.Get().AbsPath(append(collectionPath(r, ""), name)...).
		SetHeader("Accept", partialAs("PartialObjectMetadata")).Do(ctx).Get()
	if err != nil {
		return nil, err
	}
	partial, ok := obj.(*metav1.PartialObjectMetadata)
	if !ok {
		return nil, fmt.Errorf("the server sent %T in place of metadata", obj)
	}
	return partial, nil
}

// partialAs is the media type of objects reduced to their metadata. There is no
// way back to whole objects: their content must not be sent.
func partialAs(kind string) string {
	as := ";as=" + kind + ";g=" + metav1.GroupName + ";v=v1"
	return runtime.ContentTypeProtobuf + as + "," + runtime.ContentTypeJSON + as
}

// collectionPath is the path of a resource's collection; namespace "" is all.
func collectionPath(r schema.GroupVersionResource, namespace string) []string {
	path := []string{"api", r.Version}
	if r.Group != "" {
		path = []string{"apis", r.Group, r.Version}
	}
	if namespace != "" {
		path = append(path, "namespaces", namespace)
	}
	return append(path, r.Resource)
}

// newScheme knows the types that a snapshot holds, and no others: all types of
// Kubernetes would make the program several megabytes larger.
func newScheme() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		admissionv1.AddToScheme, appsv1.AddToScheme, autoscalingv2.AddToScheme, batchv1.AddToScheme,
		coordinationv1.AddToScheme, corev1.AddToScheme, discoveryv1.AddToScheme, policyv1.AddToScheme,
		rbacv1.AddToScheme, apiextensionsv1.AddToScheme, metav1.AddMetaToScheme,
	} {
		if err := add(scheme); err != nil {
			panic(err) // two types under one name: a mistake in this list
		}
	}
	return scheme
}
