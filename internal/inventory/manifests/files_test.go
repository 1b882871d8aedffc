package manifests

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const widgetA, widgetB = `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"a"}}`, `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"b"}}`

func TestFolders(t *testing.T) {
	const a, b = "a.io/v1/Widget//a", "a.io/v1/Widget//b"
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"by extension":      {map[string]string{"x/a.yaml": widgetA, "b.JSON": widgetB, "c.txt": widgetA[:9], "README.md": "{", ".git/x.yaml": "{", "._a.yaml": "\x00"}, a + " " + b},
		"compressed":        {map[string]string{"a.yaml.gz": gzipped(t, widgetA), "dump.gz": gzipped(t, widgetB), "x.log.gz": gzipped(t, "log")}, a + " " + b},
		"archives":          {map[string]string{"a.tar": tarred(t, "x/a.yaml", widgetA, "x/README", "{"), "b.tgz": gzipped(t, tarred(t, "./b.json", widgetB))}, a + " " + b},
		"an archive within": {map[string]string{"a.tar.gz": gzipped(t, tarred(t, "in.tar.gz", gzipped(t, tarred(t, "a.yaml", widgetA))))}, a},
		"leads out":         {map[string]string{"a.tar": tarred(t, "../../etc/x.yaml", widgetA, "/b.yaml", widgetA, "c.yaml", widgetB)}, b + ` (a.tar: the path "../../etc/x.yaml" leads out of the archive; it was not read) (a.tar: the path "/b.yaml" leads out of the archive; it was not read)`},
		"cut archive":       {map[string]string{"a.tar": tarred(t, "a.yaml", widgetA, "b.yaml", widgetB)[:1200]}, a + " (a.tar: reading the archive: unexpected EOF; the rest of it was not read)"},
		"cut gzip":          {map[string]string{"a.yaml.gz": gzipped(t, widgetA)[:40]}, "(a.yaml.gz:1: broken JSON (it ends early: is the file cut short?); the rest of the file was not read)"},
		"broken in one":     {map[string]string{"a.yaml": widgetA, "b.yaml": "\na: [\n", "c.yaml": widgetB}, a + " " + b + " (b.yaml:2: broken YAML: did not find expected node content)"},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := readFiles(t, Options{}, c.files)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(s); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need rights there")
	}
	dir, outside := t.TempDir(), t.TempDir()
	write := func(path, text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, name string) {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(dir, "a.yaml"), widgetA)
	write(filepath.Join(outside, "b.yaml"), widgetB)
	link("a.yaml", "again.yaml")
	link(".", "loop")
	link("self.yaml", "self.yaml")
	link(filepath.Join(outside, "b.yaml"), "out.yaml")
	link(outside, "outdir")
	s, err := Read(context.Background(), Options{Paths: []string{dir}})
	if err != nil {
		t.Fatal(err)
	}
	got := summary(s)
	for _, want := range []string{"a.io/v1/Widget//a", "out.yaml: the link is not followed", "outdir: the link is not followed", "self.yaml: the link is not followed"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in %s", want, got)
		}
	}
	if strings.Contains(got, "//b") {
		t.Errorf("a link out of the folder was followed: %s", got)
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for name, c := range map[string]struct {
		options Options
		want    string
	}{
		"no path":       {Options{}, "nothing to read"},
		"no such path":  {Options{Paths: []string{filepath.Join(dir, "none.yaml")}}, "none.yaml does not exist: give a file"},
		"no stdin":      {Options{Paths: []string{"-"}}, "there is no standard input"},
		"two clusters":  {Options{Paths: []string{"-"}, Stdin: strings.NewReader(`{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system","uid":"1"}}{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"kube-system","uid":"2"}}`)}, "two clusters"},
		"newer version": {Options{Paths: []string{"-"}, Stdin: strings.NewReader(`{"apiVersion":"operator-maturity/v2","kind":"Snapshot","items":[]}`)}, "update kubectl operator-maturity"},
	} {
		if _, err := Read(context.Background(), c.options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

func TestNothingIsNoError(t *testing.T) {
	s, err := readFiles(t, Options{}, map[string]string{"README.md": "# hello", "values.yaml": "replicas: 1\n"})
	if err != nil || !Empty(s) || len(s.Access) != 0 || !s.Taken.IsZero() {
		t.Errorf("%v, %+v", err, s)
	}
}

func TestSnapshots(t *testing.T) {
	saved := string(encode(t, read(t, widgetA)))
	for name, c := range map[string]struct {
		files      map[string]string
		want, fail string
	}{
		"alone":              {map[string]string{"s.json": saved}, "a.io/v1/Widget//a", ""},
		"compressed":         {map[string]string{"s.json.gz": gzipped(t, saved)}, "a.io/v1/Widget//a", ""},
		"two":                {map[string]string{"s.json": saved, "t.json": saved}, "", "are both snapshots"},
		"mixed":              {map[string]string{"s.json": saved, "t.json": widgetB}, "", "a snapshot is read alone"},
		"cut short":          {map[string]string{"s.json": saved[:len(saved)-20]}, "", "cut short"},
		"a scorecard":        {map[string]string{"s.json": `{"apiVersion":"operator-maturity/v1","kind":"Scorecard"}`}, "(s.json:1: not a snapshot but another file of this program, such as a scorecard)", ""},
		"in another order":   {map[string]string{"s.json": `{"kind":"Snapshot","items":[],"apiVersion":"operator-maturity/v1"}`}, "(s.json:1: a file of this program whose fields are in another order than it writes them: read it as it was written)", ""},
		"with a broken file": {map[string]string{"s.json": saved, "t.yaml": "a: ["}, "a.io/v1/Widget//a (t.yaml:1: broken YAML: did not find expected node content)", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := readFiles(t, Options{}, c.files)
			if c.fail != "" {
				if err == nil || !strings.Contains(err.Error(), c.fail) {
					t.Errorf("error %v, want one with %q", err, c.fail)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(s); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// Field case L12, and L5.
func TestLimits(t *testing.T) {
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for i := 'b'; i < 'k'; i++ {
		bomb += string(i) + ": &" + string(i) + " [" + strings.Repeat("*"+string(i-1)+",", 9) + "]\n"
	}
	big := `{"apiVersion":"a.io/v1","kind":"Widget","metadata":{"name":"big"},"spec":{"x":"` + strings.Repeat("x", 5000) + `"}}`
	wide := "apiVersion: a.io/v1\nkind: Widget\nmetadata: {name: b}\nspec:\n  x: |\n" + strings.Repeat("    0123456789\n", 400)
	nested := widgetA
	for range 6 {
		nested = gzipped(t, nested)
	}
	for name, c := range map[string]struct {
		options  Options
		in, want string
	}{
		"alias bomb":           {Options{}, bomb + "---\n" + widgetA, "//a (stdin:1: broken YAML: its aliases expand"},
		"long text, aliased":   {Options{MaxBytes: 100_000}, "a: &a \"" + strings.Repeat("x", 5000) + "\"\nb: [" + strings.Repeat("*a,", 99) + "]\n", "its aliases expand"},
		"anchor in itself":     {Options{}, "a: &a [*a]\n---\n" + widgetA, "//a (stdin:1: broken YAML"},
		"large JSON":           {Options{MaxBytes: 2000}, widgetA + "\n" + big, "//a (stdin:2: broken JSON (one object is larger than 2000 bytes)"},
		"large YAML":           {Options{MaxBytes: 2000}, wide + "---\n" + widgetA, "//a (stdin:1: one object is larger than 2000 bytes: give it in parts"},
		"a long line of YAML":  {Options{MaxBytes: 2000}, "x: " + strings.Repeat("y", 5000) + "\n---\n" + widgetA, "//a (stdin:1: one object is larger"},
		"large item of a list": {Options{MaxBytes: 2000}, "kind: List\nitems:\n- " + widgetB + "\n- " + big + "\n- " + widgetA, "//a a.io/v1/Widget//b (stdin:4: one object is larger"},
		"decompression bomb":   {Options{MaxTotal: 3 << 20}, gzipped(t, strings.Repeat(widgetA+"\n", 100_000)), "//a (stdin:"},
		"a bomb says so":       {Options{MaxTotal: 3 << 20}, gzipped(t, strings.Repeat(widgetA+"\n", 100_000)), "compressed files unpack to more than 3 MiB"},
		"nested archives":      {Options{}, nested, "archives are nested more than 4 deep"},
		"L5 a line of 1 MB":    {Options{}, "apiVersion: a.io/v1\nkind: Widget\nmetadata: {name: a}\nspec: {x: \"" + strings.Repeat("x", 1<<20) + "\"}\n---\n" + widgetB, "a.io/v1/Widget//a a.io/v1/Widget//b"},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Paths, c.options.Stdin = []string{"-"}, strings.NewReader(c.in)
			s, err := Read(context.Background(), c.options)
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(s); !strings.Contains(got, c.want) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestCancelledReadGivesWhatItHas(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	in := cancelling{strings.NewReader(strings.Repeat(widgetA+"\n", 5000)), cancel}
	s, err := Read(ctx, Options{Paths: []string{"-"}, Stdin: in, Complete: true})
	if !errors.Is(err, context.Canceled) || s == nil || Empty(s) || s.Source.Complete {
		t.Errorf("%v, %+v", err, s)
	}
}

// cancelling cancels when it is first read.
type cancelling struct {
	in     *strings.Reader
	cancel func()
}

func (c cancelling) Read(p []byte) (int, error) {
	c.cancel()
	return c.in.Read(p)
}

func TestAsOf(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s, err := Read(context.Background(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(widgetA), AsOf: at})
	if err != nil || s.Taken != at || s.Source.Type != "files" {
		t.Errorf("%v, %+v", err, s)
	}
}

// Field case L13: times of what happened, and no others.
func TestNewestTime(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"creation":            {`{"apiVersion":"a.io/v1","kind":"W","metadata":{"name":"a","creationTimestamp":"2026-05-01T00:00:00Z"},"status":{"notAfter":"2027-01-01T00:00:00Z","renewalTime":"2027-01-01T00:00:00Z"}}`, "2026-05-01T00:00:00Z"},
		"managedFields":       {`{"apiVersion":"a.io/v1","kind":"W","metadata":{"name":"a","managedFields":[{"time":"2026-05-02T00:00:00Z"}]}}`, "2026-05-02T00:00:00Z"},
		"deletion, grace off": {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","deletionTimestamp":"2026-05-02T00:00:30Z","deletionGracePeriodSeconds":30}}`, "2026-05-02T00:00:00Z"},
		"condition":           {`{"apiVersion":"a.io/v1","kind":"W","metadata":{"name":"a"},"status":{"conditions":[{"lastTransitionTime":"2026-05-03T00:00:00Z"},{"lastHeartbeatTime":"2026-05-04T00:00:00Z"}]}}`, "2026-05-04T00:00:00Z"},
		"lease":               {`{"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"a"},"spec":{"renewTime":"2026-05-05T00:00:00.123456Z"}}`, "2026-05-05T00:00:00.123456Z"},
		"no lease":            {`{"apiVersion":"a.io/v1","kind":"W","metadata":{"name":"a"},"spec":{"renewTime":"2026-05-05T00:00:00.123456Z"}}`, "0001-01-01T00:00:00Z"},
		"event":               {`{"apiVersion":"events.k8s.io/v1","kind":"Event","metadata":{"name":"a"},"series":{"lastObservedTime":"2026-05-06T00:00:00.5Z"},"eventTime":"2026-05-05T00:00:00Z"}`, "2026-05-06T00:00:00.5Z"},
		"no time":             {widgetA, "0001-01-01T00:00:00Z"},
	} {
		if got := read(t, c.in).Taken.Format(time.RFC3339Nano); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("kind: List\nitems:\n- " + widgetA + "\n"))
	f.Add([]byte(`{"kind":"WidgetList","apiVersion":"a.io/v1","items":[{"metadata":{"name":"a"}}]}`))
	f.Add([]byte("a: &a [*a]\n---\n{{ x }}\n--- |\n x\n"))
	f.Add([]byte("\xff\xfea\x00:\x00"))
	f.Add([]byte(tarred(f, "x/a.yaml", widgetA, "../b.yaml", widgetB, "in.tgz", gzipped(f, tarred(f, "c.json", widgetB)))))
	f.Add([]byte(gzipped(f, gzipped(f, widgetA))))
	f.Add([]byte(`{"apiVersion":"operator-maturity/v1","kind":"Snapshot","items":[{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"d"}}]}`))
	f.Add([]byte("apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: w.a.io}\nspec: {group: a.io, version: v1, names: {kind: W, plural: w}, validation: {openAPIV3Schema: {type: object}}}\n"))
	f.Add([]byte("a: &a {b: [1, 2]}\nc: [*a, *a, {<<: *a}]\nd: !!binary aGk=\ne: 1e3\nf: 0x1F\ng: 2026-01-01\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		s, err := Read(context.Background(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(string(in)), MaxBytes: 1 << 16, MaxTotal: 1 << 20})
		if err == nil {
			sameAfterCodec(t, s)
		}
	})
}
