package manifests

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"kubectl-operator-maturity/internal/inventory"
)

// read reads a text as if it came on standard input.
func read(t *testing.T, text string) *inventory.Snapshot {
	t.Helper()
	s, err := Read(context.Background(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// readFiles reads a folder with the given files.
func readFiles(t *testing.T, o Options, files map[string]string) (*inventory.Snapshot, error) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o.Paths = []string{dir}
	s, err := Read(context.Background(), o)
	if s != nil {
		for i := range s.Access {
			s.Access[i].Detail = strings.ReplaceAll(s.Access[i].Detail, filepath.ToSlash(dir)+"/", "")
		}
	}
	return s, err
}

// summary lists the objects of a snapshot and its failures, a word each.
func summary(s *inventory.Snapshot) string {
	var words []string
	for _, c := range s.CRDs {
		words = append(words, "CRD/"+c.Name)
	}
	kinds := inventory.Kinds()
	for i := range kinds {
		kinds[i].Each(s, func(o inventory.TypedObject) {
			words = append(words, strings.TrimPrefix(kinds[i].Kind+"/"+o.GetNamespace()+"/"+o.GetName(), ""))
		})
	}
	for _, o := range s.CustomResources {
		words = append(words, o.APIVersion+"/"+o.Kind+"/"+o.Namespace+"/"+o.Name)
	}
	for _, a := range s.Access {
		if a.Resource == "documents" {
			words = append(words, "("+a.Detail+")")
		}
	}
	return strings.Join(words, " ")
}

func TestDocuments(t *testing.T) {
	const widget = "apiVersion: a.io/v1\nkind: Widget\nmetadata: {name: %s}\n"
	w := func(name string) string { return fmt.Sprintf(widget, name) }
	j := func(name string) string {
		return fmt.Sprintf(`{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":%q}}`, name)
	}
	const a, b, c = "a.io/v1/Widget//a", "a.io/v1/Widget//b", "a.io/v1/Widget//c"
	for name, test := range map[string]struct{ in, want string }{
		"one":                            {w("a"), a},
		"several":                        {w("a") + "---\n" + w("b") + "--- # note\n" + w("c"), a + " " + b + " " + c},
		"dots end a document":            {w("a") + "...\n---\n" + w("b"), a + " " + b},
		"content behind the dashes":      {"--- " + j("a") + "\n--- " + j("b"), a + " " + b},
		"directive":                      {"%YAML 1.1\n---\n" + w("a"), a},
		"no end of line":                 {strings.TrimSpace(w("a")), a},
		"JSON":                           {j("a"), a},
		"JSON, indented":                 {"\n\t {\n\t\"apiVersion\": \"a.io/v1\", \"kind\": \"Widget\",\n \"metadata\": {\"name\": \"a\"}}\n", a},
		"JSON, one after the other":      {j("a") + j("b") + "\n" + j("c"), a + " " + b + " " + c},
		"JSON, then YAML":                {j("a") + "\n---\n" + w("b") + "---\n" + j("c"), a + " " + b + " " + c},
		"JSON array":                     {"[" + j("a") + "," + j("b") + "]", a + " " + b},
		"YAML array":                     {"- " + j("a") + "\n- " + j("b"), a + " " + b},
		"L1 list":                        {"apiVersion: v1\nkind: List\nitems:\n- " + j("a") + "\n- " + j("b"), a + " " + b},
		"L1 list in flow style":          {"{kind: List, items: [" + j("a") + "," + j("b") + "]}", a + " " + b},
		"L1 items without a kind":        {"apiVersion: a.io/v1\nkind: WidgetList\nitems:\n- metadata: {name: a}\n", a},
		"L1 the kind after the items":    {"apiVersion: a.io/v1\nitems:\n  - metadata:\n      name: a\n  -\n    metadata: {name: b}\nkind: WidgetList\nmetadata: {}\n", a + " " + b},
		"L1 JSON, kind before":           {`{"kind":"WidgetList","apiVersion":"a.io/v1","items":[{"metadata":{"name":"a"}}]}`, a},
		"L1 JSON, kind after":            {`{"items":[{"metadata":{"name":"a"}}],"kind":"WidgetList","apiVersion":"a.io/v1"}`, a},
		"L1 nested":                      {`{"kind":"List","items":[{"apiVersion":"a.io/v1","kind":"WidgetList","items":[{"metadata":{"name":"a"}}]},` + j("b") + `]}`, a + " " + b},
		"L1 nested YAML":                 {"kind: List\napiVersion: v1\nitems:\n- kind: List\n  apiVersion: v1\n  items:\n  - " + j("a") + "\n- " + j("b"), a + " " + b},
		"L1 no items":                    {"kind: List\nitems: []\n---\nkind: List\n---\n{\"kind\":\"List\",\"items\":null}", ""},
		"a kind that ends in List":       {"apiVersion: a.io/v1\nkind: AllowList\nmetadata: {name: a}\nitems: [x]\n", "a.io/v1/AllowList//a"},
		"an object with items":           {"apiVersion: a.io/v1\nkind: Menu\nmetadata: {name: a}\nitems:\n- soup\n- fish\n", "a.io/v1/Menu//a"},
		"anchors between items":          {"kind: List\napiVersion: v1\nitems:\n- &x\n  apiVersion: a.io/v1\n  kind: Widget\n  metadata: {name: a}\n- <<: *x\n  metadata: {name: b}\n", a + " " + b},
		"text with dashes in an item":    {"kind: List\napiVersion: v1\nitems:\n- apiVersion: a.io/v1\n  kind: Widget\n  metadata: {name: a}\n  spec:\n    text: |\n      - x\n\n      ---\n    items:\n    - y\n- " + j("b"), a + " " + b},
		"L2 byte order mark":             {"\ufeff" + w("a"), a},
		"L2 at each document":            {"\ufeff" + w("a") + "\ufeff---\n\ufeff" + w("b"), a + " " + b},
		"L2 before JSON":                 {"\ufeff" + j("a") + "\n\ufeff" + j("b"), a + " " + b},
		"L2 CRLF":                        {strings.ReplaceAll(w("a")+"---\n"+w("b")+"---\nkind: List\nitems:\n- "+j("c"), "\n", "\r\n"), a + " " + b + " " + c},
		"L2 UTF-16, little-endian":       {toUTF16(w("a")+"---\n"+w("b"), false), a + " " + b},
		"L2 UTF-16, big-endian":          {toUTF16(j("a"), true), a},
		"L3 empty documents":             {"# note\n---\n---\nnull\n---\n~\n---\n \n---\n# end", ""},
		"L3 between others":              {"# note\n---\n" + w("a") + "---\n# only a comment\n---\n" + w("b"), a + " " + b},
		"L3 nothing":                     {"", ""},
		"dashes that go on":              {w("a") + "data: |\n  x\n-----BEGIN\n", "(stdin:7: broken YAML: could not find expected ':')"},
		"L10 words of YAML 1.1":          {w("a") + "on: yes\nspec: {version: 1.10}\nstatus: {conditions: [{type: Ready, status: True}]}\n", a},
		"duplicate keys":                 {w("a") + "spec: {x: 1}\nspec: {y: 2}\n", a},
		"no object":                      {"image: {tag: 1}\nreplicas: 3\n", ""},
		"for tools":                      {"apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nmetadata: {name: x}\n---\napiVersion: skaffold/v4\nkind: Config\nmetadata: {name: x}\n---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, annotations: {config.kubernetes.io/local-config: \"true\"}}\n", ""},
		"Secrets":                        {"apiVersion: v1\nkind: Secret\nmetadata: {name: x}\n---\napiVersion: v1\nkind: SecretList\nitems:\n- metadata: {name: y}\n", ""},
		"built-in kinds not in a scan":   {"apiVersion: v1\nkind: Endpoints\nmetadata: {name: x}\n---\napiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: x}\n", ""},
		"old groups":                     {"apiVersion: extensions/v1beta1\nkind: Deployment\nmetadata: {name: x}\n---\napiVersion: policy/v1beta1\nkind: PodDisruptionBudget\nmetadata: {name: x}\n", "Deployment//x PodDisruptionBudget//x"},
		"no apiVersion":                  {"kind: ClusterRole\nmetadata: {name: x}\n", "(stdin:1: an object without apiVersion or kind)"},
		"broken, the rest is read":       {w("a") + "---\n" + w("b") + "x: [\n---\n" + w("c"), a + " " + c + " (stdin:8: broken YAML: did not find expected node content)"},
		"broken item, the rest is read":  {"kind: List\napiVersion: v1\nitems:\n- " + j("a") + "\n- x: [\n- " + j("c"), a + " " + c + " (stdin:5: broken YAML: did not find expected node content)"},
		"wrong type":                     {"\n" + w("a") + "---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d, namespace: x}\nspec: {replicas: x}\n", a + " (stdin:6: Deployment x/d: spec.replicas: string found where int32 is wanted)"},
		"wrong type in JSON":             {j("a") + "\n\n{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\n\"metadata\":{\"name\":\"p\"},\"spec\":7}", a + " (stdin:3: Pod p: spec: number found where v1.PodSpec is wanted)"},
		"a number as name":               {"apiVersion: v1\nkind: Pod\nmetadata: {name: 7}", "(stdin:1: Pod: metadata.name is no text: put it in quotes)"},
		"broken JSON":                    {j("a") + "\n" + j("b")[:30], a + " (stdin:2: broken JSON (it ends early: is the file cut short?); the rest of the file was not read)"},
		"broken JSON list":               {"{\"kind\":\"List\",\"items\":[\n" + j("a") + ",\n" + j("b") + "\n" + j("c"), a + " " + b + " (stdin:4: broken JSON (expected comma after array element); the rest of the file was not read)"},
		"plain text":                     {"hello world\n", "(stdin:1: neither YAML nor JSON objects: a plain text?)"},
		"binary":                         {"\x89PNG\r\n\x1a\n\x00\x00", "(stdin:1: broken YAML: yaml: invalid leading UTF-8 octet)"},
		"zip":                            {"PK\x03\x04xxxx", "(stdin: zip files are not read: unpack it first)"},
		"L9 test hooks":                  {"apiVersion: v1\nkind: Pod\nmetadata: {name: t, annotations: {helm.sh/hook: test}}\n---\napiVersion: v1\nkind: Pod\nmetadata: {name: u, annotations: {\"helm.sh/hook\": \"post-install, test-success\"}}\n---\napiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {helm.sh/hook: pre-install}}\n", "Job//j"},
		"L9 template":                    {"{{- if .Values.crds }}\n" + w("a") + "{{- end }}\n---\n" + w("b"), b + " (stdin:1: " + errTemplate.Error() + ")"},
		"L9 template in a name":          {w(`"{{ .Release.Name }}"`), "(stdin:1: " + errTemplate.Error() + ")"},
		"L11 the newest of two":          {"apiVersion: a.io/v2\nkind: Widget\nmetadata: {name: a, uid: u, resourceVersion: \"100\"}\n---\napiVersion: a.io/v1\nkind: Widget\nmetadata: {name: a, uid: u, resourceVersion: \"99\"}\n", "a.io/v2/Widget//a"},
		"L11 the later of two manifests": {w("a") + "---\n" + strings.Replace(w("a"), "v1", "v2", 1), "a.io/v2/Widget//a"},
	} {
		t.Run(name, func(t *testing.T) {
			s := read(t, test.in)
			if got := summary(s); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if Empty(s) != (summary(s) == "" || strings.HasPrefix(summary(s), "(")) {
				t.Errorf("Empty = %v", Empty(s))
			}
			sameAfterCodec(t, s)
		})
	}
}

func toUTF16(text string, bigEndian bool) string {
	var out []byte
	for _, u := range utf16.Encode([]rune("\ufeff" + text)) {
		if bigEndian {
			out = append(out, byte(u>>8), byte(u))
		} else {
			out = append(out, byte(u), byte(u>>8))
		}
	}
	return string(out)
}

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// tarred makes an archive of name, text, name, text …
func tarred(t testing.TB, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for i := 0; i < len(files); i += 2 {
		header := &tar.Header{Name: files[i], Size: int64(len(files[i+1])), Mode: 0o644, Typeflag: tar.TypeReg}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(files[i+1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
