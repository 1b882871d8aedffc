package cluster

import (
	"net/http"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"

	"kubectl-operator-maturity/internal/inventory"
)

// asProtobuf answers with an object as an API server encodes it.
func asProtobuf(t *testing.T, gvk schema.GroupVersionKind, obj runtime.Object) http.HandlerFunc {
	scheme := newScheme()
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.Header.Get("Accept"), runtime.ContentTypeProtobuf) {
			t.Errorf("%s accepts %q, want protobuf first", r.URL.Path, r.Header.Get("Accept"))
		}
		obj.GetObjectKind().SetGroupVersionKind(gvk)
		w.Header().Set("Content-Type", runtime.ContentTypeProtobuf)
		if err := protobuf.NewSerializer(scheme, scheme).Encode(obj, w); err != nil {
			t.Error(err)
		}
	}
}

func TestProtobuf(t *testing.T) {
	f := newFake(t)
	list := &apiextensionsv1.CustomResourceDefinitionList{Items: []apiextensionsv1.CustomResourceDefinition{widgets()}}
	f.on(crdPath, asProtobuf(t, apiextensionsv1.SchemeGroupVersion.WithKind("CustomResourceDefinitionList"), list))
	f.on(widgetPath, reply(200, targets[0].list("w")))
	deployment := appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Name: "d", Namespace: "n", Annotations: map[string]string{"secret": "value"}}}
	deployment.Spec.Template.Spec.Containers = []corev1.Container{{Name: "c", Image: "i", Env: []corev1.EnvVar{{Name: "PASSWORD", Value: "hunter2"}}}}
	f.on("/apis/apps/v1/deployments", asProtobuf(t, appsv1.SchemeGroupVersion.WithKind("DeploymentList"), &appsv1.DeploymentList{Items: []appsv1.Deployment{deployment}}))
	partial := &metav1.PartialObjectMetadataList{Items: []metav1.PartialObjectMetadata{{ObjectMeta: metav1.ObjectMeta{Name: "m", UID: "u"}}}}
	f.on("/api/v1/secrets", asProtobuf(t, metav1.SchemeGroupVersion.WithKind("PartialObjectMetadataList"), partial))
	o := f.options()
	o.Secrets = true
	s := collect(t, o)

	wantRow(t, row(t, s, "apiextensions.k8s.io", "customresourcedefinitions"), inventory.Listed, 1, "")
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 1, "")
	wantRow(t, row(t, s, "", "secrets"), inventory.Listed, 1, "")
	if len(s.Deployments) != 1 || s.Deployments[0].Spec.Template.Spec.Containers[0].Env[0].Value != "" || s.Deployments[0].Annotations["secret"] != "" {
		t.Errorf("deployments %+v, want one, pruned", s.Deployments)
	}
	var found bool
	for _, obj := range s.Others {
		found = found || obj.Kind == "Secret" && obj.APIVersion == "v1" && obj.Name == "m" && obj.UID == "u"
	}
	if !found {
		t.Errorf("the Secret's metadata is not in %+v", s.Others)
	}
	if accept := f.sent("/api/v1/secrets")[0].Header.Get("Accept"); strings.Count(accept, "as=PartialObjectMetadataList") != 2 || strings.Count(accept, ",") != 1 {
		t.Errorf("Secrets are asked for as %q: their content may be sent", accept)
	}
	if n := len(f.sent(crdPath)); n != 1 || f.sent(crdPath)[0].URL.Query().Get("limit") != "50" {
		t.Errorf("CRDs were asked for %d times, %s", n, f.sent(crdPath)[0].URL)
	}
}

func TestSecretsAreNotAskedFor(t *testing.T) {
	f := newFake(t)
	s := collect(t, f.options())
	if n := len(f.sent("/api/v1/secrets")); n != 0 {
		t.Errorf("Secrets were asked for %d times", n)
	}
	if sight := s.Seen("", "secrets"); sight.Whole || sight.Some {
		t.Errorf("secrets are seen as %+v", sight)
	}
}

// TestMetadataIsNotTakenFromWholeObjects: a server that ignores the wish for
// metadata gets its answer refused, not read.
func TestMetadataIsNotTakenFromWholeObjects(t *testing.T) {
	f := newFake(t)
	f.on("/api/v1/configmaps", reply(200, corev1.ConfigMapList{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMapList"},
		Items:    []corev1.ConfigMap{{Data: map[string]string{"k": "v"}}},
	}))
	wantRow(t, row(t, collect(t, f.options()), "", "configmaps"), inventory.Failed, 0, "ConfigMap in a list of metadata")
}

// TestOddCustomResources: a spec or status that is no map ends nothing.
func TestOddCustomResources(t *testing.T) {
	f := newFake(t)
	f.crds(widgets())
	body := names("example.io/v1", "WidgetList")
	for name, fields := range map[string]map[string]any{
		"a": {"spec": []any{"x"}, "status": "Ready"}, "b": {"spec": "text"}, "c": {"spec": map[string]any{"size": 3}},
	} {
		fields["metadata"] = map[string]any{"name": name}
		body.Items = append(body.Items, fields)
	}
	f.on(widgetPath, reply(200, body))
	s := collect(t, f.options())
	wantRow(t, row(t, s, "example.io", "widgets"), inventory.Listed, 3, "")
	if got := s.CustomResources; got[0].Status.Value() != "Ready" || got[0].Kind != "Widget" || got[0].APIVersion != "example.io/v1" || len(got[2].SpecPaths) != 1 {
		t.Errorf("custom resources %+v", got)
	}
}
