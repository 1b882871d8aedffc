package manifests

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kubectl-operator-maturity/internal/inventory"
)

// many makes Widgets in two namespaces, in an order of its own for each seed.
func many(n int, seed uint64) []string {
	var list []string
	for _, i := range rand.New(rand.NewPCG(seed, seed)).Perm(n) {
		list = append(list, fmt.Sprintf(`{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"w%03d","namespace":%q,"uid":"uid-%d"},"spec":{"size":%d}}`, i, []string{"a", "a-b"}[i%2], i, i))
	}
	return list
}

// kept reads files with a cap and tells what is kept of the Widgets, and what
// the coverage says of them.
func kept(t *testing.T, most int, files map[string]string) (names string, row inventory.Access) {
	t.Helper()
	s, err := readFiles(t, Options{MaxPerKind: most, Complete: true}, files)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range s.Access {
		if a.Group == "a.io" {
			row = a
		}
	}
	sameAfterCodec(t, s)
	return summary(s), row
}

// A scan of a cluster keeps the first objects of a kind in the order of the
// server. Files give the same ones in whatever order and form they stand, and
// the coverage says that they are a sample.
func TestOfAKindWithManyTheFirstAreKept(t *testing.T) {
	// A server's order is that of its keys: a-b/… comes before a/….
	const want = "a.io/v1/Widget/a/w000 a.io/v1/Widget/a-b/w001 a.io/v1/Widget/a-b/w003 a.io/v1/Widget/a-b/w005 a.io/v1/Widget/a-b/w007 a.io/v1/Widget/a-b/w009"
	for seed := range uint64(4) {
		list := many(10, seed)
		asYAML := "apiVersion: v1\nkind: List\nitems:\n- " + strings.Join(list, "\n- ") + "\n"
		for form, files := range map[string]map[string]string{
			"list":        {"a.json": `{"apiVersion":"v1","items":[` + strings.Join(list, ",\n") + `],"kind":"List"}`},
			"lines":       {"a.json": strings.Join(list, "\n")},
			"array":       {"a.json": "[" + strings.Join(list, ",") + "]"},
			"documents":   {"a.yaml": strings.Join(list, "\n---\n")},
			"YAML list":   {"a.yaml": asYAML},
			"nested list": {"a.yaml": "kind: List\nitems:\n- {kind: List, items: [" + strings.Join(list, ", ") + "]}\n"},
			"compressed":  {"a.yaml.gz": gzipped(t, asYAML)},
			"files":       {"1.json": list[0], "2.yaml": strings.Join(list[1:4], "\n---\n"), "3.json": strings.Join(list[4:], "\n")},
		} {
			got, row := kept(t, 6, files)
			if got != want {
				t.Errorf("%s, order %d: got  %s\nwant %s", form, seed, got, want)
			}
			if row.Access != inventory.Partial || row.Count != 6 || row.Remaining != 4 || !strings.HasPrefix(row.Detail, "sampled: first 6 of about 10") {
				t.Errorf("%s: %+v", form, row)
			}
		}
		// As many as the cap are all there are, and -1 is no cap.
		for _, most := range []int{10, 0, -1} {
			if _, row := kept(t, most, map[string]string{"a.json": strings.Join(list, "\n")}); row.Access != inventory.Listed || row.Count != 10 || row.Remaining != 0 {
				t.Errorf("cap %d: %+v", most, row)
			}
		}
	}
}

// However large the files are, no more is held than the caps allow.
func TestWhatIsHeldIsBounded(t *testing.T) {
	const most, n = 40, 3000
	var text strings.Builder
	for i := n; i > 0; i-- { // the worst order: each comes before those kept
		fmt.Fprintf(&text, `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"w%06d","uid":"u%d"}}`+"\n", i, i)
	}
	largest := 0
	r := newReader(context.Background(), Options{MaxPerKind: most})
	in := &watched{strings.NewReader(text.String()), func() {
		largest = max(largest, len(r.store.entries), len(r.store.byName), len(r.store.byUID), len(r.store.samples[widgets].held()))
	}}
	if err := r.stream("stdin", in, 0); err != nil {
		t.Fatal(err)
	}
	in.look()
	if largest > most+most/4 {
		t.Errorf("%d objects were held, for a cap of %d", largest, most)
	}
	s, err := r.finish()
	if err != nil || len(s.CustomResources) != most || s.CustomResources[0].Name != "w000001" || s.Access[0].Remaining != n-most {
		t.Errorf("%v: %d kept, %+v", err, len(s.CustomResources), s.Access)
	}
}

var widgets = head{APIVersion: "a.io/v1", Kind: "Widget"}.groupKind()

func (of *sample) held() []*entry {
	if of == nil {
		return nil
	}
	return of.entries
}

// watched calls look before it is read; it gives little at a time.
type watched struct {
	in   *strings.Reader
	look func()
}

func (w *watched) Read(p []byte) (int, error) {
	w.look()
	return w.in.Read(p[:min(len(p), 500)])
}

// What is judged must not depend on how much is kept: the time of the files is
// that of all objects.
func TestObjectsThatAreNotKeptTellTheTime(t *testing.T) {
	text := strings.Join(many(20, 1), "\n") + `
{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"z","namespace":"z"},"status":{"conditions":[{"lastTransitionTime":"2026-05-01T00:00:00Z"}]}}`
	s, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), MaxPerKind: 3})
	if want := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC); err != nil || s.Taken != want || len(s.CustomResources) != 3 {
		t.Errorf("%v: taken %v, want %v; %d kept", err, s.Taken, want, len(s.CustomResources))
	}
}

// An object of the sample may come once more, and newer.
func TestNewerObjectOfASampleIsTaken(t *testing.T) {
	list := many(20, 1)
	list = append(list, `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"w001","namespace":"a-b","uid":"uid-1","resourceVersion":"7"},"status":{"phase":"new"}}`)
	s, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(strings.Join(list, "\n")), MaxPerKind: 3})
	if err != nil || len(s.CustomResources) != 3 || s.CustomResources[0].Status.At("phase") != "new" || s.Access[0].Remaining != 17 {
		t.Errorf("%v: %+v, %+v", err, s.CustomResources, s.Access)
	}
}

// Kubernetes' own kinds have no cap, as in a scan of a cluster, but Events; nor
// have ClusterServiceVersions, whose Deployments and rights have none either.
func TestKindsWithoutACap(t *testing.T) {
	var list []string
	for i := range 9 {
		list = append(list,
			fmt.Sprintf(`{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d%d"}}`, i),
			fmt.Sprintf(`{"apiVersion":"operators.coreos.com/v1alpha1","kind":"ClusterServiceVersion","metadata":{"name":"c%d"}}`, i),
			fmt.Sprintf(`{"apiVersion":"operators.coreos.com/v1alpha1","kind":"ClusterServiceVersion","metadata":{"name":"c0","namespace":"n%d","labels":{"olm.copiedFrom":"x"}}}`, i))
	}
	for i := range maxEvents + 3 {
		list = append(list, fmt.Sprintf(`{"apiVersion":"v1","kind":"Event","metadata":{"name":"e%d"},"involvedObject":{"apiVersion":"example.io/v1","kind":"Widget"}}`, i))
	}
	s, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(strings.Join(list, "\n")), MaxPerKind: 4})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, a := range s.Access {
		got[a.Resource] = fmt.Sprintf("%s %d+%d", a.Access, a.Count, a.Remaining)
	}
	want := map[string]string{"deployments": "listed 9+0", "clusterserviceversions": "partial 13+5", "events": "partial 20000+3"}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(s.Events) != maxEvents || len(s.CustomResources) != 13 {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Files may give one uid to objects of two kinds: the later takes the place of
// the first, and neither a sample nor its cap falls over it.
func TestSampleWhoseObjectBecameAnother(t *testing.T) {
	crd := strings.Replace(widgetCRD, "name: widgetes.a.io", "name: widgetes.a.io, uid: uid-1", 1)
	const one = `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"w001","namespace":"a-b","uid":"uid-1"}}`
	text := one + "\n---\n" + crd + "---\n" + strings.Join(many(20, 1), "\n---\n")
	s, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(strings.Replace(text, `"uid":"uid-1"},"spec"`, `"uid":"uid-x"},"spec"`, 1)), MaxPerKind: 2})
	if want := "CRD/widgetes.a.io a.io/v1/Widget/a-b/w001 a.io/v1/Widget/a-b/w003"; err != nil || summary(s) != want {
		t.Errorf("%v: got  %s\nwant %s", err, summary(s), want)
	}
}
