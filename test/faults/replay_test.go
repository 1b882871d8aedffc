package faults

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
)

// replay is an API server that answers list calls from a recording, page by
// page, and answers one of them badly.
type replay struct {
	*recording
	target string // group/resource that fails, or "discovery"
	fault  fault

	mu    sync.Mutex
	asked map[string]int // calls by path
}

// fault answers a call of the list that fails; n counts the calls of its path
// from 1. It returns false to let the call be answered well.
type fault func(s *replay, w http.ResponseWriter, r *http.Request, n int) bool

// serve starts a server on which the list of a resource fails; "" none.
func (rec *recording) serve(t testing.TB, target string, f fault) *rest.Config {
	t.Helper()
	server := httptest.NewServer(&replay{recording: rec, target: target, fault: f, asked: map[string]int{}})
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &rest.Config{Host: server.URL}
}

func (s *replay) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Date", s.taken.Format(http.TimeFormat))
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Path == "/version" {
		fmt.Fprint(w, `{"gitVersion":"v1.37.0"}`)
		return
	}
	group, resource, namespace, name := split(r.URL.Path)
	key := group + "/" + resource
	if resource == "" {
		key = "discovery"
	}
	s.mu.Lock()
	s.asked[r.URL.Path]++
	n := s.asked[r.URL.Path]
	s.mu.Unlock()
	if key == s.target && s.fault(s, w, r, n) {
		return
	}
	list, ok := s.lists[key]
	switch {
	case resource == "":
		s.discovery(w, r.URL.Path)
	case !ok:
		status(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	case name != "":
		one(w, list, namespace, name)
	default:
		s.answer(w, r, list, namespace, "")
	}
}

// discovery tells which groups and resources there are, in the old format.
func (s *replay) discovery(w http.ResponseWriter, path string) {
	groups, resources := map[string]map[string]bool{}, []any{}
	for key, l := range s.lists {
		group, resource, _ := strings.Cut(key, "/")
		if group == "" {
			continue
		}
		if groups[l.apiVersion] == nil {
			groups[l.apiVersion] = map[string]bool{}
		}
		if path == "/apis/"+l.apiVersion {
			resources = append(resources, map[string]any{"name": resource, "kind": l.kind, "namespaced": l.scope == "Namespaced", "verbs": []string{"get", "list"}},
				map[string]any{"name": resource + "/status", "kind": l.kind, "namespaced": l.scope == "Namespaced", "verbs": []string{"get"}})
		}
	}
	switch {
	case path == "/api":
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "APIVersions", "versions": []string{"v1"}})
	case path == "/apis":
		list := []any{}
		for _, gv := range slices.Sorted(maps.Keys(groups)) {
			group, version, _ := strings.Cut(gv, "/")
			v := map[string]any{"groupVersion": gv, "version": version}
			list = append(list, map[string]any{"name": group, "versions": []any{v}, "preferredVersion": v})
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "APIGroupList", "apiVersion": "v1", "groups": list})
	default:
		_ = json.NewEncoder(w).Encode(map[string]any{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": strings.TrimPrefix(path, "/apis/"), "resources": resources})
	}
}

// split reads the path of a call: /api/v1/… or /apis/GROUP/VERSION/….
func split(path string) (group, resource, namespace, name string) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		parts = parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		group, parts = parts[1], parts[3:]
	default:
		return "", "", "", "" // discovery
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 1 {
		name = parts[1]
	}
	return group, parts[0], namespace, name
}

// one answers for an object by its name: with its metadata, as it is asked for.
func one(w http.ResponseWriter, list *replayed, namespace, name string) {
	for _, i := range list.items {
		if i.name == name && i.namespace == namespace {
			_, _ = w.Write(i.meta)
			return
		}
	}
	status(w, http.StatusNotFound, "NotFound", name+" not found")
}

// answer gives a page of a list. With a token only its first half comes, and
// that token leads to the rest.
func (s *replay) answer(w http.ResponseWriter, r *http.Request, list *replayed, namespace, token string) {
	metadataOnly := strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
	items := []json.RawMessage{}
	for _, i := range list.items {
		switch {
		case namespace != "" && i.namespace != namespace:
		case metadataOnly:
			items = append(items, i.meta)
		default:
			items = append(items, i.whole)
		}
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	page := items[min(from, len(items)):]
	meta := map[string]any{"resourceVersion": "1"}
	switch {
	case token != "":
		page = items[:(len(items)+1)/2]
		meta["continue"] = token
	case limit > 0 && len(page) > limit:
		meta["continue"], meta["remainingItemCount"] = strconv.Itoa(from+limit), len(page)-limit
		page = page[:limit]
	}
	apiVersion, kind := list.apiVersion, list.kind+"List"
	if metadataOnly {
		apiVersion, kind = "meta.k8s.io/v1", "PartialObjectMetadataList"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "items": page})
}

// rest gives what follows the first half of a list.
func (s *replay) rest(w http.ResponseWriter, r *http.Request) {
	group, resource, namespace, _ := split(r.URL.Path)
	list := s.lists[group+"/"+resource]
	n := 0
	for _, i := range list.items {
		if namespace == "" || i.namespace == namespace {
			n++
		}
	}
	next := r.Clone(r.Context())
	query := next.URL.Query()
	query.Set("continue", strconv.Itoa((n+1)/2))
	next.URL.RawQuery = query.Encode()
	s.answer(w, next, list, namespace, "")
}

// half gives the first half of a list, followed by the token.
func (s *replay) half(w http.ResponseWriter, r *http.Request, token string) {
	group, resource, namespace, _ := split(r.URL.Path)
	s.answer(w, r, s.lists[group+"/"+resource], namespace, token)
}

// status answers as an API server refuses.
func status(w http.ResponseWriter, code int, reason, message string) {
	refusal(w, code, reason, message, "")
}

// gone says that a token has expired, and offers another.
func gone(w http.ResponseWriter, token string) {
	refusal(w, http.StatusGone, "Expired", "the continue token is too old", token)
}

func refusal(w http.ResponseWriter, code int, reason, message, token string) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "message": message, "code": code, "metadata": map[string]any{"continue": token},
	})
}
