package manifests

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// decoded is a head as encoding/json decodes it.
type decoded struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name                       any            `json:"name"`
		Namespace                  string         `json:"namespace"`
		Annotations                map[string]any `json:"annotations"`
		CreationTimestamp          string         `json:"creationTimestamp"`
		DeletionTimestamp          string         `json:"deletionTimestamp"`
		DeletionGracePeriodSeconds float64        `json:"deletionGracePeriodSeconds"`
		ManagedFields              []struct {
			Time string `json:"time"`
		} `json:"managedFields"`
	} `json:"metadata"`
	Items json.RawMessage `json:"items"`
}

var scanned = []string{
	`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"n","uid":"u","annotations":{"helm.sh/hook":"test","config.kubernetes.io/local-config":true}},"items":[1]}`,
	`{"metadata":{"name":7,"labels":{"a":null}},"kind":null,"apiVersion":[],"spec":{"a":[{},[],{"b":[1,2.5e-3,-0,true,false,null]}]}}`,
	`{"\u006bind":"Pod","metadata":{"na\u006de":"\ud83d\ude00\n"},"metadata":{"namespace":"n"},"kind":"Po\u0064"}`,
	`{"metadata":{"creationTimestamp":"2026-05-01T00:00:00Z","managedFields":[{"time":"2026-05-02T00:00:00.5+02:00"},7,{"time":7}],"deletionTimestamp":"2026-05-02T00:00:30Z","deletionGracePeriodSeconds":30}}`,
	`[]`, `{}`, `{"a":}`, `{"a":1,}`, `[1,]`, `[1 2]`, `{"a" 1}`, `{1:2}`, `"a\q"`, `"\u12g4"`, "\"a\nb\"", `01`, `1.`, `-`, `1e`, `tru`, `nul1`, `{"a":"b"`, `{"a":[}`, ` { "a" : [ 1 , 2 ] } `, `{"name":"\\"}`,
}

func FuzzScanIsWhatIsDecoded(f *testing.F) {
	for _, text := range scanned {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := scanner{text: append(bytes.Clone(text), ' ')} // a number ends here
		err := s.skip()
		valid := err == nil && len(bytes.Trim(text[min(s.at, len(text)):], " \t\r\n")) == 0
		if valid != json.Valid(text) {
			t.Fatalf("%q: scanned to %d, %v; valid: %v", text, s.at, err, json.Valid(text))
		}
		// What may go on says so, and no more than that: JSON is not refused
		// half way, and nothing else is waited for until the end of a file.
		for i := range min(len(text), 200) {
			s := scanner{text: text[:i]}
			if got := s.skip(); valid && got != nil && !errors.Is(got, errShort) {
				t.Fatalf("%q: %v after %d bytes", text, got, i)
			}
		}
		if valid {
			sameHead(t, text)
		}
	})
}

func sameHead(t *testing.T, text []byte) {
	t.Helper()
	var want decoded
	_ = utiljson.Unmarshal(text, &want)
	h := headOf(text)
	name, _ := want.Metadata.Name.(string)
	hook, _ := want.Metadata.Annotations["helm.sh/hook"].(string)
	local := want.Metadata.Annotations["config.kubernetes.io/local-config"]
	got := fmt.Sprintf("%q %q %q %q %q %v %v", h.APIVersion, h.Kind, h.name, h.namespace, h.hook, h.local, h.named)
	expected := fmt.Sprintf("%q %q %q %q %q %v %v", want.APIVersion, want.Kind, name, want.Metadata.Namespace, hook,
		local == "true" || local == true, want.Metadata.Name != nil && want.Metadata.Name != "")
	if got != expected {
		t.Fatalf("%q: got  %s\nwant %s", text, got, expected)
	}
}

func TestScannedTimes(t *testing.T) {
	for text, want := range map[string]string{
		scanned[3]: "2026-05-02T00:00:00Z",
		`{"metadata":{"managedFields":[{"time":"2026-05-02T00:00:00.5+02:00"}],"creationTimestamp":"x"}}`: "2026-05-01T22:00:00.5Z",
		`{"status":{"parents":[{"conditions":[{"lastTransitionTime":"2026-05-03T00:00:00Z"}]}]}}`:         "2026-05-03T00:00:00Z",
	} {
		if got := headOf([]byte(text)).times.always.Format(time.RFC3339Nano); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// Objects do not end where a piece of the file does.
func TestObjectsOverTheEndsOfPieces(t *testing.T) {
	var text strings.Builder
	var names []string
	for i := range 40 {
		name := fmt.Sprintf("w%02d", i)
		names = append(names, "a.io/v1/Widget//"+name)
		fmt.Fprintf(&text, "{\"apiVersion\":\"a.io/v1\",\n\"kind\":\"Widget\",\"metadata\":{\"name\":%q},\"spec\":{\"x\":%q}}\n", name, strings.Repeat("é\"", i*i*130))
	}
	text.WriteString("\n{\"apiVersion\":\"a.io/v1\",\"kind\":\"Widget\",\"metadata\":{\"name\":7}}")
	want := strings.Join(names, " ") + " (stdin:82: Widget: metadata.name is no text: put it in quotes)"
	list := `{"apiVersion":"v1","items":[` + strings.ReplaceAll(text.String(), "}}\n", "}},\n") + `],"kind":"List"}`
	for form, text := range map[string]string{"lines": text.String(), "list": list} {
		for pieces, in := range map[string]io.Reader{"whole": strings.NewReader(text), "half": iotest.HalfReader(strings.NewReader(text))} {
			s, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: in})
			if err != nil {
				t.Fatal(err)
			}
			if got := summary(s); got != want {
				t.Errorf("%s, %s: got  %s\nwant %s", form, pieces, got, want)
			}
		}
	}
}
