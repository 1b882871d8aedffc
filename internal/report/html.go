package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"kubectl-operator-maturity/internal/levels"
)

//go:embed html/page.html.tmpl
var htmlSource string

//go:embed html/style.css
var htmlStyle string

//go:embed html/script.js
var htmlScript string

// htmlTemplate escapes by context: every text of the cluster passes through
// it, and none is marked as safe.
var htmlTemplate = template.Must(template.New("page").Parse(htmlSource))

// writeHTML writes one file that needs nothing else: no address is fetched,
// it reads without scripts and without styles, and its policy lets run only
// the style and the script that it was made with.
func writeHTML(w io.Writer, sc *levels.Scorecard, o Options) error {
	page := newHTMLPage(sc, o)
	page.Style, page.Script = template.CSS(htmlStyle), template.JS(htmlScript)
	page.Policy = pagePolicy()
	var b bytes.Buffer
	if err := htmlTemplate.Execute(&b, page); err != nil {
		return fmt.Errorf("rendering the HTML report: %w", err)
	}
	return writeAll(w, b.Bytes())
}

// pagePolicy is the content security policy of a page.
func pagePolicy() string {
	return fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'", sourceHash(htmlStyle), sourceHash(htmlScript))
}

// sourceHash names an inline style or script in a content security policy.
func sourceHash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
