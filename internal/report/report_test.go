package report

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

func TestUnknownFormat(t *testing.T) {
	var b bytes.Buffer
	for name, err := range map[string]error{
		"scan": Write(&b, "xml", shop(), Options{}), "crds": WriteCRDs(&b, "xml", shop(), CRDFilter{}, Options{}),
		"explain": WriteExplainOperator(&b, "xml", shop(), "cert-manager", Options{}),
	} {
		if err == nil || !strings.Contains(err.Error(), `"xml"`) || !strings.Contains(err.Error(), "table, ") || !strings.Contains(err.Error(), "yaml") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if b.Len() > 0 {
		t.Errorf("written nevertheless: %s", &b)
	}
}

// A report about nothing says so, and why: never a table without rows, never a
// number.
func TestNothing(t *testing.T) {
	list := func(state inventory.AccessState, detail string) *levels.Scorecard {
		return &levels.Scorecard{Coverage: levels.Coverage{
			Complete:  state == inventory.Listed,
			Resources: []levels.Resource{access("apiextensions.k8s.io", "customresourcedefinitions", state, 0, detail)},
		}}
	}
	files := list(inventory.Listed, "")
	files.Source.Type = "files"
	for name, c := range map[string]struct {
		sc   *levels.Scorecard
		want string
	}{
		"no CRD":       {list(inventory.Listed, ""), "Nothing to assess: the cluster has no CustomResourceDefinition"},
		"no CRD files": {files, "Nothing to assess: the files hold no CustomResourceDefinition"},
		"forbidden":    {list(inventory.Forbidden, "403"), "Nothing was assessed: CustomResourceDefinitions could not be read (forbidden: 403). This says nothing about what the cluster has."},
		"failed":       {list(inventory.Failed, ""), "Nothing was assessed: CustomResourceDefinitions could not be read (failed)"},
		"zero value":   {&levels.Scorecard{}, "Nothing was assessed: no list of CustomResourceDefinitions was read"},
	} {
		for _, format := range []string{"table", "wide", "markdown", "crds table", "crds markdown"} {
			out := outputs(t, c.sc, Options{})[format]
			if !strings.Contains(strings.ReplaceAll(out, "**", ""), c.want) {
				t.Errorf("%s as %s does not say %q:\n%s", name, format, c.want, out)
			}
			if strings.Contains(out, "OPERATOR") || strings.Contains(out, "| Operator ") {
				t.Errorf("%s as %s has a table without rows:\n%s", name, format, out)
			}
		}
	}
}

// An operator nobody could assess has no level, not level 0.
func TestNotAssessedIsNoNumber(t *testing.T) {
	for name, op := range map[string]levels.Operator{
		"no levels": {Name: "x"}, "all unknown": {Name: "x", LevelPossible: 5, Levels: []levels.Level{level(1, levels.LevelUnknown, 0, 4, 4, 0, 0)}},
		"zero status": {Name: "x", Levels: []levels.Level{{Level: 1}}},
	} {
		if got := headlineCell(op)[0].s; got != "?" {
			t.Errorf("%s: level %q", name, got)
		}
	}
	na := levels.Operator{Levels: []levels.Level{notApplicable(1, "data only")}}
	if got := headlineCell(na)[0].s; got != "n/a" {
		t.Errorf("nothing applies: level %q", got)
	}
}

func TestHeadline(t *testing.T) {
	some := []levels.Level{level(1, levels.LevelProven, 1, 1, 0, 0, 0)}
	for want, op := range map[string]levels.Operator{
		"1":    {Archetype: "workload", Level: 1, LevelIndicated: 1, LevelPossible: 1, Levels: some},
		"1–3":  {Archetype: "workload", Level: 1, LevelIndicated: 2, LevelPossible: 3, Levels: some},
		"1–2":  {Archetype: "workload", Level: 1, LevelIndicated: 2, LevelPossible: 1, Levels: some},
		"1–3*": {Archetype: "policy", Level: 1, LevelPossible: 3, Levels: some},
		"0–1":  {Archetype: "external", Level: 0, LevelPossible: 1, Levels: some},
	} {
		if got := headlineCell(op)[0].s; got != want {
			t.Errorf("level %q, want %q", got, want)
		}
	}
}

func TestReadyCell(t *testing.T) {
	whole := levels.CRD{Instances: 3, InstancesComplete: true, Ready: 2, NotReady: 1}
	none := levels.CRD{InstancesComplete: true}
	unseen := levels.CRD{}
	sampled := levels.CRD{Instances: 5, Ready: 5}
	data := levels.CRD{Instances: 4, InstancesComplete: true, DataOnly: true, ReadinessUnknown: 4}
	gone := levels.CRD{Instances: 2, InstancesComplete: true, Ready: 2, ControllerState: "down"}
	for want, crds := range map[string][]levels.CRD{
		"-": nil, "0": {none}, "?": {unseen}, "2/3": {whole}, "5/5+": {sampled}, "2/3+": {whole, unseen}, "4": {data}, "7/8+": {whole, sampled, data}, "2/2 (stale)": {gone},
	} {
		if got := flat(readyCell(crds)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := flat(readyCell([]levels.CRD{none, unseen})); got != "?" {
		t.Errorf("none seen and some unseen: %q", got)
	}
}

func flat(t text) string {
	var b strings.Builder
	for _, s := range t {
		b.WriteString(s.s)
	}
	return b.String()
}

func TestCRDFilter(t *testing.T) {
	for name, c := range map[string]struct {
		filter CRDFilter
		want   []string
	}{
		"operator":  {CRDFilter{Operator: "cert-manager"}, []string{"certificates.cert-manager.io", "orders.acme.cert-manager.io"}},
		"shared":    {CRDFilter{Operator: "gateway-api"}, []string{"gateways.gateway.networking.k8s.io"}},
		"nobody":    {CRDFilter{Operator: "none"}, []string{"widgets.myteam.example.com"}},
		"group":     {CRDFilter{Group: "cert-manager.io", Sort: "group"}, []string{"orders.acme.cert-manager.io", "certificates.cert-manager.io"}},
		"orphans":   {CRDFilter{Orphans: true}, []string{"externalsecrets.external-secrets.io", "widgets.myteam.example.com"}},
		"unused":    {CRDFilter{Unused: true}, []string{"gateways.gateway.networking.k8s.io", "orders.acme.cert-manager.io"}},
		"ambiguous": {CRDFilter{Ambiguous: true}, []string{"applications.argoproj.io"}},
		"instances": {CRDFilter{Operator: "aws-load-balancer-controller", Sort: "instances"}, []string{"targetgroupbindings.elbv2.k8s.aws", "ingressclassparams.elbv2.k8s.aws"}},
		"nothing":   {CRDFilter{Operator: "keda"}, nil},
	} {
		rows, err := selectCRDs(crdRows(shop()), c.filter)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, r := range rows {
			names = append(names, r.Name)
		}
		if !slices.Equal(names, c.want) {
			t.Errorf("%s: %v, want %v", name, names, c.want)
		}
	}
	if _, err := selectCRDs(nil, CRDFilter{Sort: "size"}); err == nil || !strings.Contains(err.Error(), "name, operator, instances, group") {
		t.Errorf("unknown order: %v", err)
	}
}

// What a filter finds nothing for, and what it cannot know, is said.
func TestFilterSaysWhatItCannotKnow(t *testing.T) {
	var none, unused bytes.Buffer
	if err := errors.Join(
		WriteCRDs(&none, "table", shop(), CRDFilter{Operator: "keda", Orphans: true}, Options{}),
		WriteCRDs(&unused, "table", shop(), CRDFilter{Unused: true}, Options{}),
	); err != nil {
		t.Fatal(err)
	}
	if want := "None of 9 CRDs matches: operator keda, orphans."; !strings.Contains(none.String(), want) {
		t.Errorf("no %q in\n%s", want, &none)
	}
	if want := "The instances of 1 more CRD could not be looked at"; !strings.Contains(unused.String(), want) {
		t.Errorf("no %q in\n%s", want, &unused)
	}
}

func TestFindSubject(t *testing.T) {
	for name, want := range map[string]string{"CERT-Manager": "cert-manager", "argo cd": "argo-cd"} {
		if op, err := findOperator(shop(), name); err != nil || op.Name != want {
			t.Errorf("%s: %v, %v", name, op, err)
		}
	}
	if _, err := findOperator(shop(), "keda"); err == nil || !strings.Contains(err.Error(), "cert-manager, external-secrets") {
		t.Errorf("unknown operator: %v", err)
	}
	for name, want := range map[string]string{"widget": "widgets.myteam.example.com", "orders": "orders.acme.cert-manager.io"} {
		if r, err := findCRD(shop(), name); err != nil || r.Name != want {
			t.Errorf("%s: %s, %v", name, r.Name, err)
		}
	}
	if _, err := findCRD(shop(), "nope"); err == nil {
		t.Error("an unknown CRD was found")
	}
}

// failing is a full disk.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteErrors(t *testing.T) {
	for _, f := range Formats() {
		if err := Write(failing{}, f.Name, shop(), Options{}); err == nil || !strings.Contains(err.Error(), "writing the report: disk full") {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}

// A word that just fits a line is not cut for the space behind it.
func TestWrappedWordsAreWhole(t *testing.T) {
	for n := readable; n < 60; n++ {
		words := "the cluster runs, and the port of the server, which may be another one, is open to us; and so on"
		for _, line := range wrapText(plain(words), n) {
			if got := shorten(line, n); textWidth(got) != textWidth(line) {
				t.Errorf("at %d columns a line is cut: %v is %v", n, line, got)
			}
		}
	}
}
