package manifests

import (
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
)

const csv = `apiVersion: operators.coreos.com/v1alpha1
kind: ClusterServiceVersion
metadata: {name: widget.v1, namespace: placeholder}
spec:
  install:
    strategy: deployment
    spec:
      deployments:
      - name: widget-operator
        label: {app: widget}
        spec: {replicas: 1, template: {spec: {serviceAccountName: widget, containers: [{name: m, image: r.io/w:1}]}}}
      permissions:
      - serviceAccountName: widget
        rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
      clusterPermissions:
      - serviceAccountName: widget
        rules: [{apiGroups: [a.io], resources: [widgetes/status], verbs: [update]}]
`

const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: widget-operator, namespace: x}\n"

func bundleFiles(csv string, more ...string) map[string]string {
	return map[string]string{
		"manifests/csv.yaml": csv, "manifests/crd.yaml": widgetCRD,
		"metadata/annotations.yaml":   "annotations: {operators.operatorframework.io.bundle.package.v1: widget}\n",
		"tests/scorecard/config.yaml": "apiVersion: scorecard.operatorframework.io/v1alpha3\nkind: Configuration\nmetadata: {name: config}\n",
		"manifests/more.yaml":         strings.Join(more, "\n---\n"),
	}
}

func TestBundle(t *testing.T) {
	s, err := readFiles(t, Options{}, bundleFiles(csv))
	if err != nil {
		t.Fatal(err)
	}
	want := "CRD/widgetes.a.io Deployment//widget-operator ClusterRole//widget.v1-widget-cluster-0 ClusterRoleBinding//widget.v1-widget-cluster-0 " +
		"Role//widget.v1-widget-0 RoleBinding//widget.v1-widget-0 ServiceAccount//widget operators.coreos.com/v1alpha1/ClusterServiceVersion//widget.v1"
	if got := summary(s); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	d := s.Deployments[0]
	if d.Labels["olm.owner"] != "widget.v1" || d.Labels["app"] != "widget" || len(d.OwnerReferences) != 0 || d.UID != "" {
		t.Errorf("%+v", d.ObjectMeta)
	}
	grants := inventory.NewRights(s).Of("", "widget")
	named := false
	for _, g := range grants {
		covers, byName := g.Covers("a.io", "widgetes/status", "update")
		named = named || covers && byName
	}
	if len(grants) != 2 || !named {
		t.Errorf("grants %+v", grants)
	}
	sameAfterCodec(t, s)
}

func TestBundleVariants(t *testing.T) {
	live := strings.Replace(csv, "namespace: placeholder", "namespace: x, uid: csv-uid", 1)
	for name, c := range map[string]struct {
		csv      string
		complete bool
		more     []string
		// deployments and roles are how many there are, access is that of
		// the Deployments.
		deployments, roles int
		access             inventory.AccessState
	}{
		"expanded already":           {csv, false, []string{deployment}, 1, 0, inventory.Listed},
		"another Deployment":         {csv, false, []string{strings.Replace(deployment, "widget-", "gadget-", 1)}, 2, 1, inventory.Listed},
		"wrong apiVersion":           {strings.Replace(csv, "operators.coreos.com/", "", 1), false, nil, 1, 1, inventory.Listed},
		"copied":                     {strings.Replace(csv, "namespace: placeholder", "labels: {olm.copiedFrom: x}", 1), false, nil, 0, 0, ""},
		"live, nothing else":         {live, false, nil, 1, 1, inventory.Partial},
		"live, complete":             {live, true, nil, 0, 0, ""},
		"live, Deployments exported": {live, false, []string{strings.Replace(deployment, "name: widget-operator", "name: other, uid: d", 1)}, 1, 0, inventory.Listed},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := readFiles(t, Options{Complete: c.complete}, bundleFiles(c.csv, c.more...))
			if err != nil {
				t.Fatal(err)
			}
			var access inventory.AccessState
			for _, a := range s.Access {
				if a.Resource == "deployments" {
					access = a.Access
				}
			}
			if len(s.Deployments) != c.deployments || len(s.Roles) != c.roles || access != c.access {
				t.Errorf("%d Deployments, %d Roles, %q; want %d, %d, %q", len(s.Deployments), len(s.Roles), access, c.deployments, c.roles, c.access)
			}
			if name == "live, nothing else" {
				if owner := s.Deployments[0].OwnerReferences; len(owner) != 1 || owner[0].UID != "csv-uid" || s.Deployments[0].Namespace != "x" {
					t.Errorf("%+v", s.Deployments[0].ObjectMeta)
				}
			}
		})
	}
}
