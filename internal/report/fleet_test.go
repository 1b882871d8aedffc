package report

import (
	"bytes"
	"encoding/csv"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"golang.org/x/net/html"

	"kubectl-operator-maturity/internal/inventory"
	"kubectl-operator-maturity/internal/levels"
)

// chain is a fleet that shows each thing a fleet's report has to tell apart: a
// cluster that is all seen, one that a user may see part of, two names of one
// cluster, one cut short, and one that cannot be reached.
func chain() *levels.FleetScorecard {
	whole := shop()
	for i := range whole.Coverage.Resources {
		whole.Coverage.Resources[i].Access, whole.Coverage.Resources[i].Detail = inventory.Listed, ""
	}
	for _, r := range []string{"statefulsets", "daemonsets", "replicasets"} {
		whole.Coverage.Resources = append(whole.Coverage.Resources, access("apps", r, inventory.Listed, 1, ""))
	}
	whole.Coverage.Complete = true
	whole.Source.Context, whole.Source.Server, whole.Source.ClusterUID = "shop-us", "https://10.1.0.1:6443", "0c1d2e3f-1111-4222-8333-444455556666"
	whole.Operators = []levels.Operator{certManager(), externalSecrets()}
	whole.Operators[0].Version = "v1.20.0"
	whole.Operators[1].State, whole.Operators[1].Level, whole.Operators[1].LevelIndicated, whole.Operators[1].LevelPossible = "down", 0, 1, 1
	whole.Operators[0].CRDs[0].Versions = append([]string{"v1alpha1"}, whole.Operators[0].CRDs[0].Versions...)
	again := shop()
	again.Source.Context, again.Source.Identity = "arn:aws:eks:eu-west-1:123456789012:cluster/shop-prod", "auditor-2@shop.example"
	again.Operators = again.Operators[:2]
	cut := &levels.Scorecard{
		Taken: whole.Taken, Source: inventory.Source{Type: "cluster", Context: "shop-test", Server: "https://10.2.0.1:6443"},
		Coverage: levels.Coverage{Resources: []levels.Resource{access("apiextensions.k8s.io", "customresourcedefinitions", inventory.Failed, 0, "not finished: the time limit of 1m0s was reached")}},
	}
	read := func(sc *levels.Scorecard) levels.FleetCluster {
		return levels.FleetCluster{Name: sc.Source.Context, Outcome: levels.Read, Source: sc.Source, Scorecard: sc}
	}
	short := read(cut)
	short.Outcome, short.Why = levels.ReadPartly, "the time limit of 1m0s was reached"
	return levels.NewFleet([]levels.FleetCluster{read(shop()), read(whole), read(again), short, {
		Name: "shop-dead", Outcome: levels.NotRead,
		Why:    `cannot reach the API server https://10.3.0.1:6443 (context "shop-dead"): dial tcp 10.3.0.1:6443: connect: connection refused; check that the cluster runs, and the port of the server URL`,
		Source: inventory.Source{Type: "cluster", Context: "shop-dead", Server: "https://10.3.0.1:6443"},
	}})
}

// hostileChain has nasty in every string that a cluster or a kubeconfig could
// fill.
func hostileChain() *levels.FleetScorecard {
	clusters := chain().Clusters
	for i := range clusters {
		spoil(reflect.ValueOf(&clusters[i]).Elem(), nasty)
		clusters[i].Name += string(rune('a' + i)) // all the same otherwise
	}
	return levels.NewFleet(clusters)
}

func fleetOutputs(t *testing.T, f *levels.FleetScorecard, o Options) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, format := range FleetFormats() {
		var b bytes.Buffer
		if err := WriteFleet(&b, format, f, o); err != nil {
			t.Fatalf("%s: %v", format, err)
		}
		all[format] = b.String()
	}
	return all
}

func TestFleetFormats(t *testing.T) {
	extensions := map[string]string{}
	for _, f := range Formats() {
		extensions[f.Name] = f.Extension
	}
	for format, out := range fleetOutputs(t, chain(), Options{}) {
		golden(t, "fleet."+format+"."+extensions[format], []byte(out))
	}
	golden(t, "fleet.table-narrow.txt", []byte(fleetOutputs(t, chain(), Options{Width: 80})["table"]))
	golden(t, "fleet-hostile.table.txt", []byte(fleetOutputs(t, hostileChain(), Options{})["table"]))
}

func TestFleetRefusesFormatsOfOneCluster(t *testing.T) {
	for format, want := range map[string]string{
		"sarif": "the output format sarif is of one cluster: several can be written as table, wide, markdown, json, yaml, html, csv, prometheus",
		"sheet": `unknown output format "sheet": known are table, wide`,
	} {
		if err := WriteFleet(&bytes.Buffer{}, format, chain(), Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// Nothing of a cluster that could not be looked at reads as "not there".
func TestFleetTellsUnknownFromAbsent(t *testing.T) {
	f := chain()
	rows, err := csv.NewReader(strings.NewReader(fleetOutputs(t, f, Options{})["csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := map[string]int{}
	for i, title := range rows[0] {
		column[title] = i
	}
	seen := map[string]map[string]int{}
	for _, row := range rows[1:] {
		name, presence := row[column["cluster"]], row[column["presence"]]
		if seen[name] == nil {
			seen[name] = map[string]int{}
		}
		seen[name][presence]++
		if level := row[column["level"]]; presence == "unknown" && level != "?" || presence == "absent" && level != "" || presence == "present" && level == "" {
			t.Errorf("%s: %s with level %q", name, presence, level)
		}
	}
	all := len(f.Operators)
	if seen["shop-dead"]["unknown"] != all || seen["shop-test"]["unknown"] != all || seen["shop-us"]["absent"] != all-2 || seen["shop-prod"]["present"] != all {
		t.Errorf("rows %v, of %d operators", seen, all)
	}
	nobody := levels.NewFleet(f.Clusters[3:])
	for format, out := range fleetOutputs(t, nobody, Options{}) {
		if !strings.Contains(out, "shop-dead") {
			t.Errorf("%s forgets a cluster without operators:\n%s", format, out)
		}
		if strings.Contains(out, "No operator was found on any of the clusters.") || strings.Contains(out, "Nothing: versions") {
			t.Errorf("%s takes what was not seen for nothing:\n%s", format, out)
		}
	}
}

// "Nothing differs" is said of different clusters, and of what was seen.
func TestFleetSaysWhatNothingIsAbout(t *testing.T) {
	whole := chain().Clusters[1]
	other, same := whole, whole
	other.Name, other.Source.ClusterUID = "other", "another uid"
	same.Name = "same"
	for want, clusters := range map[string][]levels.FleetCluster{
		"Nothing: versions, levels":                     {whole, other},
		"Nothing between different clusters: versions,": {whole, other, same},
		"All of these are one cluster":                  {whole, same},
		"Nothing that was seen. Not everything was.":    {whole, other, chain().Clusters[4]},
		"One cluster alone differs from nothing.":       {whole},
	} {
		if out := fleetOutputs(t, levels.NewFleet(clusters), Options{})["table"]; !strings.Contains(out, want) {
			t.Errorf("%d clusters: no %q in\n%s", len(clusters), want, out)
		}
	}
}

func TestFleetKeepsHostileTextText(t *testing.T) {
	f := hostileChain()
	all := fleetOutputs(t, f, Options{Verbose: true})
	for name, out := range all {
		if i := strings.IndexByte(out, 0x1b); i >= 0 {
			t.Errorf("%s has an escape: %q", name, out[max(0, i-60):min(len(out), i+20)])
		}
	}
	head := 0
	for i, line := range strings.Split(all["markdown"], "\n") {
		if !strings.HasPrefix(line, "|") {
			head = 0
		} else if n := pipes(line); head == 0 {
			head = n
		} else if n != head {
			t.Errorf("markdown:%d has %d pipes, its head %d: %s", i+1, n, head, line)
		}
		for _, bad := range []string{"<img", "](javascript", "@team", "\u202e"} {
			if strings.Contains(codeSpan.ReplaceAllString(unescaped(line), ""), bad) {
				t.Errorf("markdown:%d has %q: %s", i+1, bad, line)
			}
		}
	}
	rows, err := csv.NewReader(strings.NewReader(all["csv"])).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		for _, c := range row {
			if c != "" && strings.ContainsRune("=+-@\t\r", rune(c[0])) {
				t.Errorf("a spreadsheet would run %q", c)
			}
		}
	}
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(strings.NewReader(all["prometheus"]))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(families["operator_maturity_cluster_read"].GetMetric()); got != len(f.Clusters) {
		t.Errorf("%d clusters, want %d", got, len(f.Clusters))
	}
	plain, coloured := fleetOutputs(t, f, Options{Width: 90})["table"], fleetOutputs(t, f, Options{Width: 90, Color: true})["table"]
	if regexp.MustCompile(`\x1b\[[0-9]*m`).ReplaceAllString(coloured, "") != plain {
		t.Error("colour does more than paint")
	}
}

// The page is under the same rules as that of one cluster.
func TestFleetHTMLIsSelfContained(t *testing.T) {
	f := hostileChain()
	f.Clusters[0].Name, f.Clusters[4].Why = script, script
	f = levels.NewFleet(f.Clusters)
	raw := fleetOutputs(t, f, Options{})["html"]
	root, err := html.Parse(strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	p := page{root}
	if !strings.Contains(textOf(root), script) || strings.Contains(raw, "ZgotmplZ") {
		t.Error("the text of the clusters is not on the page as it is")
	}
	count := map[string]int{}
	for _, n := range p.find(func(*html.Node) bool { return true }) {
		count[n.Data]++
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" {
				t.Errorf("%s has the attribute %s", n.Data, a.Key)
			}
		}
	}
	if count["script"] != 1 || count["style"] != 1 || count["img"]+count["link"]+count["iframe"] != 0 {
		t.Errorf("elements %v", count)
	}
	places := map[string]bool{}
	for _, n := range p.find(func(n *html.Node) bool { return attr(n, "id") != "" }) {
		places["#"+attr(n, "id")] = true
	}
	for _, n := range p.find(func(n *html.Node) bool { return n.Data == "a" }) {
		if !places[attr(n, "href")] {
			t.Errorf("the link %s leads nowhere", attr(n, "href"))
		}
	}
	for _, row := range p.find(func(n *html.Node) bool { return n.Data == "table" && attr(n, "class") == "matrix" }) {
		unknown := page{row}.find(func(n *html.Node) bool { return n.Data == "td" && attr(n, "class") == "unknown" })
		if len(unknown) == 0 {
			t.Error("no cell of the matrix is unknown")
		}
	}
}
