package report

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// browser renders a page in a real browser and gives its document back. It
// needs chromium (Debian: apt-get install chromium); in CI it must be there.
func browser(t *testing.T, address string) page {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil && os.Getenv("CI") == "true" {
		t.Fatal("no chromium on the PATH: apt-get install chromium")
	} else if err != nil {
		t.Skip("no chromium on the PATH: apt-get install chromium")
	}
	flags := []string{"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + t.TempDir(), "--dump-dom", address}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), program, flags...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, stderr.String())
	}
	root, err := html.Parse(bytes.NewReader(out))
	if err != nil {
		t.Fatal(err)
	}
	return page{root}
}

func (p page) operatorRows() []*html.Node {
	return p.find(func(n *html.Node) bool { return n.DataAtom == atom.Tr && attr(n, "data-kind") == "operator" })
}

func (p page) hiddenForms() int {
	return len(p.find(func(n *html.Node) bool { return n.DataAtom == atom.Form && hidden(n) }))
}

func hidden(n *html.Node) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "hidden" })
}

// jenkins is the policy under which Jenkins shows files of a build: no script
// runs, and no inline style holds.
const jenkins = "sandbox; default-src 'none'; img-src 'self'; style-src 'self';"

// use is what a reader does: filter by a word, then sort by level. The page's
// own policy would not let it run, so it goes first.
const use = `<script>
const find = document.getElementById("find");
find.value = "OPERATOR";
find.dispatchEvent(new Event("input"));
document.querySelectorAll("#map thead button")[6].click();
</script>`

// serving has the page as it is, under the policy of Jenkins, and in use.
func serving(t *testing.T, raw []byte) *httptest.Server {
	policy := regexp.MustCompile(`<meta http-equiv[^>]*>`)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := raw
		switch r.URL.Path {
		case "/sandboxed":
			w.Header().Set("Content-Security-Policy", jenkins)
		case "/used":
			body = append(policy.ReplaceAll(raw, nil), use...)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	return server
}

// With scripts off every row is there; with scripts on the policy lets the
// page's own script run, which then shows the filter.
func TestHTMLInABrowser(t *testing.T) {
	if testing.Short() {
		t.Skip("starting a browser takes seconds")
	}
	sc := hostilePage()
	_, raw := htmlPageOf(t, sc)
	server := serving(t, raw)
	off := browser(t, server.URL+"/sandboxed")
	if n := len(off.operatorRows()); n != len(sc.Operators) || off.hiddenForms() != 1 {
		t.Errorf("scripts off: %d rows for %d operators, %d hidden filters", n, len(sc.Operators), off.hiddenForms())
	}
	on := browser(t, server.URL)
	buttons := on.find(func(n *html.Node) bool { return n.DataAtom == atom.Button })
	if n := len(on.operatorRows()); n != len(sc.Operators) || on.hiddenForms() != 0 || len(buttons) == 0 {
		t.Errorf("scripts on: %d rows, %d hidden filters, %d buttons to sort by", n, on.hiddenForms(), len(buttons))
	}
	used := browser(t, server.URL+"/used")
	var order []string
	for _, row := range used.operatorRows() {
		if !hidden(row) {
			order = append(order, attr(row, "data-level"))
		}
	}
	if strings.Join(order, " ") != "22 0" {
		t.Errorf("levels of the rows with operator in their names, the highest first: %q", order)
	}
	if scripts := on.find(func(n *html.Node) bool { return n.DataAtom == atom.Script }); len(scripts) != 1 {
		t.Errorf("%d scripts", len(scripts))
	}
}
