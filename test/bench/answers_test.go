package main

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"testing"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
)

// accepts are the Accept headers of the scan and of kubectl get.
var accepts = []string{
	"application/json",
	"application/vnd.kubernetes.protobuf,application/json",
	"application/vnd.kubernetes.protobuf",
	"application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1",
	"application/json;as=Table;v=v1;g=meta.k8s.io,application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
}

// sameAnswers compares single answers, header by header.
func sameAnswers(t *testing.T, fake, real *rest.Config, made *world) {
	custom := groupVersionPath(made.crds[0].Spec.Group, "v1") + "/" + made.crds[0].Spec.Names.Plural
	for path, columns := range map[string]bool{
		"/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=4":  false,
		"/apis/apiextensions.k8s.io/v1/customresourcedefinitions?limit=50": false,
		"/api/v1/namespaces/team-000/pods?limit=5":                         false, custom + "?limit=7": true, custom + "/object-00003": true, custom + "/nobody": true,
		"/apis/example.invalid/v1/nothing?limit=5": true, custom + "?limit=5&continue=nonsense": true,
	} {
		for _, accept := range accepts {
			for _, encoding := range []string{"", "gzip"} {
				a, b := answerOf(t, fake, path, accept, encoding), answerOf(t, real, path, accept, encoding)
				if !columns {
					a.Columns, b.Columns = "", "" // made by code that only a real server has
				}
				if a != b {
					t.Errorf("%s\n as %s\n encoding %q\n fake: %+v\n real: %+v", path, accept, encoding, a, b)
				}
			}
		}
	}
}

// answer is what is compared.
type answer struct {
	Code                             int
	MediaType, Encoding, Kind        string
	Items                            int
	Continues                        bool
	TokenVersion, Remaining, Columns string
}

func answerOf(t *testing.T, config *rest.Config, path, accept, encoding string) answer {
	t.Helper()
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, config.Host+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	req.Header.Set("Accept-Encoding", encoding) // set, the transport leaves the body as it is
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	a := answer{Code: resp.StatusCode, MediaType: resp.Header.Get("Content-Type"), Encoding: resp.Header.Get("Content-Encoding")}
	if a.Code != http.StatusOK {
		return a
	}
	body := io.Reader(resp.Body)
	if a.Encoding == "gzip" {
		if body, err = gzip.NewReader(body); err != nil {
			t.Fatal(err)
		}
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		t.Fatal(err)
	}
	a.read(t, raw)
	return a
}

func (a *answer) read(t *testing.T, raw []byte) {
	object, err := newDecoder().decode(a.MediaType, raw)
	if err != nil {
		t.Fatal(err)
	}
	a.Kind = object.GetObjectKind().GroupVersionKind().String()
	list, err := meta.ListAccessor(object)
	if err != nil {
		return
	}
	a.Items = meta.LenList(object)
	if n := list.GetRemainingItemCount(); n != nil {
		a.Remaining = fmt.Sprint(*n)
	}
	if a.Continues = list.GetContinue() != ""; a.Continues {
		var held token
		decoded, err := base64.RawURLEncoding.DecodeString(list.GetContinue())
		if err != nil || json.Unmarshal(decoded, &held) != nil {
			t.Errorf("the continue token %q is none of an API server", list.GetContinue())
		}
		a.TokenVersion = held.APIVersion
	}
	var table metav1.Table
	if json.Unmarshal(raw, &table) == nil && table.Kind == "Table" {
		a.Items = len(table.Rows)
		for _, column := range table.ColumnDefinitions {
			a.Columns += fmt.Sprint(column.Name, " ", column.Type, " ", column.Format, ", ")
		}
	}
}
