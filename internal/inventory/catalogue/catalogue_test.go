package catalogue

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
)

func layer(files map[string]string) Layer {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return Layer{FS: fsys}
}

func TestBuiltInCatalogueLoadsAndKnowsAtLeast250Operators(t *testing.T) {
	c, err := Load(Layer{FS: os.DirFS("../../../rules")})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Operators) < 250 {
		t.Errorf("%d operators", len(c.Operators))
	}
	for _, o := range c.Operators {
		if o.Description == "" || o.Domain == "" {
			t.Errorf("%s: a review searches domain and description, and it has none", o.Source)
		}
		if o.Source != "operators/"+o.Name+".yaml" {
			t.Errorf("%s describes %s: name the file for its operator", o.Source, o.Name)
		}
	}
}

func TestAllMistakesOfACatalogueComeAtOnceWithTheirPlaces(t *testing.T) {
	_, err := Load(layer(map[string]string{
		"a.yaml":       "name: a\ngroups: [a.example.com]\ncolour: red\n",
		"b.yaml":       "name: b\narchetype: gizmo\ngroups: [b.example.com]\n",
		"c.yaml":       "title: nameless\n",
		"d.yaml":       "name: d\ngroups: [shared.example.com]\n",
		"e.yaml":       "name: e\ngroups: [shared.example.com]\n",
		"f.yaml":       "name: [",
		"g.yaml":       "name: g\ngroups: [g.example.com]\nclaimed: {level: 9, source: x}\n",
		"h/other.yaml": "not: read\n",
		"i.yaml":       "name: i\ngroups: [i.example.com]\ngroupSuffixes: [i.io]\ncrds: [things.i.org]\nmainKinds: [A.i.example.com, B.x.i.io, Thing.i.org, C.other.com, Nothing]\n",
		"j.yaml":       "name: j\ngroups: [j.example.com]\nproducts: [A.elsewhere.com, things.j.example.com]\nstatusProxies: [{kind: A.j.example.com, proxy: b}]\n",
	}))
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{
		"a.yaml:3: field colour not found", `b.yaml:1: archetype "gizmo" is none of`, "c.yaml:1: an operator needs a name", "c.yaml:1: names no group",
		"group shared.example.com is claimed by", "f.yaml:", "g.yaml:1: claimed needs a level from 1 to 5",
		"i.yaml:1: mainKinds: group other.com of C.other.com is none of its own", `i.yaml:1: mainKinds: "Nothing" is not of the form Kind.group`,
		`j.yaml:1: products: "things.j.example.com" is not of the form`, `j.yaml:1: statusProxies: "b" is not of the form`,
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is missing in:\n%v", want, err)
		}
	}
	if n := strings.Count(err.Error(), "i.yaml"); n != 2 {
		t.Errorf("%d mistakes in i.yaml, want 2:\n%v", n, err)
	}
}

func TestGroupsMayBeSharedWhenBothSaySo(t *testing.T) {
	c, err := Load(layer(map[string]string{
		"d.yaml": "name: d\ngroups: [shared.example.com]\nsharesGroups: [shared.example.com]\ncrds: [ds.shared.example.com]\n",
		"e.yaml": "name: e\ngroups: [shared.example.com]\nsharesGroups: [shared.example.com]\ncrds: [es.shared.example.com]\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	if m := c.ForCRD("es.shared.example.com", "shared.example.com"); m.Operator.Name != "e" || m.By != "crd" {
		t.Errorf("es is %s's by %s, want e's by its name", m.Operator.Name, m.By)
	}
	if m := c.ForCRD("xs.shared.example.com", "shared.example.com"); len(m.Others) != 1 {
		t.Errorf("xs may be either's, but no other is named: %+v", m)
	}
}

func TestLaterLayerReplacesAnEntryOfTheSameName(t *testing.T) {
	c, err := Load(layer(map[string]string{"a.yaml": "name: a\ngroups: [old.example.com]\n"}), layer(map[string]string{"a.yaml": "name: a\ngroups: [new.example.com]\n"}))
	if err != nil {
		t.Fatal(err)
	}
	if c.ForCRD("", "old.example.com") != nil || c.ForCRD("", "new.example.com") == nil {
		t.Error("the user's entry did not replace the built-in one")
	}
}

func TestMatchPrefersTheMostExact(t *testing.T) {
	c := New(map[string]*Operator{
		"cloud": {Name: "cloud", GroupSuffixes: []string{"cloud.example.com"}},
		"db":    {Name: "db", GroupSuffixes: []string{"db.cloud.example.com"}, Generates: []string{"made.example.com"}},
		"exact": {Name: "exact", Groups: []string{"x.db.cloud.example.com"}},
	})
	for group, want := range map[string]string{
		"a.cloud.example.com": "cloud suffix", "cloud.example.com": "cloud suffix", "a.db.cloud.example.com": "db suffix",
		"x.db.cloud.example.com": "exact group", "y.made.example.com": "db generated", "notcloud.example.com": "",
	} {
		got := ""
		if m := c.ForCRD("things."+group, group); m != nil {
			got = m.Operator.Name + " " + m.By
		}
		if got != want {
			t.Errorf("%s: %q, want %q", group, got, want)
		}
	}
}

func TestImageIsKnownWhateverItsRegistryTagOrDigest(t *testing.T) {
	c := New(map[string]*Operator{"cert-manager": {Name: "cert-manager", Images: []string{"jetstack/cert-manager-controller"}}})
	for image, known := range map[string]bool{
		"quay.io/jetstack/cert-manager-controller:v1.2.3":                true,
		"mirror.example.com:5000/proxy/jetstack/cert-manager-controller": true,
		"jetstack/cert-manager-controller@sha256:0123456789abcdef":       true,
		"quay.io/other/cert-manager-controller:v1":                       false,
		"quay.io/notjetstack/cert-manager-controller-plus:v1":            false,
		"quay.io/xjetstack/cert-manager-controller:v1":                   false,
	} {
		if got := c.ForImage(image) != nil; got != known {
			t.Errorf("%s: known %v, want %v", image, got, known)
		}
	}
}

func TestNoCatalogueKnowsNobody(t *testing.T) {
	var none *Catalogue
	if none.ForCRD("a.b", "b") != nil || none.ByName("a") != nil || none.ForImage("a") != nil {
		t.Error("a nil catalogue answered")
	}
}

func TestSearchWantsEveryWord(t *testing.T) {
	c := New(map[string]*Operator{
		"a": {Name: "a", Keywords: []string{"PostgreSQL", "backup"}}, "b": {Name: "b", Keywords: []string{"postgresql"}},
	})
	if found := c.Search([]string{"postgresql", "Backup"}); len(found) != 1 || found[0].Name != "a" {
		t.Errorf("found %v", found)
	}
}
