package endtoend

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

// kubectl apply -k deploy would send these objects, with the image that the
// kustomization names.
func TestDeployIsAKustomization(t *testing.T) {
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../../deploy")
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, r := range built.Resources() {
		kinds = append(kinds, r.GetKind())
	}
	if got, want := strings.Join(slices.Sorted(slices.Values(kinds)), " "), "ClusterRole ClusterRoleBinding CronJob Namespace PersistentVolumeClaim ServiceAccount"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	raw, err := built.AsYaml()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), "image: registry.example.com/operator-maturity:latest") {
		t.Error("the image of the kustomization did not get into the CronJob")
	}
}
