package demo

import (
	"bytes"
	"compress/gzip"
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/test/testcluster"
)

const committed = "../../cmd/kubectl-operator_maturity/demo/snapshot.json.gz"

// The built-in snapshot is what the manifests give; `make demo-snapshot` brings it up to date.
func TestRecording(t *testing.T) {
	c := testcluster.Start(t)
	began := time.Now().Add(-time.Minute)
	s, err := Record(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(objects(readCommitted(t)), objects(s)); diff != "" {
		t.Errorf("the built-in snapshot has other objects than a new recording: run make demo-snapshot (-built-in +new):\n%s", diff)
	}
	var data bytes.Buffer
	if err := inventory.Encode(&data, s); err != nil {
		t.Fatal(err)
	}
	for _, text := range timeText.FindAllString(data.String(), -1) {
		at, err := time.Parse(time.RFC3339, text)
		if err != nil || at.After(began) && at.Before(time.Now()) {
			t.Errorf("the snapshot tells the time %s, when it was recorded (%v)", text, err)
		}
	}
	for _, word := range []string{prefix, "127.0.0.1", "testcluster"} {
		if bytes.Contains(data.Bytes(), []byte(word)) {
			t.Errorf("the snapshot tells of the recorder: %q", word)
		}
	}
	for i := range s.Access {
		if a := &s.Access[i]; a.Access != inventory.Listed {
			t.Errorf("%s.%s was not read whole: %s %s", a.Resource, a.Group, a.Access, a.Detail)
		}
	}
}

var timeText = regexp.MustCompile(`20\d\d-\d\d-\d\dT[0-9:.]+Z`)

func readCommitted(t *testing.T) *inventory.Snapshot {
	t.Helper()
	file, err := os.Open(committed)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	data, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := inventory.Decode(data)
	if err != nil {
		t.Fatalf("reading %s: %v", committed, err)
	}
	return s
}

// objects are the names of all objects of a snapshot, with their uids, sorted.
func objects(s *inventory.Snapshot) []string {
	var names []string
	each(s, func(k key, o inventory.TypedObject) { names = append(names, k.String()+" "+string(o.GetUID())) })
	for i := range s.CRDs {
		names = append(names, "CustomResourceDefinition "+s.CRDs[i].Name+" "+string(s.CRDs[i].UID))
	}
	slices.Sort(names)
	return names
}
