package main

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// server answers as an API server does to those who only read: lists in pages
// of a consistent snapshot, single objects, discovery. Objects are encoded for
// every request, by Kubernetes' own serializers: a real server keeps them
// decoded too, and pays for it.
type server struct {
	byPath    map[string]*collection
	discovery discovery
	encoders  encoders
	log       requestLog
}

func newServer(c *world) *server {
	s := &server{byPath: map[string]*collection{}, discovery: discoveryOf(c.collections), encoders: newEncoders()}
	for _, made := range c.collections {
		s.byPath[groupVersionPath(made.resource.Group, made.resource.Version)+"/"+made.resource.Resource] = made
	}
	return s
}

func groupVersionPath(group, version string) string {
	if group == "" {
		return "/api/" + version
	}
	return "/apis/" + group + "/" + version
}

// ServeHTTP implements http.Handler.
func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.log.add(r)
	if r.Method != http.MethodGet {
		fail(w, r, http.StatusMethodNotAllowed, metav1.StatusReasonMethodNotAllowed, "this server is only read")
		return
	}
	if s.discovery.serve(w, r) {
		return
	}
	c, namespace, name := s.find(r.URL.Path)
	switch {
	case c == nil:
		http.NotFound(w, r) // a path that no group serves is answered in plain text
	case name != "":
		s.object(w, r, c, namespace, name)
	default:
		s.list(w, r, c, namespace)
	}
}

// find takes a path apart: collection, namespace, name.
func (s *server) find(path string) (c *collection, namespace, name string) {
	if c := s.byPath[path]; c != nil {
		return c, "", ""
	}
	if before, after, ok := strings.Cut(path, "/namespaces/"); ok {
		parts := strings.Split(after, "/")
		if len(parts) >= 2 {
			c = s.byPath[before+"/"+parts[1]]
			namespace, name = parts[0], strings.Join(parts[2:], "/")
			return c, namespace, name
		}
	}
	i := strings.LastIndexByte(path, '/')
	return s.byPath[path[:max(i, 0)]], "", path[i+1:]
}

// token is what a continue token of an API server holds.
type token struct {
	APIVersion      string `json:"v"`
	ResourceVersion int64  `json:"rv"`
	StartKey        string `json:"start"`
}

const resourceVersion = 1_000_000

func (s *server) list(w http.ResponseWriter, r *http.Request, c *collection, namespace string) {
	form, ok := negotiate(r.Header.Get("Accept"), c)
	if !ok {
		notAcceptable(w, r)
		return
	}
	from, end := c.within(namespace)
	query := r.URL.Query()
	if given := query.Get("continue"); given != "" {
		var t token
		raw, err := base64.RawURLEncoding.DecodeString(given)
		if err != nil || json.Unmarshal(raw, &t) != nil || t.APIVersion != "meta.k8s.io/v1" {
			fail(w, r, http.StatusBadRequest, metav1.StatusReasonBadRequest, "continue key is not valid")
			return
		}
		from += sort.Search(end-from, func(i int) bool { return c.key(from+i) >= t.StartKey })
	}
	to := end
	m := metav1.ListMeta{ResourceVersion: strconv.Itoa(resourceVersion)}
	if limit, _ := strconv.Atoi(query.Get("limit")); limit > 0 && from+limit < end {
		to = from + limit
		raw, _ := json.Marshal(token{"meta.k8s.io/v1", resourceVersion, c.key(to)})
		remaining := int64(end - to)
		m.Continue, m.RemainingItemCount = base64.RawURLEncoding.EncodeToString(raw), &remaining
	}
	s.write(w, r, form, form.listOf(c, from, to, m))
}

func (s *server) object(w http.ResponseWriter, r *http.Request, c *collection, namespace, name string) {
	form, ok := negotiate(r.Header.Get("Accept"), c)
	if !ok {
		notAcceptable(w, r)
		return
	}
	for i := range c.objects.len() {
		if o := c.objects.at(i); o.GetName() == name && o.GetNamespace() == namespace {
			if form.as == "Table" {
				s.write(w, r, form, tableList(c, i, i+1, metav1.ListMeta{ResourceVersion: o.GetResourceVersion()}))
				return
			}
			s.write(w, r, form, form.objectOf(c, o))
			return
		}
	}
	fail(w, r, http.StatusNotFound, metav1.StatusReasonNotFound, fmt.Sprintf("%s %q not found", c.resource.Resource, name))
}

// key is where an object stands in etcd, below its collection.
func (c *collection) key(i int) string {
	o := c.objects.at(i)
	return o.GetNamespace() + "/" + o.GetName()
}

// within are the objects of a namespace; "" is all of them.
func (c *collection) within(namespace string) (from, end int) {
	n := c.objects.len()
	if namespace == "" {
		return 0, n
	}
	from = sort.Search(n, func(i int) bool { return c.objects.at(i).GetNamespace() >= namespace })
	end = sort.Search(n, func(i int) bool { return c.objects.at(i).GetNamespace() > namespace })
	return from, end
}

func notAcceptable(w http.ResponseWriter, r *http.Request) {
	fail(w, r, http.StatusNotAcceptable, metav1.StatusReasonNotAcceptable, "only the following media types are accepted: application/json")
}

// gzipFrom is the size from which an API server compresses for those who
// accept it, and gzipLevel how hard it tries.
const gzipFrom, gzipLevel = 128 << 10, 1

func reply(w http.ResponseWriter, r *http.Request, contentType string, body *bytes.Buffer) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Cache-Control", "no-cache, private")
	if body.Len() > gzipFrom && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		w.Header().Set("Content-Encoding", "gzip")
		w.Header().Add("Vary", "Accept-Encoding")
		zipped, _ := gzip.NewWriterLevel(w, gzipLevel) // a level that exists
		_, _ = body.WriteTo(zipped)                    // whoever asked is gone
		_ = zipped.Close()
		return
	}
	_, _ = body.WriteTo(w)
}
