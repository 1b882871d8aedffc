package faults

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/corpustest"
	"kubectl-operator-maturity/internal/inventory"
)

// recording is what the API servers of the tests answer from.
type recording struct {
	lists map[string]*replayed // by group/resource
	taken time.Time
}

type replayed struct {
	apiVersion, kind, scope string
	items                   []replayedItem
}

type replayedItem struct {
	namespace, name string
	whole, meta     json.RawMessage
}

// replayGroups are the API groups of custom resources that the server has: few
// enough that a scan is quick, enough for every kind of evidence.
var replayGroups = []string{"cert-manager.io", "postgresql.cnpg.io", "rabbitmq.com", "monitoring.coreos.com", "myteam.example.com", "gateway.networking.k8s.io", "elbv2.k8s.aws", "velero.io"}

// replayWithout are CRDs of these groups that have large schemas and no
// instances.
var replayWithout = []string{"prometheuses", "prometheusagents", "scrapeconfigs", "alertmanagerconfigs", "alertmanagers", "thanosrulers", "poolers", "httproutes"}

func readRecording(t testing.TB, name string) *recording {
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
	s := &recording{lists: map[string]*replayed{}, taken: time.Date(2026, 11, 30, 17, 8, 0, 0, time.UTC)}
	for _, k := range inventory.Kinds() {
		s.lists[k.Group+"/"+k.Resource] = &replayed{apiVersion: strings.TrimPrefix(k.Group+"/"+k.Version, "/"), kind: k.Kind, scope: scopeOf(k)}
	}
	s.lists["apiextensions.k8s.io/customresourcedefinitions"] = &replayed{apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition", scope: "Cluster"}
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
func (s *recording) addCRD(t testing.TB, raw json.RawMessage, resources map[string]string) {
	t.Helper()
	var crd struct {
		Kind string
		Spec struct {
			Group, Scope string
			Names        struct{ Plural, Kind string }
			Versions     []struct {
				Name    string
				Storage bool
			}
		}
	}
	if err := json.Unmarshal(raw, &crd); err != nil {
		t.Fatal(err)
	}
	if crd.Kind != "CustomResourceDefinition" || !slices.Contains(replayGroups, crd.Spec.Group) || slices.Contains(replayWithout, crd.Spec.Names.Plural) {
		return
	}
	key := crd.Spec.Group + "/" + crd.Spec.Names.Plural
	resources[crd.Spec.Group+"/"+crd.Spec.Names.Kind] = key
	list := &replayed{kind: crd.Spec.Names.Kind, scope: crd.Spec.Scope}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			list.apiVersion = crd.Spec.Group + "/" + v.Name
		}
	}
	s.lists[key] = list
	definitions := s.lists["apiextensions.k8s.io/customresourcedefinitions"]
	definitions.items = append(definitions.items, itemOf(raw))
}

func (s *recording) add(t testing.TB, raw json.RawMessage, resources map[string]string) {
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
	list.items = append(list.items, itemOf(raw))
}

// small is a recording with the same lists and little in them: scans of it
// take next to no time.
func (rec *recording) small() *recording {
	less := &recording{lists: map[string]*replayed{}, taken: rec.taken}
	for key, l := range rec.lists {
		list := *l
		list.items = slices.Clone(l.items[:min(4, len(l.items))])
		if l.kind == "CustomResourceDefinition" {
			list.items = slices.Clone(l.items)
			for i := range list.items {
				list.items[i].whole = withoutSchemas(list.items[i].whole)
			}
		}
		less.lists[key] = &list
	}
	return less
}

func withoutSchemas(raw json.RawMessage) json.RawMessage {
	var crd map[string]any
	_ = json.Unmarshal(raw, &crd)
	spec, _ := crd["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		if version, ok := v.(map[string]any); ok {
			version["schema"] = map[string]any{"openAPIV3Schema": map[string]any{"type": "object", "x-kubernetes-preserve-unknown-fields": true}}
		}
	}
	less, _ := json.Marshal(crd)
	return less
}

func itemOf(raw json.RawMessage) replayedItem {
	var o struct {
		Metadata struct{ Namespace, Name string }
	}
	_ = json.Unmarshal(raw, &o)
	return replayedItem{o.Metadata.Namespace, o.Metadata.Name, raw, onlyMetadata(raw)}
}

func scopeOf(k inventory.Kind) string {
	if k.Namespaced() {
		return "Namespaced"
	}
	return "Cluster"
}

func onlyMetadata(raw json.RawMessage) json.RawMessage {
	var o struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	_ = json.Unmarshal(raw, &o)
	kept, _ := json.Marshal(map[string]any{"apiVersion": "meta.k8s.io/v1", "kind": "PartialObjectMetadata", "metadata": o.Metadata})
	return kept
}
