package report

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"kubectl-operator-maturity/internal/levels"
)

// page is the HTML report, parsed as a browser parses it.
type page struct{ root *html.Node }

func htmlPageOf(t *testing.T, sc *levels.Scorecard) (page, []byte) {
	t.Helper()
	var b bytes.Buffer
	if err := Write(&b, "html", sc, Options{}); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	return page{root}, b.Bytes()
}

// find are the elements that match, in the order of the page.
func (p page) find(matches func(*html.Node) bool) []*html.Node {
	var found []*html.Node
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && matches(n) {
			found = append(found, n)
		}
	}
	return found
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return b.String()
}

// One row an operator, one section an operator, and every link of the page
// leads to a place on it.
func TestHTMLHasARowAndASectionForEachOperator(t *testing.T) {
	sc := shop()
	p, _ := htmlPageOf(t, sc)
	rows := p.find(func(n *html.Node) bool { return n.DataAtom == atom.Tr && attr(n, "data-kind") == "operator" })
	sections := p.find(func(n *html.Node) bool { return n.DataAtom == atom.Article })
	if len(rows) != len(sc.Operators) || len(sections) != len(sc.Operators) {
		t.Fatalf("%d rows and %d sections for %d operators", len(rows), len(sections), len(sc.Operators))
	}
	for i, op := range sc.Operators {
		if !strings.Contains(textOf(rows[i]), op.Name) || !strings.Contains(textOf(sections[i]), op.Name) {
			t.Errorf("row or section %d is not about %s", i, op.Name)
		}
	}
	places := map[string]bool{}
	for _, n := range p.find(func(n *html.Node) bool { return attr(n, "id") != "" }) {
		if places[attr(n, "id")] {
			t.Errorf("the id %s stands twice", attr(n, "id"))
		}
		places[attr(n, "id")] = true
	}
	for _, a := range p.find(func(n *html.Node) bool { return n.DataAtom == atom.A }) {
		if place, here := strings.CutPrefix(attr(a, "href"), "#"); !here || !places[place] {
			t.Errorf("a link leads to %q", attr(a, "href"))
		}
	}
}

// The file loads nothing and runs nothing but its own script, whatever the
// cluster says.
func TestHTMLIsSelfContained(t *testing.T) {
	elements := []string{"script", "style", "meta"}
	for name, sc := range map[string]*levels.Scorecard{"shop": shop(), "hostile": hostilePage(), "empty": {}} {
		p, raw := htmlPageOf(t, sc)
		for _, n := range p.find(func(*html.Node) bool { return true }) {
			if slices.Contains([]string{"iframe", "object", "embed", "link", "base", "img", "image", "use", "video", "audio", "foreignobject"}, strings.ToLower(n.Data)) {
				t.Errorf("%s: there is an element %s", name, n.Data)
			}
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "src" || a.Key == "srcset" || a.Key == "action" {
					t.Errorf("%s: %s has the attribute %s", name, n.Data, a.Key)
				}
			}
		}
		count := map[string]int{}
		for _, n := range p.find(func(n *html.Node) bool { return slices.Contains(elements, n.Data) }) {
			count[n.Data]++
		}
		if count["script"] != 1 || count["style"] != 1 {
			t.Errorf("%s: %d scripts and %d styles", name, count["script"], count["style"])
		}
		if regexp.MustCompile(`(?i)url\(|@import`).Match(raw) {
			t.Errorf("%s: the style may load something", name)
		}
		if bytes.Contains(raw, []byte("ZgotmplZ")) {
			t.Errorf("%s: the template refused a value", name)
		}
	}
}

// The policy names the very style and script that are on the page, and allows
// nothing else.
func TestHTMLPolicyNamesItsStyleAndScript(t *testing.T) {
	p, _ := htmlPageOf(t, shop())
	policy := p.find(func(n *html.Node) bool { return attr(n, "http-equiv") == "Content-Security-Policy" })
	if len(policy) != 1 {
		t.Fatalf("%d policies", len(policy))
	}
	content := attr(policy[0], "content")
	for _, n := range p.find(func(n *html.Node) bool { return n.Data == "style" || n.Data == "script" }) {
		if want := n.Data + "-src '" + sourceHash(textOf(n)) + "'"; !strings.Contains(content, want) {
			t.Errorf("the policy lacks %s: %s", want, content)
		}
	}
	if !strings.HasPrefix(content, "default-src 'none';") || strings.Contains(content, "unsafe") {
		t.Errorf("the policy is too wide: %s", content)
	}
}

const script = `</td></table><script>alert(1)</script><svg onload=alert(2)>`

// hostilePage is the hostile shop with markup, characters that turn text
// around, and a message of 20 kB.
func hostilePage() *levels.Scorecard {
	sc := hostile()
	sc.Operators[0].Checks[0].Because = script + "\u202e\u2066evil\u2069"
	sc.Operators[0].Title, sc.Operators[1].Name = script, script
	sc.Operators[0].Findings = append(sc.Operators[0].Findings, levels.Finding{
		ID: script, Severity: `critical" onmouseover="alert(3)`, Detail: strings.Repeat(script, 20_000/len(script)), Objects: []string{script}})
	sc.Operators[0].State, sc.Operators[2].Archetype = script, script
	sc.Operators[0].Levels[0].Status = levels.Status(script)
	return sc
}

func TestHTMLKeepsHostileTextText(t *testing.T) {
	p, raw := htmlPageOf(t, hostilePage())
	if !strings.Contains(textOf(p.root), script) {
		t.Error("the text of the cluster is not on the page")
	}
	for _, r := range "\u202e\u2066\u2069\x1b\r" {
		if bytes.ContainsRune(raw, r) {
			t.Errorf("the page has the character %U", r)
		}
	}
	long := p.find(func(n *html.Node) bool { return attr(n, "class") == "long" })
	if len(long) == 0 || len(textOf(long[0])) < 19_000 {
		t.Error("the long message is not in a frame of its own, or not whole")
	}
}

func TestHTMLOfNothingSaysSo(t *testing.T) {
	p, _ := htmlPageOf(t, &levels.Scorecard{})
	if !strings.Contains(textOf(p.root), "Nothing was assessed") {
		t.Error("an empty scorecard looks like a result")
	}
}
