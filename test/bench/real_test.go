package main

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"reflect"
	"slices"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/inventory/cluster"
	"kubectl-operator-maturity/test/testcluster"
)

// The figures of the benchmark are worth something only if the server that it
// imitates would have answered the same. A scan of a real control plane, to
// which the same cluster was written, gives the same snapshot; what a server
// makes by itself is left out.
func TestTheFakeServerAnswersAsARealOne(t *testing.T) {
	made := generate(size{name: "tiny", crds: 10, customs: 150, pods: 60}, time.Now())
	api := httptest.NewTLSServer(newServer(made))
	defer api.Close()
	fake := &rest.Config{Host: api.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}}
	control := testcluster.Start(t)
	system := collect(t, control.Admin())
	if err := fill(t.Context(), control.Admin(), made); err != nil {
		t.Fatal(err)
	}
	t.Run("snapshot", func(t *testing.T) {
		sameSnapshot(t, collect(t, fake), collect(t, control.Admin()), objectsOf(t, system))
	})
	t.Run("answers", func(t *testing.T) { sameAnswers(t, fake, control.Admin(), made) })
}

func collect(t *testing.T, config *rest.Config) *inventory.Snapshot {
	t.Helper()
	s, err := cluster.Collect(t.Context(), cluster.Options{Config: config, PageSize: 50})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sameSnapshot compares what was scanned. A real server adds objects, which
// are in system, and defaults: it may know more of an object, but not less.
func sameSnapshot(t *testing.T, fake, real *inventory.Snapshot, system map[string]any) {
	fakes, reals := objectsOf(t, fake), objectsOf(t, real)
	for key, object := range fakes {
		if system[key] != nil {
			continue
		}
		if reals[key] == nil {
			t.Errorf("%s is not in the real cluster", key)
			continue
		}
		for _, difference := range less(key, object, reals[key]) {
			t.Error(difference)
		}
	}
	system["Services <nil> default/kubernetes"] = true // made some time after the start
	for key := range reals {
		if fakes[key] == nil && system[key] == nil {
			t.Errorf("%s is in the real cluster alone", key)
		}
	}
	states := func(s *inventory.Snapshot) (rows []string) {
		for _, row := range s.Access {
			rows = append(rows, fmt.Sprintf("%s/%s/%s %s %d %s", row.Group, row.Version, row.Resource, row.Access, row.Remaining, row.Detail))
		}
		slices.Sort(rows)
		return rows
	}
	if a, b := states(fake), states(real); !slices.Equal(a, b) {
		t.Errorf("access of the fake server:\n%q\nof the real one:\n%q", a, b)
	}
}

// objectsOf are the objects of a snapshot as JSON, by kind, namespace and name.
func objectsOf(t *testing.T, s *inventory.Snapshot) map[string]any {
	t.Helper()
	found := map[string]any{}
	fields := reflect.ValueOf(*s)
	for i := range fields.NumField() {
		name, list := fields.Type().Field(i).Name, fields.Field(i)
		if name == "Access" || name == "Expositions" || list.Kind() != reflect.Slice {
			continue
		}
		for j := range list.Len() {
			raw, err := json.Marshal(list.Index(j).Interface())
			if err != nil {
				t.Fatal(err)
			}
			var object map[string]any
			if err := json.Unmarshal(raw, &object); err != nil {
				t.Fatal(err)
			}
			meta, _ := object["metadata"].(map[string]any)
			key := fmt.Sprint(name, " ", object["kind"], " ", meta["namespace"], "/", meta["name"])
			if meta == nil {
				key = fmt.Sprint(name, " ", object["name"])
			}
			found[key] = object
		}
	}
	return found
}

// ofServer are fields that a server sets, whoever writes the object.
var ofServer = []string{"uid", "resourceVersion", "creationTimestamp", "created", "generation", "managedFields", "lastTransitionTime"}

// less says which fields of a are not, or not the same, in b.
func less(path string, a, b any) (differences []string) {
	switch a := a.(type) {
	case map[string]any:
		other, _ := b.(map[string]any)
		for key, value := range a {
			if value != nil && !slices.Contains(ofServer, key) {
				differences = append(differences, less(path+"."+key, value, other[key])...)
			}
		}
	case []any:
		other, _ := b.([]any)
		if len(a) != len(other) {
			return []string{fmt.Sprintf("%s: %v; real: %v", path, a, b)}
		}
		for i := range a {
			differences = append(differences, less(fmt.Sprint(path, "[", i, "]"), a[i], other[i])...)
		}
	default:
		if !reflect.DeepEqual(a, b) {
			differences = append(differences, fmt.Sprintf("%s: %v; real: %v", path, a, b))
		}
	}
	return differences
}
