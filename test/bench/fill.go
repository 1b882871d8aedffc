package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
)

// filler writes a generated world to a real API server.
type filler struct {
	client   *http.Client
	host     string
	encoders encoders

	mu   sync.Mutex
	uids map[types.UID]types.UID // the server's own, by those that were generated
}

// fill writes all of a world. What the server makes by itself, such as the
// APIServices of the CRDs, is left to it.
func fill(ctx context.Context, config *rest.Config, c *world) error {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return fmt.Errorf("setting up the connection: %w", err)
	}
	f := &filler{client: client, host: config.Host, encoders: newEncoders(), uids: map[types.UID]types.UID{}}
	for i, stage := range stages(c) {
		if err := f.writeAll(ctx, stage); err != nil {
			return err
		}
		if i == stageOfCRDs {
			if err := f.waitServed(ctx, c); err != nil {
				return err
			}
		}
	}
	return nil
}

const stageOfCRDs = 1

// stages are the collections in an order in which they can be written: owners
// before what they own.
func stages(c *world) [][]*collection {
	list := make([][]*collection, 6)
	for _, made := range c.collections {
		stage := 5
		switch resource := made.resource.Resource; {
		case resource == "apiservices":
			continue
		case resource == "namespaces":
			stage = 0
		case resource == "customresourcedefinitions":
			stage = stageOfCRDs
		case made.jsonOnly:
			stage = 2
		case resource == "deployments":
			stage = 3
		case resource == "replicasets":
			stage = 4
		case resource == "events": // are about Pods
			list = append(list, []*collection{made})
			continue
		}
		list[stage] = append(list[stage], made)
	}
	return list
}

// writers are the objects written at once.
const writers = 16

func (f *filler) writeAll(ctx context.Context, collections []*collection) error {
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(writers)
	for _, c := range collections {
		for i := range c.objects.len() {
			work.Go(func() error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				o := c.objects.at(i)
				if err := f.create(ctx, c, o); err != nil {
					return fmt.Errorf("creating %s %s/%s: %w", c.kind, o.GetNamespace(), o.GetName(), err)
				}
				return nil
			})
		}
	}
	return work.Wait()
}

// create writes an object and, where that needs a request of its own, its
// status.
func (f *filler) create(ctx context.Context, c *collection, made metav1.Object) error {
	object := form{}.objectOf(c, made).DeepCopyObject()
	writer, statusWriter := "helm", "kube-controller-manager"
	if fields := made.GetManagedFields(); len(fields) == 2 {
		writer, statusWriter = fields[0].Manager, fields[1].Manager
	}
	m := object.(metav1.Object)
	m.SetUID("")
	m.SetResourceVersion("")
	m.SetManagedFields(nil)
	f.relink(object)
	path := f.path(c, made)
	created, err := f.send(ctx, http.MethodPost, path+"?fieldManager="+writer, c, object)
	if err != nil {
		if errors.Is(err, errExists) && c.resource.Resource == "namespaces" {
			return nil // "default" and the like
		}
		return err
	}
	f.mu.Lock()
	f.uids[made.GetUID()] = created.UID
	f.mu.Unlock()
	if !hasStatus(object) {
		return nil
	}
	m.SetUID(created.UID)
	m.SetResourceVersion(created.ResourceVersion)
	_, err = f.send(ctx, http.MethodPut, path+"/"+made.GetName()+"/status?fieldManager="+statusWriter, c, object)
	return err
}

func (f *filler) path(c *collection, o metav1.Object) string {
	path := groupVersionPath(c.resource.Group, c.resource.Version)
	if namespace := o.GetNamespace(); namespace != "" {
		path += "/namespaces/" + namespace
	}
	return path + "/" + c.resource.Resource
}

// relink puts the server's uids in place of those that were generated.
func (f *filler) relink(o runtime.Object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := o.(metav1.Object)
	owners := m.GetOwnerReferences()
	for i := range owners {
		owners[i].UID = f.uids[owners[i].UID]
	}
	m.SetOwnerReferences(owners)
	if event, ok := o.(*corev1.Event); ok {
		event.InvolvedObject.UID = f.uids[event.InvolvedObject.UID]
	}
}

func hasStatus(o runtime.Object) bool {
	switch o := o.(type) {
	case *unstructured.Unstructured, *appsv1.Deployment, *corev1.Pod:
		return true
	case *appsv1.ReplicaSet:
		return o.Status.Replicas > 0
	}
	return false
}

var errExists = errors.New("it exists")

// send writes an object and returns the metadata that the server gave it.
func (f *filler) send(ctx context.Context, method, path string, c *collection, o runtime.Object) (*metav1.PartialObjectMetadata, error) {
	encoder, contentType := f.encoders.protobuf, runtime.ContentTypeProtobuf
	if c.jsonOnly {
		encoder, contentType = f.encoders.json, runtime.ContentTypeJSON
	}
	var body bytes.Buffer
	if err := encoder.Encode(o, &body); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, method, f.host+path, &body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", contentType)
	req.Header.Set("Accept", "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1")
	resp, err := f.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return nil, err
	case resp.StatusCode == http.StatusConflict:
		return nil, errExists
	case resp.StatusCode >= 300:
		return nil, fmt.Errorf("the server answered %s: %s", resp.Status, answer)
	}
	var partial metav1.PartialObjectMetadata
	return &partial, json.Unmarshal(answer, &partial)
}
