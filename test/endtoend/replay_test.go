package endtoend

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
)

// replay is an API server that answers list calls from a recording, page by
// page, and may be told to answer one of them badly.
type replay struct {
	lists map[string]*replayed // by group/resource
	taken time.Time

	mu     sync.Mutex
	target string // group/resource that fails
	fault  fault
	asked  map[string]int // calls of the target, by query
}

type replayed struct {
	apiVersion, kind string
	items            []json.RawMessage
}

// fault answers a call of the list that fails; n counts its calls from 1. It
// returns false to let the call be answered well.
type fault func(w http.ResponseWriter, r *http.Request, n int) bool

// replayGroups are the API groups of custom resources that the server has: few
// enough that a scan is quick, enough for every kind of evidence.
var replayGroups = []string{"cert-manager.io", "postgresql.cnpg.io", "rabbitmq.com", "monitoring.coreos.com", "myteam.example.com", "gateway.networking.k8s.io", "elbv2.k8s.aws", "velero.io"}

func newReplay(t *testing.T, name string) *replay {
	t.Helper()
	file, err := os.Open(filepath.Join(corpustest.Dir(t), "recordings", name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var dump struct{ Items []json.RawMessage }
	if err := json.NewDecoder(unzipped).Decode(&dump); err != nil {
		t.Fatal(err)
	}
	s := &replay{lists: map[string]*replayed{}, taken: time.Date(2026, 11, 30, 17, 8, 0, 0, time.UTC)}
	for _, k := range inventory.Kinds() {
		s.lists[k.Group+"/"+k.Resource] = &replayed{apiVersion: strings.TrimPrefix(k.Group+"/"+k.Version, "/"), kind: k.Kind}
	}
	s.lists["apiextensions.k8s.io/customresourcedefinitions"] = &replayed{apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition"}
	resources := map[string]string{} // group/kind -> group/resource
	for key, l := range s.lists {
		group, _, _ := strings.Cut(key, "/")
		resources[group+"/"+l.kind] = key
	}
	for _, raw := range dump.Items {
		s.addCRD(t, raw, resources)
	}
	for _, raw := range dump.Items {
		s.add(t, raw, resources)
	}
	return s
}

// addCRD makes room for the objects of a CRD.
func (s *replay) addCRD(t *testing.T, raw json.RawMessage, resources map[string]string) {
	t.Helper()
	var crd struct {
		Kind string
		Spec struct {
			Group string
			Names struct{ Plural, Kind string }
		}
	}
	if err := json.Unmarshal(raw, &crd); err != nil {
		t.Fatal(err)
	}
	if crd.Kind != "CustomResourceDefinition" || !slices.Contains(replayGroups, crd.Spec.Group) {
		return
	}
	key := crd.Spec.Group + "/" + crd.Spec.Names.Plural
	resources[crd.Spec.Group+"/"+crd.Spec.Names.Kind] = key
	s.lists[key] = &replayed{kind: crd.Spec.Names.Kind}
	definitions := s.lists["apiextensions.k8s.io/customresourcedefinitions"]
	definitions.items = append(definitions.items, raw)
}

func (s *replay) add(t *testing.T, raw json.RawMessage, resources map[string]string) {
	t.Helper()
	var o struct{ APIVersion, Kind string }
	if err := json.Unmarshal(raw, &o); err != nil {
		t.Fatal(err)
	}
	group, _, grouped := strings.Cut(o.APIVersion, "/")
	if !grouped {
		group = ""
	}
	key, ok := resources[group+"/"+o.Kind]
	if !ok || o.Kind == "CustomResourceDefinition" {
		return
	}
	list := s.lists[key]
	list.apiVersion = o.APIVersion
	list.items = append(list.items, raw)
}

func (s *replay) start(t *testing.T) *rest.Config {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return &rest.Config{Host: server.URL}
}

// failing makes the list of a resource fail from now on; "" none.
func (s *replay) failing(target string, f fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.target, s.fault, s.asked = target, f, map[string]int{}
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
	s.mu.Lock()
	fails := key == s.target
	s.asked["n"]++
	n, f := s.asked[key]+1, s.fault
	s.asked[key] = n
	s.mu.Unlock()
	if fails && f(w, r, n) {
		return
	}
	list, ok := s.lists[key]
	if !ok {
		status(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
		return
	}
	s.answer(w, r, list, namespace, name)
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
		return "", path, "", ""
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		namespace, parts = parts[1], parts[2:]
	}
	if len(parts) > 1 {
		name = parts[1]
	}
	return group, parts[0], namespace, name
}

// answer gives one object, or a page of a list.
func (s *replay) answer(w http.ResponseWriter, r *http.Request, list *replayed, namespace, name string) {
	metadataOnly := strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
	var items []json.RawMessage
	for _, raw := range list.items {
		var o struct {
			Metadata struct{ Namespace, Name string }
		}
		_ = json.Unmarshal(raw, &o)
		if namespace != "" && o.Metadata.Namespace != namespace || name != "" && o.Metadata.Name != name {
			continue
		}
		if metadataOnly {
			raw = onlyMetadata(raw)
		}
		items = append(items, raw)
	}
	if name != "" {
		if len(items) == 0 {
			status(w, http.StatusNotFound, "NotFound", name+" not found")
			return
		}
		_, _ = w.Write(items[0])
		return
	}
	from, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	page := items[min(from, len(items)):]
	meta := map[string]any{"resourceVersion": "1"}
	if limit > 0 && len(page) > limit {
		meta["continue"], meta["remainingItemCount"] = strconv.Itoa(from+limit), len(page)-limit
		page = page[:limit]
	}
	apiVersion, kind := list.apiVersion, list.kind+"List"
	if apiVersion == "" {
		apiVersion = strings.Join(strings.Split(strings.Trim(r.URL.Path, "/"), "/")[1:3], "/")
	}
	if metadataOnly {
		apiVersion, kind = "meta.k8s.io/v1", "PartialObjectMetadataList"
	}
	if page == nil {
		page = []json.RawMessage{}
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": apiVersion, "kind": kind, "metadata": meta, "items": page})
}

func onlyMetadata(raw json.RawMessage) json.RawMessage {
	var o struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	_ = json.Unmarshal(raw, &o)
	kept, _ := json.Marshal(map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": o.Metadata})
	return kept
}

// status answers as an API server refuses.
func status(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": "v1", "kind": "Status", "status": "Failure", "reason": reason, "message": message, "code": code})
}
