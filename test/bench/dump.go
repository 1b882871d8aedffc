package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// dump is the sub-command that writes a generated cluster as files. Objects
// are made and written a few at a time, so that it needs no more memory for a
// gigabyte than for ten megabytes.
func dump(args []string) error {
	flags := flag.NewFlagSet("dump", flag.ContinueOnError)
	sizeName := flags.String("size", "small", "small, medium or large: the cluster to which custom resources are added")
	formName := flags.String("form", "json-list", "json-list, ndjson, json-gz, yaml, yaml-list or files")
	megabytes := flags.Int64("mb", 100, "add custom resources until there are about so many megabytes, before compression")
	files := flags.Int("files", 5000, "with -form files: about how many")
	dir := flags.String("dir", ".", "where to write")
	if err := flags.Parse(args); err != nil {
		return err
	}
	s, err := sizeNamed(*sizeName)
	if err != nil {
		return err
	}
	out, err := newDumpWriter(*formName, *dir, *megabytes*1_000_000/int64(max(*files, 1)))
	if err != nil {
		return err
	}
	objects, err := writeWorld(generate(s, time.Now()), *megabytes*1_000_000, out)
	if err := errors.Join(err, out.close()); err != nil {
		return err
	}
	fmt.Printf("%s: %d objects, %d bytes\n", out.path(), objects, out.bytes())
	return nil
}

// dumpWriter writes objects in one of the forms of a dump.
type dumpWriter interface {
	// add writes an object. Objects of a kind come one after the other.
	add(object map[string]any) error
	close() error
	path() string
	// bytes is how much was written, before compression.
	bytes() int64
}

// writeWorld writes the objects of a cluster kind after kind, as kubectl get
// of many kinds does, and more custom resources until there is enough.
func writeWorld(c *world, enough int64, out dumpWriter) (objects int, err error) {
	var customs []*collection
	total := 0
	for _, made := range c.collections {
		if u, ok := made.objects.(untyped); ok && made.kind != "APIService" {
			customs = append(customs, made)
			total += len(u)
			continue
		}
		for i := range made.objects.len() {
			object, err := plain(made, made.objects.at(i))
			if err != nil {
				return objects, err
			}
			if err := out.add(object); err != nil {
				return objects, err
			}
			objects++
		}
	}
	left := max(enough-out.bytes(), 0)
	for i, made := range customs {
		n, err := c.writeKind(made, i, left*int64(made.objects.len())/int64(max(total, 1)), out)
		if objects += n; err != nil {
			return objects, err
		}
	}
	return objects, nil
}

// plain is an object as kubectl prints it: with its type.
func plain(of *collection, o metav1.Object) (map[string]any, error) {
	if u, ok := o.(*unstructured.Unstructured); ok {
		return u.Object, nil
	}
	object, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return nil, fmt.Errorf("taking a %s apart: %w", of.kind, err)
	}
	object["apiVersion"], object["kind"] = of.gvk().ToAPIVersionAndKind()
	return object, nil
}

// dumpBatch is how many custom resources are made at once.
const dumpBatch = 200

// writeKind writes the custom resources of a kind, those of the cluster and
// others like them, in the order of a list: by namespace and name.
func (c *world) writeKind(made *collection, number int, share int64, out dumpWriter) (objects int, err error) {
	crd := &c.crds[number]
	began := out.bytes()
	spaces := c.namespaces
	if !made.namespaced {
		spaces = []string{""}
	}
	spaces = slices.SortedFunc(slices.Values(spaces), func(a, b string) int { return cmp.Compare(a+"/", b+"/") })
	byNamespace := map[string]untyped{}
	for _, o := range made.objects.(untyped) {
		byNamespace[o.GetNamespace()] = append(byNamespace[o.GetNamespace()], o)
	}
	for i, namespace := range spaces {
		// Names of those added come after "object-…".
		batch, next := byNamespace[namespace], 0
		for {
			for _, o := range batch {
				if err := out.add(o.Object); err != nil {
					return objects, err
				}
				objects++
			}
			if out.bytes()-began >= share*int64(i+1)/int64(len(spaces)) {
				break
			}
			batch = c.customs(crd, operatorOf(number), min(dumpBatch, made.objects.len()))
			for _, o := range batch {
				if namespace != "" {
					o.SetNamespace(namespace)
				}
				o.SetName("such-" + fmt.Sprintf("%07s", strconv.Itoa(next)))
				next++
			}
		}
	}
	return objects, nil
}

// counting counts what is written.
type counting struct {
	to io.Writer
	n  int64
}

func (c *counting) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

func create(path string) (*os.File, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, fmt.Errorf("writing the dump: %w", err)
	}
	return f, nil
}
